//! What stands on a side of an operation.
#![allow(unsafe_code, reason = "repeats an element in raw memory")]

use std::borrow::Cow;

use super::strip::copy_strided;
use crate::array::Array;
use crate::dtype::{DType, Element};

/// An operand: an array, or what a literal landed as.
pub(crate) enum Side<'a> {
    Array(Cow<'a, Array>),
    Single(Single),
}

/// One element, which stands for itself everywhere.
#[derive(Clone, Copy)]
pub(crate) struct Single {
    /// Its bytes, and zeros.
    bytes: [u64; 2],
    dtype: DType,
}

impl Single {
    #[inline]
    pub(crate) fn new<E: Element>(element: E) -> Self {
        let mut bytes = [0; 2];
        let room: &mut [u8] = bytemuck::cast_slice_mut(&mut bytes);
        room[..size_of::<E>()].copy_from_slice(bytemuck::bytes_of(&element));
        Self {
            bytes,
            dtype: E::DTYPE,
        }
    }

    pub(crate) fn to_array(self) -> Array {
        let bytes: &[u8] = bytemuck::cast_slice(&self.bytes);
        Array::single(self.dtype, &bytes[..self.dtype.size()])
    }

    /// Writes the element so many times.
    ///
    /// # Safety
    /// There is room, aligned for such elements.
    pub(super) unsafe fn repeat(&self, len: usize, to: *mut u8) {
        // SAFETY: the caller's; all elements are the one in these bytes.
        unsafe { copy_strided(self.dtype.size(), self.bytes.as_ptr().cast(), 0, len, to) }
    }
}

impl<'a> Side<'a> {
    #[inline]
    pub(crate) fn dtype(&self) -> DType {
        match self {
            Self::Array(array) => array.dtype(),
            Self::Single(single) => single.dtype,
        }
    }

    pub(crate) fn into_array(self) -> Cow<'a, Array> {
        match self {
            Self::Array(array) => array,
            Self::Single(single) => Cow::Owned(single.to_array()),
        }
    }
}

impl<'a> From<Cow<'a, Array>> for Side<'a> {
    fn from(array: Cow<'a, Array>) -> Self {
        Self::Array(array)
    }
}
