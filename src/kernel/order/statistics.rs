//! Elements at positions in sorted order, found without sorting all.

use super::keys::{Bits, Keys};
use super::{SortOrder, bits_dtype, check_order, each_piece, with_axis_last};
use crate::array::alloc::vec_with_capacity;
use crate::array::{Array, ScalarBits};
use crate::error::Error;
use crate::simd::for_types;

/// Sorts along an axis in ascending order, and returns the elements at two positions. The second position is the first one or the
/// one after it. The axis is removed. Both elements are NaN if any element of the row is.
///
/// The positions must be below the size of the axis.
///
/// # Errors
/// The errors of [`check_order`], [`Error::OutOfMemory`].
pub(crate) fn order_statistics(
    operation: &'static str,
    x: &Array,
    axis: usize,
    positions: [usize; 2],
) -> Result<[Array; 2], Error> {
    check_order(operation, x, axis)?;
    let dtype = x.dtype();
    let rows = with_axis_last(x, axis)?.bitcast(bits_dtype(dtype));
    let order = SortOrder::Ascending;
    let found = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        of_rows(&rows, &Keys::<K>::new(dtype, order), positions),
        _ => of_rows(&rows, &Keys::<u64>::new(dtype, order), positions)
    );
    let found = found?.bitcast(dtype);
    let last = found.rank() - 1;
    Ok([found.index_axis(last, 0)?, found.index_axis(last, 1)?])
}

/// [`order_statistics`] of rows of elements that are given by their bits, side by side.
fn of_rows<K: Bits>(rows: &Array, keys: &Keys<K>, positions: [usize; 2]) -> Result<Array, Error> {
    let row_len = rows.shape().last().copied().unwrap_or(1);
    let mut found = ScalarBits::new(K::ZERO).full(&super::with_last(rows.dims(), 2))?;
    let from: &[K] = rows.as_slice().unwrap_or_default();
    each_piece(found.as_mut_slice()?, row_len, 2, |first, to| {
        let rows = from[first * row_len..].chunks_exact(row_len);
        let mut scratch = vec_with_capacity(row_len)?;
        scratch.resize(row_len, K::ZERO);
        for (row, to) in rows.zip(to.chunks_exact_mut(2)) {
            to.copy_from_slice(&of_row(row, keys, positions, &mut scratch));
        }
        Ok(())
    })?;
    Ok(found)
}

/// [`order_statistics`] of a row. The scratch memory has its length.
fn of_row<K: Bits>(
    row: &[K],
    keys: &Keys<K>,
    [low, high]: [usize; 2],
    scratch: &mut [K],
) -> [K; 2] {
    let is_tied = keys.write(row, scratch);
    if is_tied
        && let Some(nan) = keys.nan()
        && scratch.contains(&nan)
    {
        return [keys.element_at(row, nan, 0, 0); 2];
    }
    let (_, lower, above) = scratch.select_nth_unstable(low);
    let lower = *lower;
    let higher = match above.iter().min() {
        Some(next) if high > low => *next,
        _ => lower,
    };
    [(low, lower), (high, higher)].map(|(position, key)| {
        let smaller = scratch.iter().filter(|other| **other < key);
        let smaller = if is_tied { smaller.count() } else { 0 };
        keys.element_at(row, key, position, smaller)
    })
}
