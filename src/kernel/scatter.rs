//! Scattering: elements written, or combined with updates, at given indices along an axis. The reverse of `take_along_axis`.
//!
//! The axes before and after the indexed axis make groups of rows, as in a scan. All updates of one element are in one
//! group and one column. So threads share the groups, and strips of columns if there are fewer groups than threads.
//! Each thread applies the updates of its strips in row-major order, so the result does not depend on the number of
//! threads.
#![allow(unsafe_code, reason = "threads write to one array")]

use core::mem::MaybeUninit;
use core::ops::Range;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cast::cast;
use super::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, max_workers, split};
use super::take::{BLOCK, Indices, Scratch, check, out_of_range, position_of};
use crate::array::{Array, Dims, element_count};
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::{DType, Element, c64, c128, compute_dtype};
use crate::error::{Error, unequal_shapes};
use crate::simd::{Baseline, for_types, prefetch};

/// The number of elements of the narrowest strips that are shared by threads, if each has an index.
const MIN_STRIP: usize = 64;
/// [`MIN_STRIP`] of rows with one index, which each thread reads. (A million `f32` in two strips of 250: 1.3 of the time of whole rows, on
/// one thread.)
const MIN_ROW_STRIP: usize = 512;
/// The work of an index beside that of its updates, in bytes of updates that are combined in the same time.
const INDEX_WORK: usize = 24;
/// The number of updates after which an element is changed that is prefetched now.
const PREFETCHED: usize = 32;
/// The size from which elements are prefetched, in bytes. (Less in tests, so that small ones do it.)
const PREFETCHED_FROM: usize = if cfg!(test) { 1 << 6 } else { 1 << 20 };

/// The change that an update makes to an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScatterOp {
    /// It is replaced.
    Replace,
    /// The update is added to it.
    Add,
    /// It becomes the greater of both.
    Max,
    /// It becomes the smaller of both.
    Min,
}

impl ScatterOp {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Replace => "scatter",
            Self::Add => "scatter_add",
            Self::Max => "scatter_max",
            Self::Min => "scatter_min",
        }
    }
}

/// Returns the shape to which indices and updates broadcast: the shape of `x`, with the indices' size along the axis.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`]; [`Error::DTypeMismatch`] if the updates have another dtype;
/// [`Error::ShapeMismatch`] if ranks differ, [`Error::SizeMismatch`] if shapes do not broadcast; [`Error::ShapeTooLarge`].
pub(crate) fn scatter_shape(
    op: ScatterOp,
    x: &Array,
    indices: &Array,
    updates: &Array,
    axis: usize,
) -> Result<Dims, Error> {
    let operation = op.name();
    check(operation, x, indices, axis)?;
    if updates.dtype() != x.dtype() {
        return Err(Error::DTypeMismatch {
            operation,
            expected: x.dtype(),
            found: updates.dtype(),
        });
    }
    let mut shape = *x.dims();
    if indices.rank() == x.rank() {
        shape[axis] = indices.shape()[axis];
    }
    for (operand, name) in [(indices, "the indices"), (updates, "the updates")] {
        let sizes = operand.shape().iter().zip(shape.iter());
        let fits = operand.rank() == shape.len()
            && sizes.into_iter().all(|(size, to)| *size == 1 || size == to);
        if !fits {
            let along = operand.shape().get(axis).copied().unwrap_or_default();
            let fits_indices = along == 1 || along == shape[axis];
            let (other, other_name) = match operand.rank() == shape.len() && !fits_indices {
                true => (indices, "the indices"),
                false => (x, "the tensor"),
            };
            return Err(unequal_shapes(
                operation,
                [other_name.into(), name.into()],
                [other.shape(), operand.shape()],
                |at| operand.shape()[at] == 1 || (at == axis) == fits_indices,
            ));
        }
    }
    element_count(operation, &shape)?;
    Ok(shape)
}

