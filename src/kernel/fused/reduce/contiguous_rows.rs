//! Runs the loop of a reduction over rows that follow one another in memory.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::fold::Fold;
use super::loops::MEANS;
use crate::array::{AllocError, Uninit};
use crate::kernel::accumulate::{ContiguousRows, Element as AnyElement, Run};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr};
use crate::kernel::fused::LoopRows;
use crate::simd::LANES;

impl Fold<'_> {
    /// Combines the elements of all groups side by side, in the order of memory.
    ///
    /// # Safety
    /// The contract of [`Self::columns`]; the operands are arrays of `depth` rows that follow one another, and
    /// [`ContiguousRows::are_fast`] of them.
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
        let (inputs, _) = operands.at(0);
        let (row, mut steps) = (operands.steps(count), operands.steps(LANES * count));
        steps[MEANS] = 0;
        let expression = self.loops.expression;
        let shared = SendPtr::new((inputs, tiled.cast_const()));
        // The loop computes at least a pack: the last rows with some before them.
        let at_least = LANES.div_ceil(count);
        let add = |run: &Run, to: *mut u8| {
            let before = at_least.saturating_sub(run.rows);
            let rows = run.rows + before;
            let (mut inputs, means) = shared.get();
            for (number, _, _) in operands.each() {
                let offset = row[number] * (run.first - before).cast_signed();
                inputs[number] = inputs[number].wrapping_offset(offset);
            }
            inputs[MEANS] = means;
            let mut pack = [const { MaybeUninit::<AnyElement>::uninit() }; 2 * LANES];
            let pack = pack.as_mut_ptr().cast::<u8>();
            let is_part = before > 0;
            let rows = LoopRows {
                steps: &steps,
                count: run.times,
                continues: run.continues && !is_part,
                ahead: self.ahead,
                ..LoopRows::single(&inputs, if is_part { pack } else { to }, rows * count)
            };
            // SAFETY: the code is for the SIMD level in use. The rows of the run follow one another, and so do those `before`: the arrays
            // have more than a pack of elements. The lanes of a run have a mean each. `to` has room for the run, and was written if it continues; fewer
            // than two packs have room in `pack`.
            unsafe {
                code(expression.get(), &rows);
                if is_part {
                    let (from, len) = (pack.add(before * count * size), run.rows * count);
                    if run.continues {
                        (accumulator.combine())([to.cast_const(), from].as_ptr(), to, len);
                    } else {
                        to.copy_from_nonoverlapping(from, len * size);
                    }
                }
            }
        };
        let rows = ContiguousRows {
            accumulator,
            count: depth,
            columns: count,
            row_bytes: count * self.reduction.of.sources.size,
        };
        let min_rows = MIN_WORK_PER_THREAD / self.reduction.of.cost / count;
        // SAFETY: `are_fast` allows as many columns; `add` writes a run. The caller guarantees room for an element of each group.
        unsafe { rows.fold(min_rows, &add, to) }
    }
}
