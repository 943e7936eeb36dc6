//! Rows sorted side by side.
//!
//! Sixteen short rows are transposed, so that a pack has one integer of each, and Batcher's odd-even merge sort exchanges whole packs: a
//! minimum and a maximum, without a branch on the integers. It compares more often than a sort of one row, but a vector at a time: rows
//! of 512 `u32` take 0.35 of the time of `sort_unstable`, rows of 64 take 0.26.
#![allow(
    unsafe_code,
    reason = "calls a loop for the processor's instruction set"
)]

use core::marker::PhantomData;

use super::radix::{Digits, sort_integers};
use crate::array::alloc::vec_with_capacity;
use crate::simd::{Body, Isa, SimdLevel, for_level, level};

/// The number of rows side by side.
const LANES: usize = 16;
/// The length of the longest rows that are sorted side by side. Beyond it, sorts by digits are faster.
const MAX_ROW: usize = 512;
/// [`MAX_ROW`] of integers of four bytes with AVX-512, of which a register holds a pack. (Rows of 1,024 `i32`: 0.5 of the time of a sort by
/// digits. Rows of 1,024 `f64` would take 1.9 of it.)
const MAX_WIDE_ROW: usize = 1024;
/// The number of columns of longer rows that are transposed at a time. (All 1,024 at once: twice the time, because packs in the L2 cache
/// are read and written again for each row.)
const TRANSPOSED: usize = 64;

/// Memory that sorts keep from row to row.
pub(super) struct SortScratch<T> {
    integers: Vec<T>,
    packs: Vec<[T; LANES]>,
}

impl<T> Default for SortScratch<T> {
    fn default() -> Self {
        Self {
            integers: Vec::new(),
            packs: Vec::new(),
        }
    }
}

/// Returns the length of the longest rows that are sorted side by side.
fn max_row<T: Digits>() -> usize {
    match size_of::<T>() {
        4 if level() == SimdLevel::V4 => MAX_WIDE_ROW,
        ..=8 => MAX_ROW,
        _ => 0,
    }
}

/// Returns the number of rows that [`sort_rows`] sorts at once.
pub(super) fn rows_at_once<T: Digits>(row_len: usize) -> usize {
    match row_len <= max_row::<T>() {
        true => LANES,
        false => 1,
    }
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
    match row_len {
        ..=MAX_ROW => read_columns(rows, row_len, 0, packs),
        _ => packs
            .chunks_mut(TRANSPOSED)
            .enumerate()
            .for_each(|(part, packs)| read_columns(rows, row_len, part * TRANSPOSED, packs)),
    }
    let sort = for_level::<Network<T>>();
    // SAFETY: the loop takes no inputs, so that none has to be readable, and `packs` has `row_len` packs, which this function borrows for
    // writing. `for_level` selects a loop that the processor can run.
    unsafe { sort(core::ptr::null(), packs.as_mut_ptr().cast(), row_len) };
    match row_len {
        ..=MAX_ROW => write_columns(packs, rows, row_len, 0),
        _ => packs
            .chunks(TRANSPOSED)
            .enumerate()
            .for_each(|(part, packs)| write_columns(packs, rows, row_len, part * TRANSPOSED)),
    }
    true
}

/// Reads the columns of rows from `start` on into packs.
#[inline(always)]
fn read_columns<T: Digits>(rows: &[T], row_len: usize, start: usize, packs: &mut [[T; LANES]]) {
    for (lane, row) in rows.chunks_exact(row_len).enumerate() {
        for (pack, integer) in packs.iter_mut().zip(&row[start..]) {
            pack[lane] = *integer;
        }
    }
}

/// The reverse of [`read_columns`].
#[inline(always)]
fn write_columns<T: Digits>(packs: &[[T; LANES]], rows: &mut [T], row_len: usize, start: usize) {
    for (lane, row) in rows.chunks_exact_mut(row_len).enumerate() {
        for (pack, integer) in packs.iter().zip(&mut row[start..]) {
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
        let mut merged = 1;
        while merged < len {
            let mut apart = merged;
            while apart >= 1 {
                exchange_all(packs, merged, apart);
                apart /= 2;
            }
            merged *= 2;
        }
    }
}

/// A step of the merge of sorted parts of `merged` packs: compares packs that lie `apart` and belong to the same pair of parts.
#[inline(always)]
fn exchange_all<T: Digits>(packs: &mut [[T; LANES]], merged: usize, apart: usize) {
    let mut first = apart % merged;
    while first + apart < packs.len() {
        let end = (first + apart).min(packs.len() - apart);
        for at in first..end {
            if at / (2 * merged) == (at + apart) / (2 * merged) {
                exchange(packs, at, at + apart);
            }
        }
        first += 2 * apart;
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
            .map(|at| T::truncated(number(at % 5_000)))
            .collect();
        let mut expected = rows.clone();
        for row in expected.chunks_exact_mut(row_len) {
            row.sort_unstable();
        }
        let mut scratch = SortScratch::default();
        for group in rows.chunks_mut(row_len * rows_at_once::<T>(row_len)) {
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
                    check::<u128>(row_len);
                }
            });
        }
    }
}
