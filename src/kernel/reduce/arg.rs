//! The positions of extremes.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

use std::borrow::Cow;

use super::plan::{AxisSplit, MANY_GROUPS, ReductionPlan, SHORT_GROUP};
use super::source::Source;
use crate::array::{Array, Dims, PerAxis, Uninit};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::accumulate::{self, ArgOp};
use crate::kernel::cast::{cast, compute_dtype};

/// Returns the position of the first extreme along an axis, or among all elements in row-major order. A NaN is more
/// extreme than any number.
///
/// # Errors
/// [`Error::EmptyReduction`], [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
pub(crate) fn arg_reduce(
    op: ArgOp,
    x: &Array,
    axis: Option<usize>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    if let Some(positions) = arg_of_contiguous(op, x, axis, keep_dims) {
        return cast(Cow::Owned(positions), out);
    }
    arg_reduce_source(op, Cow::Borrowed(x), axis, keep_dims, out)
}

/// The number of elements that are searched at a time, so that the search finds them in the first cache.
const SEARCHED: usize = 1 << 12;

/// Finds the positions in groups that follow one another in memory and need no conversion: for small arrays the general preparation
/// takes longer than the search. `None` if it does not apply, or without memory.
fn arg_of_contiguous(op: ArgOp, x: &Array, axis: Option<usize>, keep_dims: bool) -> Option<Array> {
    let dtype = x.dtype();
    if x.is_empty() || !x.is_contiguous() || compute_dtype(dtype) != dtype {
        return None;
    }
    let depth = match axis {
        None => x.len(),
        Some(axis) if axis + 1 == x.rank() => x.shape()[axis],
        Some(_) => return None,
    };
    let count = x.len() / depth;
    if depth < SHORT_GROUP && count >= MANY_GROUPS {
        return None;
    }
    let shape = match axis {
        None if !keep_dims => Dims::default(),
        None => Dims::single(x.rank()),
        Some(axis) => AxisSplit::of_existing(x.dims(), &[axis], keep_dims).result,
    };
    let mut buffer = Uninit::new(count * size_of::<i64>()).ok()?;
    let positions = buffer.as_mut_ptr().cast::<i64>();
    let mut search = accumulate::ArgReducer::new(op, dtype);
    for number in 0..count {
        search.restart();
        for done in (0..depth).step_by(SEARCHED) {
            let first = x
                .as_ptr()
                .wrapping_add((number * depth + done) * dtype.size());
            // SAFETY: the array is contiguous, and has `count` groups of `depth` elements, of which `depth - done` are left in this one.
            unsafe { search.add(first, SEARCHED.min(depth - done)) };
        }
        // SAFETY: `number < count`, and the buffer has room for `count` positions.
        unsafe { positions.add(number).write(search.position()) };
    }
    // SAFETY: a position of each group was written.
    let buffer = unsafe { buffer.assume_init() };
    Some(Array::from_buffer(buffer, DType::I64, shape))
}

/// [`arg_reduce`] of any source.
pub(in crate::kernel) fn arg_reduce_source<S: Source>(
    op: ArgOp,
    mut source: S,
    axis: Option<usize>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let axes = match axis {
        Some(axis) => &PerAxis::new(&[axis])?,
        None => &PerAxis::numbers(source.dims().len())?,
    };
    let split = AxisSplit::new(op.name(), source.dims(), axes, keep_dims)?;
    if split.reduces_nothing() {
        source.prepare()?;
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: source.dims().to_vec(),
        });
    }
    let dtype = compute_dtype(source.dtype());
    let count: usize = split.kept.iter().product();
    let mut buffer = Uninit::new(count * size_of::<i64>())?;
    let positions = buffer.as_mut_ptr().cast::<i64>();
    let mut plan = ReductionPlan {
        operation: op.name(),
        strides: source.strides(),
        source,
        split: &split,
        axes,
        dtype,
    };
    if plan.columnwise(SHORT_GROUP) {
        let mut search = accumulate::ColumnArgReducer::new(op, dtype);
        let depth = plan.depth();
        plan.each_strip(&mut |first, len, row| {
            let positions = positions.wrapping_add(first);
            for at in 0..depth {
                // SAFETY: `row` returns `len` elements of `dtype`, at most a block, and the buffer has room for the positions of `len`
                // groups from `first` on, which position 0 initialises.
                unsafe { search.add(row(at), at, positions, len) };
            }
        })?;
    } else {
        let mut search = accumulate::ArgReducer::new(op, dtype);
        plan.each(&mut |number, is_last, block, len| {
            // SAFETY: `each` passes blocks of `len` elements of `dtype`, which the reducer was made for.
            unsafe { search.add(block, len) };
            if is_last {
                // SAFETY: `number` is below the number of groups, `count`, for which the buffer has room.
                unsafe { positions.add(number).write(search.position()) };
                search.restart();
            }
        })?;
    }
    // SAFETY: each of the `count` groups is in a strip or has a last block, which wrote its position.
    let buffer = unsafe { buffer.assume_init() };
    let positions = Array::from_buffer(buffer, DType::I64, split.result);
    cast(Cow::Owned(positions), out)
}
