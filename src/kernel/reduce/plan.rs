//! Elements by the element of the result that they are reduced into.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

use super::{Blocks, ReduceOp, Source};
use crate::array::{AllocError, Array, Dims, PerAxis, Strides, Uninit};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::accumulate;
use crate::kernel::drive::block::{BLOCK, BlockBuffer};
use crate::kernel::drive::parallel::{SendPtr, split, try_split};

/// Groups of fewer elements are reduced side by side, if there are many.
const SHORT_GROUP: usize = 64;
/// Fewer groups are reduced one by one.
const MANY_GROUPS: usize = 32;

/// The axes that stay and those that are reduced.
pub(super) struct AxisSplit {
    pub(super) kept: Dims,
    kept_axes: PerAxis<usize>,
    pub(super) reduced: Dims,
    pub(super) result: Dims,
}

impl AxisSplit {
    pub(super) fn new(
        operation: &'static str,
        shape: &Dims,
        axes: &[usize],
        keep_dims: bool,
    ) -> Result<Self, Error> {
        if let Some(axis) = axes.iter().find(|axis| **axis >= shape.len()) {
            return Err(Error::AxisOutOfRange {
                operation,
                axis: isize::try_from(*axis).unwrap_or(isize::MAX),
                rank: shape.len(),
            });
        }
        let mut kept_axes = PerAxis::filled(0, shape.len() - axes.len())?;
        let others = (0..shape.len()).filter(|axis| !axes.contains(axis));
        for (to, axis) in kept_axes.iter_mut().zip(others) {
            *to = axis;
        }
        let kept = kept_axes.map(|axis| shape[axis]);
        let reduced = PerAxis::new(axes)?.map(|axis| shape[axis]);
        let mut result = kept;
        if keep_dims {
            result = *shape;
            for axis in axes {
                result[*axis] = 1;
            }
        }
        Ok(Self {
            kept,
            kept_axes,
            reduced,
            result,
        })
    }
}

/// The elements of a source, by the element of the result they are reduced into.
pub(super) struct ReductionPlan<'a, S> {
    pub(super) source: S,
    pub(super) split: &'a AxisSplit,
    pub(super) axes: &'a [usize],
    /// What the elements are converted into.
    pub(super) dtype: DType,
    pub(super) strides: Strides,
}

