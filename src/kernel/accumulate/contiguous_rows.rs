//! Reduction of rows that follow one another in memory to a single row.
//!
//! A column is reduced in the order of a segment: 32 lanes take the elements of a block in turn, and their results are then combined. So 32
//! rows are read as one, which has an element of each lane of each column:
//!
//! ```text
//! rows of 2:       a0  b0  | a1  b1  | .. | a31 b31
//!                  a32 b32 | a33 b33 | ..
//! 32 rows as one:  a0  b0    a1  b1    ..   a31 b31
//!                + a32 b32   a33 b33   ..             the lanes of a and b
//! ```
//!
//! Memory is read in order, and rows may be short: a matrix of two columns takes a tenth of the time of reading along
//! its columns. Wider rows gain if they come from memory (512 columns: 0.8 of the time).
#![allow(unsafe_code, reason = "combines rows of raw memory")]

use core::ops::Range;

use super::Accumulator;
use super::loops::{CACHED_BYTES, LaneRows, STREAMS};
use super::rows::{ColumnReducer, RowRange};
use crate::array::{AllocError, Uninit};
use crate::kernel::drive::block::BLOCK;
use crate::kernel::drive::parallel::{SendPtr, try_split};
use crate::simd::LANES;

/// The largest size of the lanes of all columns, in bytes: a part of an L2 cache.
const LANES_BYTES: usize = 1 << 17;
/// The size of a page of memory. Processors prefetch several streams if they lie farther apart.
const PAGE_BYTES: usize = 1 << 12;

/// Rows that follow one another.
pub(in crate::kernel) struct ContiguousRows<'a> {
    pub(in crate::kernel) accumulator: &'a Accumulator,
    /// The number of rows, at least one.
    pub(in crate::kernel) count: usize,
    pub(in crate::kernel) columns: usize,
    /// The number of bytes that a row is read from.
    pub(in crate::kernel) row_bytes: usize,
}

/// Some of the rows: `times` times `rows`, of which there are 32 or, at the end, fewer.
pub(in crate::kernel) struct Run {
    /// The number of the first row.
    pub(in crate::kernel) first: usize,
    pub(in crate::kernel) rows: usize,
    pub(in crate::kernel) times: usize,
    /// Whether the run is combined with the result of the runs before it.
    pub(in crate::kernel) continues: bool,
}

