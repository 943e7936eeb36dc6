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
use super::cast::{carrier, cast, is_small_float, path, path_to_carrier};
use super::fold;
use super::parallel::{Shared, split};
use super::side::{Side, Single};
use super::strip::{STRIP, Strip};
use super::walk::Reader;
use crate::array::{Array, Dims, PerAxis, Strides, Uninit, broadcast_strides};
use crate::dtype::{DType, Kind};
use crate::error::Error;

/// What is reduced: an array, or a program that makes one.
pub(super) trait Source: Sized {
    type Strips: Strips;

    fn dtype(&self) -> DType;
    fn dims(&self) -> &Dims;
    /// How far apart neighbours along each axis lie in memory.
    fn strides(&self) -> Strides;
    /// The element at index zero, if the elements lie in memory.
    fn memory(&self) -> Option<*const u8>;
    fn cast(self, to: DType) -> Self;
    /// Computes what can be computed before the elements are read.
    ///
    /// # Errors
    /// Those of the computation.
    fn prepare(&mut self) -> Result<(), Error>;
    /// Its elements with the axes in another order, converted into a dtype that computes as it is.
    ///
    /// # Errors
    /// Those of [`Self::prepare`].
    fn strips(&mut self, order: &[usize], dtype: DType) -> Result<Self::Strips, Error>;
    /// Takes back what [`Self::strips`] gave, after it was read.
    ///
    /// # Errors
    /// What went wrong while it was read.
    fn finish(&mut self, strips: Self::Strips) -> Result<(), Error>;
}

/// Elements to read, by position in row-major order.
///
/// # Safety
/// [`Self::strip`] gives elements that can be read, of the dtype that [`Source::strips`] was asked for.
pub(super) unsafe trait Strips {
    /// The elements from a position on, which the next call may overwrite.
    ///
    /// # Safety
    /// There are `len` of them, at most [`STRIP`].
    unsafe fn strip(&mut self, position: usize, len: usize) -> *const u8;
}

impl Source for Cow<'_, Array> {
    type Strips = ArrayStrips;

    fn dtype(&self) -> DType {
        Array::dtype(self)
    }

    fn dims(&self) -> &Dims {
        Array::dims(self)
    }

    fn strides(&self) -> Strides {
        broadcast_strides(self.shape(), Array::strides(self), Array::dims(self))
    }

    fn memory(&self) -> Option<*const u8> {
        Some(self.as_ptr())
    }

    fn cast(self, to: DType) -> Self {
        Self::Owned(cast(self, to))
    }

    fn prepare(&mut self) -> Result<(), Error> {
        Ok(())
    }

    fn strips(&mut self, order: &[usize], dtype: DType) -> Result<ArrayStrips, Error> {
        let path = path_to_carrier(Array::dtype(self), dtype);
        let shape = in_order(Array::dims(self), order);
        let mut operand = operand(self, Array::dims(self), path);
        operand.strides = in_order(&operand.strides, order);
        Ok(ArrayStrips {
            reader: Reader::new(&shape, operand),
            _array: Array::clone(self),
        })
    }

    fn finish(&mut self, _: ArrayStrips) -> Result<(), Error> {
        Ok(())
    }
}

/// The elements of an array, which it keeps alive.
pub(super) struct ArrayStrips {
    reader: Reader,
    _array: Array,
}

// SAFETY: an array's elements can be read, and the path ends in the dtype.
unsafe impl Strips for ArrayStrips {
    unsafe fn strip(&mut self, position: usize, len: usize) -> *const u8 {
        // SAFETY: an array's elements can be read; the path starts at its dtype; the caller's.
        unsafe { self.reader.strip(position, len) }
    }
}

/// One value per axis, with the axes in another order.
pub(super) fn in_order<T: Copy + Default>(values: &PerAxis<T>, order: &[usize]) -> PerAxis<T> {
    let mut ordered = *values;
    for (to, axis) in ordered.iter_mut().zip(order) {
        *to = values[*axis];
    }
    ordered
}

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
    kept_axes: PerAxis<usize>,
    reduced: Dims,
    result: Dims,
}

