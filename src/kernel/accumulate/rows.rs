//! Rows folded into one.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::Accumulator;
use crate::array::AllocError;
use crate::array::alloc::vec_with_capacity;
use crate::kernel::drive::block::BLOCK;
use crate::simd;
use crate::simd::LANES;

/// Bytes of a row that are combined while as many are asked for. (More at once come too late: 1.2 times as long with 4096.)
const PIECE: usize = 1 << 9;
/// Bytes of what is folded side by side: half of an L1 cache, or less.
const SIDE_BY_SIDE: usize = 1 << 14;

/// Room for what is folded side by side.
#[repr(C, align(64))]
struct SimdLevel([u8; SIDE_BY_SIDE]);

/// Rows folded into one, column by column in the order in which [`PairwiseAccumulator`] folds the elements of a
/// column: whole rows take the part of elements.
pub(in crate::kernel) struct ColumnReducer<'a> {
    accumulator: &'a Accumulator,
    /// What the right branches give, by depth.
    levels: Vec<MaybeUninit<SimdLevel>>,
}

/// Rows to fold: `row` gives `len` elements of the dtype that is read.
pub(in crate::kernel) struct Rows<'a> {
    pub(in crate::kernel) count: usize,
    pub(in crate::kernel) len: usize,
    pub(in crate::kernel) row: &'a mut dyn FnMut(usize) -> *const u8,
    /// Whether what `row` gave is still there when it is called again.
    pub(in crate::kernel) stays: bool,
}

/// Every `step`th of some rows.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    step: usize,
}

impl Part {
    /// What is folded by itself and then combined; `None` for what is folded one by one.
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
        // Lanes that are combined first lie farthest apart.
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
    /// For `count` rows at most.
    ///
    /// # Errors
    /// If there is no memory.
    pub(in crate::kernel) fn new(
        accumulator: &'a Accumulator,
        count: usize,
    ) -> Result<Self, AllocError> {
        // Halves down to single blocks, and these to single lanes.
        let lanes = count.div_ceil(BLOCK).next_power_of_two() * LANES;
        let levels = (0..usize::BITS)
            .take_while(|level| lanes >> level > 1)
            .count();
        let mut room = vec_with_capacity(levels)?;
        // SAFETY: there is room for as many; for `MaybeUninit` no memory is invalid.
        unsafe { room.set_len(levels) };
        Ok(Self {
            accumulator,
            levels: room,
        })
    }

    /// Folds rows into one. There is at least one.
    ///
    /// # Safety
    /// There are no more rows than [`Self::new`] was told, and no longer ones than
    /// [`Accumulator::widest`]. They can be read, and as many elements of the accumulator's dtype as
    /// each has can be written.
    pub(in crate::kernel) unsafe fn fold(&mut self, rows: &mut Rows<'_>, to: *mut u8) {
        debug_assert!(rows.len <= self.accumulator.widest(), "room in the levels");
        let all = Part {
            start: 0,
            end: rows.count,
            step: 1,
        };
        // SAFETY: the caller's.
        unsafe { self.fold_part(all, 0, rows.count, rows, to) }
    }

    /// Row `next` is the first that is read after these.
    ///
    /// # Safety
    /// That of [`Self::fold`]; the levels from `depth` on are free.
    unsafe fn fold_part(
        &mut self,
        part: Part,
        depth: usize,
        next: usize,
        rows: &mut Rows<'_>,
        to: *mut u8,
    ) {
        if let Some((left, right)) = part.halves() {
            // SAFETY: the caller's.
            unsafe { self.fold_part(left, depth, right.start, rows, to) };
            let other = self.levels[depth].as_mut_ptr().cast::<u8>();
            // SAFETY: the caller's; a level has room for a row, and deeper ones are free.
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
                // The first is combined with the second from where it lies.
                if let Some(ahead) = ahead {
                    simd::prefetch_all(ahead, rows.len * self.accumulator.size);
                }
                before = row;
                continue;
            }
            // SAFETY: the caller's; what `before` points to is still there.
            unsafe { self.accumulator.add_row(before, row, ahead, to, rows.len) };
            before = to.cast_const();
        }
    }
}

impl Accumulator {
    /// How many elements are folded side by side at most.
    pub(in crate::kernel) fn widest(&self) -> usize {
        SIDE_BY_SIDE / self.size
    }

    /// Combines a row with what others gave, or begins with it if that is null.
    ///
    /// The row that is wanted after the next one, if known, is asked for meanwhile: rows lie far apart, and processors guess only
    /// what lies close by. (4096 rows of as many `f32`: 1.1 times as long as to read them, and 3 times if nothing is
    /// asked for.)
    ///
    /// # Safety
    /// There are `len` elements to read in each, of the row those of the dtype that is read, and as many of the
    /// accumulator's dtype can be written. What others gave may lie there.
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
            // SAFETY: the caller's.
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
            // SAFETY: the caller's; the piece is within the row.
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
