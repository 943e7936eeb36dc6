//! Reading and writing the elements of arrays.
#![allow(unsafe_code, reason = "gives bytes their types")]

use super::{
    AllocError, Array, Buffer, Dims, Elements, ScalarBits, UNNAMED, Uninit, element_count,
};
use crate::dtype::{DType, Element};
use crate::error::{Error, wide_index};

impl Array {
    /// Copies elements in row-major order.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the shape has another number of elements, [`Error::RankTooLarge`] and
    /// [`Error::ShapeTooLarge`] of an invalid shape, and [`Error::OutOfMemory`].
    pub(crate) fn from_elements<E: Element>(
        elements: &[E],
        shape: &[usize],
    ) -> Result<Self, Error> {
        Self::from_slice("from_slice", elements, shape)
    }

    /// [`Self::from_elements`] for an operation, which errors name.
    ///
    /// # Errors
    /// The errors of [`Self::from_elements`].
    pub(crate) fn from_slice<E: Element>(
        operation: &'static str,
        elements: &[E],
        shape: &[usize],
    ) -> Result<Self, Error> {
        let dims = Dims::new(shape)?;
        let expected = element_count(UNNAMED, shape)?;
        if elements.len() != expected {
            return Err(Error::LengthMismatch {
                operation,
                what: "elements",
                expected,
                found: elements.len(),
            });
        }
        let bytes = Buffer::copied(bytemuck::cast_slice(elements))?;
        Ok(Self::from_buffer(bytes, E::DTYPE, dims))
    }

    /// Makes the elements in row-major order, by a function of their position.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] and [`Error::ShapeTooLarge`] of an invalid shape, and [`Error::OutOfMemory`].
    pub(crate) fn from_positions<E: Element>(
        shape: &[usize],
        mut element: impl FnMut(usize) -> E,
    ) -> Result<Self, Error> {
        let dims = Dims::new(shape)?;
        let count = element_count(UNNAMED, shape)?;
        let mut buffer = Uninit::new(count * size_of::<E>())?;
        let first = buffer.as_mut_ptr().cast::<E>();
        for position in 0..count {
            // SAFETY: `position < count`, and the buffer has room for `count` elements; it is aligned to 16, elements
            // to at most 16.
            unsafe { first.add(position).write(element(position)) };
        }
        // SAFETY: the loop wrote all `count` elements, whose bytes are all initialised: an element has no padding
        // (`NoUninit`).
        let buffer = unsafe { buffer.assume_init() };
        Ok(Self::from_buffer(buffer, E::DTYPE, dims))
    }

    /// Makes an array of the elements that an iterator gives, in row-major order.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if it gives fewer elements than the shape has; [`Error::RankTooLarge`] and
    /// [`Error::ShapeTooLarge`] of an invalid shape, and [`Error::OutOfMemory`].
    #[inline]
    pub(crate) fn collected<E: Element>(
        shape: &[usize],
        elements: impl Iterator<Item = E>,
    ) -> Result<Self, Error> {
        let dims = Dims::new(shape)?;
        let expected = element_count(UNNAMED, shape)?;
        let mut buffer = Uninit::new(expected * size_of::<E>())?;
        let first = buffer.as_mut_ptr().cast::<E>();
        // By internal iteration: iterators over several runs of elements have a loop for each run.
        let found = elements.take(expected).fold(0, |position, element| {
            // SAFETY: `take` gives at most `expected` elements, so `position < expected`, and the buffer has room for
            // `expected` elements; it is aligned to 16, elements to at most 16.
            unsafe { first.add(position).write(element) };
            position + 1
        });
        if found < expected {
            return Err(Error::LengthMismatch {
                operation: "map",
                what: "elements",
                expected,
                found,
            });
        }
        // SAFETY: the loop wrote all `expected` elements, whose bytes are all initialised: an element has no padding
        // (`NoUninit`).
        let buffer = unsafe { buffer.assume_init() };
        Ok(Self::from_buffer(buffer, E::DTYPE, dims))
    }

    /// Fills an array with one element.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] and [`Error::ShapeTooLarge`] of an invalid shape, and [`Error::OutOfMemory`].
    pub(crate) fn full<E: Element>(element: E, shape: &[usize]) -> Result<Self, Error> {
        ScalarBits::new(element).full(shape)
    }

