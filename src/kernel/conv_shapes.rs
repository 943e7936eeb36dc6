//! The shapes of convolutions.

use super::windows::{SPATIAL, Windows};
use crate::array::{Dims, element_count};
use crate::error::{Error, SizedAxis};

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
    /// [`Error::SizeMismatch`] if the channels differ, [`Error::NotDivisible`] if the groups do not divide channels and filters,
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
            let of_groups = match groups {
                1 => "the filters".to_owned(),
                _ => format!("the filters, for each of {groups} groups,"),
            };
            return Err(Error::SizeMismatch {
                operation,
                axes: Box::new([
                    SizedAxis::new("the operand", 1, x),
                    SizedAxis::new(of_groups, 1, filters),
                ]),
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

/// The shapes of a transposed convolution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TransposedShapes<'a> {
    /// The windows, whose strides are those in the result. They have no padding.
    pub(crate) windows: Windows<'a>,
    /// The positions that are taken from both ends of each axis; a negative number adds zeros.
    pub(crate) removed: &'a [[isize; 2]],
    pub(crate) groups: usize,
    /// The shape of the result.
    pub(crate) result: Dims,
}

impl<'a> TransposedShapes<'a> {
    /// Returns the shapes for an operand and filters of these shapes, `[examples, channels, ..]` and `[channels, filters / groups, ..]`. The
    /// sizes of the windows are those of the filters. `removed` leaves at least one position of each axis.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`].
    pub(crate) fn new(
        operation: &'static str,
        x: &Dims,
        filters: &Dims,
        windows: Windows<'a>,
        removed: &'a [[isize; 2]],
        groups: usize,
    ) -> Result<Self, Error> {
        let mut result = *x;
        result[1] = filters[1].saturating_mul(groups);
        for (number, [before, after]) in removed.iter().enumerate() {
            let axis = SPATIAL + number;
            result[axis] = windows
                .spread(number, x[axis])
                .saturating_add_signed(before.saturating_neg())
                .saturating_add_signed(after.saturating_neg());
        }
        element_count(operation, &result)?;
        Ok(Self {
            windows,
            removed,
            groups,
            result,
        })
    }
}

impl Windows<'_> {
    /// The positions that an axis of `size` elements spreads over: from the first one of the first element's window to the last one of the
    /// last element's. Of no elements, they are those before and after such an element.
    pub(crate) fn spread(&self, number: usize, size: usize) -> usize {
        let last = match size.checked_sub(1) {
            Some(last) => last.saturating_mul(self.strides[number]).saturating_add(1),
            None => 0,
        };
        let window = Self::span(self.sizes[number], self.dilation[number]);
        last.saturating_add(window - 1)
    }
}
