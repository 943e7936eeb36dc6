//! Shapes and strides: arrays of at most [`MAX_RANK`] values, stored inline.

use core::hash::{Hash, Hasher};
use core::ops::{Deref, DerefMut};

use crate::dtype::DType;
use crate::error::Error;

/// The largest rank of an array.
pub(crate) const MAX_RANK: usize = supremum_macros::limit!(MAX_RANK);

/// One value per axis, stored inline.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PerAxis<T> {
    values: [T; MAX_RANK],
    rank: u8,
}

/// The size of each axis.
pub(crate) type Dims = PerAxis<usize>;

/// For each axis, the distance of neighbours along it, in elements. It may be zero or negative.
pub(crate) type Strides = PerAxis<isize>;

/// The dtype of an array, and the positions of its elements in the buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) dtype: DType,
    pub(super) shape: Dims,
    pub(super) strides: Strides,
    /// The position of the element at index zero, in elements.
    pub(super) offset: usize,
    /// The number of elements.
    pub(super) len: usize,
    /// `true` if the elements are contiguous, in row-major order.
    pub(super) is_contiguous: bool,
    /// `true` if the array has a handle in place of elements ([`Handle`](super::Handle)).
    pub(super) has_handle: bool,
}

impl Layout {
    #[inline(always)]
    pub(super) fn row_major(dtype: DType, shape: Dims) -> Self {
        Self {
            dtype,
            shape,
            strides: row_major(&shape),
            offset: 0,
            len: shape.iter().product(),
            is_contiguous: true,
            has_handle: false,
        }
    }

    /// Makes it the layout of a row-major array of this shape.
    #[inline]
    pub(super) fn reshape(&mut self, shape: &Dims) {
        self.shape = *shape;
        self.strides.rank = shape.rank;
        let mut inner = 1_isize;
        for (stride, size) in self.strides.iter_mut().zip(shape.iter()).rev() {
            *stride = inner;
            inner = inner.wrapping_mul((*size).max(1).cast_signed());
        }
        self.len = shape.iter().product();
    }

    /// The layout of a single element, with as many axes as `axes`.
    #[inline]
    pub(super) fn single(dtype: DType, axes: &Dims) -> Self {
        let rank = axes.rank;
        let values = [1; MAX_RANK];
        let strides = Strides {
            values: [1; MAX_RANK],
            rank,
        };
        Self {
            dtype,
            shape: Dims { values, rank },
            strides,
            offset: 0,
            len: 1,
            is_contiguous: true,
            has_handle: false,
        }
    }

    pub(super) fn new(dtype: DType, shape: Dims, strides: Strides, offset: usize) -> Self {
        Self {
            dtype,
            shape,
            strides,
            offset,
            len: shape.iter().product(),
            is_contiguous: is_row_major(&shape, &strides),
            has_handle: false,
        }
    }
}

/// Stands for the operation in errors about a shape, in code that many operations call. The method that was called puts its name in
/// place of it: [`Error::named`].
pub(crate) const UNNAMED: &str = "shape";

impl<T: Copy + Default> PerAxis<T> {
    /// Copies one value per axis.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] above [`MAX_RANK`].
    pub(crate) fn new(values: &[T]) -> Result<Self, Error> {
        let mut axes = Self::filled(T::default(), values.len())?;
        axes.copy_from_slice(values);
        Ok(axes)
    }

    /// Makes `rank` axes with the same value.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] above [`MAX_RANK`].
    pub(crate) fn filled(value: T, rank: usize) -> Result<Self, Error> {
        match u8::try_from(rank) {
            Ok(narrow) if rank <= MAX_RANK => Ok(Self {
                values: [value; MAX_RANK],
                rank: narrow,
            }),
            _ => Err(Error::RankTooLarge {
                operation: UNNAMED,
                rank,
                limit: MAX_RANK,
            }),
        }
    }

    /// Applies a function to the value of each axis.
    pub(crate) fn map<U: Copy + Default>(&self, mut f: impl FnMut(T) -> U) -> PerAxis<U> {
        let mut values = [U::default(); MAX_RANK];
        for (to, from) in values.iter_mut().zip(self.iter()) {
            *to = f(*from);
        }
        PerAxis {
            values,
            rank: self.rank,
        }
    }

    /// Returns the values with one more axis, before `axis`.
    pub(crate) fn inserted(&self, axis: usize, value: T) -> Result<Self, Error> {
        let mut more = Self::filled(value, self.len() + 1)?;
        more[..axis].copy_from_slice(&self[..axis]);
        more[axis + 1..].copy_from_slice(&self[axis..]);
        Ok(more)
    }

