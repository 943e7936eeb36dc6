//! Elements at positions in sorted order. Those of long rows are found without sorting all.

use super::integers::Scratch;
use super::keys::{Bits, Keys};
use super::network::{SortScratch, is_selected, rows_at_once, sort_rows};
use super::{SortOrder, check_order, each_piece, with_axis_last};
use crate::array::{Array, ScalarBits};
use crate::error::Error;
use crate::simd::for_types;

/// Sorts along an axis in ascending order, and returns the elements at some positions, in the order of the positions. The axis is removed.
/// All elements of a row are NaN if any element of it is.
///
/// The positions are in ascending order, each once, at least one of them, and below the size of the axis.
///
/// # Errors
/// The errors of [`check_order`], [`Error::OutOfMemory`].
pub(crate) fn order_statistics(
    operation: &'static str,
    x: &Array,
    axis: usize,
    positions: &[usize],
) -> Result<Vec<Array>, Error> {
    check_order(operation, x, axis)?;
    let dtype = x.dtype();
    let rows = with_axis_last(x, axis)?.bitcast(dtype.bits_dtype());
    let order = SortOrder::Ascending;
    let found = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        of_rows(&rows, &Keys::<K>::new(dtype, order), positions),
        _ => of_rows(&rows, &Keys::<u64>::new(dtype, order), positions)
    );
    let found = found?.bitcast(dtype);
    let last = found.rank() - 1;
    let each = (0..positions.len()).map(|number| found.index_axis(last, number));
    each.collect()
}

/// [`order_statistics`] of rows of elements that are given by their bits, side by side.
fn of_rows<K: Bits>(rows: &Array, keys: &Keys<K>, positions: &[usize]) -> Result<Array, Error> {
    let row_len = rows.shape().last().copied().unwrap_or(1);
    let width = positions.len();
    let mut found = ScalarBits::new(K::ZERO).full(&super::with_last(rows.dims(), width))?;
    let from: &[K] = rows.as_slice().unwrap_or_default();
    let is_selected = is_selected(row_len, width);
    let group = rows_at_once(row_len);
    each_piece(found.as_mut_slice()?, row_len, width, |first, to| {
        let from = from[first * row_len..].chunks(group * row_len);
        let mut memory = Scratch::default();
        let all_keys: &mut [K] = memory.try_room(group * row_len)?;
        let mut scratch = SortScratch::default();
        for (rows, to) in from.zip(to.chunks_mut(group * width)) {
            let of_rows = &mut all_keys[..rows.len()];
            let is_tied = keys.write(rows, of_rows);
            if !is_selected {
                sort_rows(of_rows, row_len, 0, &mut scratch);
            }
            let each = rows.chunks_exact(row_len);
            let each = each.zip(of_rows.chunks_exact_mut(row_len));
            for ((row, of_row), to) in each.zip(to.chunks_exact_mut(width)) {
                if is_selected {
                    select(of_row, positions, 0);
                }
                write_statistics(row, keys, is_tied, of_row, positions, to);
            }
        }
        Ok(())
    })?;
    Ok(found)
}

/// Writes the elements at some positions of a row, given its keys, which are in these positions. If no element `is_tied`, the keys
/// determine the elements.
fn write_statistics<K: Bits>(
    row: &[K],
    keys: &Keys<K>,
    is_tied: bool,
    of_row: &[K],
    positions: &[usize],
    to: &mut [K],
) {
    if is_tied
        && let Some(nan) = keys.nan()
        && of_row.contains(&nan)
    {
        to.fill(keys.element_at(row, nan, 0, 0));
        return;
    }
    for (position, to) in positions.iter().zip(to) {
        let key = of_row[*position];
        // Only elements that share a key are told apart by their order in the row.
        let smaller = match is_tied && keys.shared().contains(&Some(key)) {
            true => of_row.iter().filter(|other| **other < key).count(),
            false => 0,
        };
        *to = keys.element_at(row, key, *position, smaller);
    }
}

/// Moves to each of these positions the key that sorting would put there. The first key is that of position `first`. The positions are in
/// ascending order, each once.
///
/// The position in the middle of the list divides the keys, so that each half of the list is found among fewer keys. A quantile between two
/// elements has neighbouring positions. The key right above the middle is the least of those above it, and the key right below the
/// greatest of those below it.
fn select<K: Bits>(keys: &mut [K], positions: &[usize], first: usize) {
    let (mut lower, rest) = positions.split_at(positions.len() / 2);
    let [position, upper @ ..] = rest else {
        return;
    };
    let (mut below, _, mut above) = keys.select_nth_unstable(position - first);
    let (mut upper, mut next) = (upper, position + 1);
    if let [neighbour, others @ ..] = upper
        && *neighbour == next
    {
        above = above.select_nth_unstable(0).2;
        (next, upper) = (next + 1, others);
    }
    if let [others @ .., neighbour] = lower
        && neighbour + 1 == *position
    {
        below = below.select_nth_unstable(neighbour - first).0;
        lower = others;
    }
    select(below, lower, first);
    select(above, upper, next);
}
