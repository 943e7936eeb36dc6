//! Methods of [`Array`] that need elements in row-major order, and copy them if they are not.
#![allow(unsafe_code, reason = "gives bytes their types")]

use std::borrow::Cow;

use super::cast::copied;
use crate::array::alloc::vec_of;
use crate::array::{Array, ArrayMut, Dims, Strides, element_count, row_major};
use crate::dtype::Element;
use crate::error::Error;

impl Array {
    /// Gives the elements, in row-major order, another shape. Copies only if no strides can express it.
    ///
    /// # Errors
    /// [`Error::Reshape`] if the shape has another number of elements; [`Error::OutOfMemory`] if it must
    /// copy.
    pub(crate) fn reshape(&self, shape: &[usize]) -> Result<Self, Error> {
        let dims = Dims::new(shape)?;
        if element_count("reshape", shape)? != self.len() {
            return Err(Error::Reshape {
                from: self.shape().to_vec(),
                to: shape.iter().map(|size| size.cast_signed()).collect(),
            });
        }
        Ok(match reshaped_strides(self, &dims) {
            Some(strides) => self.view(dims, strides),
            None => copied(self)?.view(dims, row_major(&dims)),
        })
    }

    /// The elements in row-major order, for writing. They are copied first if they are shared or have another layout.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; the array is unchanged then.
    ///
    /// # Panics
    /// If the dtype is not that of `E`.
    pub(crate) fn as_mut_slice<E: Element>(&mut self) -> Result<&mut [E], Error> {
        self.expect(E::DTYPE);
        let len = self.len();
        let first = self.make_row_major()?;
        // SAFETY: `make_row_major` made the `len` elements contiguous, in a buffer without other owners, which this
        // borrow keeps exclusively. They are valid and aligned for `E`, whose dtype was checked (`expect`).
        Ok(unsafe { core::slice::from_raw_parts_mut(first.cast(), len) })
    }

    /// The element at an index, for writing. The elements are copied first if they are shared or not in row-major order.
    ///
    /// # Errors
    /// The errors of [`Self::index_error`] outside the shape; [`Error::OutOfMemory`]. The array is unchanged then.
    ///
    /// # Panics
    /// If the dtype is not that of `E`.
    #[inline]
    pub(crate) fn element_mut<E: Element>(
        &mut self,
        operation: &'static str,
        index: &[usize],
    ) -> Result<&mut E, Error> {
        self.expect(E::DTYPE);
        let Some(mut offset) = self.offset_of(index) else {
            return Err(self.index_error(operation, index));
        };
        let in_place = self.is_contiguous().then(|| self.unique_mut_ptr());
        let first = match in_place.flatten() {
            Some(first) => first,
            None => {
                let first = self.make_row_major()?;
                offset = self.offset_of(index).expect("the same shape");
                first
            }
        };
        // SAFETY: the index is within the shape, so `offset` is that of an element of the buffer, which is contiguous and has no
        // other owner (checked, or made so by `make_row_major`), and which this borrow keeps exclusively. The element is valid and
        // aligned for `E`, whose dtype was checked (`expect`).
        Ok(unsafe { &mut *first.cast::<E>().offset(offset) })
    }

    /// Borrows all elements for writing. They are copied first if they are shared or not in row-major order.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; the array is unchanged then.
    pub(crate) fn view_mut(&mut self) -> Result<ArrayMut<'_>, Error> {
        self.make_row_major()?;
        Ok(ArrayMut::new(self).expect("contiguous, with a single owner"))
    }

    /// Copies the elements if they are shared or not in row-major order. Returns their address.
    fn make_row_major(&mut self) -> Result<*mut u8, Error> {
        if !self.is_contiguous() || self.unique_mut_ptr().is_none() {
            *self = copied(self)?;
        }
        Ok(self
            .unique_mut_ptr()
            .expect("a fresh copy has a single owner"))
    }

    /// Copies the elements in row-major order.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    ///
    /// # Panics
    /// If the dtype is not that of `E`.
    pub(crate) fn try_to_vec<E: Element>(&self) -> Result<Vec<E>, Error> {
        self.expect(E::DTYPE);
        let row_major = self.row_major()?;
        Ok(vec_of(row_major.as_slice().unwrap_or_default())?)
    }

    /// The elements in row-major order, for tests.
    #[cfg(test)]
    pub(crate) fn to_vec<E: Element>(&self) -> Vec<E> {
        self.try_to_vec().expect("there is memory")
    }

    /// Returns the array with its elements in row-major order in memory: a copy, unless they are.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn row_major(&self) -> Result<Cow<'_, Self>, Error> {
        Ok(match self.is_contiguous() {
            true => Cow::Borrowed(self),
            false => Cow::Owned(copied(self)?),
        })
    }
}

/// Returns the strides that express a shape over the elements of an array, if there are any.
///
/// Both shapes are cut, from the left, into the smallest runs of axes with equal products. A run can be divided
/// differently only if its axes can be coalesced to one.
fn reshaped_strides(array: &Array, to: &Dims) -> Option<Strides> {
    if array.is_empty() || array.is_contiguous() {
        return Some(row_major(to));
    }
    let mut strides = to.map(|_| 0_isize);
    let kept: Vec<(usize, isize)> = array
        .shape()
        .iter()
        .zip(array.strides())
        .filter(|(size, _)| **size != 1)
        .map(|(size, stride)| (*size, *stride))
        .collect();
    let (mut from_axis, mut to_axis) = (0, 0);
    while from_axis < kept.len() {
        let (from_start, to_start) = (from_axis, to_axis);
        let (mut from_product, mut to_product) = (kept[from_axis].0, to[to_axis]);
        from_axis += 1;
        to_axis += 1;
        while from_product != to_product {
            if from_product < to_product {
                from_product *= kept[from_axis].0;
                from_axis += 1;
            } else {
                to_product *= to[to_axis];
                to_axis += 1;
            }
        }
        let run = &kept[from_start..from_axis];
        let walks_as_one = run
            .windows(2)
            .all(|pair| pair[0].1 == pair[1].1 * pair[1].0.cast_signed());
        if !walks_as_one {
            return None;
        }
        let mut stride = run[run.len() - 1].1;
        for axis in (to_start..to_axis).rev() {
            strides[axis] = stride;
            stride *= to[axis].cast_signed();
        }
    }
    Some(strides)
}