    /// Makes an array of rank 0 from the bytes of its element, which must be valid for the dtype.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn single(dtype: DType, element: &[u8]) -> Result<Self, AllocError> {
        let buffer = Buffer::copied(element)?;
        Ok(Self::of_one(buffer, dtype, &Dims::default()))
    }

    /// Copies elements, given by their bytes in row-major order and native byte order.
    ///
    /// # Errors
    /// [`Error::LengthMismatch`] if the shape needs another number of bytes, [`Error::NotABool`] for booleans other
    /// than the bytes 0 and 1, [`Error::RankTooLarge`] and [`Error::ShapeTooLarge`] of an invalid shape, and
    /// [`Error::OutOfMemory`].
    pub(crate) fn from_bytes(dtype: DType, shape: &[usize], bytes: &[u8]) -> Result<Self, Error> {
        let dims = checked(dtype, shape, bytes)?;
        Ok(Self::from_buffer(Buffer::copied(bytes)?, dtype, dims))
    }

    /// The elements in row-major order, if they are contiguous and have this type.
    #[inline]
    pub(crate) fn as_slice<E: Element>(&self) -> Option<&[E]> {
        (self.dtype() == E::DTYPE && self.is_contiguous()).then(|| {
            // SAFETY: the `len` elements of a contiguous array are consecutive and lie within the buffer, which this
            // borrow keeps alive and unwritten. They are valid for the dtype, whose one element type is `E` (the
            // trait is sealed). Buffers are aligned to 16, external ones to the alignment of their elements (checked
            // when the array was made), and offsets are whole elements.
            unsafe { core::slice::from_raw_parts(self.as_ptr().cast(), self.len()) }
        })
    }

    /// Asserts the dtype.
    ///
    /// # Panics
    /// If the dtype is another.
    #[inline]
    pub(crate) fn expect(&self, dtype: DType) {
        assert_eq!(self.dtype(), dtype, "elements of another dtype");
    }

    /// The element at an index of one position per axis. `None` outside the shape or if the dtype is another.
    #[inline]
    pub(crate) fn get<E: Element>(&self, index: &[usize]) -> Option<E> {
        self.element(index).copied()
    }

    /// [`Self::get`] by reference.
    #[inline]
    pub(crate) fn element<E: Element>(&self, index: &[usize]) -> Option<&E> {
        if self.dtype() != E::DTYPE {
            return None;
        }
        let offset = self.offset_of(index)?;
        // SAFETY: the index is within the shape (`offset_of`), so it reaches an element of the buffer, which this borrow
        // keeps alive and unwritten. The dtype is that of `E` (checked above), so the element is valid and aligned for it.
        Some(unsafe { &*self.as_ptr().cast::<E>().offset(offset) })
    }

    /// The error of an index for which [`Self::element`] gives nothing.
    #[cold]
    pub(crate) fn index_error(&self, operation: &'static str, index: &[usize]) -> Error {
        let mut axes = index.iter().zip(self.shape()).enumerate();
        match axes.find(|(_, (position, size))| position >= size) {
            Some((axis, (position, size))) if index.len() == self.rank() => {
                Error::IndexOutOfRange {
                    operation,
                    index: wide_index(*position),
                    axis: axis.cast_signed(),
                    size: *size,
                }
            }
            _ => Error::LengthMismatch {
                operation,
                what: "positions",
                expected: self.rank(),
                found: index.len(),
            },
        }
    }

    /// The distance of the element at an index from that at index zero, in elements; `None` outside the shape.
    #[inline]
    pub(crate) fn offset_of(&self, index: &[usize]) -> Option<isize> {
        if index.len() != self.rank() {
            return None;
        }
        let mut offset = 0;
        for ((position, size), stride) in index.iter().zip(self.shape()).zip(self.strides()) {
            if position >= size {
                return None;
            }
            offset += position.cast_signed() * stride;
        }
        Some(offset)
    }

    /// Returns the elements in row-major order.
    ///
    /// # Panics
    /// If the dtype is not that of `E`.
    pub(crate) fn iter<E: Element>(&self) -> Elements<'_, E> {
        Elements::new(self)
    }
}