impl Split {
    fn new(
        operation: &'static str,
        shape: &Dims,
        axes: &[usize],
        keep_dims: bool,
    ) -> Result<Self, Error> {
        if let Some(axis) = axes.iter().find(|axis| **axis >= shape.len()) {
            return Err(Error::AxisOutOfRange {
                operation,
                axis: isize::try_from(*axis).unwrap_or(isize::MAX),
                rank: shape.len(),
            });
        }
        let mut kept_axes = PerAxis::filled(0, shape.len() - axes.len())?;
        let others = (0..shape.len()).filter(|axis| !axes.contains(axis));
        for (to, axis) in kept_axes.iter_mut().zip(others) {
            *to = axis;
        }
        let kept = kept_axes.map(|axis| shape[axis]);
        let reduced = PerAxis::new(axes)?.map(|axis| shape[axis]);
        let mut result = kept;
        if keep_dims {
            result = *shape;
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

/// The elements of a source, by the element of the result they are reduced into.
struct Groups<'a, S> {
    source: S,
    split: &'a Split,
    axes: &'a [usize],
    /// What the elements are converted into.
    dtype: DType,
    strides: Strides,
}

impl<S: Source> Groups<'_, S> {
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
        let (shape, strides) = (self.source.dims(), &self.strides);
        let closest = |axes: &[usize]| {
            let far = axes
                .iter()
                .filter(|axis| shape[**axis] > 1 && strides[**axis] != 0);
            far.map(|axis| strides[*axis].unsigned_abs()).min()
        };
        let across = closest(self.axes);
        let along = closest(&self.split.kept_axes);
        let depth = self.depth();
        let is_flat = depth < SHORT_GROUP || along < across;
        depth > 0 && self.len() >= MANY_GROUPS && is_flat
    }

    /// How far apart neighbours along axes lie in memory, if these can be walked as one.
    fn merged(&self, axes: &[usize]) -> Option<isize> {
        let (shape, strides) = (self.source.dims(), &self.strides);
        let mut walked = axes.iter().rev().filter(|axis| shape[**axis] != 1);
        // With one position at most there are no neighbours.
        let Some(last) = walked.next() else {
            return Some(1);
        };
        let extent = |axis: usize| strides[axis].wrapping_mul(shape[axis].cast_signed());
        let mut inner = extent(*last);
        for axis in walked {
            if strides[*axis] != inner {
                return None;
            }
            inner = extent(*axis);
        }
        Some(strides[*last])
    }

    /// Calls a function with each strip, group by group in row-major order: with the number of the
    /// group, whether the strip is its last, the elements and how many they are. A group of no
    /// elements is one strip.
    fn each(&mut self, strip: &mut dyn FnMut(usize, bool, *const u8, usize)) -> Result<(), Error> {
        let (count, depth) = (self.len(), self.depth());
        let order = [&*self.split.kept_axes, self.axes].concat();
        let mut strips = self.source.strips(&order, self.dtype)?;
        for number in 0..count {
            if depth == 0 {
                strip(number, true, core::ptr::null(), 0);
            }
            for done in (0..depth).step_by(STRIP) {
                let len = STRIP.min(depth - done);
                // SAFETY: groups lie one after the other, and this one has `len` more elements.
                let elements = unsafe { strips.strip(number * depth + done, len) };
                strip(number, done + len == depth, elements, len);
            }
        }
        self.source.finish(strips)
    }

    /// Calls a function for each strip of groups, with the number of the first, how many there are,
    /// and their elements at each position.
    fn each_strip(
        &mut self,
        strip: &mut dyn FnMut(usize, usize, &mut dyn FnMut(usize) -> *const u8),
    ) -> Result<(), Error> {
        let (count, depth) = (self.len(), self.depth());
        let order = [self.axes, &*self.split.kept_axes].concat();
        let mut strips = self.source.strips(&order, self.dtype)?;
        for first in (0..count).step_by(STRIP) {
            let len = STRIP.min(count - first);
            strip(first, len, &mut |row| {
                assert!(row < depth, "a position in the groups");
                // SAFETY: rows of one element of each group lie one after the other; this one has
                // `len` from `first` on.
                unsafe { strips.strip(row * count + first, len) }
            });
        }
        self.source.finish(strips)
    }

