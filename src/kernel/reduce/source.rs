//! The inputs of reductions.
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

/// The input of a reduction: an array, or a graph that computes one.
pub(in crate::kernel) trait Source: Sized {
    type Blocks: Blocks;

    fn dtype(&self) -> DType;
    fn dims(&self) -> &Dims;
    /// The distances of neighbours along each axis in memory, in elements.
    fn strides(&self) -> Strides;
    /// The array, if it is one.
    fn array(&self) -> Option<&Array> {
        None
    }
    /// The address of the element at index zero, if the elements are in memory.
    fn memory(&self) -> Option<*const u8> {
        self.array().map(Array::as_ptr)
    }
    /// Converts the elements to another dtype.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    fn cast(self, to: DType) -> Result<Self, Error>;
    /// Computes everything that can be computed before the elements are read.
    ///
    /// # Errors
    /// The errors of the computation.
    fn prepare(&mut self) -> Result<(), Error>;
    /// Returns the elements with the axes in another order, converted to `dtype`, which is its own compute type.
    ///
    /// # Errors
    /// The errors of [`Self::prepare`], and [`Error::OutOfMemory`].
    fn blocks(&mut self, order: &[usize], dtype: DType) -> Result<Self::Blocks, Error>;
    /// Takes back the result of [`Self::blocks`], after it was read.
    ///
    /// # Errors
    /// The error that occurred while it was read.
    fn finish(&mut self, blocks: Self::Blocks) -> Result<(), Error>;
}

/// Elements to read by position in row-major order.
///
/// # Safety
/// [`Self::block`] returns the address of readable elements of the dtype that [`Source::blocks`] was given.
pub(in crate::kernel) unsafe trait Blocks {
    /// Returns the address of the elements from a position on. The next call may overwrite them.
    ///
    /// # Safety
    /// `position + len` is at most the number of elements, and `len` at most
    /// [`BLOCK`](crate::kernel::drive::block::BLOCK).
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

    fn array(&self) -> Option<&Array> {
        Some(self)
    }

    fn cast(self, to: DType) -> Result<Self, Error> {
        let cast = |x: &Array| cast(Cow::Borrowed(x), to);
        self.map_in_memory_order(cast).map(Self::Owned)
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

/// The elements of an array, which this keeps alive.
pub(in crate::kernel) struct ArrayBlocks {
    reader: Reader,
    _array: Array,
}

// SAFETY: `Reader::block` returns readable elements of the array, converted by a chain that ends in the dtype
// (`blocks`).
unsafe impl Blocks for ArrayBlocks {
    unsafe fn block(&mut self, position: usize, len: usize) -> *const u8 {
        // SAFETY: `_array` keeps the elements readable, and the chain starts at their dtype; the caller guarantees a
        // block of at most `BLOCK` elements within the array.
        unsafe { self.reader.block(position, len) }
    }
}

/// Returns one value per axis, with the axes in another order.
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