impl<S: Source> ReductionPlan<'_, S> {
    /// How many groups there are.
    fn len(&self) -> usize {
        self.split.kept.iter().product()
    }

    /// How many elements are in each.
    pub(super) fn depth(&self) -> usize {
        self.split.reduced.iter().product()
    }

    /// Whether it is faster to take an element of each of many groups at a time than many elements
    /// of one group: groups are short, or their elements lie farther apart than the groups do.
    fn columnwise(&self) -> bool {
        let (shape, strides) = (self.source.dims(), &self.strides);
        let closest = |axes: &[usize]| {
            let far = axes
                .iter()
                .filter(|axis| shape[**axis] > 1 && strides[**axis] != 0);
            far.map(|axis| strides[*axis].unsigned_abs()).min()
        };
        let across = closest(self.axes);
        let along = closest(&self.split.kept_axes);
        let depth = self.depth();
        let is_flat = depth < SHORT_GROUP || along < across;
        depth > 0 && self.len() >= MANY_GROUPS && is_flat
    }

    /// How far apart neighbours along axes lie in memory, if these can be walked as one.
    fn coalesced(&self, axes: &[usize]) -> Option<isize> {
        let (shape, strides) = (self.source.dims(), &self.strides);
        let mut walked = axes.iter().rev().filter(|axis| shape[**axis] != 1);
        // With one position at most there are no neighbours.
        let Some(last) = walked.next() else {
            return Some(1);
        };
        let extent = |axis: usize| strides[axis].wrapping_mul(shape[axis].cast_signed());
        let mut inner = extent(*last);
        for axis in walked {
            if strides[*axis] != inner {
                return None;
            }
            inner = extent(*axis);
        }
        Some(strides[*last])
    }

    /// Calls a function with each block, group by group in row-major order: with the number of the
    /// group, whether the block is its last, the elements and how many they are. A group of no
    /// elements is one block.
    pub(super) fn each(
        &mut self,
        block: &mut dyn FnMut(usize, bool, *const u8, usize),
    ) -> Result<(), Error> {
        let (count, depth) = (self.len(), self.depth());
        let order = [&*self.split.kept_axes, self.axes].concat();
        let mut blocks = self.source.blocks(&order, self.dtype)?;
        for number in 0..count {
            if depth == 0 {
                block(number, true, core::ptr::null(), 0);
            }
            for done in (0..depth).step_by(BLOCK) {
                let len = BLOCK.min(depth - done);
                // SAFETY: groups lie one after the other, and this one has `len` more elements.
                let elements = unsafe { blocks.block(number * depth + done, len) };
                block(number, done + len == depth, elements, len);
            }
        }
        self.source.finish(blocks)
    }

    /// Calls a function for each block of groups, with the number of the first, how many there are,
    /// and their elements at each position.
    fn each_strip(
        &mut self,
        block: &mut dyn FnMut(usize, usize, &mut dyn FnMut(usize) -> *const u8),
    ) -> Result<(), Error> {
        let (count, depth) = (self.len(), self.depth());
        let order = [self.axes, &*self.split.kept_axes].concat();
        let mut blocks = self.source.blocks(&order, self.dtype)?;
        for first in (0..count).step_by(BLOCK) {
            let len = BLOCK.min(count - first);
            block(first, len, &mut |row| {
                assert!(row < depth, "a position in the groups");
                // SAFETY: rows of one element of each group lie one after the other; this one has
                // `len` from `first` on.
                unsafe { blocks.block(row * count + first, len) }
            });
        }
        self.source.finish(blocks)
    }

    /// Folds each group into one element of `dtype`, if elements can be read where they lie, along groups
    /// or along their neighbours. Whether they can.
    ///
    /// # Errors
    /// If there is no memory.
    ///
    /// # Safety
    /// There is room for an element per group.
    unsafe fn fold_in_memory(
        &self,
        op: ReduceOp,
        dtype: DType,
        result: *mut u8,
    ) -> Result<bool, AllocError> {
        let read = self.source.dtype();
        let accumulator = accumulate::accumulator(op, dtype, read);
        let (Some(first), Some(accumulator)) = (self.source.memory(), accumulator) else {
            return Ok(false);
        };
        if !accumulate::reads(op, dtype, read) {
            return Ok(false);
        }
        let coalesced = (
            self.coalesced(&self.split.kept_axes),
            self.coalesced(self.axes),
            self.columnwise(),
        );
        let (count, depth) = (self.len(), self.depth());
        let read_size = read.size();
        let shared = SendPtr::new((first, result));
        let at = move |position: usize, stride: isize, number: usize| {
            let (first, result) = shared.get();
            let offset = position.cast_signed() * stride * read_size.cast_signed();
            (
                first.wrapping_offset(offset),
                result.wrapping_add(number * dtype.size()),
            )
        };
        match coalesced {
            (Some(kept), Some(1), false) => {
                let least = (accumulate::MIN_PER_THREAD / depth.max(1)).max(1);
                split(count, 1, least, |groups| {
                    for number in groups {
                        let (group, to) = at(number, kept, number);
                        // SAFETY: the group's elements lie one after the other; the caller's.
                        unsafe { accumulator.fold(group, read_size, depth, to) };
                    }
                });
            }
            (Some(1), Some(reduced), true) => {
                let widest = accumulator.widest();
                try_split(
                    count,
                    widest,
                    accumulate::MIN_PER_THREAD / depth,
                    |groups| {
                        let mut rows = accumulate::ColumnReducer::new(&accumulator, depth)?;
                        for start in groups.clone().step_by(widest) {
                            let len = widest.min(groups.end - start);
                            let mut row = |row: usize| {
                                let (row, _) = at(row, reduced, 0);
                                row.wrapping_add(start * read_size)
                            };
                            let mut all = accumulate::Rows {
                                count: depth,
                                len,
                                row: &mut row,
                                stays: true,
                            };
                            let (_, to) = at(0, 0, start);
                            // SAFETY: an element of each group lies beside that of the next; the
                            // caller's.
                            unsafe { rows.fold(&mut all, to) };
                        }
                        Ok(())
                    },
                )?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Each group folded into one element of `dtype`; given the means of the groups, the squares of
    /// the distances from them are folded.
    pub(super) fn folded(
        &mut self,
        op: ReduceOp,
        dtype: DType,
        means: Option<&Array>,
    ) -> Result<Array, Error> {
        #[cfg(feature = "stablehlo")]
        if let Some(x) = self.source.traced() {
            let shape = self.split.result;
            return crate::stablehlo::record::folded(op, x, self.axes, dtype, means, shape);
        }
        let unsupported = Error::UnsupportedDType {
            operation: op.name(),
            dtype,
        };
        let mut buffer = Uninit::new(self.len() * dtype.size())?;
        let result = buffer.as_mut_ptr();
        // SAFETY: there is room for an element per group.
        if means.is_none() && unsafe { self.fold_in_memory(op, dtype, result)? } {
            // SAFETY: each group has written its element.
            let buffer = unsafe { buffer.assume_init() };
            return Ok(Array::from_buffer(buffer, dtype, self.split.result));
        }
        let accumulator = accumulate::accumulator(op, dtype, dtype).ok_or(unsupported)?;
        let to = |number: usize| result.wrapping_add(number * dtype.size());
        let mean = |means: &Array, number: usize| {
            let size = means.dtype().size();
            means.as_ptr().wrapping_add(number * size)
        };
        let mut squares = BlockBuffer::empty();
        let squares = squares.pointer();
        if self.columnwise() {
            let square = accumulate::squared_deviations(self.dtype);
            let depth = self.depth();
            let mut fold = accumulate::ColumnReducer::new(&accumulator, depth)?;
            self.each_strip(&mut |first, len, row| {
                let mut row = |at| {
                    let row = row(at);
                    let Some(means) = means else {
                        return row;
                    };
                    // SAFETY: the row holds `len` elements of the dtype, `means` one per group, and
                    // `squares` has room for a block of the squares' dtype.
                    unsafe { square([row, mean(means, first)].as_ptr(), squares, len) };
                    squares
                };
                let mut rows = accumulate::Rows {
                    count: depth,
                    len,
                    row: &mut row,
                    stays: false,
                };
                // SAFETY: rows hold elements of the accumulator's dtype; there is room for an
                // element per group.
                unsafe { fold.fold(&mut rows, to(first)) };
            })?;
        } else {
            let square = accumulate::squared_deviation(self.dtype);
            let mut fold = accumulator.start();
            self.each(&mut |number, is_last, mut block, len| {
                if let Some(means) = means
                    && len > 0
                {
                    // SAFETY: as above, for a block of one group.
                    unsafe { square([block, mean(means, number)].as_ptr(), squares, len) };
                    block = squares;
                }
                if len > 0 {
                    // SAFETY: blocks hold elements of the accumulator's dtype.
                    unsafe { fold.add(block, len) };
                }
                if is_last {
                    // SAFETY: there is room for an element per group.
                    unsafe { fold.finish(to(number)) };
                    fold.restart();
                }
            })?;
        }
        // SAFETY: each group has written its element.
        let buffer = unsafe { buffer.assume_init() };
        Ok(Array::from_buffer(buffer, dtype, self.split.result))
    }
}
