//! Runs the loop of a reduction over rows that follow one another in memory.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::fold::Fold;
use super::loops::MEANS;
use super::reader::{OperandReader, TOGETHER};
use crate::array::{AllocError, Uninit};
use crate::kernel::accumulate::{ContiguousRows, Element as AnyElement, Run};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr};
use crate::kernel::fused::{LoopRows, MAX_INPUTS};
use crate::simd::LANES;

impl Fold<'_> {
    /// Combines the elements of all groups side by side, in the order of memory.
    ///
    /// # Safety
    /// The contract of [`Self::columns`]; the operands are arrays of `depth` rows that follow one another, or
    /// are copied to such rows; [`ContiguousRows::are_fast`] of them.
    pub(super) unsafe fn contiguous_rows(
        &self,
        means: Option<*mut u8>,
        to: *mut u8,
    ) -> Result<(), AllocError> {
        let Some(code) = self.loops.columns else {
            unreachable!("a traversal that has its loop")
        };
        let (accumulator, operands) = (self.accumulator, self.operands);
        let (count, depth, size) = (self.count, self.depth, self.size());
        // The mean of each column, for each of 32 rows.
        let mut tiled = Uninit::new(if means.is_some() {
            LANES * count * size
        } else {
            0
        })?;
        let tiled = tiled.as_mut_ptr();
        for row in 0..LANES {
            if let Some(means) = means {
                // SAFETY: the caller guarantees the mean of each group, and `tiled` has room for 32 times as many.
                unsafe {
                    let to = tiled.add(row * count * size);
                    to.copy_from_nonoverlapping(means, count * size);
                }
            }
        }
        let (inputs, _) = operands.at(self.first);
        let mut row = [0; MAX_INPUTS];
        for (number, (_, size), _) in operands.each() {
            row[number] = (count * size).cast_signed();
        }
        let steps = row.map(|row| row * LANES.cast_signed());
        let expression = self.loops.expression;
        let shared = SendPtr::new((inputs, tiled.cast_const()));
        // The loop computes at least a pack: the last rows with some before them.
        let at_least = LANES.div_ceil(count);
        let add = |run: &Run, to: *mut u8| {
            let before = at_least.saturating_sub(run.rows);
            let rows = run.rows + before;
            let (mut inputs, means) = shared.get();
            let mut pack = [const { MaybeUninit::<AnyElement>::uninit() }; 2 * LANES];
            let pack = pack.as_mut_ptr().cast::<u8>();
            let is_part = before > 0;
            let output = if is_part { pack } else { to };
            let continues = run.continues && !is_part;
            let first = run.first - before;
            // SAFETY: the code is for the SIMD level in use. The rows of the run follow one another, and so do those `before`: the arrays
            // have more than a pack of elements. Copies of the operands are at most 32 rows of fewer columns, so at most `AT_MOST` elements. The lanes of
            // a run have a mean each. `to` has room for the run, and was written if it continues; fewer than two packs have room in `pack`.
            unsafe {
                if operands.gathers {
                    let mut reader = OperandReader::new(operands)?;
                    // The copies of as many times 32 rows as are read together.
                    let together = (TOGETHER / (LANES * count)).max(1);
                    let mut done = 0;
                    while done < run.times {
                        let times = together.min(run.times - done);
                        let (at, lanes) = ((first + done * LANES) * count, (times - 1) * LANES);
                        let mut inputs = reader.read(self.first + at, (lanes + rows) * count);
                        inputs[MEANS] = means;
                        let rows = LoopRows {
                            steps: &steps,
                            count: times,
                            continues: continues || done > 0,
                            ..LoopRows::single(&inputs, output, rows * count)
                        };
                        code(expression.get(), &rows);
                        done += times;
                    }
                } else {
                    for (number, _, _) in operands.each() {
                        let offset = row[number] * first.cast_signed();
                        inputs[number] = inputs[number].wrapping_offset(offset);
                    }
                    inputs[MEANS] = means;
                    let rows = LoopRows {
                        steps: &steps,
                        count: run.times,
                        continues,
                        ahead: self.ahead,
                        ..LoopRows::single(&inputs, output, rows * count)
                    };
                    code(expression.get(), &rows);
                }
                if is_part {
                    let (from, len) = (pack.add(before * count * size), run.rows * count);
                    if run.continues {
                        (accumulator.combine())([to.cast_const(), from].as_ptr(), to, len);
                    } else {
                        to.copy_from_nonoverlapping(from, len * size);
                    }
                }
            }
            Ok(())
        };
        let rows = ContiguousRows {
            accumulator,
            count: depth,
            columns: count,
            // Copies are in the L1 cache.
            row_bytes: match operands.gathers {
                true => 0,
                false => count * self.reduction.of.sources.size,
            },
        };
        let min_rows = MIN_WORK_PER_THREAD / self.reduction.of.cost / count;
        // SAFETY: `are_fast` allows as many columns; `add` writes a run. The caller guarantees room for an element of each group.
        unsafe { rows.fold(min_rows, &add, to) }
    }
}
