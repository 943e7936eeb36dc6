//! Integers that are sorted, and memory for it.

use bytemuck::Pod;

use crate::array::alloc::AllocError;
use crate::array::{Array, ScalarBits};

/// The number of the highest bits that determine the bucket of an integer (`radix.rs`).
pub(super) const BUCKET_BITS: u32 = 12;

/// An integer with digits.
pub(super) trait Digits: Pod + Ord + Default + Send + Sync {
    /// The number of digits.
    const DIGITS: usize;

    /// Returns a digit, counted from the lowest.
    fn digit(self, at: usize) -> usize;
    /// Returns the highest bits, as many as [`BUCKET_BITS`].
    fn bucket(self) -> usize;
    /// Returns how much greater the integer is than another one, which wraps if it is less.
    fn above(self, other: Self) -> usize;
    /// The reverse of [`Self::above`].
    fn plus(self, number: usize) -> Self;
}

macro_rules! digits {
    ($($integer:ident)*) => {$(
        impl Digits for $integer {
            const DIGITS: usize = size_of::<Self>();

            #[inline(always)]
            #[allow(
                clippy::as_conversions,
                clippy::cast_possible_truncation,
                trivial_numeric_casts,
                reason = "takes the lowest 8 bits"
            )]
            fn digit(self, at: usize) -> usize {
                usize::from((self >> (8 * at)) as u8)
            }
            #[inline(always)]
            fn bucket(self) -> usize {
                let bits = self >> Self::BITS.saturating_sub(BUCKET_BITS);
                usize::try_from(bits).unwrap_or_default()
            }
            #[inline(always)]
            fn above(self, other: Self) -> usize {
                usize::try_from(self.wrapping_sub(other)).unwrap_or(usize::MAX)
            }
            #[inline(always)]
            #[allow(
                clippy::as_conversions,
                clippy::cast_possible_truncation,
                reason = "takes the lowest bits"
            )]
            fn plus(self, number: usize) -> Self {
                self.wrapping_add(number as Self)
            }
        }
    )*};
}

digits! { u8 u16 u32 u64 }

/// Memory for integers, kept from one sort to the next. It is an array's, because the pool keeps the pages of large ones. (The allocator
/// returns the pages of a `Vec` of 2 MB or more to the system, which maps them anew for each sort: the ten greatest of 262,144 `i64` take
/// 0.45 ms instead of 2.4.)
#[derive(Default)]
pub(super) struct Scratch(Option<Array>);

impl Scratch {
    /// [`Self::room`] as a `Result`.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(super) fn try_room<T: Digits>(&mut self, len: usize) -> Result<&mut [T], AllocError> {
        let bytes = len.saturating_mul(size_of::<T>());
        self.room(len).ok_or(AllocError { bytes })
    }

    /// Returns room for as many integers, which have any values. `None` if there is no memory for it.
    pub(super) fn room<T: Digits>(&mut self, len: usize) -> Option<&mut [T]> {
        let words = len.checked_mul(size_of::<T>())?.div_ceil(16) * 2;
        if self.0.as_ref().is_none_or(|memory| memory.len() < words) {
            self.0 = Some(ScalarBits::new(0_u64).full(&[words]).ok()?);
        }
        let memory: &mut [u64] = self.0.as_mut()?.as_mut_slice().ok()?;
        bytemuck::try_cast_slice_mut(memory).ok()?.get_mut(..len)
    }
}
