//! The elements of a reduction, grouped by the element of the result that they are reduced to.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

use super::source::{Blocks, Source};
use crate::array::{AllocError, Array, Dims, PerAxis, Strides, Uninit};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::accumulate::{
    self, Accumulator, ColumnReducer, ContiguousRows, FoldOp, Rows, Run,
};
use crate::kernel::drive::block::{BLOCK, BlockBuffer};
use crate::kernel::drive::parallel::{SendPtr, split, try_split};
use crate::simd::LANES;

/// Groups of fewer elements are reduced columnwise, if there are at least [`MANY_GROUPS`].
pub(super) const SHORT_GROUP: usize = 64;
/// [`SHORT_GROUP`] of elements that a single loop reads or computes, and reduces: then a group takes less time.
pub(in crate::kernel) const SHORT_GROUP_OF_ONE_LOOP: usize = LANES;
/// Fewer groups than this are reduced one by one.
pub(super) const MANY_GROUPS: usize = 32;

/// The kept and the reduced axes of a reduction.
pub(crate) struct AxisSplit {
    pub(in crate::kernel) kept: Dims,
    pub(in crate::kernel) kept_axes: PerAxis<usize>,
    pub(crate) reduced: Dims,
    pub(crate) result: Dims,
}

impl AxisSplit {
    /// Splits the axes of a shape. Those to reduce must be sorted and distinct.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub(crate) fn new(
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
        Ok(Self::of_existing(shape, axes, keep_dims))
    }

    /// [`Self::new`] of axes that exist, without a `Result`: moving one out of it takes longer than reducing few elements.
    ///
    /// # Panics
    /// If an axis does not exist.
    pub(in crate::kernel) fn of_existing(shape: &Dims, axes: &[usize], keep_dims: bool) -> Self {
        let rank = shape.len();
        let kept_rank = rank - axes.len();
        let mut split = Self {
            kept: Dims::single(kept_rank),
            kept_axes: PerAxis::single(kept_rank),
            reduced: Dims::single(axes.len()),
            result: Dims::single(if keep_dims { rank } else { kept_rank }),
        };
        let (mut kept, mut reduced) = (0, 0);
        for (axis, size) in shape.iter().enumerate() {
            if axes.contains(&axis) {
                split.reduced[reduced] = *size;
                reduced += 1;
                continue;
            }
            split.kept[kept] = *size;
            split.kept_axes[kept] = axis;
            split.result[if keep_dims { axis } else { kept }] = *size;
            kept += 1;
        }
        split
    }

    /// Returns whether the reduced axes have no elements. Then there is no minimum, also for a result without elements, as in NumPy,
    /// JAX and PyTorch.
    pub(crate) fn reduces_nothing(&self) -> bool {
        self.reduced.contains(&0)
    }
}

/// Returns whether to reduce one element of each of many groups at a time, rather than group after group. That is faster
/// if groups have fewer elements than `short`, or if their elements lie farther apart in memory than the groups do.
pub(in crate::kernel) fn is_columnwise(
    shape: &Dims,
    strides: &[isize],
    split: &AxisSplit,
    axes: &[usize],
    short: usize,
) -> bool {
    let closest = |axes: &[usize]| {
        let far = axes
            .iter()
            .filter(|axis| shape[**axis] > 1 && strides[**axis] != 0);
        far.map(|axis| strides[*axis].unsigned_abs()).min()
    };
    let across = closest(axes);
    let along = closest(&split.kept_axes);
    let depth: usize = split.reduced.iter().product();
    let count: usize = split.kept.iter().product();
    let is_flat = depth < short || along < across;
    depth > 0 && count >= MANY_GROUPS && is_flat
}

/// A source whose elements are grouped by the element of the result that they are reduced to.
pub(super) struct ReductionPlan<'a, S> {
    /// The name of the operation, for messages.
    pub(super) operation: &'static str,
    pub(super) source: S,
    pub(super) split: &'a AxisSplit,
    pub(super) axes: &'a [usize],
    /// The dtype that the elements are converted to.
    pub(super) dtype: DType,
    pub(super) strides: Strides,
}

