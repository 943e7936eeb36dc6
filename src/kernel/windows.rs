//! The windows of convolutions and pools, and the positions to which they move.

use crate::array::Dims;
use crate::error::Error;

/// The first spatial axis: the axes before it are those of examples and channels.
pub(crate) const SPATIAL: usize = 2;

/// The windows of a convolution or a pool: their size, stride, padding and dilation along each spatial axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windows<'a> {
    pub(crate) sizes: &'a [usize],
    pub(crate) strides: &'a [usize],
    /// Positions added before and after an axis.
    pub(crate) padding: &'a [[usize; 2]],
    /// The distance of neighbours in a window.
    pub(crate) dilation: &'a [usize],
}

impl Windows<'_> {
    /// The positions from the first element of a window to its last: `(size - 1) * dilation + 1`, and 1 of a window of no elements.
    pub(crate) fn span(size: usize, dilation: usize) -> usize {
        size.saturating_sub(1)
            .saturating_mul(dilation)
            .saturating_add(1)
    }

    /// Returns how many of the windows after a window begin within it.
    pub(crate) fn reach(&self, number: usize) -> usize {
        (Self::span(self.sizes[number], self.dilation[number]) - 1) / self.strides[number]
    }

    /// Returns the shape of the result for an operand of this shape: one position for each window.
    ///
    /// # Errors
    /// [`Error::ZeroWindow`] for a size, stride or dilation of zero; [`Error::WindowTooLarge`] if a window does not fit an axis.
    pub(crate) fn positions(&self, operation: &'static str, shape: &Dims) -> Result<Dims, Error> {
        let mut result = *shape;
        self.check(operation)?;
        for (number, size) in self.sizes.iter().enumerate() {
            let axis = SPATIAL + number;
            let padded = self.padded(shape, number);
            let window = Self::span(*size, self.dilation[number]);
            if window > padded {
                return Err(Error::WindowTooLarge {
                    operation,
                    window,
                    axis: axis.cast_signed(),
                    size: padded,
                    padded: true,
                });
            }
            result[axis] = (padded - window) / self.strides[number] + 1;
        }
        Ok(result)
    }

    /// # Errors
    /// [`Error::ZeroWindow`] for a size, stride or dilation of zero.
    pub(crate) fn check(&self, operation: &'static str) -> Result<(), Error> {
        for (number, size) in self.sizes.iter().enumerate() {
            let axis = SPATIAL + number;
            for (what, value) in [
                ("size", *size),
                ("stride", self.strides[number]),
                ("dilation", self.dilation[number]),
            ] {
                if value == 0 {
                    return Err(Error::ZeroWindow {
                        operation,
                        what,
                        axis: axis.cast_signed(),
                    });
                }
            }
        }
        Ok(())
    }

    /// The padding that is missing after a spatial axis for one window more than the `positions` that fit; 0 if they reach all
    /// elements, or if that window would begin after the axis.
    pub(crate) fn missing(&self, number: usize, size: usize, positions: usize) -> usize {
        let [before, after] = self.padding[number];
        let size = size.saturating_add(before);
        let start = positions.saturating_mul(self.strides[number]);
        let end = start.saturating_add(Self::span(self.sizes[number], self.dilation[number]));
        // The last of the windows that fit ends at the last position with padding, or before it.
        let is_reached = end - self.strides[number].min(end) >= size.saturating_add(after);
        match start < size && !is_reached {
            true => end - size.saturating_add(after),
            false => 0,
        }
    }

    /// The size of a spatial axis with its padding.
    fn padded(&self, shape: &Dims, number: usize) -> usize {
        let [before, after] = self.padding[number];
        shape[SPATIAL + number]
            .saturating_add(before)
            .saturating_add(after)
    }

    /// The padding of all axes, or `None` if there is none.
    pub(crate) fn padding_of_axes(&self) -> Option<Vec<[usize; 2]>> {
        let all = [[0; 2]; SPATIAL].into_iter().chain(self.padding.to_vec());
        self.padding
            .iter()
            .any(|sides| *sides != [0; 2])
            .then(|| all.collect())
    }
}
