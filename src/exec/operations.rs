//! Operations.

use std::borrow::Cow;

use super::is_tracing;
use crate::array::{Array, Datum, Dims, OpResult, ScalarBits};
use crate::dtype::{DType, Loss};
use crate::error::Error;
pub(crate) use crate::kernel::Sequence;
use crate::kernel::{
    self, ArgOp, BinaryOp, CompareOp, ConvShapes, ReduceOp, ScanOp, SoftmaxOp, TransposedShapes,
    Triangle, UnaryOp,
};

/// Casts both operands to a dtype, computes in it, and casts the result to `out`; it has the broadcast shape. An owned
/// operand with the result's dtype and shape gives its memory to the result.
///
/// # Errors
/// [`Error::ShapeMismatch`]; [`Error::UnsupportedDType`] if the operation has no meaning in the dtype; on integers
/// [`Error::DivisionByZero`] and [`Error::NegativeExponent`]; [`Error::OutOfMemory`].
#[inline]
pub(crate) fn binary<'a>(
    op: BinaryOp,
    compute: DType,
    out: DType,
    lhs: Datum<'a>,
    rhs: Datum<'a>,
) -> OpResult {
    match op {
        // A power may be computed as a product or a quotient, for which the fast path does not check. Most callers name a constant
        // operation, so that this branch costs the others nothing.
        BinaryOp::Pow => binary_general(op, compute, out, lhs, rhs),
        _ => kernel::binary_small(op, compute, out, lhs, rhs, binary_general),
    }
}

fn binary_general<'a>(
    op: BinaryOp,
    compute: DType,
    out: DType,
    lhs: Datum<'a>,
    rhs: Datum<'a>,
) -> OpResult {
    record_if_traced!([lhs, rhs] => binary(op, compute, out, lhs, rhs));
    kernel::binary(op, compute, out, lhs, rhs)
}

/// Casts each operand to a dtype and compares them. The result is boolean and has the broadcast shape.
///
/// Both dtypes are the same, or they are `u64` and `i64`, which are compared by value.
///
/// # Errors
/// [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn compare<'a>(
    op: CompareOp,
    compute: [DType; 2],
    lhs: Datum<'a>,
    rhs: Datum<'a>,
) -> OpResult {
    kernel::compare_small(op, compute, lhs, rhs, compare_general)
}

fn compare_general<'a>(
    op: CompareOp,
    compute: [DType; 2],
    lhs: Datum<'a>,
    rhs: Datum<'a>,
) -> OpResult {
    record_if_traced!([lhs, rhs] => compare(op, compute, lhs, rhs));
    kernel::compare(op, compute, lhs, rhs)
}

/// Casts the operand to a dtype, computes in it, and casts the result, of dtype [`UnaryOp::result`], to `out`.
///
/// # Errors
/// [`Error::UnsupportedDType`] if the function has no meaning in the dtype; [`Error::OutOfMemory`].
#[inline]
pub(crate) fn unary(op: UnaryOp, compute: DType, out: DType, x: Cow<'_, Array>) -> OpResult {
    record_if_traced!([x] => unary(op, compute, out, &x));
    kernel::unary(op, compute, out, x)
}

/// Converts every element; `dtype/cast.rs` defines the values. An owned array with elements of the same size gives
/// its memory to the result.
///
/// # Errors
/// [`Error::OutOfMemory`].
#[inline(always)] // Inlined, so that the array is written where the caller keeps it, and not moved there.
pub(crate) fn cast(x: Cow<'_, Array>, to: DType) -> Result<Array, Error> {
    if x.dtype() == to {
        return Ok(x.into_owned());
    }
    record_if_traced!([x] => cast(&x, to));
    kernel::cast(x, to)
}

/// Converts every element. A value beyond the finite numbers of the dtype becomes the nearest of them.
///
/// # Errors
/// [`Error::UnsupportedDType`] of complex numbers, [`Error::OutOfMemory`].
#[inline]
pub(crate) fn cast_saturating(x: Cow<'_, Array>, to: DType) -> Result<Array, Error> {
    record_if_traced!([x] => cast_saturating(&x, to));
    kernel::cast_saturating(x, to)
}

/// Converts every element if the dtype represents each value exactly. NaN counts as preserved if it stays NaN, and
/// negative zero if it becomes zero.
///
/// # Errors
/// The error that `inexact` makes from the position, in row-major order, of the first value that is not preserved;
/// [`Error::OutOfMemory`]. A conversion that can lose values reads them, so it refuses tracers.
pub(crate) fn try_cast(
    x: &Array,
    to: DType,
    inexact: impl FnOnce(usize) -> Error,
) -> Result<Array, Error> {
    if x.dtype().loss_to(to) == Loss::None {
        return cast(Cow::Borrowed(x), to);
    }
    super::require_concrete("try_cast", x)?;
    kernel::try_cast(x, to, inexact)
}

