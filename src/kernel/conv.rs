//! Convolutions as matrix products, for those that have no loop of their own (`conv_direct/`): filters of size one, and more than 16
//! filters in a group if they multiply small integers, give a single position, or have windows that span several rows of positions.
//!
//! The operand is padded, and a view of it has one more axis for each spatial axis: the position within the window. In another order of
//! axes, that view is a matrix for each example and group, with a column for each position of the result (*im2col*). The filters multiply
//! the matrix from the left. The matrices are copied, unless they lie in memory already, as for filters of size one.

use std::borrow::Cow;

use super::cast::cast;
use super::conv_direct::conv_direct;
use super::conv_shapes::ConvShapes;
use super::matmul::matmul;
use super::pad::pad;
use super::windows::SPATIAL;
use crate::array::{Array, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;

/// Convolves an operand with filters, which [`ConvShapes::new`] has checked. Both are cast to `out`; then dtypes are those of [`matmul`],
/// and so is the order of additions if [`conv_direct`] does not say otherwise.
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn conv(
    x: &Array,
    filters: &Array,
    shapes: &ConvShapes<'_>,
    out: DType,
) -> Result<Array, Error> {
    if let Some(result) = conv_direct(x, filters, shapes, out)? {
        return Ok(result);
    }
    let mut x = cast(Cow::Borrowed(x), out)?;
    let filters = cast(Cow::Borrowed(filters), out)?;
    let windows = &shapes.windows;
    if let Some(padding) = windows.padding_of_axes() {
        x = pad(&x, &padding, ScalarBits::of(out, false))?;
    }
    let (examples, groups) = (x.shape()[0], shapes.groups);
    let (channels, filter_count) = (x.shape()[1] / groups, shapes.result[1] / groups);
    let spatial = windows.sizes.len();
    let positions = &shapes.result[SPATIAL..];
    let columns: usize = positions.iter().product();
    let rows = windows
        .sizes
        .iter()
        .product::<usize>()
        .saturating_mul(channels);
    let grouped = [&[examples, groups, channels], &x.shape()[SPATIAL..]].concat();
    let view = x.reshape(&grouped)?.windows(
        SPATIAL + 1,
        windows.sizes,
        windows.strides,
        windows.dilation,
    )?;
    // Positions come after the window's own axes.
    let (from, to) = (SPATIAL + 1, SPATIAL + 1 + spatial);
    let order: Vec<usize> = (0..from).chain(to..to + spatial).chain(from..to).collect();
    let matrices = view
        .permute(&order)?
        .reshape(&[examples, groups, rows, columns])?;
    let filters = filters.reshape(&[groups, filter_count, rows])?;
    matmul(&filters, &matrices, out)?.reshape(&shapes.result)
}