    /// Folds each group into one element of `dtype`, if elements can be read where they lie, along groups
    /// or along their neighbours.
    ///
    /// # Safety
    /// There is room for an element per group.
    unsafe fn fold_in_memory(&self, op: ReduceOp, dtype: DType, result: *mut u8) -> bool {
        let read = self.source.dtype();
        let accumulator = fold::accumulator(op, dtype, read);
        let (Some(first), Some(accumulator)) = (self.source.memory(), accumulator) else {
            return false;
        };
        if !fold::reads(op, dtype, read) {
            return false;
        }
        let merged = (
            self.merged(&self.split.kept_axes),
            self.merged(self.axes),
            self.side_by_side(),
        );
        let (count, depth) = (self.len(), self.depth());
        let read_size = read.size();
        let shared = Shared::new((first, result));
        let at = move |position: usize, stride: isize, number: usize| {
            let (first, result) = shared.get();
            let offset = position.cast_signed() * stride * read_size.cast_signed();
            (
                first.wrapping_offset(offset),
                result.wrapping_add(number * dtype.size()),
            )
        };
        match merged {
            (Some(kept), Some(1), false) => {
                let least = (fold::FEWEST / depth.max(1)).max(1);
                split(count, 1, least, |groups| {
                    for number in groups {
                        let (group, to) = at(number, kept, number);
                        // SAFETY: the group's elements lie one after the other; the caller's.
                        unsafe { accumulator.fold(group, read_size, depth, to) };
                    }
                });
            }
            (Some(1), Some(reduced), true) => {
                let widest = accumulator.widest();
                split(count, widest, fold::FEWEST / depth, |groups| {
                    let mut rows = fold::RowFolding::new(&accumulator, depth);
                    for start in groups.clone().step_by(widest) {
                        let len = widest.min(groups.end - start);
                        let mut row = |row: usize| {
                            let (row, _) = at(row, reduced, 0);
                            row.wrapping_add(start * read_size)
                        };
                        let mut all = fold::RowsOf {
                            count: depth,
                            len,
                            row: &mut row,
                            stays: true,
                        };
                        let (_, to) = at(0, 0, start);
                        // SAFETY: an element of each group lies beside that of the next; the
                        // caller's.
                        unsafe { rows.fold(&mut all, to) };
                    }
                });
            }
            _ => return false,
        }
        true
    }

    /// Each group folded into one element of `dtype`; given the means of the groups, the squares of
    /// the distances from them are folded.
    fn folded(
        &mut self,
        op: ReduceOp,
        dtype: DType,
        means: Option<&Array>,
    ) -> Result<Array, Error> {
        let unsupported = Error::UnsupportedDType {
            operation: op.name(),
            dtype,
        };
        let mut buffer = Uninit::new(self.len() * dtype.size());
        let result = buffer.as_mut_ptr();
        // SAFETY: there is room for an element per group.
        if means.is_none() && unsafe { self.fold_in_memory(op, dtype, result) } {
            // SAFETY: each group has written its element.
            let buffer = unsafe { buffer.assume_init() };
            return Ok(Array::from_buffer(buffer, dtype, self.split.result));
        }
        let accumulator = fold::accumulator(op, dtype, dtype).ok_or(unsupported)?;
        let to = |number: usize| result.wrapping_add(number * dtype.size());
        let mean = |means: &Array, number: usize| {
            let size = means.dtype().size();
            means.as_ptr().wrapping_add(number * size)
        };
        let mut squares = Strip::empty();
        let squares = squares.pointer();
        if self.side_by_side() {
            let square = fold::squared_distances(self.dtype);
            let depth = self.depth();
            let mut fold = fold::RowFolding::new(&accumulator, depth);
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
                let mut rows = fold::RowsOf {
                    count: depth,
                    len,
                    row: &mut row,
                    stays: false,
                };
                // SAFETY: rows hold elements of the accumulator's dtype; there is room for an
                // element per group.
                unsafe { fold.fold(&mut rows, to(first)) };
            })?;
        } else {
            let square = fold::squared_distance(self.dtype);
            let mut fold = accumulator.start();
            self.each(&mut |number, is_last, mut strip, len| {
                if let Some(means) = means
                    && len > 0
                {
                    // SAFETY: as above, for a strip of one group.
                    unsafe { square([strip, mean(means, number)].as_ptr(), squares, len) };
                    strip = squares;
                }
                if len > 0 {
                    // SAFETY: strips hold elements of the accumulator's dtype.
                    unsafe { fold.add(strip, len) };
                }
                if is_last {
                    // SAFETY: there is room for an element per group.
                    unsafe { fold.finish(to(number)) };
                    fold.restart();
                }
            })?;
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
    match reduce_all(op, x, axes, keep_dims, out) {
        Some(result) => Ok(result),
        None => reduce_source(op, Cow::Borrowed(x), axes, keep_dims, out),
    }
}