/// Takes elements of `a` where the condition is true, else of `b`, both cast to `dtype`, and casts the result to
/// `out`. All three operands broadcast.
///
/// # Errors
/// [`Error::DTypeMismatch`] if the condition is not boolean, [`Error::ShapeMismatch`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn select<'a>(
    condition: Cow<'a, Array>,
    dtype: DType,
    out: DType,
    a: Datum<'a>,
    b: Datum<'a>,
) -> OpResult {
    kernel::select_small(condition, dtype, out, a, b, select_general)
}

fn select_general<'a>(
    condition: Cow<'a, Array>,
    dtype: DType,
    out: DType,
    a: Datum<'a>,
    b: Datum<'a>,
) -> OpResult {
    record_if_traced!([condition, a, b] => select(&condition, dtype, out, a, b));
    kernel::select(condition, dtype, out, a, b)
}

/// Concatenates arrays, each cast to a dtype, along an existing axis.
///
/// # Errors
/// [`Error::ShapeMismatch`] if shapes differ in rank or in another axis, [`Error::AxisOutOfRange`],
/// [`Error::LengthMismatch`] if there are no arrays, [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn concat(arrays: &[&Array], axis: usize, out: DType) -> Result<Array, Error> {
    record_if_traced!([arrays] => concat(arrays, axis, out));
    kernel::concat(arrays, axis, out)
}

/// Computes the matrix product as NumPy defines it; see [`kernel::matmul`].
///
/// # Errors
/// [`Error::SizeMismatch`], [`Error::ShapeMismatch`], [`Error::TooFewAxes`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn matmul(lhs: &Array, rhs: &Array, out: DType) -> Result<Array, Error> {
    record_if_traced!([lhs, rhs] => matmul(lhs, rhs, out));
    kernel::matmul(lhs, rhs, out)
}

/// Convolves an operand with filters, which [`ConvShapes::new`] has checked; see [`kernel::conv`].
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn conv(
    x: &Array,
    filters: &Array,
    shapes: &ConvShapes<'_>,
    out: DType,
) -> Result<Array, Error> {
    record_if_traced!([x, filters] => conv(x, filters, shapes, out));
    kernel::conv(x, filters, shapes, out)
}

/// Convolves an operand with filters, transposed; see [`kernel::conv_transpose`].
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn conv_transpose(
    x: &Array,
    filters: &Array,
    shapes: &TransposedShapes<'_>,
    out: DType,
) -> Result<Array, Error> {
    record_if_traced!([x, filters] => conv_transpose(x, filters, shapes, out));
    kernel::conv_transpose(x, filters, shapes, out)
}

/// Reduces along axes, which must be sorted, distinct and exist; along all axes if none are given. See
/// [`kernel::reduce`](kernel::reduce()).
///
/// # Errors
/// [`Error::EmptyReduction`] for the minimum or maximum of no elements, [`Error::AxisOutOfRange`],
/// [`Error::UnsupportedDType`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn reduce(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> OpResult {
    kernel::reduce_small(op, x, axes, keep_dims, out, reduce_general)
}

/// Counts the elements that are not zero, as [`kernel::count_nonzero`](kernel::count_nonzero()) does. `None` of a tracer, which is never
/// contiguous.
#[inline]
pub(crate) fn count_nonzero(
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> Option<Array> {
    kernel::count_nonzero(x, axes, keep_dims, out)
}

/// Makes a vector of numbers in equal steps; see [`kernel::sequence`](kernel::sequence()).
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn sequence(numbers: &Sequence, dtype: DType) -> Result<Array, Error> {
    kernel::sequence(numbers, dtype)
}

/// Pads with the array's own elements, as [`kernel::pad_with`](kernel::pad_with()) does. `None` of a tracer.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn pad_with(
    x: &Array,
    padding: &[[usize; 2]],
    shape: &Dims,
    source: &dyn Fn(isize, usize) -> usize,
) -> Option<Result<Array, Error>> {
    #[cfg(feature = "stablehlo")]
    if super::IsTraced::is_traced(x) {
        return None;
    }
    Some(kernel::pad_with(x, padding, shape, source))
}

