//! Binary search in sorted rows.
//!
//! While the values ascend, the position of one is a lower bound for the position of the next. So after [`ASCENTS`] values in ascending
//! order, each search starts at the last position and doubles its step until it has passed the value. That takes a constant number of steps if
//! both vectors are about equally dense. Values in random order rarely ascend that often. Ascents are counted without a branch, because the
//! processor would mispredict it for every second value.
//!
//! In long rows [`TOGETHER`] searches take their steps in turns, because each step of one waits for memory.

use std::borrow::Cow;

use super::keys::{Bits, Keys};
use super::{SortOrder, check_real};
use crate::array::Array;
use crate::array::alloc::vec_with_capacity;
use crate::dtype::DType;
use crate::error::{Error, check_axes, unequal_shapes};
use crate::kernel::cast;
use crate::simd::for_types;

/// Where a value belongs among elements that are equal to it: the `side` of NumPy's `searchsorted`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchSide {
    /// Before them.
    Left,
    /// Behind them.
    Right,
}

/// Checks the operands of [`searchsorted`].
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers; [`Error::DTypeMismatch`] if the dtypes differ; [`Error::RankMismatch`] if the
/// sorted elements are not a vector.
pub(crate) fn check_search(sorted: &Array, values: &Array) -> Result<(), Error> {
    let operation = "searchsorted";
    check_dtypes(operation, sorted, values)?;
    match sorted.rank() {
        1 => Ok(()),
        _ => Err(Error::RankMismatch {
            operation,
            expected: 1,
            shape: sorted.shape().to_vec(),
        }),
    }
}

/// Checks that the elements of both have an order, and one dtype.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::DTypeMismatch`].
fn check_dtypes(operation: &'static str, sorted: &Array, values: &Array) -> Result<(), Error> {
    check_real(operation, sorted)?;
    match sorted.dtype() == values.dtype() {
        true => Ok(()),
        false => Err(Error::DTypeMismatch {
            operation,
            expected: sorted.dtype(),
            found: values.dtype(),
        }),
    }
}

/// Checks the operands of [`searchsorted_rows`], and returns the lengths of the rows of both.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers; [`Error::DTypeMismatch`] if the dtypes differ; [`Error::TooFewAxes`] of rank 0;
/// [`Error::ShapeMismatch`] if the ranks differ, [`Error::SizeMismatch`] if sizes before the last axis do.
pub(crate) fn check_row_search(sorted: &Array, values: &Array) -> Result<[usize; 2], Error> {
    let operation = "searchsorted_rows";
    check_dtypes(operation, sorted, values)?;
    check_axes(operation, 1, sorted.shape())?;
    let (row, rows) = sorted.shape().split_last().expect("an axis");
    match values.shape().split_last() {
        Some((each, others)) if others == rows => Ok([*row, *each]),
        _ => Err(unequal_shapes(
            operation,
            ["the rows".into(), "the values".into()],
            [sorted.shape(), values.shape()],
            |at| at == rows.len(),
        )),
    }
}

/// Returns, for each value, the number of elements in the sorted row of the same position that are smaller, or of the right side not greater.
///
/// # Errors
/// The errors of [`check_row_search`], [`Error::OutOfMemory`].
pub(crate) fn searchsorted_rows(
    sorted: &Array,
    values: &Array,
    side: SearchSide,
    out: DType,
) -> Result<Array, Error> {
    let lengths = check_row_search(sorted, values)?;
    searched(sorted, values, lengths, side, out)
}

/// Returns, for each value, the number of sorted elements that are smaller, or of the right side not greater.
///
/// # Errors
/// The errors of [`check_search`], [`Error::OutOfMemory`].
pub(crate) fn searchsorted(
    sorted: &Array,
    values: &Array,
    side: SearchSide,
    out: DType,
) -> Result<Array, Error> {
    check_search(sorted, values)?;
    searched(sorted, values, [sorted, values].map(Array::len), side, out)
}

fn searched(
    sorted: &Array,
    values: &Array,
    lengths: [usize; 2],
    side: SearchSide,
    out: DType,
) -> Result<Array, Error> {
    let dtype = sorted.dtype();
    let bits = dtype.bits_dtype();
    let [sorted, values] = [sorted, values].map(|x| {
        let x = x.row_major().map(Cow::into_owned);
        x.map(|x| x.bitcast(bits))
    });
    let (sorted, values) = (sorted?, values?);
    let order = SortOrder::Ascending;
    let found = for_types!(dtype.size(), K in [1 => u8, 2 => u16, 4 => u32] =>
        positions(&sorted, &values, lengths, &Keys::<K>::new(dtype, order), side),
        _ => positions(&sorted, &values, lengths, &Keys::<u64>::new(dtype, order), side)
    );
    cast(Cow::Owned(found?), out)
}

