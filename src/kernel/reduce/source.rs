//! What is reduced.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

use std::borrow::Cow;

use crate::array::{Array, Dims, PerAxis, Strides, broadcast_strides};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast::{cast, chain_to_compute};
use crate::kernel::drive::nditer::Reader;
use crate::kernel::elementwise::operand;

/// What is reduced: an array, or a graph that makes one.
pub(in crate::kernel) trait Source: Sized {
    type Blocks: Blocks;

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
    fn blocks(&mut self, order: &[usize], dtype: DType) -> Result<Self::Blocks, Error>;
    /// Takes back what [`Self::blocks`] gave, after it was read.
    ///
    /// # Errors
    /// What went wrong while it was read.
    fn finish(&mut self, blocks: Self::Blocks) -> Result<(), Error>;
}

/// Elements to read, by position in row-major order.
///
/// # Safety
/// [`Self::block`] gives elements that can be read, of the dtype that [`Source::blocks`] was asked for.
pub(in crate::kernel) unsafe trait Blocks {
    /// The elements from a position on, which the next call may overwrite.
    ///
    /// # Safety
    /// There are `len` of them, at most [`BLOCK`].
    unsafe fn block(&mut self, position: usize, len: usize) -> *const u8;
}

impl Source for Cow<'_, Array> {
    type Blocks = ArrayBlocks;

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
        self.tracer().map(|_| self.as_ref())
    }

    fn cast(self, to: DType) -> Result<Self, Error> {
        cast(self, to).map(Self::Owned)
    }

    fn prepare(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn blocks(&mut self, order: &[usize], dtype: DType) -> Result<ArrayBlocks, Error> {
        let chain = chain_to_compute(Array::dtype(self), dtype);
        let shape = in_order(Array::dims(self), order);
        let mut operand = operand(self, Array::dims(self), chain);
        operand.strides = in_order(&operand.strides, order);
        Ok(ArrayBlocks {
            reader: Reader::new(&shape, operand)?,
            _array: Array::clone(self),
        })
    }

    fn finish(&mut self, _: ArrayBlocks) -> Result<(), Error> {
        Ok(())
    }
}

/// The elements of an array, which it keeps alive.
pub(in crate::kernel) struct ArrayBlocks {
    reader: Reader,
    _array: Array,
}

// SAFETY: an array's elements can be read, and the chain ends in the dtype.
unsafe impl Blocks for ArrayBlocks {
    unsafe fn block(&mut self, position: usize, len: usize) -> *const u8 {
        // SAFETY: an array's elements can be read; the chain starts at its dtype; the caller's.
        unsafe { self.reader.block(position, len) }
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