/// Limits elements to two scalars, as [`kernel::clamp`](kernel::clamp()) does. `None` of a tracer, which is never contiguous.
#[inline]
pub(crate) fn clamp(x: &Array, limits: impl FnOnce() -> Option<[ScalarBits; 2]>) -> Option<Array> {
    kernel::clamp(x, limits)
}

/// Adds the squares of elements along axes, as [`kernel::sum_of_squares`](kernel::sum_of_squares()) does. `None` also in a trace, where the
/// squares are recorded as an operation of their own.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn sum_of_squares(
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    dtype: DType,
) -> Option<Result<Array, Error>> {
    let sums = (!is_tracing()).then(|| kernel::sum_of_squares(x, axes, keep_dims, dtype))?;
    sums.map(OpResult::array)
}

fn reduce_general(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> OpResult {
    record_if_traced!([x] => reduce(op, x, axes, keep_dims, out));
    kernel::reduce(op, x, axes, keep_dims, out)
}

/// Returns the position of the first extreme along an axis, or among all elements in row-major order. A NaN is more
/// extreme than any number.
///
/// # Errors
/// [`Error::EmptyReduction`], [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn arg_reduce(
    op: ArgOp,
    x: &Array,
    axis: Option<usize>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    record_if_traced!([x] => arg_reduce(op, x, axis, keep_dims, out));
    kernel::arg_reduce(op, x, axis, keep_dims, out)
}

/// Computes, at each position of an axis, the result for the elements up to it; see [`kernel::scan`](kernel::scan()).
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::UnsupportedDType`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn scan(op: ScanOp, x: &Array, axis: usize, out: DType) -> Result<Array, Error> {
    record_if_traced!([x] => scan(op, x, axis, out));
    kernel::scan(op, x, axis, out)
}

/// Computes `softmax` or a function like it along axes, which must be sorted, distinct and exist; see
/// [`kernel::softmax`](kernel::softmax()).
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::UnsupportedDType`] if `out` is not a float, [`Error::OutOfMemory`].
#[inline]
pub(crate) fn softmax(
    op: SoftmaxOp,
    x: &Array,
    axes: &[usize],
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    record_if_traced!([x] => softmax(op, x, axes, keep_dims, out));
    kernel::softmax(op, x, axes, keep_dims, out)
}

/// Takes the elements at these indices along an axis; the axes of the indices replace it. Negative indices count from the
/// end.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`], [`Error::IndexOutOfRange`], [`Error::RankTooLarge`],
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn take(x: &Array, indices: &Array, axis: usize) -> Result<Array, Error> {
    record_if_traced!([x, indices] => take(x, indices, axis));
    kernel::take(x, indices, axis)
}

/// Takes, at each position, the element whose index along an axis is the one in `indices` there. Negative indices count
/// from the end. The other axes of both broadcast.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`], [`Error::IndexOutOfRange`], [`Error::ShapeMismatch`],
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn take_along_axis(x: &Array, indices: &Array, axis: usize) -> Result<Array, Error> {
    record_if_traced!([x, indices] => take_along_axis(x, indices, axis));
    kernel::take_along_axis(x, indices, axis)
}

/// Returns the elements where a mask is true, as an array of rank 1. Their number depends on the elements of the mask, so
/// it refuses tracers.
///
/// # Errors
/// [`Error::DTypeMismatch`] if the mask is not boolean, [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`],
/// [`Error::OutOfMemory`].
pub(crate) fn masked_select(x: &Array, mask: &Array) -> Result<Array, Error> {
    super::require_concrete("masked_select", x)?;
    super::require_concrete("masked_select", mask)?;
    kernel::masked_select(x, mask)
}

/// Returns the indices of the elements for which a mask is true. Their number depends on the elements of the mask, so it refuses
/// tracers.
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn argwhere(mask: &Array) -> Result<Array, Error> {
    kernel::argwhere(mask)
}

/// Pads each axis by a number of positions before it and another one after it. All new positions hold `value`.
///
/// # Errors
/// [`Error::LengthMismatch`] if there is not one pair for each axis, [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn pad(x: &Array, padding: &[[usize; 2]], value: ScalarBits) -> Result<Array, Error> {
    record_if_traced!([x] => pad(x, padding, value));
    kernel::pad(x, padding, value)
}

/// Replaces the elements on one side of a diagonal of each matrix by zeros.
///
/// # Errors
/// [`Error::TooFewAxes`] below rank 2, [`Error::OutOfMemory`].
#[inline]
pub(crate) fn triangle(kept: Triangle, x: &Array, offset: isize) -> Result<Array, Error> {
    record_if_traced!([x] => triangle(kept, x, offset));
    kernel::triangle(kept, x, offset)
}
