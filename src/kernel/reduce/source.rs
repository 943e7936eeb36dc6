//! What is reduced.
#![allow(
    unsafe_code,
    reason = "hands strips of arrays to loops over raw memory"
)]

use std::borrow::Cow;

use crate::array::{Array, Dims, PerAxis, Strides, broadcast_strides};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::apply::operand;
use crate::kernel::cast::{cast, path_to_carrier};
use crate::kernel::walk::Reader;

/// What is reduced: an array, or a program that makes one.
pub(in crate::kernel) trait Source: Sized {
    type Strips: Strips;

    fn dtype(&self) -> DType;
    fn dims(&self) -> &Dims;
    /// How far apart neighbours along each axis lie in memory.
    fn strides(&self) -> Strides;
    /// The element at index zero, if the elements lie in memory.
    fn memory(&self) -> Option<*const u8> {
        None
    }
    /// The array, if it stands for a value of a trace.
    #[cfg(feature = "stablehlo")]
    fn traced(&self) -> Option<&Array> {
        None
    }
    /// Its elements in another dtype.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    fn cast(self, to: DType) -> Result<Self, Error>;
    /// Computes what can be computed before the elements are read.
    ///
    /// # Errors
    /// Those of the computation.
    fn prepare(&mut self) -> Result<(), Error>;
    /// Its elements with the axes in another order, converted into a dtype that computes as it is.
    ///
    /// # Errors
    /// Those of [`Self::prepare`], and [`Error::OutOfMemory`].
    fn strips(&mut self, order: &[usize], dtype: DType) -> Result<Self::Strips, Error>;
    /// Takes back what [`Self::strips`] gave, after it was read.
    ///
    /// # Errors
    /// What went wrong while it was read.
    fn finish(&mut self, strips: Self::Strips) -> Result<(), Error>;
}

/// Elements to read, by position in row-major order.
///
/// # Safety
/// [`Self::strip`] gives elements that can be read, of the dtype that [`Source::strips`] was asked for.
pub(in crate::kernel) unsafe trait Strips {
    /// The elements from a position on, which the next call may overwrite.
    ///
    /// # Safety
    /// There are `len` of them, at most [`STRIP`].
    unsafe fn strip(&mut self, position: usize, len: usize) -> *const u8;
}

impl Source for Cow<'_, Array> {
    type Strips = ArrayStrips;

    fn dtype(&self) -> DType {
        Array::dtype(self)
    }

    fn dims(&self) -> &Dims {
        Array::dims(self)
    }

    fn strides(&self) -> Strides {
        broadcast_strides(self.shape(), Array::strides(self), Array::dims(self))
    }

    fn memory(&self) -> Option<*const u8> {
        Some(self.as_ptr())
    }

    #[cfg(feature = "stablehlo")]
    fn traced(&self) -> Option<&Array> {
        self.symbol().map(|_| self.as_ref())
    }

    fn cast(self, to: DType) -> Result<Self, Error> {
        cast(self, to).map(Self::Owned)
    }

    fn prepare(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn strips(&mut self, order: &[usize], dtype: DType) -> Result<ArrayStrips, Error> {
        let path = path_to_carrier(Array::dtype(self), dtype);
        let shape = in_order(Array::dims(self), order);
        let mut operand = operand(self, Array::dims(self), path);
        operand.strides = in_order(&operand.strides, order);
        Ok(ArrayStrips {
            reader: Reader::new(&shape, operand)?,
            _array: Array::clone(self),
        })
    }

    fn finish(&mut self, _: ArrayStrips) -> Result<(), Error> {
        Ok(())
    }
}

/// The elements of an array, which it keeps alive.
pub(in crate::kernel) struct ArrayStrips {
    reader: Reader,
    _array: Array,
}

// SAFETY: an array's elements can be read, and the path ends in the dtype.
unsafe impl Strips for ArrayStrips {
    unsafe fn strip(&mut self, position: usize, len: usize) -> *const u8 {
        // SAFETY: an array's elements can be read; the path starts at its dtype; the caller's.
        unsafe { self.reader.strip(position, len) }
    }
}

/// One value per axis, with the axes in another order.
pub(in crate::kernel) fn in_order<T: Copy + Default>(
    values: &PerAxis<T>,
    order: &[usize],
) -> PerAxis<T> {
    let mut ordered = *values;
    for (to, axis) in ordered.iter_mut().zip(order) {
        *to = values[*axis];
    }
    ordered
}