impl<S: Source> ReductionPlan<'_, S> {
    /// The number of groups.
    fn len(&self) -> usize {
        self.split.kept.iter().product()
    }

    /// The number of elements in each group.
    pub(super) fn depth(&self) -> usize {
        self.split.reduced.iter().product()
    }

    pub(super) fn columnwise(&self, short: usize) -> bool {
        let shape = self.source.dims();
        is_columnwise(shape, &self.strides, self.split, self.axes, short)
    }

    /// Returns the common stride of these axes, in elements, if they can be coalesced to one.
    fn coalesced(&self, axes: &[usize]) -> Option<isize> {
        let (shape, strides) = (self.source.dims(), &self.strides);
        let mut walked = axes.iter().rev().filter(|axis| shape[**axis] != 1);
        // With at most one position along the axes, the stride is not used.
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

    /// Calls a function with each block, group by group in row-major order. It gets the number of the group, whether
    /// the block is its last, the address of the elements, and their number. A group of no elements is one block.
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
                // SAFETY: groups follow one another, each of `depth` elements, so this one has `len` more from `done`
                // on; `len` is at most `BLOCK`.
                let elements = unsafe { blocks.block(number * depth + done, len) };
                block(number, done + len == depth, elements, len);
            }
        }
        self.source.finish(blocks)
    }

    /// Calls a function for each strip of groups, with the number of its first group and the rows of their elements: a row for each
    /// position in the groups. A strip has at most `widest` groups, which must be at least [`BLOCK`].
    pub(super) fn each_strip(
        &mut self,
        widest: usize,
        strip: &mut dyn FnMut(usize, &mut Rows<'_>),
    ) -> Result<(), Error> {
        debug_assert!(widest >= BLOCK);
        let (count, depth) = (self.len(), self.depth());
        let in_memory = match (self.source.memory(), self.source.dtype() == self.dtype) {
            (Some(memory), true) if self.coalesced(&self.split.kept_axes) == Some(1) => {
                let row = self.coalesced(self.axes);
                row.map(|row| (memory, row * self.dtype.size().cast_signed()))
            }
            _ => None,
        };
        if let Some((memory, row_bytes)) = in_memory {
            for first in (0..count).step_by(widest) {
                let memory = memory.wrapping_add(first * self.dtype.size());
                // The kept axes coalesce to stride 1, so the elements of all groups at one position form a row of `count`.
                let row = |row: usize| memory.wrapping_offset(row.cast_signed() * row_bytes);
                let rows = &mut Rows {
                    count: depth,
                    len: widest.min(count - first),
                    row: &mut { row },
                    stays: true,
                };
                strip(first, rows);
            }
            return Ok(());
        }
        let order = [self.axes, &*self.split.kept_axes].concat();
        let mut blocks = self.source.blocks(&order, self.dtype)?;
        for first in (0..count).step_by(BLOCK) {
            let len = BLOCK.min(count - first);
            let rows = &mut Rows {
                count: depth,
                len,
                row: &mut |row| {
                    assert!(row < depth, "a position in the groups");
                    // SAFETY: the elements of all groups at one position form a row of `count`; rows follow one another,
                    // so this one has `len` elements from `first` on; `len` is at most `BLOCK`.
                    unsafe { blocks.block(row * count + first, len) }
                },
                stays: false,
            };
            strip(first, rows);
        }
        self.source.finish(blocks)
    }

    /// Reduces each group to one element of `dtype`, if the elements can be read in place, along groups or across
    /// them. Returns whether they can.
    ///
    /// # Errors
    /// If there is no memory.
    ///
    /// # Safety
    /// `result` has room for an element of each group.
    unsafe fn fold_in_memory(
        &self,
        fold: FoldOp,
        dtype: DType,
        result: *mut u8,
    ) -> Result<bool, AllocError> {
        let read = self.source.dtype();
        let kept_axes = &*self.split.kept_axes;
        // The first kept axes that do not coalesce with the last ones: the groups at each position along them are reduced by themselves.
        let strides = |outer: usize| {
            self.coalesced(&kept_axes[outer..])
                .map(|kept| (outer, kept))
        };
        let kept = (0..kept_axes.len().max(1)).find_map(strides);
        let (Some(first), Some((outer, kept)), Some(reduced)) =
            (self.source.memory(), kept, self.coalesced(self.axes))
        else {
            return Ok(false);
        };
        let (outer_axes, inner_axes) = kept_axes.split_at(outer);
        if !accumulate::reads(fold, dtype, read) {
            return Ok(false);
        }
        let accumulator = accumulate::accumulator(fold, dtype, read);
        let Some(accumulator) = &accumulator else {
            return Ok(false);
        };
        let (shape, strides) = (self.source.dims(), &self.strides);
        let [outer, count] = [outer_axes, inner_axes]
            .map(|axes| axes.iter().map(|axis| shape[*axis]).product::<usize>());
        let depth = self.depth();
        if outer > 1 && count * depth < MIN_PART {
            return Ok(false);
        }
        let strategy = if kept == 1
            && reduced == count.cast_signed()
            && ContiguousRows::are_fast(accumulator, depth, count)
        {
            Strategy::ContiguousRows
        } else if reduced == 1
            && kept == depth.cast_signed()
            && accumulator.prefers_short_rows(depth)
        {
            Strategy::ShortRows
        } else if self.columnwise(SHORT_GROUP_OF_ONE_LOOP) {
            if kept != 1 {
                return Ok(false);
            }
            Strategy::Columns(reduced)
        } else if reduced == 1 {
            Strategy::Rows(kept)
        } else {
            return Ok(false);
        };
        let groups = GroupsInMemory {
            accumulator,
            pointers: SendPtr::new((first, result)),
            read_size: read.size(),
            size: dtype.size(),
            count,
            depth,
        };
        let min_len = accumulate::MIN_PER_THREAD / (count * depth).max(1);
        try_split(outer, 1, min_len, |numbers| {
            for number in numbers {
                let first = groups.element(offset(shape, strides, outer_axes, number));
                let part = GroupsInMemory {
                    pointers: SendPtr::new((first, groups.result(number * count))),
                    ..groups
                };
                // SAFETY: along the groups of a part, and along the elements of each, the source's array has these strides, and `number`
                // is a position along the other axes. The caller guarantees room for an element of each group. `strategy` was chosen for the
                // strides and sizes.
                unsafe { part.fold(&strategy)? };
            }
            Ok(())
        })?;
        Ok(true)
    }

    /// Reduces each group to one element of `dtype`. If the means of the groups are given, the squared deviations
    /// from them are added up instead; with [`FoldOp::AddNumbers`] those of the elements that are not NaN.
    pub(super) fn folded(
        &mut self,
        fold: FoldOp,
        dtype: DType,
        means: Option<&Array>,
    ) -> Result<Array, Error> {
        let unsupported = Error::UnsupportedDType {
            operation: self.operation,
            dtype,
        };
        let mut buffer = Uninit::new(self.len() * dtype.size())?;
        let result = buffer.as_mut_ptr();
        // SAFETY: the buffer has room for an element of each group.
        if means.is_none() && unsafe { self.fold_in_memory(fold, dtype, result)? } {
            // SAFETY: `fold_in_memory` returned true, so it wrote an element for each group.
            let buffer = unsafe { buffer.assume_init() };
            return Ok(Array::from_buffer(buffer, dtype, self.split.result));
        }
        let skips_nan = fold == FoldOp::AddNumbers;
        // Squared deviations have the dtype that they are added in. Their loop skips NaN, so that those that are NaN count.
        let (fold, read) = match means {
            Some(_) => (FoldOp::Add, dtype),
            None => (fold, self.dtype),
        };
        let accumulator = accumulate::accumulator(fold, dtype, read).ok_or(unsupported)?;
        let to = |number: usize| result.wrapping_add(number * dtype.size());
        let mean = |means: &Array, number: usize| {
            let size = means.dtype().size();
            means.as_ptr().wrapping_add(number * size)
        };
        let mut squares = BlockBuffer::empty();
        let squares = squares.pointer();
        if self.columnwise(SHORT_GROUP) {
            let square = accumulate::squared_deviations(self.dtype, skips_nan);
            let depth = self.depth();
            let mut reducer = ColumnReducer::new(&accumulator, depth)?;
            self.each_strip(BLOCK, &mut |first, rows| {
                let len = rows.len;
                let mut square = |at| {
                    let row = (rows.row)(at);
                    let Some(means) = means else {
                        return row;
                    };
                    // SAFETY: the row holds `len` elements of `self.dtype`, `means` has one for each group and so
                    // `len` from `first` on, and `squares` has room for a block of any dtype.
                    unsafe { square([row, mean(means, first)].as_ptr(), squares, len) };
                    squares
                };
                let mut rows = Rows {
                    row: &mut square,
                    stays: rows.stays && means.is_none(),
                    ..*rows
                };
                // SAFETY: there are `depth` rows of `len <= BLOCK <= widest` elements of the accumulator's dtype, and
                // the buffer has room for an element of each group.
                unsafe { reducer.fold(&mut rows, to(first)) };
            })?;
        } else {
            let square = accumulate::squared_deviation(self.dtype, skips_nan);
            let mut fold = accumulator.start();
            self.each(&mut |number, is_last, mut block, len| {
                if let Some(means) = means
                    && len > 0
                {
                    // SAFETY: the block holds `len` elements of `self.dtype`, `means` has one for each group, and
                    // `squares` has room for a block of any dtype.
                    unsafe { square([block, mean(means, number)].as_ptr(), squares, len) };
                    block = squares;
                }
                if len > 0 {
                    // SAFETY: the block holds `len` elements, at least one and at most `BLOCK`, of the dtype that the
                    // accumulator reads.
                    unsafe { fold.add(block, len) };
                }
                if is_last {
                    // SAFETY: `number` is below the number of groups, for each of which the buffer has room.
                    unsafe { fold.finish(to(number)) };
                    fold.restart();
                }
            })?;
        }
        // SAFETY: each group has a last block or is in one block of groups, and its element was written then.
        let buffer = unsafe { buffer.assume_init() };
        Ok(Array::from_buffer(buffer, dtype, self.split.result))
    }
}

