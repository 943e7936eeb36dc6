//! The erased tensor: shared bytes, a dtype tag, a shape and strides.
//! `docs/decisions/small-arrays.md` explains why arrays and results are two words.

pub(crate) mod alloc;
mod buffer;
mod datum;
mod elements;
mod exclusive;
#[cfg(any(feature = "dlpack", feature = "ndarray"))]
mod external;
#[cfg(all(test, unix))]
#[allow(unsafe_code, reason = "maps memory")]
pub(crate) mod fence;
mod free_list;
mod handle;
mod iter;
mod layout;
pub(crate) mod pool;
#[cfg(feature = "stablehlo")]
mod region;
#[cfg(feature = "stablehlo")]
mod shared_mut;
pub(crate) mod strided;
mod views;

use core::fmt;
use std::sync::Arc;

pub(crate) use alloc::AllocError;
use buffer::BufferWithLayout;
use buffer::header::SMALL_BYTES;
pub(crate) use buffer::{Buffer, Uninit};
pub(crate) use datum::{Datum, ScalarBits};
pub(crate) use exclusive::{ArrayMut, Parts};
#[cfg(any(feature = "dlpack", feature = "ndarray"))]
pub(crate) use external::Span;
#[allow(unused_imports, reason = "only traces make such arrays")]
pub(crate) use handle::Handle;
pub use iter::Elements;
use layout::Layout;
pub(crate) use layout::{
    Dims, MAX_RANK, PerAxis, Strides, UNNAMED, broadcast, broadcast_strides, element_count,
    row_major,
};
#[cfg(feature = "stablehlo")]
pub(crate) use region::Region;
#[cfg(feature = "stablehlo")]
pub(crate) use shared_mut::{SharedPart, SharedParts};
pub(crate) use views::sort_by_stride;

use crate::dtype::DType;
use crate::error::{Error, named};

/// Elements of one dtype with a shape and strides; clones share the elements.
///
/// Every index within the shape reaches an element within the buffer, and that element is a valid value of the dtype
/// (bytes of booleans are 0 or 1).
///
/// Kept at two words so that it is returned in registers: dtype, shape and strides are in the buffer's header, and
/// those of a view in an allocation of their own. A value of three words goes through memory; a load that spans words
/// that were just stored one by one has to wait for the stores, which for eight elements takes longer than adding
/// them.
#[derive(Clone)]
pub(crate) struct Array {
    buffer: BufferWithLayout,
    /// The layout, unless it is the buffer's.
    layout: Option<Arc<Layout>>,
}

/// The result of an operation, in two registers; a `Result` would take many words.
pub struct OpResult(Outcome);

enum Outcome {
    /// A row-major array over a whole buffer.
    Whole(BufferWithLayout),
    /// A view, an array with a handle, or an error.
    Other(Box<Result<Array, Error>>),
}

impl OpResult {
    /// Returns the array.
    ///
    /// # Errors
    /// The operation's error.
    #[inline]
    pub(crate) fn array(self) -> Result<Array, Error> {
        match self.0 {
            Outcome::Whole(buffer) => Ok(Array {
                buffer,
                layout: None,
            }),
            Outcome::Other(other) => *other,
        }
    }

    /// Returns the array if it is row-major over a whole buffer, in two registers. Mostly it is.
    ///
    /// # Errors
    /// The array or the error otherwise.
    #[inline]
    pub(crate) fn whole(self) -> Result<Array, Box<Result<Array, Error>>> {
        match self.0 {
            Outcome::Whole(buffer) => Ok(Array {
                buffer,
                layout: None,
            }),
            Outcome::Other(other) => Err(other),
        }
    }

    /// Puts the name of the operation that was called into an error, as [`named`].
    #[inline]
    pub(crate) fn named(self, operation: &'static str) -> Self {
        match self.0 {
            Outcome::Other(other) if other.is_err() => {
                Self(Outcome::Other(Box::new(named(operation, *other))))
            }
            _ => self,
        }
    }
}

impl From<Array> for OpResult {
    #[inline]
    fn from(array: Array) -> Self {
        Self(match array.layout {
            None => Outcome::Whole(array.buffer),
            Some(_) => Outcome::Other(Box::new(Ok(array))),
        })
    }
}

impl From<Error> for OpResult {
    #[cold]
    fn from(error: Error) -> Self {
        Self(Outcome::Other(Box::new(Err(error))))
    }
}

impl From<AllocError> for OpResult {
    #[cold]
    fn from(error: AllocError) -> Self {
        Error::from(error).into()
    }
}

impl<E> From<Result<Array, E>> for OpResult
where
    Self: From<E>,
{
    #[inline]
    fn from(result: Result<Array, E>) -> Self {
        match result {
            Ok(array) => array.into(),
            Err(error) => error.into(),
        }
    }
}

impl Array {
    /// Makes a row-major array over a whole buffer.
    ///
    /// The buffer must hold exactly the shape's elements, valid for the dtype, and have no other owner.
    #[inline]
    pub(crate) fn from_buffer(buffer: Buffer, dtype: DType, shape: Dims) -> Self {
        debug_assert_eq!(
            Ok(buffer.len() / dtype.size()),
            element_count(UNNAMED, &shape)
        );
        Self {
            buffer: BufferWithLayout::row_major(buffer, dtype, &shape),
            layout: None,
        }
    }

