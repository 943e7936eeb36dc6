//! Reductions that fold their elements and do nothing with the result but convert it.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

use std::borrow::Cow;

use super::op::{Finish, ReduceOp, casts_first};
use super::plan::{AxisSplit, ReductionPlan};
use super::source::Source;
use crate::array::{Array, Dims, PerAxis, Uninit, sort_by_stride};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::accumulate::{self, FoldOp};
use crate::kernel::cast::{cast, chain};
use crate::kernel::drive::block::convert;
use crate::kernel::drive::gather::gather;

/// Folds all elements of an array, for an operation that folds and nothing more.
///
/// # Errors
/// The errors of [`reduce`](super::reduce).
pub(in crate::kernel) fn fold(op: ReduceOp, x: &Array, out: DType) -> Result<Array, Error> {
    debug_assert!(op.finish() == Finish::Itself);
    match fold_contiguous(op, x, false, out) {
        Some(folded) => Ok(folded),
        None => with_plan(op, Cow::Borrowed(x), None, false, out, |_, fold, plan| {
            plan.folded(fold, plan.dtype, None)
        }),
    }
}

/// Folds all elements of a contiguous array that need no conversion: for small arrays the general preparation takes
/// longer than the reduction. `None` if it does not apply, or without memory.
pub(super) fn fold_contiguous(
    op: ReduceOp,
    x: &Array,
    keep_dims: bool,
    out: DType,
) -> Option<Array> {
    let is_divided = op.finish() != Finish::Itself;
    if x.is_empty() || !x.is_contiguous() || is_divided || casts_first(op, x.dtype(), out) {
        return None;
    }
    let fold = op.fold().of(x.dtype());
    let dtype = op.accumulate().dtype(x.dtype(), out);
    if !accumulate::reads(fold, dtype, x.dtype()) {
        return None;
    }
    let accumulator = accumulate::accumulator(fold, dtype, x.dtype());
    let accumulator = accumulator.as_ref()?; // A reference, because the accumulator is large.
    let mut elements = [accumulate::Element::ZERO; 3];
    let [folded, between @ ..] = elements.each_mut().map(accumulate::Element::pointer);
    let chain = chain(dtype, out);
    let mut buffer = Uninit::new(out.size()).ok()?;
    let to = buffer.as_mut_ptr();
    let folded = if chain.is_empty() { to } else { folded };
    // SAFETY: the array is contiguous and has `len` elements, which the accumulator reads (`reads`). `elements` have
    // room for elements of any dtype, aligned to 16, and `buffer` for one of `out`.
    unsafe {
        accumulator.fold(x.as_ptr(), x.dtype().size(), x.len(), folded);
        convert(chain, folded, 1, to, between);
    }
    // SAFETY: the reduction or the last conversion wrote the one element, of dtype `out`.
    let buffer = unsafe { buffer.assume_init() };
    let shape = if keep_dims {
        *x.dims()
    } else {
        Dims::default()
    };
    Some(Array::of_one(buffer, out, &shape))
}

/// Folds few elements along axes, which must be sorted and distinct; along all axes if none are given. `None` if it does not apply, or
/// without memory.
pub(super) fn fold_few(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> Option<Array> {
    let fold = op.fold().of(x.dtype());
    // The loops that skip NaN do so as they read elements.
    let skips_nan = matches!(
        fold,
        FoldOp::AddNumbers | FoldOp::MultiplyNumbers | FoldOp::CountNumbers
    );
    let axes_exist = axes.is_none_or(|axes| axes.iter().all(|axis| *axis < x.rank()));
    let total = x.len();
    if total == 0
        || total > accumulate::SMALL_LEN
        || op.finish() != Finish::Itself
        || skips_nan
        || !axes_exist
        || casts_first(op, x.dtype(), out)
    {
        return None;
    }
    let dtype = op.accumulate().dtype(x.dtype(), out);
    let accumulator = accumulate::cached_accumulator(fold, dtype)?;
    let groups = accumulate::SmallGroups::new(x.dims(), axes, keep_dims);
    let mut room = [const { accumulate::SmallBuffer::UNINIT }; 4];
    let [gathered, values, between @ ..] = room.each_mut().map(accumulate::SmallBuffer::pointer);
    let mut buffer = Uninit::new(groups.count * out.size()).ok()?;
    let (widen, finish) = (chain(x.dtype(), dtype), chain(dtype, out));
    let (sizes, strides) = groups.in_groups(x.dims(), x.strides());
    let rank = x.rank().max(2);
    // SAFETY: `in_groups` gives the axes of the array in another order, so all its elements, at least one, are read. Each buffer has room
    // for `SMALL_LEN` elements of any dtype, at least a pack, and is aligned for them; `buffer` has room for an element of `out` for each group. Chains
    // of more than a step convert at most a block. The groups are all elements.
    let buffer = unsafe {
        gather(
            x.dtype().size(),
            x.as_ptr(),
            (&sizes[..rank], &strides[..rank]),
            total,
            gathered,
        );
        let values = if widen.is_empty() { gathered } else { values };
        convert(widen, gathered, total, values, between);
        accumulator.fold_groups(values, &groups);
        if finish.is_empty() {
            let bytes = groups.count * out.size();
            buffer.as_mut_ptr().copy_from_nonoverlapping(values, bytes);
        } else {
            convert(finish, values, groups.count, buffer.as_mut_ptr(), between);
        }
        buffer.assume_init()
    };
    Some(Array::from_buffer(buffer, out, groups.result))
}

/// Plans the reduction of a source along axes, computes it by `finished`, and casts the result to `out`.
pub(super) fn with_plan<S: Source>(
    op: ReduceOp,
    mut source: S,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
    finished: fn(ReduceOp, FoldOp, &mut ReductionPlan<'_, S>) -> Result<Array, Error>,
) -> Result<Array, Error> {
    let mut axes = match axes {
        Some(axes) => PerAxis::new(axes)?,
        None => PerAxis::numbers(source.dims().len())?,
    };
    let split = AxisSplit::new(op.name(), source.dims(), &axes, keep_dims)?;
    if casts_first(op, source.dtype(), out) {
        source = source.cast(out)?;
    }
    if !op.fold().has_start() && split.reduces_nothing() {
        source.prepare()?;
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: source.dims().to_vec(),
        });
    }
    let dtype = op.accumulate().dtype(source.dtype(), out);
    // No loop reads numbers in memory as booleans, so they are converted first. A single contiguous row is converted block by block as
    // it is read.
    let is_one_row = split.kept.iter().product::<usize>() == 1
        && source.array().is_some_and(Array::is_contiguous);
    if dtype == DType::Bool && source.dtype() != dtype && source.memory().is_some() && !is_one_row {
        source = source.cast(dtype)?;
    }
    // Integers and booleans give the same result in every order.
    if !dtype.kind().is_inexact() && source.memory().is_some() {
        sort_by_stride(&mut axes, &source.strides());
    }
    let fold = op.fold().of(source.dtype());
    let mut plan = ReductionPlan {
        operation: op.name(),
        strides: source.strides(),
        source,
        split: &split,
        axes: &axes,
        dtype,
    };
    let result = finished(op, fold, &mut plan)?;
    cast(Cow::Owned(result), out)
}
