//! Reductions along axes.
//!
//! The elements that are reduced to one are taken in row-major order, in blocks of 512. Within a block, 32 lanes each
//! take every 32nd element, and the lanes are combined as a tree; blocks are combined pairwise. So the result does
//! not depend on the memory layout, and the error of a sum grows with the logarithm of its length.
//!
//! If neighbours in memory belong to different elements of the result, a block of results is reduced at a time: in
//! the same order, but with rows in place of elements.
//!
//! If such results are in another order than their elements in memory, as those of a permuted array are, they are reduced in the order
//! of memory, and then copied to their places (`kept_order`).

mod arg;
pub(in crate::kernel) mod fold;
pub(in crate::kernel) mod kept_order;
pub(in crate::kernel) mod op;
pub(in crate::kernel) mod plan;
pub(in crate::kernel) mod source;

use std::borrow::Cow;

pub(crate) use self::arg::arg_reduce;
pub(in crate::kernel) use self::arg::{arg_reduce_source, skips_nan};

use self::fold::{fold_contiguous, fold_few, with_plan};
use self::op::{Finish, ReduceOp};
use self::plan::ReductionPlan;
use self::source::Source;
use super::accumulate::FoldOp;
use super::fused::reduce::reduce_array;
use crate::array::{Array, Datum, OpResult, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;

/// Fast path of [`reduce`] for all elements of a contiguous array. Calls `general` if it does not apply, or without
/// memory.
pub(crate) fn reduce_small(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
    general: fn(ReduceOp, &Array, Option<&[usize]>, bool, DType) -> OpResult,
) -> OpResult {
    let is_all = axes.is_none_or(|axes| axes.iter().copied().eq(0..x.rank()));
    if is_all && let Some(array) = fold_contiguous(op, x, keep_dims, out) {
        return array.into();
    }
    general(op, x, axes, keep_dims, out)
}

/// Reduces along axes, which must be sorted, distinct and exist; along all axes if none are given. Sums of small floats
/// accumulate in `f32` unless `out` is `f64`, of other floats in `f64`, of complex numbers in `c128`, and of integers in
/// 64 bits, wrapping. The result is cast to `out` once.
///
/// # Errors
/// [`Error::EmptyReduction`] for the minimum or maximum of no elements, [`Error::AxisOutOfRange`],
/// [`Error::UnsupportedDType`], [`Error::OutOfMemory`].
pub(crate) fn reduce(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> OpResult {
    if let Some(array) = fold_few(op, x, axes, keep_dims, out) {
        return array.into();
    }
    if let Some(axes) = axes
        && let Some(reduced) = kept_order::in_memory_order(x, axes, keep_dims, |x, axes| {
            reduce_ordered(op, x, Some(axes), false, out).array()
        })
    {
        return reduced.into();
    }
    reduce_ordered(op, x, axes, keep_dims, out)
}

/// [`reduce`] of an array whose kept axes are in the order of memory, or are reduced as fast as if they were.
fn reduce_ordered(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> OpResult {
    match reduce_array(op, x, axes, keep_dims, out) {
        Some(reduced) => reduced,
        None => reduce_source(op, Cow::Borrowed(x), axes, keep_dims, out).into(),
    }
}

/// [`reduce`] of any source.
pub(super) fn reduce_source<S: Source>(
    op: ReduceOp,
    source: S,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    with_plan(op, source, axes, keep_dims, out, finished)
}

/// Folds the elements, and computes the result from the folded ones.
fn finished<S: Source>(
    op: ReduceOp,
    fold: FoldOp,
    plan: &mut ReductionPlan<'_, S>,
) -> Result<Array, Error> {
    match op.finish() {
        Finish::Itself => plan.folded(fold, plan.dtype, None),
        Finish::Mean => {
            let sums = plan.folded(fold, plan.dtype, None)?;
            if fold == FoldOp::AddNumbers {
                let counts = plan.folded(FoldOp::CountNumbers, DType::U64, None)?;
                return divided_by(sums, Datum::owned(counts));
            }
            divided(sums, plan.depth())
        }
        Finish::Variance { ddof } => variance(plan, fold, ddof),
        Finish::Deviation { ddof } => {
            let variance = variance(plan, fold, ddof)?;
            let dtype = variance.dtype();
            super::unary(super::UnaryOp::Sqrt, dtype, dtype, Cow::Owned(variance)).array()
        }
    }
}

/// Divides by a count, in the dtype of the sums; sums of no elements and a count of zero give NaN.
pub(super) fn divided(sums: Array, count: usize) -> Result<Array, Error> {
    let count = ScalarBits::of(sums.dtype(), u64::try_from(count).unwrap_or(u64::MAX));
    divided_by(sums, Datum::ScalarBits(count))
}

fn divided_by(sums: Array, counts: Datum<'_>) -> Result<Array, Error> {
    let dtype = sums.dtype();
    let sums = Datum::owned(sums);
    super::binary(super::BinaryOp::Div, dtype, dtype, sums, counts).array()
}

/// Computes the mean squared deviation from the mean, in two passes over the elements. With [`FoldOp::AddNumbers`] it skips elements
/// that are NaN.
fn variance<S: Source>(
    plan: &mut ReductionPlan<'_, S>,
    fold: FoldOp,
    ddof: usize,
) -> Result<Array, Error> {
    let (count, dtype) = (plan.depth(), plan.dtype);
    let squares = if dtype == DType::C128 {
        DType::F64
    } else {
        dtype
    };
    if fold != FoldOp::AddNumbers {
        let means = divided(plan.folded(fold, dtype, None)?, count)?;
        let sums = plan.folded(fold, squares, Some(&means))?;
        return divided(sums, count.saturating_sub(ddof));
    }
    let counts = plan.folded(FoldOp::CountNumbers, DType::U64, None)?;
    let sums = plan.folded(fold, dtype, None)?;
    let means = divided_by(sums, Datum::borrowed(&counts))?;
    let sums = plan.folded(fold, squares, Some(&means))?;
    divided_by(sums, Datum::owned(less(counts, ddof)?))
}

/// Subtracts `ddof` from each count, down to zero.
fn less(counts: Array, ddof: usize) -> Result<Array, Error> {
    if ddof == 0 {
        return Ok(counts);
    }
    let by = || {
        let by = u64::try_from(ddof).unwrap_or(u64::MAX);
        Datum::ScalarBits(ScalarBits::of(DType::U64, by))
    };
    let above = super::binary(
        super::BinaryOp::Max,
        DType::U64,
        DType::U64,
        Datum::owned(counts),
        by(),
    );
    let above = Datum::owned(above.array()?);
    super::binary(super::BinaryOp::Sub, DType::U64, DType::U64, above, by()).array()
}
