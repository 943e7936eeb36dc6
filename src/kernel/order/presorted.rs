//! Rows that are in order already, or in the reverse order, as the times of a series are.
//!
//! One pass finds them. It ends at the first element out of order. In random rows that is the second or third, so their sorts take as long
//! as without the pass. Two million sorted `i64` take 0.05 of the time of random ones, and their positions 0.02.

use super::keys::{Bits, Keys};

/// The least number of elements that are checked. With fewer, the mispredicted branch at the end of the pass shows (64 `i64`: 1.05 of the
/// time). A single row of fewer is sorted by the standard library, which checks for an order itself.
const MIN_LEN: usize = 256;

/// Returns whether rows that are sorted together, with `len` elements in all, are checked.
pub(super) fn is_checked(len: usize) -> bool {
    len >= MIN_LEN
}

/// Returns whether keys ascend, equal ones included.
pub(super) fn ascends<K: Bits>(row: &[K], keys: &Keys<K>) -> bool {
    row.is_sorted_by(|a, b| keys.key(*a) <= keys.key(*b))
}

/// Sorts rows of keys, if each of them ascends or descends. Returns whether it did; the rows have the same keys in any case.
// A function of its own: inlined, it slows down the sorts of short rows.
#[inline(never)]
pub(super) fn sort_rows_in_order<K: Ord>(rows: &mut [K], row_len: usize) -> bool {
    rows.chunks_exact_mut(row_len).all(sort_in_order)
}

/// Sorts a row that ascends or descends. Returns whether it does.
fn sort_in_order<K: Ord>(row: &mut [K]) -> bool {
    if row.is_sorted() {
        return true;
    }
    let descends = row.is_sorted_by(|a, b| a >= b);
    if descends {
        row.reverse();
    }
    descends
}

/// Writes the positions of the first `count` elements of each row in sorted order, if the keys of each row ascend or descend. Returns
/// whether they do; if not, the positions have to be written again.
#[inline(never)] // see `sort_rows_in_order`
pub(super) fn positions_in_order<K: Bits>(
    rows: &[K],
    row_len: usize,
    keys: &Keys<K>,
    to: &mut [i64],
    count: usize,
) -> bool {
    let mut each = rows.chunks_exact(row_len).zip(to.chunks_exact_mut(count));
    each.all(|(row, to)| row_in_order(row, keys, to))
}

/// [`positions_in_order`] of a row.
fn row_in_order<K: Bits>(row: &[K], keys: &Keys<K>, to: &mut [i64]) -> bool {
    if ascends(row, keys) {
        to.iter_mut().zip(0..).for_each(|(to, at)| *to = at);
        return true;
    }
    if !row.is_sorted_by(|a, b| keys.key(*a) >= keys.key(*b)) {
        return false;
    }
    // The last run of equal elements comes first; within a run positions ascend.
    let (mut end, mut rest) = (row.len(), to);
    for run in row.chunk_by(|a, b| keys.key(*a) == keys.key(*b)).rev() {
        let start = end - run.len();
        let (now, later) = rest.split_at_mut(run.len().min(rest.len()));
        let first = i64::try_from(start).unwrap_or(i64::MAX);
        now.iter_mut().zip(first..).for_each(|(to, at)| *to = at);
        (end, rest) = (start, later);
        if rest.is_empty() {
            break;
        }
    }
    true
}
