//! Runs the loops of a reduction over its groups, by rows or by columns.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::loops::{LaneResults, Loops, MEANS};
use super::reader::OperandReader;
use super::traversal::{Groups, Operands, ReduceOrder, ReduceTraversal};
use super::{ReduceLoop, divide};
use crate::array::alloc::vec_filled;
use crate::array::{AllocError, Uninit};
use crate::error::Error;
use crate::kernel::accumulate::{
    Accumulator, BLOCKS, ColumnReducer, Element as AnyElement, RowRange, SEGMENT, STREAMS,
};
use crate::kernel::drive::block::BLOCK;
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split, try_split};
use crate::kernel::fused::inputs::Pointers;
use crate::kernel::fused::{LoopRows, MAX_INPUTS};
use crate::simd::prefetches_in_second_pass;

impl ReduceLoop<'_> {
    /// Returns the number of groups of `depth` elements that fit in the L1 cache, at least one.
    pub(super) fn cached_groups(&self, depth: usize) -> usize {
        let row_bytes = (depth * self.of.sources.size).max(1);
        (CACHED_ROWS / row_bytes).max(1)
    }

    /// The size of an element of an input, in bytes; the mean of several inputs.
    pub(super) fn input_size(&self) -> usize {
        let inputs = self.of.sources.dtypes().iter().flatten().count();
        self.of.sources.size / inputs.max(1)
    }

    /// Combines the elements of each of `count` groups of `depth` elements, in the order of `traversal`. If the reduction deviates, it
    /// combines their squared deviations from the mean of the group.
    pub(super) fn folded(
        &self,
        traversal: &ReduceTraversal<'_>,
        count: usize,
        depth: usize,
    ) -> Result<Uninit, Error> {
        let dtype = self.of.dtype;
        let Some(accumulator) = self.accumulator() else {
            return Err(Error::UnsupportedDType {
                operation: self.op.name(),
                dtype,
            });
        };
        let mut buffer = Uninit::new(count * dtype.size())?;
        let fold = Fold {
            reduction: self,
            loops: &self.values,
            accumulator,
            operands: &traversal.operands,
            first: 0,
            count: count / traversal.parts,
            depth,
            ahead: self.prefetch_distance(count * depth),
        };
        // SAFETY: the buffers have room for an element of each group. `traversal` has the operands in the order that it needs.
        unsafe {
            match traversal.order {
                ReduceOrder::Rows(groups) => fold.rows(groups, buffer.as_mut_ptr())?,
                ReduceOrder::GatheredRows => fold.gathered_rows(buffer.as_mut_ptr())?,
                ReduceOrder::Columns | ReduceOrder::ContiguousRows => {
                    fold.parts(traversal, None, buffer.as_mut_ptr())?;
                    if let Some(deviations) = fold.deviations() {
                        let mut means = buffer;
                        divide(dtype, means.as_mut_ptr(), count, depth);
                        fold.keep_means(0, means.as_mut_ptr(), count);
                        buffer = Uninit::new(count * dtype.size())?;
                        let means = Some(means.as_mut_ptr());
                        deviations.parts(traversal, means, buffer.as_mut_ptr())?;
                    }
                }
            }
        }
        Ok(buffer)
    }
}

/// Combines the elements of each group of a reduction.
#[derive(Clone, Copy)]
pub(super) struct Fold<'a> {
    pub(super) reduction: &'a ReduceLoop<'a>,
    /// The loops of the elements, or of their squared deviations from means.
    pub(super) loops: &'a Loops,
    pub(super) accumulator: &'a Accumulator,
    pub(super) operands: &'a Operands<'a>,
    /// The position of the first element.
    pub(super) first: usize,
    /// The number of groups.
    pub(super) count: usize,
    /// The number of elements in each group.
    pub(super) depth: usize,
    /// The distance, in bytes, at which operands are prefetched along rows.
    pub(super) ahead: usize,
}

