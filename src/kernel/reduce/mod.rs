//! Reductions along axes.
//!
//! What is reduced into one element is taken in row-major order, in blocks of 512. Within a block,
//! 32 lanes each take every 32nd element, and are combined as a tree; blocks are combined pairwise.
//! So the result does not depend on how the elements lie in memory, and the error of a sum grows
//! with the logarithm of its length.
//!
//! Where neighbours in memory belong to different elements of the result, a block of the result is
//! reduced at a time: in the same order, but with rows in the place of elements.
#![allow(
    unsafe_code,
    reason = "hands blocks of arrays to loops over raw memory"
)]

mod plan;
mod source;

use std::borrow::Cow;

use plan::{AxisSplit, ReductionPlan};
pub(super) use source::{Blocks, Source, in_order};

use super::accumulate;
use super::cast::{cast, chain, compute_dtype, is_small_float};
use crate::array::{Array, Dims, OpResult, PerAxis, Uninit};
use crate::array::{Datum, ScalarBits};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::drive::block::convert;

/// What becomes of the elements along the reduced axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ReduceOp {
    Sum,
    Prod,
    /// NaN if there is one.
    Min,
    /// NaN if there is one.
    Max,
    Any,
    All,
    /// NaN of no elements.
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

/// The dtype in which a reduction accumulates.
fn accumulator(op: ReduceOp, x: DType, out: DType) -> DType {
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

/// Reduces along axes, which are sorted, distinct and exist; along all if none are given. Small floats accumulate in
/// `f32`, other floats in `f64`, complex numbers in `c128`, integers wrapping in 64 bits; the result is cast to
/// `out` once.
///
/// # Errors
/// [`Error::EmptyReduction`] for the extreme of no elements, [`Error::AxisOutOfRange`],
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

/// [`reduce`] of all elements, where they lie one after the other and are folded as they are: of few
/// elements, what else there is to find out takes longer than to fold them. Nothing without memory.
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
    // SAFETY: the array has these elements; there is room for any, and for the result.
    unsafe {
        accumulator.fold(x.as_ptr(), x.dtype().size(), x.len(), folded);
        convert(chain, folded, 1, to, between);
    }
    // SAFETY: this is the element of dtype `out`.
    let buffer = unsafe { buffer.assume_init() };
    let shape = if keep_dims {
        *x.dims()
    } else {
        Dims::default()
    };
    Some(Array::of_one(buffer, out, &shape))
}

/// Whether elements are cast before they are reduced, as NumPy does: where the accumulator cannot represent
/// them.
fn casts_first(op: ReduceOp, from: DType, out: DType) -> bool {
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
    if is_extreme && count == 0 && !split.kept.contains(&0) {
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

/// Divided by a count, in the dtype; a count of zero gives NaN for sums of nothing.
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

/// The mean squared distance from the mean: two passes over the elements.
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

/// Which extreme [`arg_reduce`] looks for.
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

/// The position of the first extreme along an axis, or of all elements in row-major order; a NaN
/// is more extreme than any number.
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
    if split.reduced.contains(&0) && !split.kept.contains(&0) {
        source.prepare()?;
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: source.dims().to_vec(),
        });
    }
    let dtype = compute_dtype(source.dtype());
    #[cfg(feature = "stablehlo")]
    if let Some(x) = source.traced() {
        return crate::stablehlo::record::arg_reduce(op, x, axes, split.result, out);
    }
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
        // SAFETY: blocks hold elements of the compute_dtype.
        unsafe { search.add(block, len) };
        if is_last {
            // SAFETY: there is room for a position per group.
            unsafe { positions.add(number).write(search.position()) };
            search = accumulate::ArgReducer::new(op, dtype);
        }
    })?;
    // SAFETY: each group has written its position.
    let buffer = unsafe { buffer.assume_init() };
    let positions = Array::from_buffer(buffer, DType::I64, split.result);
    cast(Cow::Owned(positions), out)
}
