//! Reductions along axes.
//!
//! What is reduced into one element is taken in row-major order, in strips of 512. Within a strip,
//! 32 lanes each take every 32nd element, and are combined as a tree; strips are combined pairwise.
//! So the result does not depend on how the elements lie in memory, and the error of a sum grows
//! with the logarithm of its length.
//!
//! Where neighbours in memory belong to different elements of the result, a strip of the result is
//! reduced at a time: in the same order, but with rows in the place of elements.
#![allow(
    unsafe_code,
    reason = "hands strips of arrays to loops over raw memory"
)]

use std::borrow::Cow;

use super::apply::operand;
use super::cast::{carrier, cast, is_small_float, path_to_carrier};
use super::fold;
use super::strip::{Operand, Rows, STRIP, Strips};
use crate::array::{Array, Dims, Strides, Uninit};
use crate::dtype::{DType, Kind};
use crate::error::Error;

/// Groups of fewer elements are reduced side by side, if there are many.
const SHORT_GROUP: usize = 64;
/// Fewer groups are reduced one by one.
const MANY_GROUPS: usize = 32;

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

/// The elements of an array, by the element of the result they are reduced into.
struct Groups<'a> {
    x: &'a Array,
    split: &'a Split,
    /// What the elements are converted into.
    dtype: DType,
    /// The whole array.
    operand: Operand,
    /// Of the axes that stay.
    kept: Strides,
    /// Of the axes that are reduced.
    reduced: Strides,
}

impl<'a> Groups<'a> {
    fn new(x: &'a Array, split: &'a Split, axes: &[usize], dtype: DType) -> Self {
        let operand = operand(x, x.dims(), path_to_carrier(x.dtype(), dtype));
        let strides_of = |dims: &Dims, axes: &[usize]| {
            let mut strides = dims.map(|_| 0_isize);
            for (to, axis) in strides.iter_mut().zip(axes) {
                *to = operand.strides[*axis];
            }
            strides
        };
        let kept = strides_of(&split.kept, &split.kept_axes);
        let reduced = strides_of(&split.reduced, axes);
        Self {
            x,
            split,
            dtype,
            operand,
            kept,
            reduced,
        }
    }

    /// How many groups there are.
    fn len(&self) -> usize {
        self.split.kept.iter().product()
    }

    /// How many elements are in each.
    fn depth(&self) -> usize {
        self.split.reduced.iter().product()
    }

    /// Whether it is faster to take an element of each of many groups at a time than many elements
    /// of one group: groups are short, or their elements lie farther apart than the groups do.
    fn side_by_side(&self) -> bool {
        let closest = |dims: &Dims, strides: &Strides| {
            let strides = dims.iter().zip(strides.iter());
            let far = strides.filter(|(size, stride)| **size > 1 && **stride != 0);
            far.map(|(_, stride)| stride.unsigned_abs()).min()
        };
        let across = closest(&self.split.reduced, &self.reduced);
        let along = closest(&self.split.kept, &self.kept);
        let depth = self.depth();
        let is_flat = depth < SHORT_GROUP || along < across;
        depth > 0 && self.len() >= MANY_GROUPS && is_flat
    }