/// Returns the offset of the element at a position along some axes, in elements; positions are counted in row-major order.
fn offset(shape: &Dims, strides: &Strides, axes: &[usize], mut position: usize) -> isize {
    let mut offset = 0;
    for axis in axes.iter().rev() {
        offset += (position % shape[*axis]).cast_signed() * strides[*axis];
        position /= shape[*axis];
    }
    offset
}

/// The fewest elements of the groups at one position along outer axes that are reduced by themselves, which takes some time for each position.
const MIN_PART: usize = 1 << 10;

/// How [`GroupsInMemory`] are reduced.
enum Strategy {
    ContiguousRows,
    ShortRows,
    /// Side by side, with the stride of positions.
    Columns(isize),
    /// One after another, with the stride of groups.
    Rows(isize),
}

/// Groups of elements in memory, which the loops read in place.
#[derive(Clone, Copy)]
struct GroupsInMemory<'a> {
    accumulator: &'a Accumulator,
    /// The first element of the first group, and room for a result of each group.
    pointers: SendPtr<(*const u8, *mut u8)>,
    /// The sizes of an element that is read and of a result, in bytes.
    read_size: usize,
    size: usize,
    /// The number of groups.
    count: usize,
    /// The number of elements in each group.
    depth: usize,
}

impl GroupsInMemory<'_> {
    /// Returns the address of the element that lies this number of elements from the first one.
    fn element(&self, offset: isize) -> *const u8 {
        let (first, _) = self.pointers.get();
        first.wrapping_offset(offset * self.read_size.cast_signed())
    }

    /// Returns the address of a group's result.
    fn result(&self, group: usize) -> *mut u8 {
        let (_, result) = self.pointers.get();
        result.wrapping_add(group * self.size)
    }

    /// Reduces the groups by a strategy.
    ///
    /// # Errors
    /// If there is no memory.
    ///
    /// # Safety
    /// The contract of the method that the strategy stands for.
    unsafe fn fold(&self, strategy: &Strategy) -> Result<(), AllocError> {
        // SAFETY: the caller guarantees the contract of the method that is called.
        unsafe {
            match *strategy {
                Strategy::ContiguousRows => self.fold_contiguous_rows()?,
                Strategy::ShortRows => self.fold_short_rows(),
                Strategy::Columns(stride) => self.fold_columns(stride)?,
                Strategy::Rows(stride) => self.fold_rows(stride),
            }
        }
        Ok(())
    }

    /// Reduces groups side by side: `depth` rows of an element of each group follow one another.
    ///
    /// # Errors
    /// If there is no memory.
    ///
    /// # Safety
    /// The rows can be read, and the results written. [`ContiguousRows::are_fast`] for them.
    unsafe fn fold_contiguous_rows(&self) -> Result<(), AllocError> {
        let columns = self.count;
        let rows = ContiguousRows {
            accumulator: self.accumulator,
            count: self.depth,
            columns,
            row_bytes: columns * self.read_size,
        };
        let add = |run: &Run, to: *mut u8| {
            let source = (self.element(0), rows.row_bytes);
            // SAFETY: the caller guarantees `depth` rows of `columns` elements that follow one another. `fold` gives room for the run.
            unsafe { self.accumulator.add_run(run, source, columns, to) };
            Ok(())
        };
        let min_rows = accumulate::MIN_PER_THREAD.div_ceil(columns);
        // SAFETY: the lanes of as many columns fit (`are_fast`). `add` writes a run. The caller guarantees room for an element of each group.
        unsafe { rows.fold(min_rows, &add, self.result(0)) }
    }

    /// Reduces groups that are short rows, which follow one another.
    ///
    /// # Safety
    /// The rows can be read, and the results written. [`Accumulator::prefers_short_rows`] of their length.
    unsafe fn fold_short_rows(&self) {
        let min_len = accumulate::MIN_PER_THREAD / self.depth;
        split(self.count, 1, min_len, |groups| {
            let rows = self.element((groups.start * self.depth).cast_signed());
            let to = self.result(groups.start);
            // SAFETY: the caller guarantees the rows of these groups, loops for their length, and room for their results.
            unsafe { (self.accumulator).fold_short_rows(rows, self.depth, groups.len(), to) };
        });
    }

    /// Reduces groups whose elements are contiguous, one after another. The groups have this stride.
    ///
    /// # Safety
    /// The groups can be read, and the results written.
    unsafe fn fold_rows(&self, stride: isize) {
        let min_len = accumulate::MIN_PER_THREAD / self.depth.max(1);
        split(self.count, 1, min_len, |groups| {
            for number in groups {
                let group = self.element(number.cast_signed() * stride);
                // SAFETY: the caller guarantees the `depth` elements of the group, and room for its result.
                unsafe {
                    let to = self.result(number);
                    self.accumulator.fold(group, self.read_size, self.depth, to);
                }
            }
        });
    }

    /// Reduces groups side by side. The elements of all groups at one position are contiguous; positions have this stride.
    ///
    /// # Errors
    /// If there is no memory.
    ///
    /// # Safety
    /// The groups, of at least one element, can be read, and the results written.
    unsafe fn fold_columns(&self, stride: isize) -> Result<(), AllocError> {
        let widest = self.accumulator.widest();
        let min_len = accumulate::MIN_PER_THREAD / self.depth;
        try_split(self.count, widest, min_len, |groups| {
            let mut reducer = ColumnReducer::new(self.accumulator, self.depth)?;
            for start in groups.clone().step_by(widest) {
                let mut row =
                    |row: usize| self.element(row.cast_signed() * stride + start.cast_signed());
                let mut rows = Rows {
                    count: self.depth,
                    len: widest.min(groups.end - start),
                    row: &mut row,
                    stays: true,
                };
                // SAFETY: the caller guarantees the elements of these groups at each of `depth` positions, at least one, and room for their
                // results. They are no more than `widest`.
                unsafe { reducer.fold(&mut rows, self.result(start)) };
            }
            Ok(())
        })
    }
}
