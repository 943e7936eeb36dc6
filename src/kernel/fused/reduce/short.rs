//! Reductions along the last axes of arrays of at most a segment of elements.
//!
//! Each group is a row of all operands, and the rows follow one another in memory. So the general preparations are not needed: the order of
//! traversal, and how each operand is read in that order. They take 60 ns, as long as the mean of 1,600 elements.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::computed_rows::{rows_of, rows_shape};
use super::loops::{LaneResults, Loops, MEANS};
use super::{ReduceLoop, divide};
use crate::array::{Array, Dims, Uninit};
use crate::dtype::DType;
use crate::kernel::accumulate::{BLOCKS, Element as AnyElement, SEGMENT};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, is_split};
use crate::kernel::fused::{LoopRows, MAX_INPUTS};

impl ReduceLoop<'_> {
    /// Reduces contiguous arrays of one shape along their last axes, as [`Self::reduce`]. `None` if there are other operands, other axes
    /// or more elements, if several threads reduce them, or without memory.
    pub(super) fn reduce_short(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
        keep_dims: bool,
        out: DType,
    ) -> Option<Array> {
        self.of.like()?;
        let (kept, count, depth) = rows_of(shape, axes)?;
        if count * depth > SEGMENT {
            return None;
        }
        let at_once = self.groups_at_once(depth, count)?;
        let min_len = MIN_WORK_PER_THREAD / self.of.cost / depth;
        if count > 1 && is_split(count, min_len) {
            return None;
        }
        let mut buffer = Uninit::new(count * out.size()).ok()?;
        let (size, to) = (self.of.dtype.size(), buffer.as_mut_ptr());
        let [mut folded, mut means] = [const { MaybeUninit::<[AnyElement; BLOCKS]>::uninit() }; 2];
        let (folded, means) = (
            folded.as_mut_ptr().cast::<u8>(),
            means.as_mut_ptr().cast::<u8>(),
        );
        for first in (0..count).step_by(at_once) {
            let groups = at_once.min(count - first);
            let rows = (first, groups, depth);
            // SAFETY: the arrays have `count` groups of `depth` elements. `folded` and `means` have room for `BLOCKS` elements of any
            // dtype, at least as many as there are groups at once, and are aligned for them; so has `ReduceLoop::means` for all groups, and
            // `buffer` for a result of each.
            unsafe {
                self.fold_short(&self.values, rows, None, folded)?;
                if let Some(deviations) = &self.deviations {
                    divide(self.of.dtype, folded, groups, depth);
                    means.copy_from_nonoverlapping(folded, groups * size);
                    if let Some(to) = self.means {
                        let to = to.get().add(first * size);
                        to.copy_from_nonoverlapping(folded, groups * size);
                    }
                    self.fold_short(deviations, rows, Some(means), folded)?;
                }
                self.combination()
                    .finish(folded, groups, depth, out, to.add(first * out.size()));
            }
        }
        // SAFETY: `finish` wrote a result for each group.
        let buffer = unsafe { buffer.assume_init() };
        let shape = rows_shape(shape, kept, keep_dims);
        Some(Array::from_buffer(buffer, out, shape))
    }

    /// Returns how many of `count` groups of `depth` elements are combined in one call of a loop, if the loops can combine them. If they
    /// deviate, their elements are still in the L1 cache when the deviations are computed.
    fn groups_at_once(&self, depth: usize, count: usize) -> Option<usize> {
        if count == 1 {
            return Some(1);
        }
        if self.prefers_computed_rows(depth) {
            return None;
        }
        let most = BLOCKS / self.combination().vectors_of(depth)?;
        Some(match self.deviations {
            Some(_) => most.min(self.cached_groups(depth)),
            None => most,
        })
    }

    /// Combines the elements of some groups: their number, that of the first one, and the number of elements in each.
    ///
    /// # Safety
    /// The operands are contiguous arrays of one shape that have these groups, which one call can combine ([`Self::groups_at_once`]). At `to` there is
    /// room for an element of each group; if there are `means`, they are the means of these groups, and the loops are those of deviations.
    #[inline]
    unsafe fn fold_short(
        &self,
        loops: &Loops,
        (first, groups, depth): (usize, usize, usize),
        means: Option<*mut u8>,
        to: *mut u8,
    ) -> Option<()> {
        let accumulator = self.accumulator()?;
        let (mut inputs, mut steps) = (*self.of.sources.addresses(), [0; MAX_INPUTS]);
        let arrays = inputs.iter_mut().zip(&mut steps);
        for ((input, step), dtype) in arrays.zip(self.of.sources.dtypes()) {
            let size = depth * dtype.map_or(0, DType::size);
            *step = size.cast_signed();
            *input = input.wrapping_add(first * size);
        }
        if let Some(means) = means {
            inputs[MEANS] = means.cast_const();
            steps[MEANS] = self.of.dtype.size().cast_signed();
        }
        let mut results = MaybeUninit::<LaneResults>::uninit();
        let rows = LoopRows {
            steps: &steps,
            repeats: u32::from(means.is_some()) << MEANS,
            count: groups,
            ..LoopRows::single(&inputs, results.as_mut_ptr().cast(), depth)
        };
        // SAFETY: the caller guarantees groups that can be read, which one call can combine, and room for an element of each. `results` has
        // room for the vectors of a segment, more than those of the groups.
        unsafe {
            match self.combination().vectors_of(depth) {
                Some(vectors) => {
                    self.combination()
                        .fold_groups(loops, accumulator, &rows, vectors, to)
                }
                // Then there is one group.
                None => self.fold_segment(loops, accumulator, &rows, depth, to),
            }
        }
        Some(())
    }
}
