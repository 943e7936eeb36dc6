//! Reductions along axes.
//!
//! What is reduced into one element is taken in row-major order, in strips of 512. Within a strip,
//! 32 lanes each take every 32nd element, and are combined as a tree; strips are combined pairwise.
//! So the result does not depend on how the elements lie in memory, and the error of a sum grows
//! with the logarithm of its length.
#![allow(
    unsafe_code,
    reason = "hands strips of arrays to loops over raw memory"
)]

use std::borrow::Cow;

use super::apply::operand;
use super::cast::{carrier, cast, is_small_float, path_to_carrier};
use super::fold;
use super::strip::{self, STRIP};
use crate::array::{Array, Dims, Uninit};
use crate::dtype::{DType, Kind};
use crate::error::Error;

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
        ReduceOp::Min | ReduceOp::Max => carrier(x),
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
    let narrow = is_small_float(x) && carrier(out) == DType::F32;
    if narrow { DType::F32 } else { DType::F64 }
}

/// The axes that stay and those that are reduced.
struct Split {
    kept: Dims,
    kept_axes: Vec<usize>,
    reduced: Dims,
    result: Dims,
}

impl Split {
    fn new(
        operation: &'static str,
        x: &Array,
        axes: &[usize],
        keep_dims: bool,
    ) -> Result<Self, Error> {
        if let Some(axis) = axes.iter().find(|axis| **axis >= x.rank()) {
            return Err(Error::AxisOutOfRange {
                operation,
                axis: isize::try_from(*axis).unwrap_or(isize::MAX),
                rank: x.rank(),
            });
        }
        let kept_axes: Vec<usize> = (0..x.rank()).filter(|axis| !axes.contains(axis)).collect();
        let sizes =
            |axes: &[usize]| -> Vec<usize> { axes.iter().map(|axis| x.shape()[*axis]).collect() };
        let kept = Dims::new(&sizes(&kept_axes))?;
        let reduced = Dims::new(&sizes(axes))?;
        let mut result = kept;
        if keep_dims {
            result = *x.dims();
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

/// Calls a function for each element of the result, in row-major order, with the strips reduced into
/// it.
fn each_group(
    x: &Array,
    split: &Split,
    axes: &[usize],
    dtype: DType,
    group: &mut dyn FnMut(usize, &mut dyn FnMut(&mut dyn FnMut(*const u8, usize))),
) {
    let mut whole = operand(x, x.dims(), path_to_carrier(x.dtype(), dtype));
    let strides = whole.strides;
    let mut reduced = split.reduced.map(|_| 0_isize);
    for (to, axis) in reduced.iter_mut().zip(axes) {
        *to = strides[*axis];
    }
    let kept: Vec<isize> = split.kept_axes.iter().map(|axis| strides[*axis]).collect();
    whole.strides = reduced;
    let mut strips = strip::Strips::new(&split.reduced, whole);
    let mut index = vec![0; split.kept.len()];
    for number in 0..split.kept.iter().product() {
        let offset: isize = index
            .iter()
            .zip(&kept)
            .map(|(index, stride): (&usize, &isize)| index.cast_signed() * stride)
            .sum();
        let first = x
            .as_ptr()
            .wrapping_offset(offset * x.dtype().size().cast_signed());
        // SAFETY: the index is within the kept axes, so along the reduced ones the array's elements
        // can be read; the path starts at the array's dtype.
        group(number, &mut |strip| unsafe { strips.each(first, strip) });
        for axis in (0..index.len()).rev() {
            index[axis] += 1;
            if index[axis] < split.kept[axis] {
                break;
            }
            index[axis] = 0;
        }
    }
}

/// Reduces along axes, which are sorted, distinct and exist. Small floats accumulate in `f32`, other
/// floats in `f64`, complex numbers in `c128`, integers wrapping in 64 bits; the result is cast to
/// `out` once.
///
/// # Errors
/// [`Error::EmptyReduction`] for the extreme of no elements, [`Error::AxisOutOfRange`],
/// [`Error::UnsupportedDType`].
pub(crate) fn reduce(
    op: ReduceOp,
    x: &Array,
    axes: &[usize],
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let split = Split::new(op.name(), x, axes, keep_dims)?;
    let is_sum = matches!(op, ReduceOp::Sum | ReduceOp::Prod | ReduceOp::Mean);
    // What the accumulator cannot represent is cast first, as NumPy does.
    let narrowed;
    let mut x = x;
    let drops_imaginary = x.dtype().kind() == Kind::Complex && out.kind() != Kind::Complex;
    let truncates = x.dtype().kind() == Kind::Float && out.kind() < Kind::Float;
    if is_sum && (drops_imaginary || (truncates && op != ReduceOp::Mean)) {
        narrowed = cast(Cow::Borrowed(x), out);
        x = &narrowed;
    }
    let count: usize = split.reduced.iter().product();
    let is_extreme = matches!(op, ReduceOp::Min | ReduceOp::Max);
    if is_extreme && count == 0 && !split.kept.contains(&0) {
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: x.shape().to_vec(),
        });
    }
    let dtype = accumulator(op, x.dtype(), out);
    let result = match op {
        ReduceOp::Mean => divided(folded(ReduceOp::Sum, x, &split, axes, dtype)?, count)?,
        ReduceOp::Var { ddof } => variance(x, &split, axes, dtype, ddof)?,
        ReduceOp::Std { ddof } => {
            let variance = variance(x, &split, axes, dtype, ddof)?;
            let dtype = variance.dtype();
            super::unary(super::UnaryOp::Sqrt, dtype, Cow::Owned(variance))
        }
        _ => folded(op, x, &split, axes, dtype)?,
    };
    Ok(cast(Cow::Owned(result), out))
}

/// Each group of elements folded into one.
fn folded(
    op: ReduceOp,
    x: &Array,
    split: &Split,
    axes: &[usize],
    dtype: DType,
) -> Result<Array, Error> {
    let accumulator = fold::accumulator(op, dtype).ok_or(Error::UnsupportedDType {
        operation: op.name(),
        dtype,
    })?;
    let mut buffer = Uninit::new(split.kept.iter().product::<usize>() * dtype.size());
    let first = buffer.as_mut_ptr();
    each_group(x, split, axes, dtype, &mut |number, each_strip| {
        let mut fold = accumulator.start();
        // SAFETY: strips hold elements of the accumulator's dtype.
        each_strip(&mut |strip, len| unsafe { fold.add(strip, len) });
        let to = first.wrapping_add(number * dtype.size());
        // SAFETY: there is room for an element per group.
        unsafe { fold.finish(to) };
    });
    // SAFETY: each group has written its element.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, dtype, split.result))
}

/// Divided by a count, in the dtype; a count of zero gives NaN for sums of nothing.
fn divided(sums: Array, count: usize) -> Result<Array, Error> {
    let dtype = sums.dtype();
    let count = Array::full(u64::try_from(count).unwrap_or(u64::MAX), &[])?;
    super::binary(
        super::BinaryOp::Div,
        dtype,
        Cow::Owned(sums),
        Cow::Owned(count),
    )
}

/// The mean squared distance from the mean: two passes over the elements.
fn variance(
    x: &Array,
    split: &Split,
    axes: &[usize],
    dtype: DType,
    ddof: usize,
) -> Result<Array, Error> {
    let count: usize = split.reduced.iter().product();
    let means = divided(folded(ReduceOp::Sum, x, split, axes, dtype)?, count)?;
    let squares_dtype = if dtype == DType::C128 {
        DType::F64
    } else {
        dtype
    };
    let sum = fold::accumulator(ReduceOp::Sum, squares_dtype).ok_or(Error::UnsupportedDType {
        operation: "var",
        dtype,
    })?;
    let square = fold::squared_distance(dtype);
    let mut buffer = Uninit::new(means.len() * squares_dtype.size());
    let first = buffer.as_mut_ptr();
    let mut squares = [0_f64; STRIP];
    each_group(x, split, axes, dtype, &mut |number, each_strip| {
        let mean = means.as_ptr().wrapping_add(number * dtype.size());
        let mut fold = sum.start();
        each_strip(&mut |strip, len| {
            let to = squares.as_mut_ptr().cast::<u8>();
            // SAFETY: the strip holds `len` elements of the dtype, `means` one per group, and
            // `squares` has room for a strip of the squares' dtype.
            unsafe {
                square([strip, mean].as_ptr(), to, len);
                fold.add(to, len);
            }
        });
        let to = first.wrapping_add(number * squares_dtype.size());
        // SAFETY: there is room for an element per group.
        unsafe { fold.finish(to) };
    });
    // SAFETY: each group has written its element.
    let buffer = unsafe { buffer.assume_init() };
    let sums = Array::from_buffer(buffer, squares_dtype, split.result);
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
/// [`Error::EmptyReduction`], [`Error::AxisOutOfRange`].
pub(crate) fn arg_reduce(
    op: ArgOp,
    x: &Array,
    axis: Option<usize>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let axes: Vec<usize> = match axis {
        Some(axis) => vec![axis],
        None => (0..x.rank()).collect(),
    };
    let split = Split::new(op.name(), x, &axes, keep_dims)?;
    if split.reduced.contains(&0) && !split.kept.contains(&0) {
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: x.shape().to_vec(),
        });
    }
    let dtype = carrier(x.dtype());
    let mut positions = Vec::with_capacity(split.kept.iter().product());
    each_group(x, &split, &axes, dtype, &mut |_, each_strip| {
        let mut search = fold::Search::new(op, dtype);
        // SAFETY: strips hold elements of the carrier.
        each_strip(&mut |strip, len| unsafe { search.add(strip, len) });
        positions.push(search.position());
    });
    let positions = Array::from_elements::<i64>(&positions, &split.result)?;
    Ok(cast(Cow::Owned(positions), out))
}
