//! The positions of extremes.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

use std::borrow::Cow;

use super::plan::{AxisSplit, ReductionPlan};
use super::source::Source;
use crate::array::{Array, PerAxis, Uninit};
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
    arg_reduce_source(op, Cow::Borrowed(x), axis, keep_dims, out)
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
    if plan.columnwise() {
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
