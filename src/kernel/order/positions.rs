//! Positions of elements in sorted order.

use std::borrow::Cow;

use super::integers::Digits;
use super::keys::{Bits, Keys};
use super::network::{SortScratch, rows_at_once, sort_rows};
use super::presorted::{is_checked, positions_in_order};
use super::{SortOrder, check_count, each_piece, with_axis_back, with_axis_last, with_last};
use crate::array::alloc::vec_with_capacity;
use crate::array::{Array, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast;
use crate::simd::for_types;

/// Returns the positions along an axis of the first `count` elements in sorted order, in the dtype `out`. Equal elements keep their
/// order.
///
/// # Errors
/// The errors of [`check_count`], [`Error::OutOfMemory`].
pub(crate) fn argsort(
    operation: &'static str,
    x: &Array,
    axis: usize,
    order: SortOrder,
    count: usize,
    out: DType,
) -> Result<Array, Error> {
    check_count(operation, x, axis, count)?;
    let rows = with_axis_last(x, axis)?;
    let positions = row_positions(&rows, order, count)?;
    cast(Cow::Owned(with_axis_back(positions, axis)?), out)
}

/// [`argsort`] of rows, in the dtype `i64`.
pub(super) fn row_positions(rows: &Array, order: SortOrder, count: usize) -> Result<Array, Error> {
    let dtype = rows.dtype();
    let rows = rows.clone().bitcast(dtype.bits_dtype());
    let row_len = rows.shape()[rows.rank() - 1];
    // The smallest integers that have room for a key and the positions.
    match (dtype.size(), row_len) {
        (1, ..=0x100_0000) => packed::<u8, u32>(&rows, &Keys::new(dtype, order), count),
        (2, ..=0x1_0000) => packed::<u16, u32>(&rows, &Keys::new(dtype, order), count),
        (1, ..=0xFFFF_FFFF) => packed::<u8, u64>(&rows, &Keys::new(dtype, order), count),
        (2, ..=0xFFFF_FFFF) => packed::<u16, u64>(&rows, &Keys::new(dtype, order), count),
        (4, ..=0xFFFF_FFFF) => packed::<u32, u64>(&rows, &Keys::new(dtype, order), count),
        (size, _) => for_types!(size, K in [1 => u8, 2 => u16, 4 => u32] =>
            packed::<K, u128>(&rows, &Keys::new(dtype, order), count),
            _ => packed::<u64, u128>(&rows, &Keys::new(dtype, order), count)
        ),
    }
}

/// A key and a position as one integer, which is smaller if the key is, or the position of equal keys.
trait Packed<K>: Digits {
    /// The number of the lowest digits, which have the position.
    const POSITION_DIGITS: usize;

    fn new(key: K, position: usize) -> Self;
    fn position(self) -> i64;
}

macro_rules! packed {
    ($($packed:ident of $digits:literal digits and $($key:ident)*;)*) => {$($(
        impl Packed<$key> for $packed {
            const POSITION_DIGITS: usize = $digits;

            #[inline(always)]
            #[allow(clippy::as_conversions, clippy::cast_possible_truncation, reason = "positions in a row have so many digits")]
            fn new(key: $key, position: usize) -> Self {
                Self::from(key) << (8 * $digits) | position as Self
            }
            #[inline(always)]
            fn position(self) -> i64 {
                i64::try_from(self & ((1 << (8 * $digits)) - 1)).unwrap_or(i64::MAX)
            }
        }
    )*)*};
}

packed! { u32 of 3 digits and u8; u32 of 2 digits and u16; u64 of 4 digits and u8 u16 u32; u128 of 8 digits and u8 u16 u32 u64; }

/// [`row_positions`] of elements that are given by their bits.
fn packed<K: Bits, P: Packed<K>>(
    rows: &Array,
    keys: &Keys<K>,
    count: usize,
) -> Result<Array, Error> {
    let row_len = rows.shape().last().copied().unwrap_or(1);
    let mut positions = ScalarBits::new(0_i64).full(&with_last(rows.dims(), count))?;
    if row_len == 1 {
        return Ok(positions);
    }
    let from: &[K] = rows.as_slice().unwrap_or_default();
    // A part of the positions is selected row by row.
    let group = match count == row_len {
        true => rows_at_once::<P>(row_len),
        false => 1,
    };
    each_piece(positions.as_mut_slice()?, row_len, count, |first, to| {
        let from = from[first * row_len..].chunks(group * row_len);
        let mut pairs: Vec<P> = vec_with_capacity(group * row_len)?;
        let mut row_keys: Vec<K> = vec_with_capacity(row_len)?;
        row_keys.resize(row_len, K::ZERO);
        let mut scratch = SortScratch::default();
        let checked = is_checked(group * row_len);
        for (rows, to) in from.zip(to.chunks_mut(group * count)) {
            if checked && positions_in_order(rows, row_len, keys, to, count) {
                continue;
            }
            pairs.clear();
            for row in rows.chunks_exact(row_len) {
                keys.write(row, &mut row_keys);
                let numbered = row_keys.iter().enumerate();
                pairs.extend(numbered.map(|(at, key)| P::new(*key, at)));
            }
            if count < row_len {
                pairs.select_nth_unstable(count);
                pairs[..count].sort_unstable();
            } else {
                sort_rows(&mut pairs, row_len, P::POSITION_DIGITS, &mut scratch);
            }
            for (to, pair) in to.iter_mut().zip(&pairs) {
                *to = pair.position();
            }
        }
        Ok(())
    })?;
    Ok(positions)
}