/// Combines elements with updates by a function of [`ComputeType`], in the dtype in which they are computed.
macro_rules! combine {
    ($function:ident of $x:expr, $updates:expr, $places:expr) => {{
        let (x, places): (Array, &Places) = ($x, $places);
        let out = x.dtype();
        let dtype = compute_dtype(out);
        let mut result = cast(Cow::Owned(x), dtype)?;
        let updates = cast(Cow::Borrowed($updates), dtype)?;
        let updates = updates.row_major()?;
        for_types!(dtype, T in [
            DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64, DType::I8 => i8, DType::I16 => i16,
            DType::I32 => i32, DType::I64 => i64, DType::F32 => f32, DType::F64 => f64, DType::C64 => c64, DType::C128 => c128,
        ] => places.combine::<T>(&mut result, &updates, <T as ComputeType>::$function::<Baseline>), _ => {
            places.combine(&mut result, &updates, |a: bool, b: bool| {
                <BoolByte as ComputeType>::$function::<Baseline>(BoolByte::of(a), BoolByte::of(b)).is_true()
            })
        })?;
        cast(Cow::Owned(result), out)
    }};
}

/// Writes the updates to a copy of `x`, or combines them with its elements. The element of an update has the index that `indices` has at the update's position
/// along the axis, and the indices of that position along the other axes. Negative indices count from the end. Updates of one element are
/// written, or combined, in row-major order. Small floats are added in `f32`, and each sum is rounded once.
///
/// # Errors
/// The errors of [`scatter_shape`], [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
pub(crate) fn scatter(
    op: ScatterOp,
    x: &Array,
    indices: &Array,
    updates: &Array,
    axis: usize,
) -> Result<Array, Error> {
    scatter_to(op, x.clone(), indices, updates, axis)
}

/// [`scatter`] to an array that is changed in place if nothing else holds its buffer.
///
/// # Errors
/// Those of [`scatter`].
pub(super) fn scatter_to(
    op: ScatterOp,
    x: Array,
    indices: &Array,
    updates: &Array,
    axis: usize,
) -> Result<Array, Error> {
    let shape = scatter_shape(op, &x, indices, updates, axis)?;
    let size = x.shape()[axis];
    if shape.contains(&0) {
        // Nothing is updated, but the indices must exist, as those of `take` must.
        let indices = indices.row_major()?;
        return out_of_range(op.name(), &indices, [axis, size]).map_or(Ok(x), Err);
    }
    // If there is one index for all positions of the axes after this one, whole rows are scattered.
    let mut index_shape = shape;
    if indices.shape()[axis + 1..].iter().all(|size| *size == 1) {
        index_shape[axis + 1..].fill(1);
    }
    let indices = indices.broadcast_to(&index_shape)?;
    let indices = indices.row_major()?;
    let updates = updates.broadcast_to(&shape)?;
    let places = Places {
        operation: op.name(),
        indices: &indices,
        axis,
        count: shape[axis],
        size,
        inner: shape[axis + 1..].iter().product(),
        index_inner: index_shape[axis + 1..].iter().product(),
    };
    match op {
        ScatterOp::Replace => replace(x, &updates, &places),
        ScatterOp::Add => combine!(add of x, &updates, &places),
        ScatterOp::Max => combine!(maximum of x, &updates, &places),
        ScatterOp::Min => combine!(minimum of x, &updates, &places),
    }
}

fn replace(x: Array, updates: &Array, places: &Places) -> Result<Array, Error> {
    let dtype = x.dtype();
    let bits = dtype.bits_dtype();
    let mut result = x.bitcast(bits);
    let updates = updates.row_major()?.into_owned().bitcast(bits);
    for_types!(bits, T in [DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64] =>
        places.combine::<T>(&mut result, &updates, |_, update| update),
        _ => places.combine::<c128>(&mut result, &updates, |_, update| update)
    )?;
    Ok(result.bitcast(dtype))
}

