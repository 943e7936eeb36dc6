//! An operand of an operation: an array or a scalar.
#![allow(unsafe_code, reason = "repeats an element in raw memory")]

use std::borrow::Cow;

use super::strided::copy_strided;
use super::{AllocError, Array, Buffer, Dims, UNNAMED, Uninit, element_count};
use crate::dtype::cast::{CastElement, cast};
use crate::dtype::format::Format;
use crate::dtype::{DType, Element, Kind, StaticDType, c128, dispatch_dtype};
use crate::error::Error;

/// An operand: an array, or a scalar in the dtype that a literal was converted to.
pub(crate) enum Datum<'a> {
    Array(Cow<'a, Array>),
    ScalarBits(ScalarBits),
}

/// A scalar, broadcast to every position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ScalarBits {
    /// The bytes of the element, then zeros.
    bytes: [u64; 2],
    /// The index of the dtype, as a whole word: a struct with padding is slow to move.
    dtype: usize,
}

impl ScalarBits {
    #[inline]
    pub(crate) fn new<E: Element>(element: E) -> Self {
        let mut bytes = [0; 2];
        let room: &mut [u8] = bytemuck::cast_slice_mut(&mut bytes);
        room[..size_of::<E>()].copy_from_slice(bytemuck::bytes_of(&element));
        Self {
            bytes,
            dtype: E::DTYPE.index(),
        }
    }

    #[inline]
    pub(crate) fn dtype(self) -> DType {
        DType::ALL[self.dtype]
    }

    /// The bytes of the element.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.bytes)[..self.dtype().size()]
    }

    /// Converts a number into a dtype.
    pub(crate) fn of<E: CastElement>(dtype: DType, number: E) -> Self {
        dispatch_dtype!(dtype, D => Self::new(cast::<E, <D as StaticDType>::Element>(number)))
    }

    /// Makes an array of rank 0.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn to_array(self) -> Result<Array, AllocError> {
        Array::single(self.dtype(), self.bytes())
    }

    /// The lowest and the highest element of a dtype: infinities if it has any.
    pub(crate) fn extremes(dtype: DType) -> [Self; 2] {
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        match dtype.kind() {
            Kind::Complex => [low, high].map(|part| Self::of(dtype, c128::new(part, part))),
            // Booleans are handled apart: no boolean is negative.
            Kind::Bool => [false, true].map(Self::new),
            _ => [low, high].map(|number| Self::nearest(dtype, number)),
        }
    }

    /// Converts a real number into a dtype; one that the dtype has only NaN for becomes the largest finite number of its sign.
    fn nearest(dtype: DType, number: f64) -> Self {
        dispatch_dtype!(dtype, D => {
            type E = <D as StaticDType>::Element;
            let element: E = cast(number);
            Self::new(match cast::<E, f64>(element).is_nan() {
                true => E::of(E::saturate(number)),
                false => element,
            })
        })
    }

    /// Makes an array filled with the element.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] and [`Error::ShapeTooLarge`] of an invalid shape, and [`Error::OutOfMemory`].
    pub(crate) fn full(self, shape: &[usize]) -> Result<Array, Error> {
        let dims = Dims::new(shape)?;
        let count = element_count(UNNAMED, shape)?;
        let bytes = count * self.dtype().size();
        let buffer = if self.bytes == [0; 2] {
            Buffer::zeroed(bytes)?
        } else {
            let mut buffer = Uninit::new(bytes)?;
            // SAFETY: the buffer has room for `count` elements and is aligned to 16; `repeat` writes them all.
            unsafe {
                self.repeat(count, buffer.as_mut_ptr());
                buffer.assume_init()
            }
        };
        Ok(Array::from_buffer(buffer, self.dtype(), dims))
    }

    /// Makes a square matrix with the element on the diagonal and zeros elsewhere.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`] and [`Error::OutOfMemory`].
    pub(crate) fn eye(self, size: usize) -> Result<Array, Error> {
        let zero = Self {
            bytes: [0; 2],
            ..self
        };
        let mut eye = zero.full(&[size, size])?;
        let first = eye
            .unique_mut_ptr()
            .expect("a fresh array has a single owner");
        let apart = (size + 1) * self.dtype().size();
        for at in 0..size {
            // SAFETY: `at < size`, so the diagonal element lies within the matrix, which is aligned to 16 and has no
            // other owner.
            unsafe { self.repeat(1, first.add(at * apart)) };
        }
        Ok(eye)
    }

    /// Writes the element `len` times.
    ///
    /// # Safety
    /// `to` has room for `len` elements, and is aligned for them.
    pub(crate) unsafe fn repeat(&self, len: usize, to: *mut u8) {
        // SAFETY: `bytes` holds an element, aligned to 8, which is read with stride zero; the caller guarantees room
        // for `len` elements at `to`, which is not part of `self`.
        unsafe { copy_strided(self.dtype().size(), self.bytes.as_ptr().cast(), 0, len, to) }
    }
}

impl<'a> Datum<'a> {
    #[inline]
    pub(crate) const fn owned(array: Array) -> Self {
        Self::Array(Cow::Owned(array))
    }

    #[inline]
    pub(crate) const fn borrowed(array: &'a Array) -> Self {
        Self::Array(Cow::Borrowed(array))
    }

    #[inline]
    pub(crate) fn dtype(&self) -> DType {
        match self {
            Self::Array(array) => array.dtype(),
            Self::ScalarBits(single) => single.dtype(),
        }
    }

    /// Returns the operand as an array.
    ///
    /// # Errors
    /// If there is no memory for a scalar's element.
    pub(crate) fn into_array(self) -> Result<Cow<'a, Array>, AllocError> {
        match self {
            Self::Array(array) => Ok(array),
            Self::ScalarBits(single) => single.to_array().map(Cow::Owned),
        }
    }
}

impl<'a> From<Cow<'a, Array>> for Datum<'a> {
    fn from(array: Cow<'a, Array>) -> Self {
        Self::Array(array)
    }
}