    /// Drops the values of all but the first axes, as many as `rank`.
    #[inline]
    pub(crate) fn truncate(&mut self, rank: usize) {
        self.rank = u8::try_from(rank).map_or(self.rank, |rank| rank.min(self.rank));
    }

    /// Returns the values without one axis.
    pub(crate) fn removed(&self, axis: usize) -> Self {
        let mut less = *self;
        less.copy_within(axis + 1.., axis);
        less.rank -= 1;
        less
    }
}

impl<T> Deref for PerAxis<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.values[..usize::from(self.rank)]
    }
}

impl<T> DerefMut for PerAxis<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[..usize::from(self.rank)]
    }
}

impl PerAxis<usize> {
    /// Returns the shape of a single element with so many axes, at most [`MAX_RANK`].
    #[inline]
    pub(crate) fn single(rank: usize) -> Self {
        debug_assert!(rank <= MAX_RANK, "an array's rank");
        Self {
            values: [1; MAX_RANK],
            rank: u8::try_from(rank).unwrap_or_default(),
        }
    }

    /// Broadcasts the shape with an operand's, which has no more axes. Returns the axes whose size is not one in the operand: one
    /// bit for each, from the last axis on. `None` if the shapes do not broadcast.
    #[inline]
    pub(crate) fn broadcast_with(&mut self, operand: &[usize]) -> Option<u8> {
        let (mut axes, mut axis) = (0, 1);
        for (size, own) in self.iter_mut().rev().zip(operand.iter().rev()) {
            if *own != 1 {
                axes |= axis;
                if *size == 1 {
                    *size = *own;
                } else if *size != *own {
                    return None;
                }
            }
            axis <<= 1;
        }
        Some(axes)
    }

    /// [`Self::broadcast_with`] two operands.
    #[inline]
    pub(crate) fn broadcast_with_both(&mut self, lhs: &[usize], rhs: &[usize]) -> Option<[u8; 2]> {
        Some([self.broadcast_with(lhs)?, self.broadcast_with(rhs)?])
    }

    /// Returns the numbers `0..rank` of the axes.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] above [`MAX_RANK`].
    pub(crate) fn numbers(rank: usize) -> Result<Self, Error> {
        let axes = Self::filled(0, rank)?;
        Ok(Self {
            values: [0, 1, 2, 3, 4, 5, 6, 7],
            ..axes
        })
    }
}

impl PerAxis<isize> {
    /// Makes them [`broadcast_strides`] of an operand.
    // In place: the caller of a function that returns them would copy them as a whole, right after their parts were stored, which stalls.
    #[inline]
    pub(crate) fn set_broadcast(&mut self, shape: &[usize], strides: &[isize], to: &Dims) {
        *self = Self {
            values: [0; MAX_RANK],
            rank: to.rank,
        };
        let walked = self.iter_mut().rev();
        for (walked, (size, stride)) in walked.zip(shape.iter().zip(strides).rev()) {
            if *size != 1 {
                *walked = *stride;
            }
        }
    }
}

impl<T: PartialEq> PartialEq for PerAxis<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        if self.rank != other.rank {
            return false;
        }
        // Ranks are at most 8: a loop is faster than a call of `memcmp`.
        for (a, b) in self.iter().zip(other.iter()) {
            if a != b {
                return false;
            }
        }
        true
    }
}

impl<T: Eq> Eq for PerAxis<T> {}

impl<T: Hash> Hash for PerAxis<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

/// Returns the number of elements of a shape.
///
/// Each element counts as 32 bytes, twice the largest element, so that no conversion of an array can need more bytes
/// than can be addressed. Axes of size zero count as one, because strides are products of the other sizes.
///
/// # Errors
/// [`Error::ShapeTooLarge`] if the count exceeds the address space.
pub(crate) fn element_count(operation: &'static str, shape: &[usize]) -> Result<usize, Error> {
    const LIMIT: usize = isize::MAX.cast_unsigned() / 32;
    let product = shape
        .iter()
        .try_fold(1_usize, |product, size| product.checked_mul((*size).max(1)));
    match product {
        Some(product) if product <= LIMIT => Ok(shape.iter().product()),
        _ => Err(Error::ShapeTooLarge {
            operation,
            shape: shape.to_vec(),
        }),
    }
}

