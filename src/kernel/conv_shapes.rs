//! The shapes of convolutions.

use super::windows::Windows;
use crate::array::{Dims, element_count};
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