    /// Calls a function for each group, in row-major order, with its strips.
    fn each(&self, group: &mut dyn FnMut(usize, &mut dyn FnMut(&mut dyn FnMut(*const u8, usize)))) {
        let strides = self.reduced;
        let mut strips = Strips::new(
            &self.split.reduced,
            Operand {
                strides,
                ..self.operand
            },
        );
        let kept = &self.split.kept;
        let mut index = vec![0; kept.len()];
        for number in 0..self.len() {
            let offset: isize = index
                .iter()
                .zip(self.kept.iter())
                .map(|(index, stride): (&usize, &isize)| index.cast_signed() * stride)
                .sum();
            let first = self
                .x
                .as_ptr()
                .wrapping_offset(offset * self.operand.size.cast_signed());
            // SAFETY: the index is within the kept axes, so along the reduced ones the array's
            // elements can be read; the path starts at the array's dtype.
            group(number, &mut |strip| unsafe { strips.each(first, strip) });
            for axis in (0..index.len()).rev() {
                index[axis] += 1;
                if index[axis] < kept[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
    }

    /// Calls a function for each strip of groups, with the number of the first, how many there are,
    /// and their elements at each position.
    fn each_strip(&self, strip: &mut dyn FnMut(usize, usize, &mut dyn FnMut(usize) -> *const u8)) {
        let strides = self.kept;
        let mut rows = Rows::new(
            (&self.split.reduced, self.reduced),
            &self.split.kept,
            Operand {
                strides,
                ..self.operand
            },
        );
        let (count, depth) = (self.len(), self.depth());
        for first in (0..count).step_by(STRIP) {
            let len = STRIP.min(count - first);
            strip(first, len, &mut |row| {
                assert!(row < depth, "a position in the groups");
                // SAFETY: the row exists, and groups from `first` on; the path starts at the
                // array's dtype.
                unsafe { rows.part(row, first, len) }
            });
        }
    }

    /// Each group folded into one element of `dtype`; given the means of the groups, the squares of
    /// the distances from them are folded.
    fn folded(&self, op: ReduceOp, dtype: DType, means: Option<&Array>) -> Result<Array, Error> {
        let accumulator = fold::accumulator(op, dtype).ok_or(Error::UnsupportedDType {
            operation: op.name(),
            dtype,
        })?;
        let mut buffer = Uninit::new(self.len() * dtype.size());
        let result = buffer.as_mut_ptr();
        let to = |number: usize| result.wrapping_add(number * dtype.size());
        let mean = |means: &Array, number: usize| {
            let size = self.dtype.size();
            means.as_ptr().wrapping_add(number * size)
        };
        let mut squares = [0_f64; STRIP];
        let squares = squares.as_mut_ptr().cast::<u8>();
        if self.side_by_side() {
            let square = fold::squared_distances(self.dtype);
            let mut fold = fold::RowFolding::new(&accumulator, self.depth());
            self.each_strip(&mut |first, len, row| {
                let mut row = |at| {
                    let row = row(at);
                    let Some(means) = means else {
                        return row;
                    };
                    // SAFETY: the row holds `len` elements of the dtype, `means` one per group, and
                    // `squares` has room for a strip of the squares' dtype.
                    unsafe { square([row, mean(means, first)].as_ptr(), squares, len) };
                    squares
                };
                // SAFETY: rows hold elements of the accumulator's dtype; there is room for an
                // element per group.
                unsafe { fold.fold(self.depth(), len, &mut row, to(first)) };
            });
        } else {
            let square = fold::squared_distance(self.dtype);
            self.each(&mut |number, each_strip| {
                let mut fold = accumulator.start();
                each_strip(&mut |mut strip, len| {
                    if let Some(means) = means {
                        // SAFETY: as above, for a strip of one group.
                        unsafe { square([strip, mean(means, number)].as_ptr(), squares, len) };
                        strip = squares;
                    }
                    // SAFETY: strips hold elements of the accumulator's dtype.
                    unsafe { fold.add(strip, len) };
                });
                // SAFETY: there is room for an element per group.
                unsafe { fold.finish(to(number)) };
            });
        }
        // SAFETY: each group has written its element.
        let buffer = unsafe { buffer.assume_init() };
        Ok(Array::from_buffer(buffer, dtype, self.split.result))
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
    let groups = Groups::new(x, &split, axes, dtype);
    let result = match op {
        ReduceOp::Mean => divided(groups.folded(ReduceOp::Sum, dtype, None)?, count)?,
        ReduceOp::Var { ddof } => variance(&groups, ddof)?,
        ReduceOp::Std { ddof } => {
            let variance = variance(&groups, ddof)?;
            let dtype = variance.dtype();
            super::unary(super::UnaryOp::Sqrt, dtype, Cow::Owned(variance))
        }
        _ => groups.folded(op, dtype, None)?,
    };
    Ok(cast(Cow::Owned(result), out))
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
fn variance(groups: &Groups, ddof: usize) -> Result<Array, Error> {
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
    Groups::new(x, &split, &axes, dtype).each(&mut |_, each_strip| {
        let mut search = fold::Search::new(op, dtype);
        // SAFETY: strips hold elements of the carrier.
        each_strip(&mut |strip, len| unsafe { search.add(strip, len) });
        positions.push(search.position());
    });
    let positions = Array::from_elements::<i64>(&positions, &split.result)?;
    Ok(cast(Cow::Owned(positions), out))
}