/// [`searchsorted_rows`] of elements that are given by their bits, in the dtype `i64`. The lengths are those of the rows of both.
fn positions<K: Bits>(
    sorted: &Array,
    values: &Array,
    [row, each]: [usize; 2],
    keys: &Keys<K>,
    side: SearchSide,
) -> Result<Array, Error> {
    let all: &[K] = sorted.as_slice().unwrap_or_default();
    let from: &[K] = values.as_slice().unwrap_or_default();
    let (mut last, mut position, mut ascents) = (K::MAX, 0, 0);
    let (mut sorted, mut row_end) = (&all[..0], 0);
    let right = side == SearchSide::Right;
    // The keys of a row, if it has fewer elements than are searched in it.
    let has_keys = row <= each;
    let mut row_keys = vec_with_capacity(if has_keys { row } else { 0 })?;
    // The positions of values that were searched together, from `ahead_start` to `ahead_end`.
    let (mut ahead, mut ahead_start, mut ahead_end) = ([0; TOGETHER], 0, 0);
    Array::from_positions(values.shape(), |at| {
        if at == row_end {
            let start = at / each * row;
            sorted = &all[start..start + row];
            (last, ascents, row_end) = (K::MAX, 0, at + each);
            if has_keys {
                row_keys.clear();
                row_keys.extend(sorted.iter().map(|element| keys.key(*element)));
            }
        }
        let value = keys.key(from[at]);
        // Without a branch, which the processor would mispredict for every second element. (A million `f32` in 101: 9 ms instead of 35.)
        let is_before = |key: K, value: K| (key < value) | (right & (key == value));
        ascents = (ascents + 1) * usize::from(last <= value);
        last = value;
        let low = (ascents >= ASCENTS).then_some(position);
        if low.is_none() && at >= ahead_end && row >= TOGETHER_FROM {
            (ahead_start, ahead_end) = (at, (at + TOGETHER).min(row_end));
            let values = core::array::from_fn(|next| keys.key(from[(at + next).min(row_end - 1)]));
            ahead = match has_keys {
                true => search_together(&row_keys, values, |key, value| is_before(*key, value)),
                false => search_together(sorted, values, |element, value| {
                    is_before(keys.key(*element), value)
                }),
            };
        }
        position = match has_keys {
            _ if at < ahead_end => ahead[at - ahead_start],
            true => search(low, &row_keys, |key| is_before(*key, value)),
            false => search(low, sorted, |element| is_before(keys.key(*element), value)),
        };
        i64::try_from(position).unwrap_or(i64::MAX)
    })
}

/// Returns the number of elements that are before a value, of which there are at least `low`, if that is known.
fn search<K>(low: Option<usize>, sorted: &[K], is_before: impl Fn(&K) -> bool) -> usize {
    match low {
        Some(low) => search_from(low, sorted, is_before),
        None => sorted.partition_point(is_before),
    }
}

/// Returns the number of elements that are before a value, of which there are at least `low`.
fn search_from<K>(mut low: usize, sorted: &[K], is_before: impl Fn(&K) -> bool) -> usize {
    let (mut high, mut step) = (sorted.len(), 1);
    while let Some(element) = sorted.get(low + step - 1) {
        if !is_before(element) {
            high = low + step - 1;
            break;
        }
        low += step;
        step *= 2;
    }
    low + sorted[low..high].partition_point(is_before)
}

/// Returns for each value the number of elements that are before it. There is at least one element.
fn search_together<K, V: Copy>(
    sorted: &[K],
    values: [V; TOGETHER],
    is_before: impl Fn(&K, V) -> bool,
) -> [usize; TOGETHER] {
    // The first position of the part that is left for each value; all parts have one length.
    let (mut first, mut len) = ([0; TOGETHER], sorted.len());
    while len > 1 {
        let half = len / 2;
        for (first, value) in first.iter_mut().zip(values) {
            *first += half * usize::from(is_before(&sorted[*first + half], value));
        }
        len -= half;
    }
    core::array::from_fn(|at| first[at] + usize::from(is_before(&sorted[first[at]], values[at])))
}

/// The number of values that are searched together.
const TOGETHER: usize = 16;
/// The length of the shortest rows in which they are.
const TOGETHER_FROM: usize = 1 << 10;
/// The number of ascents between neighbouring values after which a search starts at the position of the value before.
const ASCENTS: usize = 8;