/// The places of updates. The axes before the indexed axis are coalesced to one, and so are the axes after it.
struct Places<'a> {
    operation: &'static str,
    /// The indices, contiguous.
    indices: &'a Array,
    axis: usize,
    /// The number of indices along the axis.
    count: usize,
    /// The size of the axis.
    size: usize,
    /// The number of elements at each position of the axis.
    inner: usize,
    /// The number of indices at each position: `inner`, or one for all.
    index_inner: usize,
}

impl Places<'_> {
    /// Combines elements with their updates, on several threads if there are many. If an index is out of range, some updates may not
    /// have been applied.
    ///
    /// # Errors
    /// [`Error::IndexOutOfRange`].
    fn combine<T: Element>(
        &self,
        to: &mut Array,
        updates: &Array,
        combine: impl Fn(T, T) -> T + Copy + Sync,
    ) -> Result<(), Error> {
        let to: &mut [T] = to.as_mut_slice()?;
        let updates: &[T] = updates.as_slice().unwrap_or_default();
        let groups = updates.len() / (self.count * self.inner);
        let width = self.strip_width::<T>(groups);
        let strips = self.inner.div_ceil(width);
        let min_len = MIN_WORK_PER_THREAD / self.work::<T>(width);
        let all_in_range = AtomicBool::new(true);
        let shared = SendPtr::new(to.as_mut_ptr());
        split(groups * strips, 1, min_len, |piece| {
            for strip in piece {
                let (group, column) = (strip / strips, strip % strips * width);
                let columns = column..self.inner.min(column + width);
                // SAFETY: `to` has `size` rows of `inner` elements in each of the groups: the updates have its shape but for the axis. No
                // other piece has this strip.
                let is_done =
                    unsafe { self.combine_strip(shared.get(), updates, group, columns, combine) };
                if !is_done {
                    return all_in_range.store(false, Ordering::Relaxed);
                }
            }
        });
        match all_in_range.into_inner() {
            true => Ok(()),
            false => Err(
                out_of_range(self.operation, self.indices, [self.axis, self.size])
                    .expect("the loop found an index that is out of range"),
            ),
        }
    }

    /// The width of the strips that threads share: whole rows, unless there are fewer groups than threads.
    fn strip_width<T>(&self, groups: usize) -> usize {
        let work = groups.saturating_mul(self.work::<T>(self.inner));
        let shared_by = max_workers(work, MIN_WORK_PER_THREAD).div_ceil(groups);
        let narrowest = match self.index_inner {
            1 => MIN_ROW_STRIP,
            _ => MIN_STRIP,
        };
        self.inner.min((self.inner / shared_by).max(narrowest))
    }

    /// The work of a strip of a group, in bytes of updates that are combined in the same time.
    fn work<T>(&self, width: usize) -> usize {
        let indices = self.index_inner.min(width);
        let row = INDEX_WORK * indices + size_of::<T>() * width;
        row.saturating_mul(self.count)
    }

    /// Combines the elements in some columns of a group with their updates: [`BLOCK`] indices at a time, which is the most that is
    /// converted. Returns `false` if an index is out of range, at which it stops.
    ///
    /// # Safety
    /// `to` has `size` rows of `inner` elements for each group up to this one. Nothing else reaches these columns of this group
    /// meanwhile.
    unsafe fn combine_strip<T: Element>(
        &self,
        to: *mut T,
        updates: &[T],
        group: usize,
        columns: Range<usize>,
        combine: impl Fn(T, T) -> T + Copy,
    ) -> bool {
        let Self {
            count,
            size,
            inner,
            index_inner,
            ..
        } = *self;
        let to = to.wrapping_add(group * size * inner);
        let updates = &updates[group * count * inner..][..count * inner];
        let first = group * count * index_inner;
        let mut scratch: Scratch = [MaybeUninit::uninit(); BLOCK];
        // The indices that follow one another: all of the group, or those of this strip in a row.
        let (runs, len) = match index_inner == 1 || columns.len() == inner {
            true => (1, count * index_inner),
            false => (count, columns.len()),
        };
        let start = if index_inner == 1 { 0 } else { columns.start };
        for run in 0..runs {
            let start = run * inner + start;
            for at in (start..start + len).step_by(BLOCK) {
                let end = (start + len).min(at + BLOCK);
                let block = first + at..first + end;
                let block = Indices::new(self.indices).range(block, &mut scratch);
                // SAFETY: the caller guarantees `size` rows of `inner` elements, of which nothing else reaches these columns.
                let is_done = unsafe {
                    match [index_inner, inner] {
                        [1, 1] => {
                            let to = core::slice::from_raw_parts_mut(to, size);
                            combine_elements(to, block, &updates[at..end], combine)
                        }
                        [1, _] => {
                            let updates = &updates[at * inner..end * inner];
                            let columns = columns.clone();
                            combine_rows(to, [size, inner], columns, block, updates, combine)
                        }
                        _ => {
                            let column = at % inner;
                            let updates = &updates[at..end];
                            combine_columns(to, [size, inner], column, block, updates, combine)
                        }
                    }
                };
                if !is_done {
                    return false;
                }
            }
        }
        true
    }
}