impl ContiguousRows<'_> {
    /// Returns whether there is room for the lanes of this many columns.
    pub(in crate::kernel) fn fit(accumulator: &Accumulator, columns: usize) -> bool {
        columns <= LANES_BYTES / LANES / accumulator.size
    }

    /// Returns whether rows are reduced faster in this way. A row of lanes is not worth its memory for few rows, unless they are short.
    pub(in crate::kernel) fn are_fast(
        accumulator: &Accumulator,
        count: usize,
        columns: usize,
    ) -> bool {
        let are_short = columns < LANES && count > 0;
        columns > 1 && (are_short || count >= 2 * LANES) && Self::fit(accumulator, columns)
    }

    /// Reduces the rows to one, on several threads if there are `min_rows` or more for each. `add` reads a run, and combines its rows as
    /// if 32 rows were a single one.
    ///
    /// # Errors
    /// If there is no memory.
    ///
    /// # Safety
    /// - [`Self::fit`] allows as many columns.
    /// - `add(run, to)` writes `run.rows` rows of the accumulator's dtype to `to`, where the rows of the run before are if it continues.
    /// - A row can be written to `to`.
    pub(in crate::kernel) unsafe fn fold(
        &self,
        min_rows: usize,
        add: &(dyn Fn(&Run, *mut u8) -> Result<(), AllocError> + Sync),
        to: *mut u8,
    ) -> Result<(), AllocError> {
        debug_assert!(Self::fit(self.accumulator, self.columns), "room for lanes");
        let bytes = self.columns * self.accumulator.size;
        let blocks = self.count.div_ceil(BLOCK);
        // A single block needs no memory for its result.
        let mut results = Uninit::new(if blocks > 1 { blocks * bytes } else { 0 })?;
        let of_blocks = if blocks > 1 { results.as_mut_ptr() } else { to };
        let shared = SendPtr::new(of_blocks);
        try_split(blocks, 1, min_rows.div_ceil(BLOCK), |range| {
            let mut lanes = Uninit::new(LANES.min(self.count) * bytes)?;
            for block in range {
                let rows = block * BLOCK..self.count.min((block + 1) * BLOCK);
                // SAFETY: the caller guarantees `add`. `lanes` has room for 32 rows or for all rows, and there is a row for the result of
                // each block.
                unsafe {
                    let to = shared.get().add(block * bytes);
                    self.fold_block(rows, add, lanes.as_mut_ptr(), to)?;
                }
            }
            Ok(())
        })?;
        if blocks == 1 {
            return Ok(());
        }
        let mut tree = ColumnReducer::for_computed(self.accumulator, self.count, BLOCK)?;
        let (widest, size) = (self.accumulator.widest(), self.accumulator.size);
        for start in (0..self.columns).step_by(widest) {
            let columns = widest.min(self.columns - start);
            // SAFETY: each part is a block, whose result was written. The caller guarantees room for a row at `to`, of which these are at
            // most the widest number of columns.
            unsafe {
                let mut copy = |part: RowRange, _: usize, to: *mut u8| {
                    let result = of_blocks.add(part.start / BLOCK * bytes + start * size);
                    to.copy_from_nonoverlapping(result, columns * size);
                };
                let to = to.add(start * size);
                tree.fold_computed((self.count, BLOCK), columns, &mut copy, to);
            }
        }
        Ok(())
    }

    /// Reduces at most a block of rows, at least one.
    ///
    /// # Errors
    /// If `add` has no memory.
    ///
    /// # Safety
    /// The contract of [`Self::fold`]; 32 rows or all rows can be written to `lanes`.
    unsafe fn fold_block(
        &self,
        rows: Range<usize>,
        add: &(dyn Fn(&Run, *mut u8) -> Result<(), AllocError> + Sync),
        lanes: *mut u8,
        to: *mut u8,
    ) -> Result<(), AllocError> {
        let is_cached = self.count * self.row_bytes <= CACHED_BYTES;
        let are_far = LANES * self.row_bytes >= PAGE_BYTES;
        let most = if is_cached || are_far { STREAMS } else { 1 };
        let (mut first, mut continues) = (rows.start, false);
        while first < rows.end {
            let left = rows.end - first;
            let run = Run {
                first,
                rows: left.min(LANES),
                times: (left / LANES).clamp(1, most),
                continues,
            };
            add(&run, lanes)?;
            (first, continues) = (first + run.rows * run.times, true);
        }
        let bytes = self.columns * self.accumulator.size;
        let mut filled = LANES.min(rows.len());
        for half in [16, 8, 4, 2, 1] {
            if filled > half {
                let upper = lanes.wrapping_add(half * bytes).cast_const();
                // SAFETY: `filled` rows were written to `lanes`. The output is the first operand.
                unsafe {
                    let pair = [lanes.cast_const(), upper];
                    (self.accumulator.combine)(
                        pair.as_ptr(),
                        lanes,
                        (filled - half) * self.columns,
                    );
                }
                filled = half;
            }
        }
        // SAFETY: the caller guarantees room for a row at `to`, and the first lane was written.
        unsafe { to.copy_from_nonoverlapping(lanes, bytes) };
        Ok(())
    }
}

impl Accumulator {
    /// Combines a run of rows that are in memory, from `first` on, for [`ContiguousRows::fold`].
    ///
    /// # Safety
    /// The run's rows of `row_bytes` bytes and `columns` elements of the dtype that the accumulator reads follow one another at `first`.
    /// `run.rows` rows of the accumulator's dtype can be written to `to`, and were if the run continues.
    pub(in crate::kernel) unsafe fn add_run(
        &self,
        run: &Run,
        (first, row_bytes): (*const u8, usize),
        columns: usize,
        to: *mut u8,
    ) {
        let mut lane = LaneRows::new();
        if run.continues {
            lane.before = to.cast_const();
        }
        for time in 0..run.times {
            lane.push(first.wrapping_add((run.first + time * LANES) * row_bytes));
        }
        // SAFETY: the caller guarantees the elements of `run.rows` rows, `run.times` times, and room for as many results.
        unsafe { (self.lane)(lane.as_input(), to, run.rows * columns) };
    }
}
