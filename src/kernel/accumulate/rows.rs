//! Reduction of rows to a single row.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::Accumulator;
use crate::array::AllocError;
use crate::array::alloc::vec_with_capacity;
use crate::kernel::drive::block::BLOCK;
use crate::simd;
use crate::simd::LANES;

/// Bytes of a row that are combined between prefetches of as many bytes. (Prefetching more at once comes too late:
/// 1.2 times as long with 4096.)
const PIECE: usize = 1 << 9;
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
pub(in crate::kernel) struct Part {
    pub(in crate::kernel) start: usize,
    end: usize,
    pub(in crate::kernel) step: usize,
}

impl Part {
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
        let all = Part {
            start: 0,
            end: rows.count,
            step: 1,
        };
        // SAFETY: the caller guarantees rows and room as `fold_part` requires; all levels are free.
        unsafe { self.fold_part(all, 0, rows.count, rows, to) }
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

    /// Reduces `count` rows, at least one, of `len` elements. `add` computes rows and combines them: it gets a part of the rows, and
    /// the number of lanes that these rows are dealt to. A part has at most `most` rows, or is all rows of one lane.
    ///
    /// # Safety
    /// - [`Self::for_computed`] was given at least as many rows, and this `most`; they are no longer than [`Accumulator::widest`].
    /// - `add(part, lanes, to)` writes a row of the accumulator's dtype to `to`.
    /// - A row can be written to `to`.
    pub(in crate::kernel) unsafe fn fold_computed(
        &mut self,
        (count, most): (usize, usize),
        len: usize,
        add: &mut dyn FnMut(Part, usize, *mut u8),
        to: *mut u8,
    ) {
        debug_assert!(len <= self.accumulator.widest(), "room in the levels");
        let all = Part {
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
        (part, most): (Part, usize),
        depth: usize,
        len: usize,
        add: &mut dyn FnMut(Part, usize, *mut u8),
        to: *mut u8,
    ) {
        let is_block = part.step > 1 || part.end - part.start <= BLOCK;
        let halves = part.halves().filter(|_| !is_block || part.len() > most);
        let Some((left, right)) = halves else {
            return add(part, LANES / part.step, to);
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

    /// Reduces a part of the rows. Row `next` is the first one that is read after the part.
    ///
    /// # Safety
    /// The contract of [`Self::fold`]; the levels from `depth` on are not in use.
    unsafe fn fold_part(
        &mut self,
        part: Part,
        depth: usize,
        next: usize,
        rows: &mut Rows<'_>,
        to: *mut u8,
    ) {
        if let Some((left, right)) = part.halves() {
            // SAFETY: the caller guarantees readable rows, room for a row at `to`, and that the levels from `depth`
            // on are not in use.
            unsafe { self.fold_part(left, depth, right.start, rows, to) };
            let other = self.levels[depth].as_mut_ptr().cast::<u8>();
            // SAFETY: the caller guarantees readable rows and that the levels from `depth + 1` on are not in use. A
            // level has room for a row, as `rows.len <= widest()`. Both operands of `combine` were written just
            // before, and the output is the first one.
            unsafe {
                self.fold_part(right, depth + 1, next, rows, other);
                (self.accumulator.combine)([to.cast_const(), other].as_ptr(), to, rows.len);
            }
            return;
        }
        let mut before: *const u8 = core::ptr::null();
        for at in (part.start..part.end).step_by(part.step) {
            let row = (rows.row)(at);
            let mut ahead = at + 2 * part.step;
            if ahead >= part.end {
                ahead = next + (ahead - part.end) / part.step * part.step;
            }
            let ahead = (rows.stays && ahead < rows.count).then(|| (rows.row)(ahead));
            let is_only = part.start + part.step >= part.end;
            if before.is_null() && rows.stays && !is_only && self.accumulator.row.is_none() {
                // The first row is combined with the second in place, without a copy.
                if let Some(ahead) = ahead {
                    simd::prefetch_all(ahead, rows.len * self.accumulator.size);
                }
                before = row;
                continue;
            }
            // SAFETY: the caller guarantees that `row` can be read and room for a row at `to`. `before` is null,
            // `to`, or a row that stays valid (`rows.stays`).
            unsafe { self.accumulator.add_row(before, row, ahead, to, rows.len) };
            before = to.cast_const();
        }
    }
}

impl Accumulator {
    /// The largest number of columns that are reduced together.
    pub(in crate::kernel) fn widest(&self) -> usize {
        SIDE_BY_SIDE / self.size
    }

    /// Combines a row with the result of the rows before, or copies it if `before` is null.
    ///
    /// Meanwhile it prefetches `ahead`, the second next row, if that is known: rows lie far apart, and hardware
    /// prefetchers only follow accesses close together. (4096 rows of as many `f32`: 1.1 times as long as reading them;
    /// 3 times without the prefetch.)
    ///
    /// # Safety
    /// `len` elements can be read at `row`, of the dtype that the accumulator reads; at `before`, unless it is null,
    /// and written to `to`, of the accumulator's dtype. `before` may be `to`.
    unsafe fn add_row(
        &self,
        before: *const u8,
        row: *const u8,
        ahead: Option<*const u8>,
        to: *mut u8,
        len: usize,
    ) {
        if let Some(kernel) = self.row {
            let ahead = ahead.unwrap_or(row);
            // SAFETY: the caller guarantees rows of `len` elements and room for as many; `ahead` is only prefetched.
            return unsafe { kernel([before, row, ahead].as_ptr(), to, len) };
        }
        let piece = match ahead {
            Some(_) => PIECE / self.size,
            None => len.max(1),
        };
        for done in (0..len).step_by(piece) {
            let (count, offset) = (piece.min(len - done), done * self.size);
            if let Some(ahead) = ahead {
                simd::prefetch_all(ahead.wrapping_add(offset), count * self.size);
            }
            let (row, to) = (row.wrapping_add(offset), to.wrapping_add(offset));
            // SAFETY: the piece lies within the `len` elements that the caller guarantees to be readable in both rows
            // and writable at `to`, which is `before` or overlaps neither.
            unsafe {
                if before.is_null() {
                    to.copy_from_nonoverlapping(row, count * self.size);
                } else {
                    let pair = [before.wrapping_add(offset), row];
                    (self.combine)(pair.as_ptr(), to, count);
                }
            }
        }
    }
}
