//! Rows sorted side by side.
//!
//! Sixteen short rows are transposed, so that a pack has one integer of each, and Batcher's odd-even merge sort exchanges whole packs: a
//! minimum and a maximum, without a branch on the integers. It compares more often than a sort of one row, but a vector at a time: rows
//! of 512 `u32` take 0.35 of the time of `sort_unstable`, rows of 64 take 0.26.
//!
//! With AVX-512, `quicksort.rs` is faster for integers of 32 and 64 bits, but for the shortest rows.
#![allow(
    unsafe_code,
    reason = "calls a loop for the processor's instruction set"
)]

use core::marker::PhantomData;

use super::comparisons::{each_exchange, each_run};
use super::integers::{Digits, Scratch};
use super::radix::sort_integers;
use crate::array::alloc::vec_with_capacity;
use crate::simd::{Body, Isa, SimdLevel, for_level, level};

/// The number of rows side by side.
const LANES: usize = 16;
/// The length of the longest rows that are sorted side by side. Beyond it, sorts by digits are faster.
const MAX_ROW: usize = 512;

/// Memory that sorts keep from row to row.
pub(super) struct SortScratch<T> {
    integers: Scratch,
    packs: Vec<[T; LANES]>,
}

impl<T> Default for SortScratch<T> {
    fn default() -> Self {
        Self {
            integers: Scratch::default(),
            packs: Vec::new(),
        }
    }
}

/// Returns the length of the longest rows that are sorted side by side.
fn max_row<T: Digits>() -> usize {
    match size_of::<T>() {
        // Longer rows are sorted one by one (`quicksort.rs`).
        4 if level() == SimdLevel::V4 => 32,
        8 if level() == SimdLevel::V4 => 8,
        _ => MAX_ROW,
    }
}

/// Returns the number of rows that are given to [`sort_rows`] at once.
pub(super) fn rows_at_once(row_len: usize) -> usize {
    if row_len <= MAX_ROW { LANES } else { 1 }
}

/// Returns whether `count` integers of a row are selected. Shorter rows are sorted as a whole: with AVX-512, medians of rows of 64 then take a
/// third of the time.
pub(super) fn is_selected(row_len: usize, count: usize) -> bool {
    let sorted_up_to = match level() {
        SimdLevel::V4 => 256,
        SimdLevel::V3 => 64,
        SimdLevel::Baseline => 16,
    };
    count < row_len && row_len > sorted_up_to
}

/// Sorts each row of integers; `sorted` as for [`sort_integers`].
pub(super) fn sort_rows<T: Digits>(
    rows: &mut [T],
    row_len: usize,
    sorted: usize,
    scratch: &mut SortScratch<T>,
) {
    let is_group = rows.len() == LANES * row_len && (2..=max_row::<T>()).contains(&row_len);
    if is_group && side_by_side(rows, row_len, &mut scratch.packs) {
        return;
    }
    for row in rows.chunks_exact_mut(row_len) {
        sort_integers(row, sorted, &mut scratch.integers);
    }
}

/// Sorts as many rows as a pack has lanes. Returns whether there was memory for it.
fn side_by_side<T: Digits>(rows: &mut [T], row_len: usize, packs: &mut Vec<[T; LANES]>) -> bool {
    if packs.len() < row_len {
        match vec_with_capacity(row_len) {
            Ok(memory) => *packs = memory,
            Err(_) => return false,
        }
        packs.resize(row_len, [T::default(); LANES]);
    }
    let packs = &mut packs[..row_len];
    read_columns(rows, row_len, packs);
    let sort = for_level::<Network<T>>();
    // SAFETY: the loop takes no inputs, so that none has to be readable, and `packs` has `row_len` packs, which this function borrows for
    // writing. `for_level` selects a loop that the processor can run.
    unsafe { sort(core::ptr::null(), packs.as_mut_ptr().cast(), row_len) };
    write_columns(packs, rows, row_len);
    true
}

/// Reads the columns of rows into packs.
fn read_columns<T: Digits>(rows: &[T], row_len: usize, packs: &mut [[T; LANES]]) {
    for (lane, row) in rows.chunks_exact(row_len).enumerate() {
        for (pack, integer) in packs.iter_mut().zip(row) {
            pack[lane] = *integer;
        }
    }
}

/// The reverse of [`read_columns`].
fn write_columns<T: Digits>(packs: &[[T; LANES]], rows: &mut [T], row_len: usize) {
    for (lane, row) in rows.chunks_exact_mut(row_len).enumerate() {
        for (pack, integer) in packs.iter().zip(row) {
            *integer = pack[lane];
        }
    }
}

/// The loop that sorts packs, lane by lane. Its output are the packs.
struct Network<T>(PhantomData<T>);

impl<T: Digits> Body for Network<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(_: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: `side_by_side`, the only caller, passes the address of `len` packs that it borrows for writing.
        let packs = unsafe { core::slice::from_raw_parts_mut(output.cast::<[T; LANES]>(), len) };
        match size_of::<T>() {
            // In one loop over several packs LLVM finds vectors. From single packs of `u64` it makes scalars (4 times the time).
            8 => each_run(len, |first, apart, count| {
                let (low, high) = packs.split_at_mut(first + apart);
                let low = low[first..first + count].as_flattened_mut();
                for (low, high) in low.iter_mut().zip(high[..count].as_flattened_mut()) {
                    (*low, *high) = ((*low).min(*high), (*low).max(*high));
                }
            }),
            _ => each_exchange(len, |low, high| exchange(packs, low, high)),
        }
    }
}

/// Writes the minima of two packs to the lower one, and the maxima to the higher one.
#[inline(always)]
fn exchange<T: Digits>(packs: &mut [[T; LANES]], low: usize, high: usize) {
    let (a, b) = (packs[low], packs[high]);
    let (mut minima, mut maxima) = (a, b);
    for lane in 0..LANES {
        minima[lane] = a[lane].min(b[lane]);
        maxima[lane] = a[lane].max(b[lane]);
    }
    packs[low] = minima;
    packs[high] = maxima;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::with_level;

    /// Sorts seventeen rows, of which the last one is not sorted side by side, and compares them with the sort of the standard library.
    fn check<T: Digits + core::fmt::Debug>(row_len: usize) {
        let number = |at: usize| at.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        let mut rows: Vec<T> = (0..17 * row_len)
            .map(|at| T::default().plus(number(at % 5_000)))
            .collect();
        let mut expected = rows.clone();
        for row in expected.chunks_exact_mut(row_len) {
            row.sort_unstable();
        }
        let mut scratch = SortScratch::default();
        for group in rows.chunks_mut(row_len * rows_at_once(row_len)) {
            sort_rows(group, row_len, 0, &mut scratch);
        }
        assert!(rows == expected, "{row_len} of {} bytes", size_of::<T>());
    }

    #[test]
    fn rows_are_sorted_on_every_level() {
        for level in SimdLevel::ALL {
            with_level(level, || {
                for row_len in [1, 2, 63, 65, 512, 513, 600, 1000, 1024, 1025] {
                    check::<u8>(row_len);
                    check::<u16>(row_len);
                    check::<u32>(row_len);
                    check::<u64>(row_len);
                }
            });
        }
    }
}
