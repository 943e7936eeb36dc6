//! The order of elements: sorting, positions in sorted order, order statistics, binary search, distinct elements.
//!
//! All of them compare integer keys (`keys.rs`), not elements: equal elements have equal keys, also -0 and +0, and all NaN have
//! the greatest key. An axis is moved to the end first, so that the loops see contiguous rows, and moved back afterwards.
//!
//! - `sort.rs`: sorts the keys themselves and converts them back to elements;
//! - `positions.rs`: sorts integers that are a key followed by its position, so that no two are equal; if there is no room for all bits of the
//!   key, those that seem equal are sorted again;
//! - `integers.rs`: the integers that these sort, and memory for it;
//! - `presorted.rs`: finds rows that are in order, or in the reverse order, before they are sorted;
//! - `network.rs`, `radix.rs`: sort short rows of integers side by side, and long ones by their digits or by counts; `quicksort.rs`: sorts
//!   integers of 32 and 64 bits with AVX-512; the standard library sorts the others; `comparisons.rs`: the comparisons of a merge sort without
//!   branches;
//! - `statistics.rs`: partial sorts of long rows, for quantiles;
//! - `search.rs`: searches in sorted rows;
//! - `membership.rs`: a table of the values of 8 or 16 bits, or of integers of a small range;
//! - `unique.rs`: distinct elements; `distinct.rs` finds few of them without a sort.
#![allow(unsafe_code, reason = "threads write to parts of one array")]

mod comparisons;
mod distinct;
mod integers;
mod keys;
mod membership;
mod network;
mod positions;
mod presorted;
#[cfg(target_arch = "x86_64")]
mod quicksort;
mod radix;
mod search;
mod sort;
mod statistics;
mod unique;

use std::borrow::Cow;

use super::cast::copied;
use super::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, try_split};
use crate::array::{Array, Dims};
use crate::dtype::Kind;
use crate::error::Error;

pub(crate) use membership::is_in_table;
pub(crate) use positions::argsort;
pub(crate) use search::{
    SearchSide, check_row_search, check_search, searchsorted, searchsorted_rows,
};
pub(crate) use sort::sort;
pub(crate) use statistics::order_statistics;
pub(crate) use unique::{unique_counts, unique_index, unique_inverse, unique_values};

/// The direction of a sort. Equal elements keep their order in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortOrder {
    /// From the smallest element to the greatest; NaN are last.
    Ascending,
    /// From the greatest element to the smallest; NaN are first.
    Descending,
}

/// Checks that the elements have an order, and the axis.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::AxisOutOfRange`].
pub(crate) fn check_order(operation: &'static str, x: &Array, axis: usize) -> Result<(), Error> {
    check_real(operation, x)?;
    if axis < x.rank() {
        return Ok(());
    }
    Err(Error::AxisOutOfRange {
        operation,
        axis: isize::try_from(axis).unwrap_or(isize::MAX),
        rank: x.rank(),
    })
}

/// Checks that the elements have an order.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers.
pub(crate) fn check_real(operation: &'static str, x: &Array) -> Result<(), Error> {
    match x.dtype().kind() {
        Kind::Complex => Err(Error::UnsupportedDType {
            operation,
            dtype: x.dtype(),
        }),
        _ => Ok(()),
    }
}

/// [`check_order`], and that an axis has `count` positions.
///
/// # Errors
/// The errors of [`check_order`], [`Error::CountOutOfRange`].
pub(crate) fn check_count(
    operation: &'static str,
    x: &Array,
    axis: usize,
    count: usize,
) -> Result<(), Error> {
    check_order(operation, x, axis)?;
    let size = x.shape()[axis];
    match count <= size {
        true => Ok(()),
        false => Err(Error::CountOutOfRange {
            operation,
            count,
            axis: axis.cast_signed(),
            size,
        }),
    }
}

/// Returns the array with an axis at the end, in row-major order.
fn with_axis_last(x: &Array, axis: usize) -> Result<Array, Error> {
    if axis + 1 == x.rank() {
        return x.row_major().map(Cow::into_owned);
    }
    let others = (0..x.rank()).filter(|at| *at != axis);
    let order: Vec<usize> = others.chain([axis]).collect();
    copied(&x.permute(&order)?)
}

/// Moves the last axis back to its place: the reverse of [`with_axis_last`].
fn with_axis_back(x: Array, axis: usize) -> Result<Array, Error> {
    let last = x.rank() - 1;
    if axis == last {
        return Ok(x);
    }
    let mut order: Vec<usize> = (0..last).collect();
    order.insert(axis, last);
    copied(&x.permute(&order)?)
}

/// Returns the shape with another size of the last axis.
fn with_last(shape: &Dims, size: usize) -> Dims {
    let mut shape = *shape;
    if let Some(last) = shape.last_mut() {
        *last = size;
    }
    shape
}

/// Divides all rows into pieces, and calls a function with the number of each piece's first row and the piece of the output; on
/// several threads if there is enough to sort. For each row of `row_len` elements that is read, `width` elements are written.
fn each_piece<T: Send>(
    to: &mut [T],
    row_len: usize,
    width: usize,
    run: impl Fn(usize, &mut [T]) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let rows = to.len().checked_div(width).unwrap_or(0);
    if row_len == 0 || rows == 0 {
        return Ok(());
    }
    // An element is compared about as often as the length of its row has bits, and each time costs some additions.
    let bits = usize::try_from(row_len.max(2).ilog2()).unwrap_or(usize::MAX);
    let work = row_len.saturating_mul(4 * bits);
    let first = SendPtr::new(to.as_mut_ptr());
    try_split(rows, 1, MIN_WORK_PER_THREAD / work, |piece| {
        let start = first.get().wrapping_add(piece.start * width);
        // SAFETY: `piece` is part of `0..rows`, and `to` has `rows * width` elements, so these are elements of `to`, which this
        // function borrows for writing. No other call has them, because the pieces do not overlap.
        let part = unsafe { core::slice::from_raw_parts_mut(start, piece.len() * width) };
        run(piece.start, part)
    })
}