impl Fold<'_> {
    /// The size of a combined element, in bytes.
    pub(super) fn size(&self) -> usize {
        self.reduction.of.dtype.size()
    }

    /// [`ReduceLoop::fold_segment`].
    ///
    /// # Safety
    /// The contract of [`ReduceLoop::fold_segment`].
    pub(super) unsafe fn segment(&self, rows: &LoopRows<'_>, len: usize, to: *mut u8) {
        let (loops, accumulator) = (self.loops, self.accumulator);
        // SAFETY: the caller guarantees rows of `len` elements, results to write, and room for an element.
        unsafe {
            self.reduction
                .fold_segment(loops, accumulator, rows, len, to)
        }
    }

    /// Writes the means of `count` groups from the first one on to where the reduction's means are wanted, if they are.
    ///
    /// # Safety
    /// There are as many groups, and a mean of each at `means`.
    pub(super) unsafe fn keep_means(&self, first: usize, means: *const u8, count: usize) {
        if let Some(to) = self.reduction.means {
            let size = self.size();
            // SAFETY: `ReduceLoop::means` has room for an element of each group; the caller guarantees groups and means. Each
            // group is written by the thread that computes it.
            unsafe {
                to.get()
                    .add(first * size)
                    .copy_from_nonoverlapping(means, count * size)
            };
        }
    }

    /// Returns the same for squared deviations from means, if the reduction deviates.
    pub(super) fn deviations(&self) -> Option<Self> {
        let loops = self.reduction.deviations.as_ref()?;
        Some(Self { loops, ..*self })
    }

    /// Returns these deviations, and so few groups that their elements are still in the L1 cache when the deviations are computed.
    fn few_at_once(self) -> (usize, Option<Self>) {
        let (reduction, depth) = (self.reduction, self.depth);
        // The next groups may be prefetched meanwhile, and take the other half of the cache.
        let half = reduction.cached_groups(2 * depth);
        let next = distance_of_next_rows(half * depth * reduction.input_size());
        match next.filter(|_| self.ahead > 0) {
            Some(ahead) => (half, Some(Self { ahead, ..self })),
            None => (reduction.cached_groups(depth), Some(self)),
        }
    }

    /// Combines the elements of each group along rows. If the reduction deviates, it combines their squared deviations
    /// from the mean.
    ///
    /// # Safety
    /// The traversal visits the operands group by group. There are `count` groups of `depth` elements. At `to` an element of each can be
    /// written.
    unsafe fn rows(&self, groups: Groups, to: *mut u8) -> Result<(), AllocError> {
        let (count, depth) = (self.count, self.depth);
        let (size, dtype) = (self.size(), self.reduction.of.dtype);
        let deviations = self.deviations();
        if count == 1 && depth > SEGMENT && groups.row == depth {
            // SAFETY: the caller guarantees one group, and room for its element.
            return unsafe { self.long_group(to) };
        }
        let (at_once, deviations) = match deviations {
            Some(deviations) => deviations.few_at_once(),
            None => (count, None),
        };
        let shared = SendPtr::new(to);
        let one_after_another = |range: Range<usize>| {
            let mut results = MaybeUninit::<LaneResults>::uninit();
            let mut means = MaybeUninit::<[AnyElement; BLOCKS]>::uninit();
            let means = means.as_mut_ptr().cast::<u8>();
            let mut group = range.start;
            while group < range.end {
                let to = shared.get().wrapping_add(group * size);
                let left = at_once.min(range.end - group);
                // SAFETY: the groups from `group` on are in the range, and the caller guarantees room for an element of each at
                // `to`. A call combines at most `BLOCKS` groups, and `means` has room for an element of each.
                unsafe {
                    let done = self.groups(groups, (group, left), None, &mut results, to);
                    if let Some(deviations) = deviations {
                        divide(dtype, to, done, depth);
                        self.keep_means(group, to, done);
                        means.copy_from_nonoverlapping(to, done * size);
                        let mut next = 0;
                        while next < done {
                            let (to, mean) = (to.add(next * size), means.add(next * size));
                            let of = (group + next, done - next);
                            next += deviations.groups(groups, of, Some(mean), &mut results, to);
                        }
                    }
                    group += done;
                }
            }
        };
        let min_len = MIN_WORK_PER_THREAD / self.reduction.of.cost / depth;
        split(count, 1, min_len, one_after_another);
        Ok(())
    }

    /// Combines the elements of the only group, which is longer than a segment and makes up a single row or is gathered. If the
    /// reduction deviates, it combines their squared deviations from the mean.
    ///
    /// # Safety
    /// The contract of [`Self::rows`].
    pub(super) unsafe fn long_group(&self, to: *mut u8) -> Result<(), AllocError> {
        // SAFETY: the caller guarantees one group, and room for its element at `to`, which is written before it is divided.
        unsafe {
            self.segments(None, to)?;
            let Some(deviations) = self.deviations() else {
                return Ok(());
            };
            let mut mean = AnyElement::ZERO;
            divide(self.reduction.of.dtype, to, 1, self.depth);
            self.keep_means(0, to, 1);
            mean.pointer().copy_from_nonoverlapping(to, self.size());
            deviations.segments(Some(SendPtr::new(mean.pointer())), to)
        }
    }

    /// Combines the elements of the only group, on several threads if it is long enough.
    ///
    /// # Safety
    /// The contract of [`Self::long_group`]; `mean` is the group's mean.
    unsafe fn segments(
        &self,
        mean: Option<SendPtr<*mut u8>>,
        to: *mut u8,
    ) -> Result<(), AllocError> {
        let (accumulator, depth) = (self.accumulator, self.depth);
        let count = depth.div_ceil(SEGMENT);
        let mut segments = vec_filled(AnyElement::ZERO, count)?;
        let shared = SendPtr::new(segments.as_mut_ptr());
        let min_len = MIN_WORK_PER_THREAD / self.reduction.of.cost;
        try_split(depth, SEGMENT, min_len, |piece| {
            let mut results = MaybeUninit::<LaneResults>::uninit();
            let mut reader = match self.operands.gathers {
                true => Some(OperandReader::new(self.operands)?),
                false => None,
            };
            for start in piece.clone().step_by(SEGMENT) {
                let len = SEGMENT.min(piece.end - start);
                let to = shared.get().wrapping_add(start / SEGMENT).cast();
                if let Some(reader) = &mut reader {
                    let mean = mean.map(|mean| mean.get().cast_const());
                    // SAFETY: the `len` elements from `start` on are part of the group. Each segment writes its own element.
                    unsafe { self.gathered_segment(reader, (start, len), mean, to) };
                    continue;
                }
                let (mut inputs, mut repeats) = self.operands.at(start);
                if let Some(mean) = mean {
                    inputs[MEANS] = mean.get().cast_const();
                    repeats |= 1 << MEANS;
                }
                let row = LoopRows {
                    repeats,
                    ahead: self.ahead,
                    ..LoopRows::single(&inputs, results.as_mut_ptr().cast(), len)
                };
                // SAFETY: the `len` elements from `start` on are part of the row. Each segment writes its own element.
                unsafe { self.segment(&row, len, to) };
            }
            Ok(())
        })?;
        let mut all = accumulator.start();
        for segment in segments {
            // SAFETY: each segment's result is an element of the accumulator's dtype.
            unsafe { all.push(segment) };
        }
        // SAFETY: the caller guarantees room for the group's element.
        unsafe { all.finish(to) };
        Ok(())
    }

    /// Combines the elements of as many groups as one call of the loop can do, at most `left`, and returns how many.
    ///
    /// # Safety
    /// The contract of [`Self::rows`] for the groups from `group` on; `means`, of which there are `left`, and `to`
    /// are those of the first one.
    unsafe fn groups(
        &self,
        groups: Groups,
        (group, left): (usize, usize),
        means: Option<*mut u8>,
        results: &mut MaybeUninit<LaneResults>,
        to: *mut u8,
    ) -> usize {
        let Groups { depth, row } = groups;
        let (accumulator, operands) = (self.accumulator, self.operands);
        let (nditer, size) = (&operands.nditer, self.size());
        let index = nditer.index_at(group * depth);
        let (mut inputs, mut repeats) = operands.at(group * depth);
        let mut steps = operands.steps(row);
        if let Some(means) = means {
            inputs[MEANS] = means.cast_const();
            repeats |= 1 << MEANS;
        }
        let output = results.as_mut_ptr().cast::<u8>();
        if let Some(vectors) = self.reduction.combination().vectors_of(depth)
            && row == depth
        {
            // Several groups at a time: the lanes of their blocks are joined together.
            let last = nditer.rank.saturating_sub(1);
            let along = match last.checked_sub(1) {
                Some(outer) if nditer.row() == depth => nditer.sizes[outer] - index[outer],
                _ => (nditer.row() - index[last]) / depth,
            };
            let count = left.min(along).min(BLOCKS / vectors);
            if means.is_some() {
                steps[MEANS] = size.cast_signed();
            }
            let rows = LoopRows {
                steps: &steps,
                repeats,
                count,
                ahead: self.ahead,
                ..LoopRows::single(&inputs, output, depth)
            };
            // SAFETY: `count` groups of `depth` elements, each a row, can be read at these steps. Their vectors are at most `BLOCKS` together;
            // the caller guarantees room for the groups' elements at `to`.
            unsafe {
                let (loops, accumulator) = (self.loops, self.accumulator);
                self.reduction
                    .combination()
                    .fold_groups(loops, accumulator, &rows, vectors, to);
            }
            return count;
        }
        // One group, segment by segment.
        let mut all = accumulator.start();
        let mut done = 0;
        while done < depth {
            let len = SEGMENT.min(depth - done);
            let (mut inputs, _) = operands.at(group * depth + done);
            if let Some(means) = means {
                inputs[MEANS] = means.cast_const();
            }
            let of_row = row.min(len);
            let rows = LoopRows {
                steps: &steps,
                repeats,
                count: len / of_row,
                group: len / of_row,
                ahead: self.ahead,
                ..LoopRows::single(&inputs, output, of_row)
            };
            let mut element = AnyElement::ZERO;
            // SAFETY: the rows make up the segment's `len` elements, from `done` on: a group is a single row, or its rows are whole
            // packs of which a number makes up a segment. The caller guarantees room for the group's element.
            unsafe {
                self.segment(&rows, len, element.pointer());
                all.push(element);
            }
            done += len;
        }
        // SAFETY: the caller guarantees room for the group's element.
        unsafe { all.finish(to) };
        1
    }

    /// Combines the elements of the groups of each part side by side.
    ///
    /// # Safety
    /// The traversal is this one's, by columns or by contiguous rows. There is a part for each `count` groups. At `to` an element of each
    /// group of all parts can be written, and `means` has one for each.
    unsafe fn parts(
        &self,
        traversal: &ReduceTraversal<'_>,
        means: Option<*mut u8>,
        to: *mut u8,
    ) -> Result<(), AllocError> {
        let side_by_side = match traversal.order {
            ReduceOrder::Columns => Self::columns,
            _ => Self::contiguous_rows,
        };
        let (len, size) = (self.count * self.depth, self.size());
        let deviates = means.is_some();
        let shared = SendPtr::new((means.unwrap_or(core::ptr::null_mut()), to));
        let min_len = MIN_WORK_PER_THREAD / self.reduction.of.cost / len;
        try_split(traversal.parts, 1, min_len, |parts| {
            let (means, to) = shared.get();
            for part in parts {
                let at = part * self.count * size;
                let fold = Self {
                    first: part * len,
                    ..*self
                };
                let means = deviates.then(|| means.wrapping_add(at));
                // SAFETY: the operands have the elements of this part from `first` on. The caller guarantees room for an element of each of
                // its groups, and means.
                unsafe { side_by_side(&fold, means, to.wrapping_add(at))? };
            }
            Ok(())
        })
    }

    /// Combines the elements of all groups side by side, row by row.
    ///
    /// # Safety
    /// The traversal visits the operands row by row. There are `depth` rows, each with an element of all `count` groups. At `to` an
    /// element of each group can be written, and `means` has one for each.
    unsafe fn columns(&self, means: Option<*mut u8>, to: *mut u8) -> Result<(), AllocError> {
        let Some(code) = self.loops.columns else {
            unreachable!("a traversal that has its loop")
        };
        let (accumulator, operands) = (self.accumulator, self.operands);
        let (count, depth, size) = (self.count, self.depth, self.size());
        let expression = self.loops.expression;
        let (first, repeats) = operands.at(self.first);
        let steps = operands.steps(count);
        let shared = SendPtr::new((
            (
                first,
                means.map_or(core::ptr::null(), <*mut u8>::cast_const),
            ),
            to,
        ));
        let pieces = count.div_ceil(accumulator.widest());
        let min_len = MIN_WORK_PER_THREAD / self.reduction.of.cost / depth;
        let most = match self.reduction.is_cached(count * depth) {
            true => BLOCK,
            false => STREAMS,
        };
        try_split(pieces, 1, min_len.div_ceil(accumulator.widest()), |range| {
            let ((first, means), to) = shared.get();
            let mut columns = ColumnReducer::for_computed(accumulator, depth, most)?;
            for piece in range {
                let Range { start, end } = piece_of(count, pieces, piece);
                let len = end - start;
                let mut add = |part: RowRange, lanes: usize, to: *mut u8| {
                    let mut inputs: Pointers = [core::ptr::null(); MAX_INPUTS];
                    let mut part_steps = [0; MAX_INPUTS];
                    for (number, (_, size), _) in operands.each() {
                        let along = if repeats >> number & 1 == 1 {
                            0
                        } else {
                            start * size
                        };
                        let down = steps[number] * part.start.cast_signed();
                        inputs[number] = first[number].wrapping_offset(down).wrapping_add(along);
                        part_steps[number] = steps[number] * part.step.cast_signed();
                    }
                    if !means.is_null() {
                        inputs[MEANS] = means.wrapping_add(start * size);
                    }
                    let rows = LoopRows {
                        steps: &part_steps,
                        repeats,
                        count: part.len(),
                        group: lanes.max(1),
                        continues: lanes == 0,
                        ahead: self.ahead,
                        ..LoopRows::single(&inputs, to, len)
                    };
                    // SAFETY: the code is for the SIMD level in use. The rows have `len` elements at these addresses and steps, at
                    // least a pack; `fold_computed` gives a part of the rows, and a row to write.
                    unsafe { code(expression.get(), &rows) };
                };
                // SAFETY: there are `depth` rows, at least one, of `len <= widest` elements; `add` writes a row. The caller
                // guarantees room for the groups' elements.
                unsafe {
                    let to = to.wrapping_add(start * size);
                    columns.fold_computed((depth, most), len, &mut add, to);
                }
            }
            Ok(())
        })
    }
}

