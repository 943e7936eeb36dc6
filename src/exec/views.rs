//! Views. The view of a tracer costs nothing, and is made first, for its checks and its shape; it has no handle, so it is
//! dropped when the operation is recorded.

use crate::array::Array;
use crate::error::Error;
#[cfg(feature = "stablehlo")]
use crate::trace::Positions;

/// [`Array::reshape`].
///
/// # Errors
/// [`Error::Reshape`], [`Error::OutOfMemory`].
#[inline]
pub(crate) fn reshape(x: &Array, shape: &[usize]) -> Result<Array, Error> {
    let view = x.reshape(shape)?;
    record_if_traced!([x] => reshape(x, view.dims()));
    Ok(view)
}

/// [`Array::permute`].
///
/// # Errors
/// [`Error::NotAPermutation`].
#[inline]
pub(crate) fn permute(x: &Array, order: &[usize]) -> Result<Array, Error> {
    let view = x.permute(order)?;
    record_if_traced!([x] => permute(x, order));
    Ok(view)
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
    let view = x.slice(axis, start, end, step)?;
    record_if_traced!([x] => slice(x, Positions { axis, start, step, count: view.shape()[axis] }));
    Ok(view)
}

/// [`Array::index_axis`].
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::IndexOutOfRange`].
#[inline]
pub(crate) fn index_axis(x: &Array, axis: usize, index: usize) -> Result<Array, Error> {
    let view = x.index_axis(axis, index)?;
    record_if_traced!([x] => index_axis(x, axis, index));
    Ok(view)
}

/// [`Array::broadcast_to`].
///
/// # Errors
/// [`Error::ShapeMismatch`].
#[inline]
pub(crate) fn broadcast_to(x: &Array, shape: &[usize]) -> Result<Array, Error> {
    let view = x.broadcast_to(shape)?;
    record_if_traced!([x] => broadcast_to(x, view.dims()));
    Ok(view)
}

/// [`Array::squeeze`].
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::LengthMismatch`].
#[inline]
pub(crate) fn squeeze(x: &Array, axis: usize) -> Result<Array, Error> {
    let view = x.squeeze(axis)?;
    record_if_traced!([x] => reshape(x, view.dims()));
    Ok(view)
}

/// [`Array::unsqueeze`].
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::RankTooLarge`].
#[inline]
pub(crate) fn unsqueeze(x: &Array, axis: usize) -> Result<Array, Error> {
    let view = x.unsqueeze(axis)?;
    record_if_traced!([x] => reshape(x, view.dims()));
    Ok(view)
}

/// [`Array::flip`].
///
/// # Errors
/// [`Error::AxisOutOfRange`].
#[inline]
pub(crate) fn flip(x: &Array, axis: usize) -> Result<Array, Error> {
    let view = x.flip(axis)?;
    record_if_traced!([x] => flip(x, axis));
    Ok(view)
}
