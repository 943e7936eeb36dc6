//! Reduction of rows to a single row.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::Accumulator;
use super::loops::{LaneRows, STREAMS};
use crate::array::AllocError;
use crate::array::alloc::vec_with_capacity;
use crate::kernel::drive::block::BLOCK;
use crate::simd::LANES;

/// The largest size of a reduced row, in bytes: half of an L1 cache or less.
const SIDE_BY_SIDE: usize = 1 << 14;

/// Memory for a reduced row.
#[repr(C, align(64))]
struct RowBuffer([u8; SIDE_BY_SIDE]);

/// Reduces rows to one, column by column. Each column is combined in the same order as by
/// [`PairwiseAccumulator`](super::PairwiseAccumulator), with whole rows in place of elements, so results have the
/// same bits.
pub(in crate::kernel) struct ColumnReducer<'a> {
    accumulator: &'a Accumulator,
    /// The result of the right branch at each depth of the tree.
    levels: Vec<MaybeUninit<RowBuffer>>,
}

/// The rows to reduce: `row` returns the address of `len` elements of the dtype that the accumulator reads.
pub(in crate::kernel) struct Rows<'a> {
    pub(in crate::kernel) count: usize,
    pub(in crate::kernel) len: usize,
    pub(in crate::kernel) row: &'a mut dyn FnMut(usize) -> *const u8,
    /// `true` if pointers returned by `row` stay valid after the next call.
    pub(in crate::kernel) stays: bool,
}

/// Every `step`th row of a range.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct RowRange {
    pub(in crate::kernel) start: usize,
    end: usize,
    pub(in crate::kernel) step: usize,
}

impl RowRange {
    /// The number of rows.
    pub(in crate::kernel) fn len(self) -> usize {
        (self.end - self.start).div_ceil(self.step)
    }

    /// The two halves, to be reduced one by one and then combined; `None` if the rows are to be combined one after
    /// another.
    fn halves(self) -> Option<(Self, Self)> {
        let Self { start, end, step } = self;
        let blocks = (end - start).div_ceil(BLOCK);
        if blocks > 1 && step == 1 {
            let middle = start + blocks.next_power_of_two() / 2 * BLOCK;
            let left = Self {
                end: middle,
                ..self
            };
            let right = Self {
                start: middle,
                ..self
            };
            return Some((left, right));
        }
        // Within a block, lanes that are combined first lie farthest apart.
        let left = Self {
            step: 2 * step,
            ..self
        };
        let right = Self {
            start: start + step,
            ..left
        };
        (step < LANES && right.start < end).then_some((left, right))
    }
}

impl<'a> ColumnReducer<'a> {
    /// Allocates memory for the reduction of at most `count` rows.
    ///
    /// # Errors
    /// If there is no memory.
    pub(in crate::kernel) fn new(
        accumulator: &'a Accumulator,
        count: usize,
    ) -> Result<Self, AllocError> {
        // The tree halves down to single blocks, and blocks down to single lanes.
        let lanes = count.div_ceil(BLOCK).next_power_of_two() * LANES;
        let levels = (0..usize::BITS)
            .take_while(|level| lanes >> level > 1)
            .count();
        let mut room = vec_with_capacity(levels)?;
        // SAFETY: the capacity is at least `levels`, and `MaybeUninit` needs no initialisation.
        unsafe { room.set_len(levels) };
        Ok(Self {
            accumulator,
            levels: room,
        })
    }

    /// Reduces at least one row to one.
    ///
    /// # Safety
    /// - There are no more rows than [`Self::new`] was given, and they are no longer than [`Accumulator::widest`].
    /// - `rows.row` returns addresses of `rows.len` readable elements.
    /// - As many elements of the accumulator's dtype can be written to `to`.
    pub(in crate::kernel) unsafe fn fold(&mut self, rows: &mut Rows<'_>, to: *mut u8) {
        debug_assert!(rows.len <= self.accumulator.widest(), "room in the levels");
        let all = RowRange {
            start: 0,
            end: rows.count,
            step: 1,
        };
        // SAFETY: the caller guarantees rows and room as `fold_part` requires; all levels are free.
        unsafe { self.fold_part(all, 0, rows, to) }
    }

    /// Makes room to reduce at most `count` rows by [`Self::fold_computed`], whose `add` takes at most `most` rows in a call.
    ///
    /// # Errors
    /// If there is no memory.
    pub(in crate::kernel) fn for_computed(
        accumulator: &'a Accumulator,
        count: usize,
        most: usize,
    ) -> Result<Self, AllocError> {
        if count <= most.min(BLOCK) {
            let levels = Vec::new();
            return Ok(Self {
                accumulator,
                levels,
            });
        }
        Self::new(accumulator, count)
    }

