//! The erased tensor: shared bytes, a dtype tag, a shape and strides.

mod buffer;
mod elements;
mod layout;
pub(crate) mod pool;
mod views;

use core::fmt;

pub(crate) use buffer::{Buffer, Uninit};
pub(crate) use layout::{
    Dims, MAX_RANK, PerAxis, Strides, broadcast, broadcast_strides, element_count, row_major,
};

use crate::dtype::DType;

/// Elements of one dtype behind a shape and strides; cloning shares them.
///
/// Every index within the shape reaches an element within the buffer, and that element is a valid
/// value of the dtype (bytes of booleans are 0 or 1).
#[derive(Clone)]
pub(crate) struct Array {
    buffer: Buffer,
    /// Where the element at index zero lies, in elements.
    offset: usize,
    dtype: DType,
    shape: Dims,
    strides: Strides,
}

impl Array {
    /// A row-major array over the whole of a buffer.
    ///
    /// The buffer holds exactly the shape's elements, valid for the dtype.
    #[inline]
    pub(crate) fn from_buffer(buffer: Buffer, dtype: DType, shape: Dims) -> Self {
        debug_assert_eq!(Ok(buffer.len() / dtype.size()), element_count(&shape));
        Self {
            buffer,
            offset: 0,
            dtype,
            shape,
            strides: row_major(&shape),
        }
    }

    #[inline]
    pub(crate) fn dtype(&self) -> DType {
        self.dtype
    }

    #[inline]
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    #[inline]
    pub(crate) fn dims(&self) -> &Dims {
        &self.shape
    }

    #[inline]
    pub(crate) fn strides(&self) -> &[isize] {
        &self.strides
    }

    #[inline]
    pub(crate) fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Whether the elements lie one after the other in row-major order.
    #[inline]
    pub(crate) fn is_contiguous(&self) -> bool {
        layout::is_row_major(&self.shape, &self.strides)
    }

    /// The element at index zero (or where it would be).
    #[inline]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.buffer
            .as_ptr()
            .wrapping_add(self.offset * self.dtype.size())
    }

    /// The element at index zero, to write through, if nobody else sees these bytes.
    #[inline]
    pub(crate) fn unique_mut_ptr(&mut self) -> Option<*mut u8> {
        let offset = self.offset * self.dtype.size();
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