/// Returns the strides of a row-major array, in elements.
#[inline(always)]
pub(crate) fn row_major(shape: &Dims) -> Strides {
    let mut strides = Strides {
        values: [0; MAX_RANK],
        rank: shape.rank,
    };
    let mut inner = 1_isize;
    for (stride, size) in strides.iter_mut().zip(shape.iter()).rev() {
        *stride = inner;
        inner = inner.wrapping_mul((*size).max(1).cast_signed());
    }
    strides
}

/// Returns whether the strides are those of a row-major array, except along axes of size one and in empty arrays.
fn is_row_major(shape: &[usize], strides: &[isize]) -> bool {
    let mut expected = 1;
    for (size, stride) in shape.iter().zip(strides).rev() {
        match size {
            1 => {}
            _ if *stride != expected => return shape.contains(&0),
            _ => expected *= size.cast_signed(),
        }
    }
    true
}

/// Returns the common shape of two operands, as in NumPy: shapes are aligned at the right, and sizes are equal or
/// one.
///
/// # Errors
/// [`Error::ShapeMismatch`] if the shapes do not broadcast.
pub(crate) fn broadcast(
    operation: &'static str,
    lhs: &[usize],
    rhs: &[usize],
) -> Result<Dims, Error> {
    let mut shape = Dims::filled(1, lhs.len().max(rhs.len()))?;
    match shape.broadcast_with_both(lhs, rhs) {
        Some(_) => Ok(shape),
        None => Err(Error::ShapeMismatch {
            operation,
            lhs: lhs.to_vec(),
            rhs: rhs.to_vec(),
        }),
    }
}

/// Returns the strides of an operand along a shape that it broadcasts to: zero along axes that it repeats along.
pub(crate) fn broadcast_strides(shape: &[usize], strides: &[isize], to: &Dims) -> Strides {
    let mut walked = Strides::default();
    walked.set_broadcast(shape, strides, to);
    walked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broadcasting_aligns_at_the_right() {
        let shape = |l: &[usize], r: &[usize]| broadcast("add", l, r).map(|dims| dims.to_vec());
        assert_eq!(shape(&[], &[]), Ok(vec![]));
        assert_eq!(shape(&[2, 1], &[3]), Ok(vec![2, 3]));
        assert_eq!(shape(&[0], &[1]), Ok(vec![0]));
        assert_eq!(shape(&[4, 1, 3], &[5, 1]), Ok(vec![4, 5, 3]));
        assert!(shape(&[2], &[3]).is_err());
        assert!(shape(&[0], &[2]).is_err());
    }

    #[test]
    fn shapes_added_one_by_one_broadcast_as_pairs_do() {
        let sizes = [0, 1, 2, 3];
        let mut shapes = vec![vec![]];
        for a in sizes {
            shapes.push(vec![a]);
            shapes.extend(sizes.map(|b| vec![a, b]));
        }
        for lhs in &shapes {
            for rhs in &shapes {
                let mut both = Dims::single(lhs.len().max(rhs.len()));
                let axes = [lhs, rhs].map(|shape| both.broadcast_with(&Dims::new(shape).unwrap()));
                let expected = broadcast("add", lhs, rhs).ok();
                let found = axes[0].and(axes[1]).map(|_| both);
                assert_eq!(found, expected, "{lhs:?} {rhs:?}");
                let wide = lhs.iter().rev().enumerate().filter(|(_, size)| **size != 1);
                assert_eq!(
                    axes[0],
                    Some(wide.map(|(axis, _)| 1 << axis).sum()),
                    "{lhs:?}"
                );
            }
        }
    }

    #[test]
    fn counts_that_cannot_be_addressed_are_refused() {
        assert_eq!(element_count(UNNAMED, &[]), Ok(1));
        assert_eq!(element_count(UNNAMED, &[3, 0]), Ok(0));
        assert!(element_count(UNNAMED, &[usize::MAX, 2]).is_err());
        assert!(element_count(UNNAMED, &[0, usize::MAX, 2]).is_err());
        assert!(element_count(UNNAMED, &[1 << 61]).is_err());
        assert!(Dims::new(&[1; 9]).is_err());
    }

    #[test]
    fn contiguity_ignores_axes_of_one() {
        assert!(is_row_major(&[2, 1, 3], &[3, 77, 1]));
        assert!(!is_row_major(&[2, 3], &[1, 2]));
        assert!(is_row_major(&[0, 3], &[9, 9]));
        assert!(is_row_major(&[], &[]));
    }
}
