//! Reductions as steps of row programs.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::fold::distance_of_next_rows;
use super::loops::{LaneResults, Loops, MEANS};
use super::{Combination, ReduceLoop, convert_all, divide};
use crate::dtype::DType;
use crate::kernel::accumulate::{Accumulator, BLOCKS, Element as AnyElement};
use crate::kernel::fused::{KeptExpression, LoopRows, MAX_INPUTS};

/// The loops of a reduction, which stay when the call that made them returns.
pub(in crate::kernel::fused) struct ReduceStep {
    how: Combination,
    accumulator: &'static Accumulator,
    values: KeptLoops,
    /// The loops that add up squared deviations from means.
    deviations: Option<KeptLoops>,
    /// [`ReduceLoop::input_size`].
    input_size: usize,
}

/// Loops with the expression that they read.
struct KeptLoops {
    loops: Loops,
    #[expect(dead_code, reason = "`loops` has its address")]
    expression: KeptExpression,
}

impl KeptLoops {
    /// # Safety
    /// The expression still exists.
    unsafe fn new(loops: &Loops) -> Self {
        // SAFETY: the caller guarantees the expression.
        let expression = unsafe { loops.expression.keep() };
        Self {
            loops: Loops {
                expression: expression.at(),
                ..*loops
            },
            expression,
        }
    }
}

/// The address that the results of a reduction are written to, and their dtype.
pub(in crate::kernel::fused) type Results = (*mut u8, DType);

impl ReduceLoop<'_> {
    /// Makes a step of the reduction. `None` if there are no loops that join its lanes.
    pub(in crate::kernel::fused) fn step(&self) -> Option<ReduceStep> {
        // SAFETY: a `ReduceLoop` is only passed to code that runs while its expressions exist.
        unsafe {
            Some(ReduceStep {
                how: self.combination(),
                accumulator: self.accumulator()?,
                values: KeptLoops::new(&self.values),
                deviations: self.deviations.as_ref().map(|loops| KeptLoops::new(loops)),
                input_size: self.input_size(),
            })
        }
    }
}

impl ReduceStep {
    /// Returns the largest number of rows of `depth` elements that are reduced at once, if there are loops for rows of this length.
    pub(in crate::kernel::fused) fn most_rows(&self, depth: usize) -> Option<usize> {
        self.how.vectors_of(depth).map(|vectors| BLOCKS / vectors)
    }

    /// Returns whether it adds up squared deviations from means.
    pub(in crate::kernel::fused) fn deviates(&self) -> bool {
        self.deviations.is_some()
    }

    /// Writes the distance between the means of rows to `steps`, and that a row has one mean to `repeats`.
    pub(in crate::kernel::fused) fn add_means(
        &self,
        steps: &mut [isize; MAX_INPUTS],
        repeats: &mut u32,
    ) {
        steps[MEANS] = self.how.dtype.size().cast_signed();
        *repeats |= 1 << MEANS;
    }

    /// Reduces each row to an element. Also writes the mean of each row, if `means` are given and the reduction deviates. It ignores the
    /// output of the rows.
    ///
    /// # Safety
    /// The rows can be read: their inputs have the dtypes that the loops were made for, and [`Self::add_means`] was called. They are at most
    /// [`Self::most_rows`]. There is room for an element for each row at `to`, and at `means`.
    pub(in crate::kernel::fused) unsafe fn run(
        &self,
        rows: &LoopRows<'_>,
        lanes: &mut MaybeUninit<LaneResults>,
        means: Option<Results>,
        (to, out): Results,
    ) {
        let (depth, count, dtype) = (rows.len, rows.count, self.how.dtype);
        let Some(vectors) = self.how.vectors_of(depth) else {
            unreachable!("rows of a length that has loops")
        };
        let [mut folded, mut deviations] =
            [const { MaybeUninit::<[AnyElement; BLOCKS]>::uninit() }; 2];
        let mut folded = folded.as_mut_ptr().cast::<u8>();
        let output = lanes.as_mut_ptr().cast();
        // SAFETY: the caller guarantees rows that can be read, at most `most_rows`, so that their vectors are at most `BLOCKS`. `folded` and
        // `deviations` have room for as many elements of any dtype, and the caller guarantees room for the results.
        unsafe {
            let rows = LoopRows { output, ..*rows };
            self.how
                .fold_groups(&self.values.loops, self.accumulator, &rows, vectors, folded);
            if let Some(kept) = &self.deviations {
                let ahead = distance_of_next_rows(count * depth * self.input_size).unwrap_or(0);
                divide(dtype, folded, count, depth);
                if let Some((to, out)) = means {
                    convert_all((dtype, folded), count, (out, to));
                }
                let mut inputs = *rows.inputs;
                inputs[MEANS] = folded.cast_const();
                let rows = LoopRows {
                    inputs: &inputs,
                    ahead,
                    ..rows
                };
                let squares = deviations.as_mut_ptr().cast::<u8>();
                self.how
                    .fold_groups(&kept.loops, self.accumulator, &rows, vectors, squares);
                folded = squares;
            }
            self.how.finish(folded, count, depth, out, to);
        }
    }
}