    /// Makes an array of the one element in the buffer, with as many axes of size one as `axes` has. The buffer's
    /// requirements are those of [`Self::from_buffer`].
    #[inline]
    pub(crate) fn of_one(buffer: Buffer, dtype: DType, axes: &Dims) -> Self {
        debug_assert_eq!(buffer.len(), dtype.size());
        Self {
            buffer: BufferWithLayout::new(buffer, || Layout::single(dtype, axes)),
            layout: None,
        }
    }

    /// Makes a row-major array of the same shape over a whole buffer, with the requirements of [`Self::from_buffer`].
    #[inline]
    pub(crate) fn like(&self, buffer: Buffer, dtype: DType) -> Self {
        debug_assert_eq!(buffer.len(), self.len() * dtype.size());
        // Two calls, so that the layout is built in place, where it stays.
        let buffer = match &self.layout {
            Some(layout) => BufferWithLayout::row_major(buffer, dtype, &layout.shape),
            None => BufferWithLayout::like(buffer, &self.buffer, dtype),
        };
        Self {
            buffer,
            layout: None,
        }
    }

    /// Returns the addresses of the arrays' elements, if all arrays have one shape and each is row-major over its
    /// whole buffer. Most arrays are; this check is cheaper than looking at strides.
    #[inline]
    pub(crate) fn same_contiguous_layout<const N: usize>(
        arrays: [&Self; N],
    ) -> Option<[*const u8; N]> {
        let shape = &arrays[0].buffer.layout().shape;
        for (number, array) in arrays.iter().enumerate() {
            if array.layout.is_some() || number > 0 && array.buffer.layout().shape != *shape {
                return None;
            }
        }
        Some(arrays.map(|array| array.buffer.as_ptr()))
    }

    /// Returns whether a result should take over its memory. Small buffers come from the free list faster.
    #[inline]
    pub(crate) fn is_reusable(&self) -> bool {
        !self.buffer.is_small()
    }

    /// Takes over the memory for elements of a dtype of the same size, if the array is contiguous and has no other
    /// owner. Returns the address to write to, and an array over the memory with the new dtype; `self` has that dtype
    /// from then on too.
    pub(crate) fn reused(&mut self, dtype: DType) -> Option<(*mut u8, Self)> {
        if self.dtype().size() != dtype.size() || !self.is_contiguous() {
            return None;
        }
        let to = self.unique_mut_ptr()?;
        let is_bitcast = self.set_dtype(dtype);
        is_bitcast.then(|| (to, self.clone()))
    }

    /// Returns whether `bytes` bytes from the first element on are initialised and writable. Small buffers are padded, so
    /// that a loop over a whole pack needs no scalar remainder.
    #[inline]
    pub(crate) fn is_padded_to(&self, bytes: usize) -> bool {
        self.layout.is_none() && self.buffer.is_small() && bytes <= SMALL_BYTES
    }

    #[inline]
    fn layout(&self) -> &Layout {
        match &self.layout {
            Some(layout) => layout,
            None => self.buffer.layout(),
        }
    }

    #[inline]
    pub(crate) fn dtype(&self) -> DType {
        self.layout().dtype
    }

    #[inline]
    pub(crate) fn shape(&self) -> &[usize] {
        &self.layout().shape
    }

    #[inline]
    pub(crate) fn dims(&self) -> &Dims {
        &self.layout().shape
    }

    #[inline]
    pub(crate) fn strides(&self) -> &[isize] {
        &self.layout().strides
    }

    #[inline]
    pub(crate) fn rank(&self) -> usize {
        self.shape().len()
    }

    /// The number of elements.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.layout().len
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether the elements are contiguous, in row-major order.
    #[inline]
    pub(crate) fn is_contiguous(&self) -> bool {
        self.layout().is_contiguous
    }

    /// The offset of the element at index zero, in bytes.
    #[inline]
    fn offset(&self) -> usize {
        match &self.layout {
            Some(layout) => layout.offset * self.dtype().size(),
            None => 0,
        }
    }

    /// The address of the element at index zero, or the place where it would be.
    #[inline]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.buffer.as_ptr().wrapping_add(self.offset())
    }

    /// Returns whether both arrays are over the same buffer, so that their elements may overlap.
    pub(crate) fn shares_buffer(&self, other: &Self) -> bool {
        self.buffer.as_ptr() == other.buffer.as_ptr()
    }

    /// The address of the element at index zero, for writing, if the buffer has no other owner.
    #[inline]
    pub(crate) fn unique_mut_ptr(&mut self) -> Option<*mut u8> {
        let offset = self.offset();
        Some(self.buffer.unique_mut_ptr()?.wrapping_add(offset))
    }

    /// Reinterprets the elements as those of another dtype of the same size. They must be valid values of it.
    pub(crate) fn bitcast(mut self, dtype: DType) -> Self {
        debug_assert_eq!(self.dtype().size(), dtype.size());
        if self.dtype() != dtype && !self.set_dtype(dtype) {
            let layout = *self.layout();
            self.layout = Some(Arc::new(Layout { dtype, ..layout }));
        }
        self
    }

    /// Sets the dtype, if the layout has no other owner. Returns whether it was set.
    fn set_dtype(&mut self, dtype: DType) -> bool {
        let layout = match &mut self.layout {
            Some(layout) => Arc::get_mut(layout),
            None => self.buffer.unique_layout(),
        };
        layout.map(|layout| layout.dtype = dtype).is_some()
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({}, {:?}, ", self.dtype(), self.shape())?;
        crate::dtype::dispatch_dtype!(self.dtype(), D => {
            f.debug_list()
                .entries(self.iter::<<D as crate::dtype::StaticDType>::Element>())
                .finish()?;
        });
        write!(f, ")")
    }
}

#[cfg(test)]
mod tests;