/// [`reduce`] of all elements, where they lie one after the other and are folded as they are: of few
/// elements, what else there is to find out takes longer than to fold them.
fn reduce_all(
    op: ReduceOp,
    x: &Array,
    axes: &[usize],
    keep_dims: bool,
    out: DType,
) -> Option<Array> {
    let all = axes.len() == x.rank() && axes.iter().enumerate().all(|(at, axis)| at == *axis);
    let is_mean = matches!(
        op,
        ReduceOp::Mean | ReduceOp::Var { .. } | ReduceOp::Std { .. }
    );
    if !all || x.is_empty() || !x.is_contiguous() || is_mean || casts_first(op, x.dtype(), out) {
        return None;
    }
    let dtype = accumulator(op, x.dtype(), out);
    if !fold::reads(op, dtype, x.dtype()) {
        return None;
    }
    let accumulator = fold::accumulator(op, dtype, x.dtype())?;
    let mut elements = [fold::Element::ZERO; 2];
    let to = elements[0].pointer();
    // SAFETY: the array has these elements; there is room for any.
    unsafe { accumulator.fold(x.as_ptr(), x.dtype().size(), x.len(), to) };
    for kernel in path(dtype, out) {
        let [from, to] = &mut elements;
        // SAFETY: the path starts at `dtype`; there is room for any element.
        unsafe { kernel(&from.pointer().cast_const(), to.pointer(), 1) };
        elements.swap(0, 1);
    }
    let mut buffer = Uninit::new(out.size());
    // SAFETY: the element is of dtype `out` now; all of it is written.
    let buffer = unsafe {
        let to = buffer.as_mut_ptr();
        to.copy_from_nonoverlapping(elements[0].pointer(), out.size());
        buffer.assume_init()
    };
    let shape = Dims::filled(1, if keep_dims { x.rank() } else { 0 }).ok()?;
    Some(Array::from_buffer(buffer, out, shape))
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
    axes: &[usize],
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let split = Split::new(op.name(), source.dims(), axes, keep_dims)?;
    if casts_first(op, source.dtype(), out) {
        source = source.cast(out);
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
    let mut groups = Groups {
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
            super::unary(super::UnaryOp::Sqrt, dtype, Cow::Owned(variance))
        }
        _ => groups.folded(op, dtype, None)?,
    };
    Ok(cast(Cow::Owned(result), out))
}

/// Divided by a count, in the dtype; a count of zero gives NaN for sums of nothing.
fn divided(sums: Array, count: usize) -> Result<Array, Error> {
    let dtype = sums.dtype();
    let count = Single::new(u64::try_from(count).unwrap_or(u64::MAX));
    super::binary(
        super::BinaryOp::Div,
        dtype,
        dtype,
        Side::Array(Cow::Owned(sums)),
        Side::Single(count),
    )
}

/// The mean squared distance from the mean: two passes over the elements.
fn variance<S: Source>(groups: &mut Groups<S>, ddof: usize) -> Result<Array, Error> {
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
    let axes: Vec<usize> = match axis {
        Some(axis) => vec![axis],
        None => (0..source.dims().len()).collect(),
    };
    let split = Split::new(op.name(), source.dims(), &axes, keep_dims)?;
    if split.reduced.contains(&0) && !split.kept.contains(&0) {
        source.prepare()?;
        return Err(Error::EmptyReduction {
            operation: op.name(),
            shape: source.dims().to_vec(),
        });
    }
    let dtype = carrier(source.dtype());
    let mut positions = Vec::with_capacity(split.kept.iter().product());
    let mut search = fold::Search::new(op, dtype);
    let mut groups = Groups {
        strides: source.strides(),
        source,
        split: &split,
        axes: &axes,
        dtype,
    };
    groups.each(&mut |_, is_last, strip, len| {
        // SAFETY: strips hold elements of the carrier.
        unsafe { search.add(strip, len) };
        if is_last {
            positions.push(search.position());
            search = fold::Search::new(op, dtype);
        }
    })?;
    let positions = Array::from_elements::<i64>(&positions, &split.result)?;
    Ok(cast(Cow::Owned(positions), out))
}
