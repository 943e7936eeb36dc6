//! Reductions along axes.
//!
//! The elements that are reduced to one are taken in row-major order, in blocks of 512. Within a block, 32 lanes each
//! take every 32nd element, and the lanes are combined as a tree; blocks are combined pairwise. So the result does
//! not depend on the memory layout, and the error of a sum grows with the logarithm of its length.
//!
//! If neighbours in memory belong to different elements of the result, a block of results is reduced at a time: in
//! the same order, but with rows in place of elements.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

pub(in crate::kernel) mod op;
pub(in crate::kernel) mod plan;
pub(in crate::kernel) mod source;

use std::borrow::Cow;

use self::op::{Finish, ReduceOp, casts_first};
use self::plan::{AxisSplit, ReductionPlan};
use self::source::Source;

use super::accumulate::{self, FoldOp};
use super::cast::{cast, chain, compute_dtype};
use crate::array::{Array, Dims, OpResult, PerAxis, Uninit};
use crate::array::{Datum, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::drive::block::convert;
use crate::kernel::fused::reduce::reduce_array;
use crate::op::each_position;

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
    if is_all && let Some(array) = reduce_all(op, x, keep_dims, out) {
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
    match reduce_array(op, x, axes, keep_dims, out) {
        Some(reduced) => reduced.into(),
        None => reduce_source(op, Cow::Borrowed(x), axes, keep_dims, out).into(),
    }
}

/// Reduces all elements of a contiguous array that need no conversion: for small arrays the general preparation takes
/// longer than the reduction. `None` if it does not apply, or without memory.
fn reduce_all(op: ReduceOp, x: &Array, keep_dims: bool, out: DType) -> Option<Array> {
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
    let accumulator = accumulator.as_ref()?; // Where it is: it is large.
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

/// [`reduce`] of any source.
pub(super) fn reduce_source<S: Source>(
    op: ReduceOp,
    mut source: S,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let axes = match axes {
        Some(axes) => &PerAxis::new(axes)?,
        None => &PerAxis::numbers(source.dims().len())?,
    };
    let split = AxisSplit::new(op.name(), source.dims(), axes, keep_dims)?;
    if casts_first(op, source.dtype(), out) {
        source = source.cast(out)?;
    }
    let count: usize = split.reduced.iter().product();
    if !op.fold().has_start() && split.reduces_nothing() {
        source.prepare()?;
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: source.dims().to_vec(),
        });
    }
    let fold = op.fold().of(source.dtype());
    let dtype = op.accumulate().dtype(source.dtype(), out);
    let mut groups = ReductionPlan {
        operation: op.name(),
        strides: source.strides(),
        source,
        split: &split,
        axes,
        dtype,
    };
    let result = match op.finish() {
        Finish::Itself => groups.folded(fold, dtype, None)?,
        Finish::Mean => {
            let sums = groups.folded(fold, dtype, None)?;
            if fold == FoldOp::AddNumbers {
                let counts = groups.folded(FoldOp::CountNumbers, DType::U64, None)?;
                divided_by(sums, Datum::Array(Cow::Owned(counts)))?
            } else {
                divided(sums, count)?
            }
        }
        Finish::Variance { ddof } => variance(&mut groups, fold, ddof)?,
        Finish::Deviation { ddof } => {
            let variance = variance(&mut groups, fold, ddof)?;
            let dtype = variance.dtype();
            let op = super::UnaryOp::Sqrt;
            super::unary(op, dtype, dtype, Cow::Owned(variance)).array()?
        }
    };
    cast(Cow::Owned(result), out)
}

/// Divides by a count, in the dtype of the sums; sums of no elements and a count of zero give NaN.
pub(super) fn divided(sums: Array, count: usize) -> Result<Array, Error> {
    let count = ScalarBits::of(sums.dtype(), u64::try_from(count).unwrap_or(u64::MAX));
    divided_by(sums, Datum::ScalarBits(count))
}

fn divided_by(sums: Array, counts: Datum<'_>) -> Result<Array, Error> {
    let dtype = sums.dtype();
    let sums = Datum::Array(Cow::Owned(sums));
    super::binary(super::BinaryOp::Div, dtype, dtype, sums, counts).array()
}

/// Computes the mean squared deviation from the mean, in two passes over the elements. With [`FoldOp::AddNumbers`] it skips elements
/// that are NaN.
fn variance<S: Source>(
    groups: &mut ReductionPlan<S>,
    fold: FoldOp,
    ddof: usize,
) -> Result<Array, Error> {
    let (count, dtype) = (groups.depth(), groups.dtype);
    let squares = if dtype == DType::C128 {
        DType::F64
    } else {
        dtype
    };
    if fold != FoldOp::AddNumbers {
        let means = divided(groups.folded(fold, dtype, None)?, count)?;
        let sums = groups.folded(fold, squares, Some(&means))?;
        return divided(sums, count.saturating_sub(ddof));
    }
    let counts = groups.folded(FoldOp::CountNumbers, DType::U64, None)?;
    let sums = groups.folded(fold, dtype, None)?;
    let means = divided_by(sums, Datum::Array(Cow::Borrowed(&counts)))?;
    let sums = groups.folded(fold, squares, Some(&means))?;
    divided_by(sums, Datum::Array(Cow::Owned(less(counts, ddof)?)))
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
        Datum::Array(Cow::Owned(counts)),
        by(),
    );
    let above = Datum::Array(Cow::Owned(above.array()?));
    super::binary(super::BinaryOp::Sub, DType::U64, DType::U64, above, by()).array()
}

/// Declares the positions of extremes.
macro_rules! positions {
    ($($name:ident: $Op:ident;)*) => {
        /// The extreme that [`arg_reduce`] looks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum ArgOp {
            $($Op,)*
        }

        impl ArgOp {
            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op => stringify!($name),)*
                }
            }
        }
    };
}

each_position!(kernels positions!);

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
pub(super) fn arg_reduce_source<S: Source>(
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
    let mut search = accumulate::ArgReducer::new(op, dtype);
    let mut groups = ReductionPlan {
        operation: op.name(),
        strides: source.strides(),
        source,
        split: &split,
        axes,
        dtype,
    };
    groups.each(&mut |number, is_last, block, len| {
        // SAFETY: `each` passes blocks of `len` elements of `dtype`, which the reducer was made for.
        unsafe { search.add(block, len) };
        if is_last {
            // SAFETY: `number` is below the number of groups, `count`, for which the buffer has room.
            unsafe { positions.add(number).write(search.position()) };
            search = accumulate::ArgReducer::new(op, dtype);
        }
    })?;
    // SAFETY: each of the `count` groups has a last block, which wrote its position.
    let buffer = unsafe { buffer.assume_init() };
    let positions = Array::from_buffer(buffer, DType::I64, split.result);
    cast(Cow::Owned(positions), out)
}
