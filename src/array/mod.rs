//! The erased tensor: shared bytes, a dtype tag, a shape and strides.

mod buffer;
mod elements;
#[cfg(any(feature = "dlpack", feature = "ndarray"))]
mod foreign;
mod layout;
pub(crate) mod pool;
mod spare;
mod views;

use core::fmt;
use std::sync::Arc;

use buffer::Shaped;
pub(crate) use buffer::{Buffer, Uninit};
#[cfg(any(feature = "dlpack", feature = "ndarray"))]
pub(crate) use foreign::Span;
use layout::Layout;
pub(crate) use layout::{
    Dims, MAX_RANK, PerAxis, Strides, broadcast, broadcast_strides, element_count, row_major,
};

use crate::dtype::DType;

/// Elements of one dtype behind a shape and strides; cloning shares them.
///
/// Every index within the shape reaches an element within the buffer, and that element is a valid
/// value of the dtype (bytes of booleans are 0 or 1).
///
/// What operations move about is small: shape and strides lie with the elements, and those of a view by
/// themselves.
#[derive(Clone)]
pub(crate) struct Array {
    buffer: Shaped,
    /// If it is not the buffer's.
    layout: Option<Arc<Layout>>,
    dtype: DType,
}

impl Array {
    /// A row-major array over the whole of a buffer.
    ///
    /// The buffer holds exactly the shape's elements, valid for the dtype, and has no other owner.
    #[inline]
    pub(crate) fn from_buffer(buffer: Buffer, dtype: DType, shape: Dims) -> Self {
        debug_assert_eq!(Ok(buffer.len() / dtype.size()), element_count(&shape));
        Self {
            buffer: Shaped::new(buffer, || Layout::row_major(shape)),
            layout: None,
            dtype,
        }
    }

    /// A row-major array of the same shape over the whole of a buffer, as by [`Self::from_buffer`].
    #[inline]
    pub(crate) fn with_buffer(&self, buffer: Buffer, dtype: DType) -> Self {
        if self.layout.is_some() {
            return Self::from_buffer(buffer, dtype, *self.dims());
        }
        debug_assert_eq!(buffer.len() / dtype.size(), self.len());
        Self {
            buffer: Shaped::new(buffer, || *self.buffer.layout()),
            layout: None,
            dtype,
        }
    }

    /// The elements of arrays of one shape, each row-major over the whole of its buffer. Most arrays are, and this tells
    /// sooner than to ask each what it is.
    #[inline]
    pub(crate) fn alike<const N: usize>(arrays: [&Self; N]) -> Option<[*const u8; N]> {
        let shape = &arrays[0].buffer.layout().shape;
        for (number, array) in arrays.iter().enumerate() {
            if array.layout.is_some() || number > 0 && array.buffer.layout().shape != *shape {
                return None;
            }
        }
        Some(arrays.map(|array| array.buffer.as_ptr()))
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
        self.dtype
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

    /// Whether the elements lie one after the other in row-major order.
    #[inline]
    pub(crate) fn is_contiguous(&self) -> bool {
        self.layout().is_contiguous
    }

    /// Where the element at index zero lies, in bytes.
    #[inline]
    fn offset(&self) -> usize {
        match &self.layout {
            Some(layout) => layout.offset * self.dtype.size(),
            None => 0,
        }
    }

    /// The element at index zero (or where it would be).
    #[inline]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.buffer.as_ptr().wrapping_add(self.offset())
    }

    /// The element at index zero, to write through, if nobody else sees these bytes.
    #[inline]
    pub(crate) fn unique_mut_ptr(&mut self) -> Option<*mut u8> {
        let offset = self.offset();
        Some(self.buffer.unique_mut_ptr()?.wrapping_add(offset))
    }

    /// The same bytes as elements of another dtype of the same size, after they were overwritten.
    #[inline]
    pub(crate) fn retagged(self, dtype: DType) -> Self {
        debug_assert_eq!(self.dtype.size(), dtype.size());
        Self { dtype, ..self }
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({}, {:?}, ", self.dtype, self.shape())?;
        crate::dtype::dispatch_dtype!(self.dtype, D => {
            f.debug_list()
                .entries(self.iter::<<D as crate::dtype::StaticDType>::Element>())
                .finish()?;
        });
        write!(f, ")")
    }
}

#[cfg(test)]
mod tests;
