//! Sorts of integers.
//!
//! Digits are bytes. A pass over the integers distributes them by one digit and keeps their order otherwise, so that passes from
//! the lowest digit to the highest sort them. Each pass moves every integer once, whatever the values are, so long rows take less
//! time than by comparisons: 1 M random `u32` 0.4 of that of `sort_unstable`. (It needs memory for a copy. Where there is none, and for
//! shorter rows, the standard library sorts in place.)

use crate::array::alloc::vec_with_capacity;

/// The length from which passes over digits are faster than comparisons.
const RADIX_FROM: usize = 1 << 10;
/// The largest number of digits.
const MAX_DIGITS: usize = 16;
/// The number of values of a digit.
const BASE: usize = 256;

/// An integer with digits.
pub(super) trait Digits: Copy + Ord + Default + Send + Sync + 'static {
    /// The number of digits.
    const DIGITS: usize;

    /// Returns a digit, counted from the lowest.
    fn digit(self, at: usize) -> usize;
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
        }
    )*};
}

digits! { u8 u16 u32 u64 u128 }

/// Sorts integers. Their lowest digits, as many as `sorted`, are in ascending order already, and so they are compared only where this is
/// free. The scratch memory is kept for the next call.
pub(super) fn sort_integers<T: Digits>(integers: &mut [T], sorted: usize, scratch: &mut Vec<T>) {
    if integers.len() < RADIX_FROM || !by_digits(integers, sorted, scratch) {
        integers.sort_unstable();
    }
}

/// Sorts integers by their digits from `first` on. Returns whether there was memory for it.
fn by_digits<T: Digits>(integers: &mut [T], first: usize, scratch: &mut Vec<T>) -> bool {
    let len = integers.len();
    if scratch.len() < len {
        match vec_with_capacity(len) {
            Ok(memory) => *scratch = memory,
            Err(_) => return false,
        }
        scratch.resize(len, T::default());
    }
    // How often each digit has each value.
    let mut counts = [[0_usize; BASE]; MAX_DIGITS];
    for integer in integers.iter() {
        for at in first..T::DIGITS {
            counts[at][integer.digit(at)] += 1;
        }
    }
    let (mut from, mut to) = (&mut *integers, &mut scratch[..len]);
    let mut is_swapped = false;
    for (at, counts) in counts.iter_mut().enumerate().take(T::DIGITS).skip(first) {
        if counts.contains(&len) {
            // All have the same digit.
            continue;
        }
        let mut next = 0;
        for count in counts.iter_mut() {
            next += core::mem::replace(count, next);
        }
        for integer in from.iter() {
            let place = &mut counts[integer.digit(at)];
            to[*place] = *integer;
            *place += 1;
        }
        core::mem::swap(&mut from, &mut to);
        is_swapped = !is_swapped;
    }
    if is_swapped {
        to.copy_from_slice(from);
    }
    true
}
