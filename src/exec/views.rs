//! Views.

use crate::array::Array;
use crate::error::Error;

/// [`Array::reshape`].
///
/// # Errors
/// [`Error::Reshape`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn reshape(x: &Array, shape: &[usize]) -> Result<Array, Error> {
    record_if_traced!([x] => reshape(x, shape));
    x.reshape(shape)
}

/// [`Array::permute`].
///
/// # Errors
/// [`Error::NotAPermutation`].
#[inline]
pub(crate) fn permute(x: &Array, order: &[usize]) -> Result<Array, Error> {
    record_if_traced!([x] => permute(x, order));
    x.permute(order)
}

/// [`Array::slice`].
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::ZeroStep`], [`Error::IndexOutOfRange`].
#[inline]
pub(crate) fn slice(
    x: &Array,
    axis: usize,
    start: isize,
    end: isize,
    step: isize,
) -> Result<Array, Error> {
    record_if_traced!([x] => slice(x, axis, start, end, step));
    x.slice(axis, start, end, step)
}

/// [`Array::index_axis`].
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::IndexOutOfRange`].
#[inline]
pub(crate) fn index_axis(x: &Array, axis: usize, index: usize) -> Result<Array, Error> {
    record_if_traced!([x] => index_axis(x, axis, index));
    x.index_axis(axis, index)
}

/// [`Array::broadcast_to`].
///
/// # Errors
/// [`Error::ShapeMismatch`].
#[inline]
pub(crate) fn broadcast_to(x: &Array, shape: &[usize]) -> Result<Array, Error> {
    record_if_traced!([x] => broadcast_to(x, shape));
    x.broadcast_to(shape)
}

/// [`Array::squeeze`].
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::LengthMismatch`].
#[inline]
pub(crate) fn squeeze(x: &Array, axis: usize) -> Result<Array, Error> {
    record_if_traced!([x] => squeeze(x, axis));
    x.squeeze(axis)
}

/// [`Array::unsqueeze`].
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::RankTooLarge`].
#[inline]
pub(crate) fn unsqueeze(x: &Array, axis: usize) -> Result<Array, Error> {
    record_if_traced!([x] => unsqueeze(x, axis));
    x.unsqueeze(axis)
}

/// [`Array::flip`].
///
/// # Errors
/// [`Error::AxisOutOfRange`].
#[inline]
pub(crate) fn flip(x: &Array, axis: usize) -> Result<Array, Error> {
    record_if_traced!([x] => flip(x, axis));
    x.flip(axis)
}

/// [`Array::diagonal`].
///
/// # Errors
/// [`Error::AxisOutOfRange`].
#[inline]
pub(crate) fn diagonal(x: &Array, offset: isize, axes: [usize; 2]) -> Result<Array, Error> {
    record_if_traced!([x] => diagonal(x, offset, axes));
    x.diagonal(offset, axes)
}

/// Returns the array with its elements in row-major order in memory. It copies the array if they are in another order. A tracer is
/// returned unchanged.
///
/// # Errors
/// [`Error::OutOfMemory`].
#[inline]
pub(crate) fn contiguous(x: &Array) -> Result<Array, Error> {
    record_if_traced!([x] => contiguous(x));
    x.row_major().map(std::borrow::Cow::into_owned)
}

/// Returns windows of `size` elements along an axis, `step` apart, whose elements are a new last axis: [`Array::windows`]. They fit the axis.
///
/// # Errors
/// [`Error::RankTooLarge`], [`Error::ShapeTooLarge`].
#[inline]
pub(crate) fn windows(x: &Array, axis: usize, size: usize, step: usize) -> Result<Array, Error> {
    record_if_traced!([x] => windows(x, axis, size, step));
    x.windows(axis, &[size], &[step], &[1])
}