/// Returns the distance at which the loop of deviations prefetches the rows that follow those it computes, which have this many bytes. `None`
/// if both do not fit in the L1 cache, or if the processor gains more from a far prefetch in the pass before.
pub(super) fn distance_of_next_rows(bytes: usize) -> Option<usize> {
    (bytes <= CACHED_ROWS / 2 && prefetches_in_second_pass()).then_some(bytes)
}

/// The number of bytes of rows whose elements are combined before their deviations are computed: less than an L1 cache.
const CACHED_ROWS: usize = 1 << 15;
/// Cuts `count` columns, at least one, into pieces whose widths differ by one at most, and returns the range of a piece. So no piece is
/// less than a pack if all are not.
fn piece_of(count: usize, pieces: usize, piece: usize) -> Range<usize> {
    let (width, wider) = (count / pieces, count % pieces);
    let start = |piece: usize| piece * width + piece.min(wider);
    start(piece)..start(piece + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::LANES;

    #[test]
    fn pieces_of_columns_are_never_less_than_a_pack() {
        for widest in [1_024, 2_048, 16_384] {
            for full in [1, 2, 3, 40, 2_018, 5_000] {
                for missing in [0, 1, 17, full - 1, widest - 1] {
                    let count: usize = full * widest - missing;
                    let pieces = count.div_ceil(widest);
                    let mut next = 0;
                    for piece in (0..pieces).map(|piece| piece_of(count, pieces, piece)) {
                        assert_eq!(piece.start, next);
                        assert!(
                            piece.len() <= widest && (piece.len() >= LANES || count < LANES),
                            "{piece:?}"
                        );
                        next = piece.end;
                    }
                    assert_eq!(next, count);
                }
            }
        }
    }
}