/// Combines single elements with their updates. Returns `false` if an index is out of range, at which it stops.
fn combine_elements<T: Copy>(
    to: &mut [T],
    indices: &[isize],
    updates: &[T],
    combine: impl Fn(T, T) -> T,
) -> bool {
    let first: *const T = to.as_ptr();
    let is_large = size_of_val(to) > PREFETCHED_FROM;
    for (at, (index, update)) in indices.iter().zip(updates).enumerate() {
        if is_large && let Some(index) = indices.get(at + PREFETCHED) {
            // An index that is out of range is found when it is its turn.
            let position = position_of(*index, to.len()).unwrap_or(0);
            prefetch(first.wrapping_add(position).cast());
        }
        let Some(position) = position_of(*index, to.len()) else {
            return false;
        };
        let element = &mut to[position];
        *element = combine(*element, *update);
    }
    true
}

/// [`combine_elements`] of some columns of rows of `inner` elements, with an index for each row.
///
/// # Safety
/// `to` has `size` rows of `inner` elements, of which nothing else reaches these columns meanwhile.
unsafe fn combine_rows<T: Copy>(
    to: *mut T,
    [size, inner]: [usize; 2],
    columns: Range<usize>,
    indices: &[isize],
    updates: &[T],
    combine: impl Fn(T, T) -> T,
) -> bool {
    for (index, updates) in indices.iter().zip(updates.chunks_exact(inner)) {
        let Some(position) = position_of(*index, size) else {
            return false;
        };
        let updates = &updates[columns.clone()];
        // SAFETY: the caller guarantees `size` rows of `inner` elements, and that nothing else reaches these columns. The slice of the
        // updates has checked that they are columns of a row.
        let elements = unsafe {
            let first = to.add(position * inner + columns.start);
            core::slice::from_raw_parts_mut(first, updates.len())
        };
        for (element, update) in elements.iter_mut().zip(updates) {
            *element = combine(*element, *update);
        }
    }
    true
}

/// [`combine_elements`] of rows of `inner` elements, with an index for each element, the first of which is in column `column` of its
/// row.
///
/// # Safety
/// `to` has `size` rows of `inner` elements, and `column < inner`. Nothing else reaches the columns of these indices meanwhile.
unsafe fn combine_columns<T: Copy>(
    to: *mut T,
    [size, inner]: [usize; 2],
    mut column: usize,
    indices: &[isize],
    updates: &[T],
    combine: impl Fn(T, T) -> T,
) -> bool {
    for (index, update) in indices.iter().zip(updates) {
        let Some(position) = position_of(*index, size) else {
            return false;
        };
        // SAFETY: the position is less than `size`, and `column` less than `inner`. The caller guarantees as many rows of as many elements,
        // and that nothing else reaches this column.
        unsafe {
            let element = to.add(position * inner + column);
            element.write(combine(element.read(), *update));
        }
        column += 1;
        if column == inner {
            column = 0;
        }
    }
    true
}
