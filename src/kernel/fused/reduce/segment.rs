//! Combines the elements of a segment to one element, or those of several groups to one each: runs the loop, then joins the lanes and blocks
//! that it leaves.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::loops::{LaneResults, Loops, block_of};
use super::{Combination, ReduceLoop};
use crate::kernel::accumulate::{Accumulator, BLOCKS, Element as AnyElement, FoldOp, SEGMENT};
use crate::kernel::binary::op::BinaryOp;
use crate::kernel::drive::gather::fill_up_of;
use crate::kernel::fused::{LoopRows, MAX_INPUTS, PackSlot};
use crate::simd::LANES;

impl ReduceLoop<'_> {
    /// Combines the elements of a segment, which are rows of one group, to one element.
    ///
    /// # Safety
    /// `rows` are what the loops require, and make up `len` elements, at most a segment; their output is [`LaneResults`]. An
    /// element can be written to `to`.
    pub(super) unsafe fn fold_segment(
        &self,
        loops: &Loops,
        accumulator: &Accumulator,
        rows: &LoopRows<'_>,
        len: usize,
        to: *mut u8,
    ) {
        let size = self.of.dtype.size();
        let results = rows.output.cast::<LaneResults>();
        let mut elements = MaybeUninit::<[AnyElement; BLOCKS + 1]>::uninit();
        let elements = elements.as_mut_ptr().cast::<u8>();
        // SAFETY: the code is for the SIMD level in use. The caller guarantees rows that can be read, and results to write. `elements` has
        // room for an element of each block, and of a part. Without a whole pack the inputs are filled up to one.
        unsafe {
            if len < LANES {
                let mut room = [const { MaybeUninit::<PackSlot>::uninit() }; MAX_INPUTS];
                let mut inputs = *rows.inputs;
                for (number, dtype) in self.of.sources.dtypes().iter().enumerate() {
                    if let Some(dtype) = dtype
                        && rows.repeats >> number & 1 == 0
                    {
                        let to = room[number].as_mut_ptr().cast::<u8>();
                        fill_up_of(dtype.size(), inputs[number], len, to);
                        inputs[number] = to.cast_const();
                    }
                }
                let rows = LoopRows {
                    inputs: &inputs,
                    len: LANES,
                    existing: len,
                    group: 0,
                    ..*rows
                };
                (loops.lanes)(loops.expression.get(), &rows);
                let part = (&raw mut (*results).part).cast();
                return accumulator.join_lanes(part, len, to);
            }
            let count = self.fold_blocks(loops, accumulator, rows, len, elements);
            accumulator.join_elements(elements, count);
            to.copy_from_nonoverlapping(elements, size);
        }
    }

    /// Combines the elements of each block of rows to one element. Returns the number of blocks.
    ///
    /// # Safety
    /// The contract of [`Self::fold_segment`], for at least a pack of elements. There is room for an element of each block at `to`.
    pub(super) unsafe fn fold_blocks(
        &self,
        loops: &Loops,
        accumulator: &Accumulator,
        rows: &LoopRows<'_>,
        len: usize,
        to: *mut u8,
    ) -> usize {
        let block = self.combination().block();
        let results = rows.output.cast::<LaneResults>();
        // SAFETY: the code is for the SIMD level in use. The caller guarantees rows that can be read, results to write, and room for an
        // element of each block. The loop writes a vector for each block of at least a pack, and the lanes of a part that is less.
        unsafe {
            let (part, blocks) = (&raw mut (*results).part, &raw mut (*results).blocks);
            (loops.lanes)(loops.expression.get(), rows);
            let rest = len % block;
            let vectors = len / block + usize::from(rest >= LANES);
            accumulator.join_blocks(blocks.cast(), vectors, to);
            if 0 < rest && rest < LANES {
                let size = self.of.dtype.size();
                accumulator.join_lanes(part.cast(), rest, to.add(vectors * size));
                return vectors + 1;
            }
            vectors
        }
    }
}

impl Combination {
    /// Combines the elements of several groups, each a row, to an element of each.
    ///
    /// # Safety
    /// `rows` are what the loops require, of groups that have this number of vectors each ([`Self::vectors_of`]), all groups together at most
    /// [`BLOCKS`]; their output is [`LaneResults`]. An element of each group can be written to `to`.
    pub(super) unsafe fn fold_groups(
        &self,
        loops: &Loops,
        accumulator: &Accumulator,
        rows: &LoopRows<'_>,
        vectors: usize,
        to: *mut u8,
    ) {
        let size = self.dtype.size();
        let results = rows.output.cast::<LaneResults>();
        let mut elements = MaybeUninit::<[AnyElement; BLOCKS]>::uninit();
        let elements = elements.as_mut_ptr().cast::<u8>();
        // SAFETY: the code is for the SIMD level in use. The caller guarantees rows that can be read, and results to write. The loop
        // writes `vectors` vectors for each group, at most `BLOCKS` together, and `elements` has room for an element of each; the
        // caller guarantees room for the groups' elements at `to`.
        unsafe {
            (loops.lanes)(loops.expression.get(), rows);
            let blocks = (&raw mut (*results).blocks).cast::<u8>();
            if vectors == 1 {
                return accumulator.join_blocks(blocks, rows.count, to);
            }
            accumulator.join_blocks(blocks, rows.count * vectors, elements);
            for group in 0..rows.count {
                let first = elements.add(group * vectors * size);
                accumulator.join_elements(first, vectors);
                to.add(group * size).copy_from_nonoverlapping(first, size);
            }
        }
    }

    /// Returns the number of vectors of lanes to which the loops reduce a row of `depth` elements. `None` if groups of this length are not
    /// combined several at a time: they are longer than a segment, or end with a part that is less than a pack.
    pub(super) fn vectors_of(&self, depth: usize) -> Option<usize> {
        let block = self.block();
        let rest = depth % block;
        let is_even = rest == 0 || rest >= LANES;
        (depth <= SEGMENT && is_even).then_some(depth.div_ceil(block))
    }

    /// The number of elements that a vector of lanes is made of.
    pub(super) fn block(&self) -> usize {
        let op = match self.op.fold() {
            FoldOp::Multiply => BinaryOp::Mul,
            FoldOp::Add => BinaryOp::Add,
            _ => BinaryOp::Max,
        };
        block_of(op, self.dtype.kind())
    }
}
