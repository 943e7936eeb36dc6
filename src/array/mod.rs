//! The erased tensor: shared bytes, a dtype tag, a shape and strides.
//! Why arrays and results are two words: `docs/decisions/small-arrays.md`.

pub(crate) mod alloc;
mod buffer;
mod datum;
mod elements;
#[cfg(any(feature = "dlpack", feature = "ndarray"))]
mod external;
#[cfg(all(test, unix))]
#[allow(unsafe_code, reason = "maps memory")]
pub(crate) mod fence;
mod free_list;
mod layout;
pub(crate) mod pool;
pub(crate) mod strided;
mod traced;
#[cfg(feature = "stablehlo")]
mod tracer;
mod views;

use core::fmt;
use std::sync::Arc;

pub(crate) use alloc::AllocError;
pub(crate) use buffer::{Buffer, Uninit};
use buffer::{BufferWithLayout, SMALL_BYTES};
pub(crate) use datum::{Datum, ScalarBits};
#[cfg(any(feature = "dlpack", feature = "ndarray"))]
pub(crate) use external::Span;
use layout::Layout;
pub(crate) use layout::{
    Dims, MAX_RANK, PerAxis, Strides, broadcast, broadcast_strides, element_count, row_major,
};

pub(crate) use traced::{record_if_traced, require_concrete};
#[cfg(feature = "stablehlo")]
pub(crate) use tracer::Tracer;

use crate::dtype::DType;
use crate::error::Error;

/// Elements of one dtype behind a shape and strides; cloning shares them.
///
/// Every index within the shape reaches an element within the buffer, and that element is a valid
/// value of the dtype (bytes of booleans are 0 or 1).
///
/// What operations move about is small: dtype, shape and strides lie with the elements, and those of a view by themselves.
/// Two words come up in registers. An array of three, just written word by word, is slow to move, since a processor
/// cannot read two words at once before they have reached its cache: of eight elements that takes longer than to add
/// them.
#[derive(Clone)]
pub(crate) struct Array {
    buffer: BufferWithLayout,
    /// If it is not the buffer's.
    layout: Option<Arc<Layout>>,
}

/// What an operation gives, in two registers, where a `Result` takes many words.
pub(crate) struct OpResult(Outcome);

enum Outcome {
    /// A row-major array over the whole of its buffer.
    Whole(BufferWithLayout),
    /// A view, an array that stands for a value of a trace, or an error.
    Other(Box<Result<Array, Error>>),
}

impl OpResult {
    /// The array.
    ///
    /// # Errors
    /// That of the operation.
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

    /// The array of an operation that fails only without memory, or with tensors of other traces.
    ///
    /// # Panics
    /// With the error's text, outside of traces.
    #[inline]
    pub(crate) fn array_or_panic(self) -> Array {
        #[cold]
        fn failed(error: Error) -> ! {
            #[cfg(feature = "stablehlo")]
            if let Error::OutsideTrace { .. } = error {
                crate::stablehlo::abort_trace(error)
            }
            panic!("{error}")
        }
        match self.0 {
            Outcome::Whole(buffer) => Array {
                buffer,
                layout: None,
            },
            Outcome::Other(other) => other.unwrap_or_else(|error| failed(error)),
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
    /// A row-major array over the whole of a buffer.
    ///
    /// The buffer holds exactly the shape's elements, valid for the dtype, and has no other owner.
    #[inline]
    pub(crate) fn from_buffer(buffer: Buffer, dtype: DType, shape: Dims) -> Self {
        debug_assert_eq!(Ok(buffer.len() / dtype.size()), element_count(&shape));
        Self {
            buffer: BufferWithLayout::new(buffer, || Layout::row_major(dtype, shape)),
            layout: None,
        }
    }

    /// An array of the single element in a buffer, as by [`Self::from_buffer`], with as many axes as these.
    #[inline]
    pub(crate) fn of_one(buffer: Buffer, dtype: DType, axes: &Dims) -> Self {
        debug_assert_eq!(buffer.len(), dtype.size());
        Self {
            buffer: BufferWithLayout::new(buffer, || Layout::single(dtype, axes)),
            layout: None,
        }
    }

    /// A row-major array of the same shape, as by [`Self::from_buffer`].
    #[inline]
    pub(crate) fn like(&self, buffer: Buffer, dtype: DType) -> Self {
        debug_assert_eq!(buffer.len(), self.len() * dtype.size());
        // Two calls, so that neither layout is made before it is written.
        let buffer = match &self.layout {
            Some(layout) => {
                BufferWithLayout::new(buffer, || Layout::row_major(dtype, layout.shape))
            }
            None => BufferWithLayout::like(buffer, &self.buffer, dtype),
        };
        Self {
            buffer,
            layout: None,
        }
    }

    /// The elements of arrays of one shape, each row-major over the whole of its buffer. Most arrays are, and this tells
    /// sooner than to ask each what it is.
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

    /// Whether its memory can be of use to a result: of the smallest buffers new ones are had sooner.
    #[inline]
    pub(crate) fn is_reusable(&self) -> bool {
        !self.buffer.is_small()
    }

    /// An array over its memory, for elements of a dtype of the same size, and where to write them: if it is contiguous, and
    /// nobody else sees it. What it held is of that dtype from now on.
    pub(crate) fn reused(&mut self, dtype: DType) -> Option<(*mut u8, Self)> {
        if self.dtype().size() != dtype.size() || !self.is_contiguous() {
            return None;
        }
        let to = self.unique_mut_ptr()?;
        let is_bitcast = self.set_dtype(dtype);
        is_bitcast.then(|| (to, self.clone()))
    }

    /// Whether its memory has so many initialised bytes from the first element on, whatever they are, and as many to be
    /// written: where chunks are whole, loops have nothing left to do one by one.
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

    /// Whether the elements lie one after the other in row-major order.
    #[inline]
    pub(crate) fn is_contiguous(&self) -> bool {
        self.layout().is_contiguous
    }

    /// Where the element at index zero lies, in bytes.
    #[inline]
    fn offset(&self) -> usize {
        match &self.layout {
            Some(layout) => layout.offset * self.dtype().size(),
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

    /// The same bytes as elements of another dtype of the same size, of which they are valid values.
    pub(crate) fn bitcast(mut self, dtype: DType) -> Self {
        debug_assert_eq!(self.dtype().size(), dtype.size());
        if self.dtype() != dtype && !self.set_dtype(dtype) {
            let layout = *self.layout();
            self.layout = Some(Arc::new(Layout { dtype, ..layout }));
        }
        self
    }

    /// Whether nobody else knew what the elements are, so that they are of this dtype now.
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
