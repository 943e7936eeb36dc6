//! Convolutions, as matrix products.
//!
//! The operand is padded, and a view of it has an axis more for each spatial axis: the position within the window. In another order of
//! axes, that view is a matrix for each example and group, with a column for each position of the result (*im2col*), which the
//! filters multiply from the left. The matrices are copied, unless they lie in memory already, as for filters of size one.

use std::borrow::Cow;

use super::cast::cast;
use super::matmul::matmul;
use super::pad::pad;
use super::windows::{SPATIAL, Windows};
use crate::array::{Array, Dims, ScalarBits, element_count};
use crate::dtype::DType;
use crate::error::Error;

/// The shapes of a convolution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvShapes<'a> {
    pub(crate) windows: Windows<'a>,
    pub(crate) groups: usize,
    /// The shape of the result.
    pub(crate) result: Dims,
}

impl<'a> ConvShapes<'a> {
    /// Returns the shapes for an operand and filters of these shapes: `[examples, channels, ..]` and
    /// `[filters, channels / groups, ..]`, whose last axes are as many as `windows` has. The sizes of the windows are those of the
    /// filters.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the channels differ, [`Error::NotDivisible`] if the groups do not divide channels and filters,
    /// those of [`Windows::positions`], and [`Error::ShapeTooLarge`].
    pub(crate) fn new(
        operation: &'static str,
        x: &Dims,
        filters: &Dims,
        windows: Windows<'a>,
        groups: usize,
    ) -> Result<Self, Error> {
        Self::check_groups(operation, "channels", x[1], groups)?;
        Self::check_groups(operation, "filters", filters[0], groups)?;
        if x[1] / groups != filters[1] {
            return Err(Error::ShapeMismatch {
                operation,
                lhs: x.to_vec(),
                rhs: filters.to_vec(),
            });
        }
        let mut result = windows.positions(operation, x)?;
        result[1] = filters[0];
        element_count(operation, &result)?;
        Ok(Self {
            windows,
            groups,
            result,
        })
    }

    /// # Errors
    /// [`Error::NotDivisible`] if the groups do not divide `size` channels or filters.
    pub(crate) fn check_groups(
        operation: &'static str,
        what: &'static str,
        size: usize,
        groups: usize,
    ) -> Result<(), Error> {
        match size.checked_rem(groups) {
            Some(0) => Ok(()),
            _ => Err(Error::NotDivisible {
                operation,
                what,
                size,
                groups,
            }),
        }
    }
}

/// Convolves an operand with filters, which [`ConvShapes::new`] has checked. Both are cast to `out`; then dtypes and order of additions
/// are those of [`matmul`].
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn conv(
    x: &Array,
    filters: &Array,
    shapes: &ConvShapes<'_>,
    out: DType,
) -> Result<Array, Error> {
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
    // Positions come behind the window's own axes.
    let (from, to) = (SPATIAL + 1, SPATIAL + 1 + spatial);
    let order: Vec<usize> = (0..from).chain(to..to + spatial).chain(from..to).collect();
    let matrices = view
        .permute(&order)?
        .reshape(&[examples, groups, rows, columns])?;
    let filters = filters.reshape(&[groups, filter_count, rows])?;
    matmul(&filters, &matrices, out)?.reshape(&shapes.result)
}
