//! Runs the loop along rows over operands that it cannot read in place: copies of them, block by block.
//!
//! These are operands that broadcast along rows of which several make up a pack, or a group, and operands whose elements lie apart along rows.
//! Groups of at most 1,024 elements are computed several at a time instead (`computed_rows`).
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::divide;
use super::fold::Fold;
use super::loops::{LaneResults, MEANS};
use super::reader::{AT_MOST, OperandReader, TOGETHER};
use crate::array::AllocError;
use crate::kernel::accumulate::{BLOCKS, Element as AnyElement, SEGMENT};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, try_split};
use crate::kernel::fused::LoopRows;
use crate::simd::LANES;

impl Fold<'_> {
    /// [`Self::rows`] of operands that are copied.
    ///
    /// # Safety
    /// The contract of [`Self::rows`].
    pub(super) unsafe fn gathered_rows(&self, to: *mut u8) -> Result<(), AllocError> {
        let (count, depth, size) = (self.count, self.depth, self.size());
        let shared = SendPtr::new(to);
        if let Some(rows) = self.reduction.computed_rows(count, depth) {
            return rows.split(|range| {
                let mut reader = OperandReader::new(self.operands)?;
                // SAFETY: the traversal visits the elements of one group after another, and `ComputedRows::fold` reads at most `AT_MOST` at a time. It
                // gives elements of as many groups as it says, for which the caller guarantees room.
                unsafe {
                    let mut keep = |group: usize, groups: usize, folded: *mut u8| {
                        let to = shared.get().add(group * size);
                        to.copy_from_nonoverlapping(folded, groups * size);
                    };
                    let mut inputs = |position, len| reader.read(position, len);
                    rows.fold(range, &mut inputs, &mut keep);
                }
                Ok(())
            });
        }
        if count == 1 && depth > SEGMENT {
            // SAFETY: the caller guarantees one group, and room for its element.
            return unsafe { self.long_group(to) };
        }
        let deviations = self.deviations();
        let min_len = MIN_WORK_PER_THREAD / self.reduction.of.cost / depth;
        try_split(count, 1, min_len, |range| {
            let mut reader = OperandReader::new(self.operands)?;
            for group in range {
                // SAFETY: the caller guarantees the group, and room for its element, which is written before it is divided.
                unsafe {
                    let to = shared.get().add(group * size);
                    self.gathered_group(&mut reader, group, None, to);
                    if let Some(deviations) = deviations {
                        let mut mean = AnyElement::ZERO;
                        divide(self.reduction.of.dtype, to, 1, depth);
                        self.keep_means(group, to, 1);
                        mean.pointer().copy_from_nonoverlapping(to, size);
                        let mean = Some(mean.pointer().cast_const());
                        deviations.gathered_group(&mut reader, group, mean, to);
                    }
                }
            }
            Ok(())
        })
    }

    /// Combines the elements of a group.
    ///
    /// # Safety
    /// The contract of [`Self::rows`] for this group, of at least a pack of elements. `mean` is its mean if the loops are those of deviations.
    unsafe fn gathered_group(
        &self,
        reader: &mut OperandReader<'_>,
        group: usize,
        mean: Option<*const u8>,
        to: *mut u8,
    ) {
        let mut all = self.accumulator.start();
        for done in (0..self.depth).step_by(SEGMENT) {
            let segment = (group * self.depth + done, SEGMENT.min(self.depth - done));
            let mut element = AnyElement::ZERO;
            // SAFETY: the caller guarantees the elements of the group. `element` has room for one of any dtype, and holds one when it is pushed.
            unsafe {
                self.gathered_segment(reader, segment, mean, element.pointer());
                all.push(element);
            }
        }
        // SAFETY: the caller guarantees room for the group's element.
        unsafe { all.finish(to) };
    }

    /// Combines the `len` elements of a segment, from a position on, to one element.
    ///
    /// # Safety
    /// The operands have these elements, of one group, at most [`SEGMENT`]. An element can be written to `to`. `mean` is the group's mean if
    /// the loops are those of deviations.
    pub(super) unsafe fn gathered_segment(
        &self,
        reader: &mut OperandReader<'_>,
        (position, len): (usize, usize),
        mean: Option<*const u8>,
        to: *mut u8,
    ) {
        const { assert!(TOGETHER.is_multiple_of(crate::kernel::drive::block::BLOCK)) };
        let size = self.size();
        let mut results = MaybeUninit::<LaneResults>::uninit();
        let output = results.as_mut_ptr().cast::<u8>();
        let mut elements = MaybeUninit::<[AnyElement; BLOCKS + 1]>::uninit();
        let elements = elements.as_mut_ptr().cast::<u8>();
        let (mut done, mut blocks) = (0, 0);
        while done < len {
            // Whole blocks. The last one may be a part, but is not read by itself if it has less than a pack.
            let left = len - done;
            let part = if left < AT_MOST { left } else { TOGETHER };
            // SAFETY: the caller guarantees these elements, at most `AT_MOST`. `results` has room for the lanes of a segment, and `elements` for
            // an element of each block, of which a segment has at most `BLOCKS` and a part.
            unsafe {
                let mut inputs = reader.read(position + done, part);
                let repeats = u32::from(mean.is_some()) << MEANS;
                if let Some(mean) = mean {
                    inputs[MEANS] = mean;
                }
                let rows = LoopRows {
                    repeats,
                    ..LoopRows::single(&inputs, output, part)
                };
                if part < LANES {
                    return self.segment(&rows, part, to);
                }
                let to = elements.add(blocks * size);
                let (loops, accumulator) = (self.loops, self.accumulator);
                blocks += (self.reduction).fold_blocks(loops, accumulator, &rows, part, to);
            }
            done += part;
        }
        // SAFETY: the segment has elements, so there are as many results as blocks. The caller guarantees room for an element.
        unsafe {
            self.accumulator.join_elements(elements, blocks);
            to.copy_from_nonoverlapping(elements, size);
        }
    }
}
