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

mod plan;
mod source;

use std::borrow::Cow;

pub(crate) use plan::AxisSplit;
use plan::ReductionPlan;
pub(super) use source::{Blocks, Source, in_order};

use super::accumulate;
use super::cast::{cast, chain, compute_dtype, is_small_float};
use crate::array::{Array, Dims, OpResult, PerAxis, Uninit};
use crate::array::{Datum, ScalarBits};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::drive::block::convert;

/// The operation that reduces the elements along the reduced axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ReduceOp {
    Sum,
    Prod,
    /// NaN if any element is NaN.
    Min,
    /// NaN if any element is NaN.
    Max,
    Any,
    All,
    /// NaN if there are no elements.
    Mean,
    /// Divides by the number of elements less `ddof`.
    Var {
        ddof: usize,
    },
    /// The root of [`Self::Var`].
    Std {
        ddof: usize,
    },
}

impl ReduceOp {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sum => "sum",
            Self::Prod => "prod",
            Self::Min => "min",
            Self::Max => "max",
            Self::Any => "any",
            Self::All => "all",
            Self::Mean => "mean",
            Self::Var { .. } => "var",
            Self::Std { .. } => "std",
        }
    }
}

/// Returns the dtype in which a reduction accumulates.
pub(crate) fn accumulator(op: ReduceOp, x: DType, out: DType) -> DType {
    match op {
        ReduceOp::Any | ReduceOp::All => DType::Bool,
        ReduceOp::Min | ReduceOp::Max => compute_dtype(x),
        ReduceOp::Sum | ReduceOp::Prod => match out.kind() {
            Kind::Bool => DType::Bool,
            Kind::Signed | Kind::Unsigned if x.kind() == Kind::Signed => DType::I64,
            Kind::Signed | Kind::Unsigned => DType::U64,
            Kind::Float => float_accumulator(x, out),
            Kind::Complex => DType::C128,
        },
        ReduceOp::Mean | ReduceOp::Var { .. } | ReduceOp::Std { .. } => {
            if x.kind() == Kind::Complex {
                DType::C128
            } else {
                float_accumulator(x, out)
            }
        }
    }
}

fn float_accumulator(x: DType, out: DType) -> DType {
    let narrow = is_small_float(x) && compute_dtype(out) == DType::F32;
    if narrow { DType::F32 } else { DType::F64 }
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
    let is_all = axes.is_none_or(|axes| axes.iter().copied().eq(0..x.rank()));
    if is_all && let Some(array) = reduce_all(op, x, keep_dims, out) {
        return array.into();
    }
    reduce_source(op, Cow::Borrowed(x), axes, keep_dims, out).into()
}

/// Fast path of [`reduce`] for all elements of a contiguous array that need no conversion: for small arrays the
/// general preparation takes longer than the reduction. `None` if it does not apply, or without memory.
fn reduce_all(op: ReduceOp, x: &Array, keep_dims: bool, out: DType) -> Option<Array> {
    let is_mean = matches!(
        op,
        ReduceOp::Mean | ReduceOp::Var { .. } | ReduceOp::Std { .. }
    );
    if x.is_empty() || !x.is_contiguous() || is_mean || casts_first(op, x.dtype(), out) {
        return None;
    }
    let dtype = accumulator(op, x.dtype(), out);
    if !accumulate::reads(op, dtype, x.dtype()) {
        return None;
    }
    let accumulator = accumulate::accumulator(op, dtype, x.dtype());
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

/// Whether elements are cast to `out` before they are reduced, as NumPy does: if the accumulator cannot represent
/// them.
pub(crate) fn casts_first(op: ReduceOp, from: DType, out: DType) -> bool {
    let is_sum = matches!(op, ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Mean);
    let drops_imaginary = from.kind() == Kind::Complex && out.kind() != Kind::Complex;
    let truncates = from.kind() == Kind::Float && out.kind() < Kind::Float;
    is_sum && (drops_imaginary || (truncates && op != ReduceOp::Mean))
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
    let is_extreme = matches!(op, ReduceOp::Min | ReduceOp::Max);
    if is_extreme && split.reduces_nothing() {
        source.prepare()?;
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: source.dims().to_vec(),
        });
    }
    let dtype = accumulator(op, source.dtype(), out);
    let mut groups = ReductionPlan {
        strides: source.strides(),
        source,
        split: &split,
        axes,
        dtype,
    };
    let result = match op {
        ReduceOp::Mean => divided(groups.folded(ReduceOp::Sum, dtype, None)?, count)?,
        ReduceOp::Var { ddof } => variance(&mut groups, ddof)?,
        ReduceOp::Std { ddof } => {
            let variance = variance(&mut groups, ddof)?;
            let dtype = variance.dtype();
            let op = super::UnaryOp::Sqrt;
            super::unary(op, dtype, dtype, Cow::Owned(variance)).array()?
        }
        _ => groups.folded(op, dtype, None)?,
    };
    cast(Cow::Owned(result), out)
}

/// Divides by a count, in the dtype of the sums; sums of no elements and a count of zero give NaN.
fn divided(sums: Array, count: usize) -> Result<Array, Error> {
    let dtype = sums.dtype();
    let count = ScalarBits::new(u64::try_from(count).unwrap_or(u64::MAX));
    super::binary(
        super::BinaryOp::Div,
        dtype,
        dtype,
        Datum::Array(Cow::Owned(sums)),
        Datum::ScalarBits(count),
    )
    .array()
}

/// Computes the mean squared deviation from the mean, in two passes over the elements.
fn variance<S: Source>(groups: &mut ReductionPlan<S>, ddof: usize) -> Result<Array, Error> {
    let (count, dtype) = (groups.depth(), groups.dtype);
    let means = divided(groups.folded(ReduceOp::Sum, dtype, None)?, count)?;
    let squares = if dtype == DType::C128 {
        DType::F64
    } else {
        dtype
    };
    let sums = groups.folded(ReduceOp::Sum, squares, Some(&means))?;
    divided(sums, count.saturating_sub(ddof))
}

/// The extreme that [`arg_reduce`] looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ArgOp {
    Min,
    Max,
}

impl ArgOp {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Min => "argmin",
            Self::Max => "argmax",
        }
    }
}

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