    /// Reduces `count` rows, at least one, of `len` elements. `add` computes at most `most` rows and combines them: it gets a part of
    /// the rows, and the number of lanes that take these rows in turn; no lanes if the part continues the lane of the part before.
    ///
    /// # Safety
    /// - [`Self::for_computed`] was given at least as many rows, and this `most`; they are no longer than [`Accumulator::widest`].
    /// - `add(part, lanes, to)` writes a row of the accumulator's dtype to `to`, where the row of the part before is if it continues.
    /// - A row can be written to `to`.
    pub(in crate::kernel) unsafe fn fold_computed(
        &mut self,
        (count, most): (usize, usize),
        len: usize,
        add: &mut dyn FnMut(RowRange, usize, *mut u8),
        to: *mut u8,
    ) {
        debug_assert!(len <= self.accumulator.widest(), "room in the levels");
        let all = RowRange {
            start: 0,
            end: count,
            step: 1,
        };
        // SAFETY: the caller guarantees what `fold_computed_part` requires; all levels are free.
        unsafe { self.fold_computed_part((all, most), 0, len, add, to) }
    }

    /// [`Self::fold_computed`] of a part of the rows.
    ///
    /// # Safety
    /// The contract of [`Self::fold_computed`]; the levels from `depth` on are not in use.
    unsafe fn fold_computed_part(
        &mut self,
        (part, most): (RowRange, usize),
        depth: usize,
        len: usize,
        add: &mut dyn FnMut(RowRange, usize, *mut u8),
        to: *mut u8,
    ) {
        let is_block = part.step > 1 || part.end - part.start <= BLOCK;
        let halves = part.halves().filter(|_| !is_block || part.len() > most);
        let Some((left, right)) = halves else {
            let mut lanes = LANES / part.step;
            for start in (part.start..part.end).step_by(most * part.step) {
                let end = part.end.min(start + most * part.step);
                add(RowRange { start, end, ..part }, lanes, to);
                lanes = 0;
            }
            return;
        };
        // SAFETY: the caller guarantees room for a row at `to`, and that the levels from `depth` on are not in use. A level has
        // room for a row, as `len <= widest()`. Both operands of `combine` were written just before; the output is the first.
        unsafe {
            self.fold_computed_part((left, most), depth, len, add, to);
            let other = self.levels[depth].as_mut_ptr().cast::<u8>();
            self.fold_computed_part((right, most), depth + 1, len, add, other);
            (self.accumulator.combine)([to.cast_const(), other].as_ptr(), to, len);
        }
    }

    /// Reduces a part of the rows.
    ///
    /// # Safety
    /// The contract of [`Self::fold`]; the levels from `depth` on are not in use.
    unsafe fn fold_part(&mut self, part: RowRange, depth: usize, rows: &mut Rows<'_>, to: *mut u8) {
        // Two rows are combined in the same way whether they are one lane or two.
        let halves = part.halves().filter(|_| part.len() > 2 || !rows.stays);
        if let Some((left, right)) = halves {
            // SAFETY: the caller guarantees readable rows, room for a row at `to`, and that the levels from `depth` on are not in use. A
            // level has room for a row, as `rows.len <= widest()`. Both operands of `combine` were written just before, and the output
            // is the first one.
            unsafe {
                self.fold_part(left, depth, rows, to);
                let other = self.levels[depth].as_mut_ptr().cast::<u8>();
                self.fold_part(right, depth + 1, rows, other);
                (self.accumulator.combine)([to.cast_const(), other].as_ptr(), to, rows.len);
            }
            return;
        }
        let mut group = LaneRows::new();
        let most = if rows.stays { STREAMS } else { 1 };
        let mut numbers = (part.start..part.end).step_by(part.step).peekable();
        while let Some(number) = numbers.next() {
            group.push((rows.row)(number));
            if group.count < most && numbers.peek().is_some() {
                continue;
            }
            // SAFETY: the caller guarantees that the rows can be read, and room for a row at `to`. They all stay valid: there is one, or
            // `rows.stays`. `before` is null or `to`, which was written.
            unsafe { (self.accumulator.lane)(group.as_input(), to, rows.len) };
            group = LaneRows {
                before: to.cast_const(),
                ..LaneRows::new()
            };
        }
    }
}

impl Accumulator {
    /// The largest number of columns that are reduced together.
    pub(in crate::kernel) fn widest(&self) -> usize {
        SIDE_BY_SIDE / self.size
    }
}