/// Functions for files and other libraries.
#[allow(
    dead_code,
    reason = "it depends on the features which of these are used"
)]
impl Array {
    /// [`Self::from_bytes`] without a copy, if the bytes are aligned for the elements. The owner is dropped with the
    /// last array over them. They are never written.
    ///
    /// # Errors
    /// The errors of [`Self::from_bytes`].
    pub(crate) fn external(
        dtype: DType,
        shape: &[usize],
        owner: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let buffer = Buffer::external(Box::new(owner));
        let bytes = buffer.as_bytes();
        // The pointer of an empty slice can have any alignment.
        if bytes.is_empty() || !bytes.as_ptr().addr().is_multiple_of(alignment(dtype)) {
            return Self::from_bytes(dtype, shape, bytes);
        }
        let dims = checked(dtype, shape, bytes)?;
        Ok(Self::from_buffer(buffer, dtype, dims))
    }

    /// Makes an array whose bytes a function writes over zeros, in row-major order and native byte order.
    ///
    /// # Errors
    /// The errors of the function, [`Error::RankTooLarge`] and [`Error::ShapeTooLarge`] of an invalid shape,
    /// [`Error::NotABool`] and [`Error::OutOfMemory`].
    pub(crate) fn filled<E: From<Error>>(
        dtype: DType,
        shape: &[usize],
        fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, E> {
        let dims = Dims::new(shape)?;
        let mut buffer =
            Buffer::zeroed(element_count(UNNAMED, shape)? * dtype.size()).map_err(Error::from)?;
        let bytes = buffer
            .unique_bytes_mut()
            .expect("a fresh buffer has a single owner");
        fill(bytes)?;
        check_elements(dtype, bytes)?;
        Ok(Self::from_buffer(buffer, dtype, dims))
    }

    /// The bytes of the elements, if they are contiguous in row-major order.
    pub(crate) fn as_bytes(&self) -> Option<&[u8]> {
        self.is_contiguous().then(|| {
            let len = self.len() * self.dtype().size();
            // SAFETY: the elements of a contiguous array are consecutive and lie within the buffer, which this borrow
            // keeps alive and unwritten; elements have no padding.
            unsafe { core::slice::from_raw_parts(self.as_ptr(), len) }
        })
    }
}

/// Returns the shape, if it has as many bytes of elements as `bytes`, and these are valid.
fn checked(dtype: DType, shape: &[usize], bytes: &[u8]) -> Result<Dims, Error> {
    let dims = Dims::new(shape)?;
    let expected = element_count(UNNAMED, shape)? * dtype.size();
    if bytes.len() != expected {
        return Err(Error::LengthMismatch {
            operation: "from_bytes",
            what: "bytes",
            expected,
            found: bytes.len(),
        });
    }
    check_elements(dtype, bytes)?;
    Ok(dims)
}

/// Checks that bytes of booleans are 0 or 1. All bytes of other dtypes are valid.
fn check_elements(dtype: DType, bytes: &[u8]) -> Result<(), Error> {
    if dtype == DType::Bool
        && let Some(position) = bytes.iter().position(|byte| *byte > 1)
    {
        let byte = bytes[position];
        return Err(Error::NotABool { byte, position });
    }
    Ok(())
}

/// The alignment that elements of a dtype need, in bytes: their size, up to 8. Loops that only move elements take them as
/// words of that size, so a `c64` needs more than its parts do.
pub(super) fn alignment(dtype: DType) -> usize {
    dtype.size().min(align_of::<u64>())
}

/// Implements bytemuck's traits for the 8-bit floats; the crates of the other elements implement them.
macro_rules! bytes {
    ($($(#[$doc:meta])* $marker:ident $float:ident { $($format:tt)* })*) => {$(
        // SAFETY: the type is a transparent wrapper of `u8`, so zero is a valid value of it.
        unsafe impl bytemuck::Zeroable for crate::dtype::$float {}
        // SAFETY: the type is a transparent wrapper of `u8`: `Copy`, without padding, and valid for every byte.
        unsafe impl bytemuck::Pod for crate::dtype::$float {}
        static_assertions::assert_eq_size!(crate::dtype::$float, u8);
    )*};
}

supremum_macros::with_float8!(bytes);
