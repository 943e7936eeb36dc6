//! Views: other shapes over the same bytes. Nothing here copies; reshapes that have to copy are in
//! `kernel/row_major.rs`.

use std::sync::Arc;

use super::{Array, Dims, Layout, Strides, UNNAMED, broadcast_strides, element_count};
use crate::error::{Error, wide_index};

/// Sorts axes from the largest stride to the smallest: so their elements follow one another in memory as far as they can. Axes along which
/// elements repeat come first.
pub(crate) fn sort_by_stride(axes: &mut [usize], strides: &[isize]) {
    let distance = |axis: &usize| match strides[*axis].unsigned_abs() {
        0 => usize::MAX,
        distance => distance,
    };
    axes.sort_by_key(|axis| core::cmp::Reverse(distance(axis)));
}

impl Array {
    /// Makes a view with these strides that starts at the same element.
    pub(crate) fn view(&self, shape: Dims, strides: Strides) -> Self {
        self.view_from(0, shape, strides)
    }

    /// Makes a view whose element at index zero lies `elements` elements after that of `self`.
    pub(super) fn view_from(&self, elements: isize, shape: Dims, strides: Strides) -> Self {
        let offset = self.layout().offset.wrapping_add_signed(elements);
        Self {
            buffer: self.buffer.clone(),
            layout: Some(Arc::new(Layout::new(self.dtype(), shape, strides, offset))),
        }
    }

    fn check_axis(&self, operation: &'static str, axis: usize, rank: usize) -> Result<(), Error> {
        if axis < rank {
            return Ok(());
        }
        Err(Error::AxisOutOfRange {
            operation,
            axis: isize::try_from(axis).unwrap_or(isize::MAX),
            rank: self.rank(),
        })
    }

    /// Reorders the axes: axis `i` of the result is axis `axes[i]` of `self`.
    ///
    /// # Errors
    /// [`Error::NotAPermutation`].
    pub(crate) fn permute(&self, axes: &[usize]) -> Result<Self, Error> {
        let rank = self.rank();
        let all_named = (0..rank).all(|axis| axes.contains(&axis));
        if axes.len() != rank || !all_named {
            return Err(Error::NotAPermutation {
                axes: axes.iter().map(|axis| axis.cast_signed()).collect(),
                rank,
            });
        }
        let order = Dims::new(axes)?;
        Ok(self.view(
            order.map(|axis| self.shape()[axis]),
            order.map(|axis| self.strides()[axis]),
        ))
    }

    /// Computes an array of the same shape by a function that gets this array with its axes in the order of memory, so that it reads the
    /// elements one after another. The axes of its result are put back into this array's order: the result has this layout, so an operation
    /// may use it for an array of its own, but not return it.
    ///
    /// # Errors
    /// Those of the function.
    pub(crate) fn map_in_memory_order(
        &self,
        map: impl FnOnce(&Self) -> Result<Self, Error>,
    ) -> Result<Self, Error> {
        let mut order = Dims::numbers(self.rank())?;
        sort_by_stride(&mut order, self.strides());
        if order.is_sorted() {
            return map(self);
        }
        let mapped = map(&self.permute(&order)?)?;
        let mut back = order;
        for (position, axis) in order.iter().enumerate() {
            back[*axis] = position;
        }
        mapped.permute(&back)
    }

    /// Takes the positions `start`, `start + step`, .. of an axis, up to `end` exclusive. A negative step goes down
    /// from `start`, to above `end`; `end` may then be -1, to include position zero.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::ZeroStep`], [`Error::IndexOutOfRange`] if `start` or
    /// `end` lie outside the axis.
    pub(crate) fn slice(
        &self,
        axis: usize,
        start: isize,
        end: isize,
        step: isize,
    ) -> Result<Self, Error> {
        self.check_axis("slice", axis, self.rank())?;
        let size = self.shape()[axis].cast_signed();
        let in_range = match step {
            0 => {
                return Err(Error::ZeroStep {
                    operation: "slice",
                    axis: axis.cast_signed(),
                });
            }
            1.. => 0..=size,
            _ => -1..=size - 1,
        };
        for index in [start, end] {
            if !in_range.contains(&index) {
                return Err(Error::IndexOutOfRange {
                    operation: "slice",
                    index: wide_index(index),
                    axis: axis.cast_signed(),
                    size: self.shape()[axis],
                });
            }
        }
        let way = if step > 0 { end - start } else { start - end };
        let count = way.max(0).cast_unsigned().div_ceil(step.unsigned_abs());
        let Layout {
            mut shape,
            mut strides,
            ..
        } = *self.layout();
        shape[axis] = count;
        let first = if count == 0 { 0 } else { start * strides[axis] };
        // With fewer than two positions the stride is not used; zero cannot overflow.
        strides[axis] = if count < 2 { 0 } else { strides[axis] * step };
        Ok(self.view_from(first, shape, strides))
    }

    /// Takes one position of an axis, and removes the axis.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::IndexOutOfRange`].
    pub(crate) fn index_axis(&self, axis: usize, index: usize) -> Result<Self, Error> {
        self.check_axis("index_axis", axis, self.rank())?;
        if index >= self.shape()[axis] {
            return Err(Error::IndexOutOfRange {
                operation: "index_axis",
                index: wide_index(index),
                axis: axis.cast_signed(),
                size: self.shape()[axis],
            });
        }
        let first = index.cast_signed() * self.strides()[axis];
        // An empty array has no element to start at.
        let first = if self.is_empty() { 0 } else { first };
        let Layout { shape, strides, .. } = self.layout();
        Ok(self.view_from(first, shape.removed(axis), strides.removed(axis)))
    }

    /// Repeats the elements along new axes at the left and along axes of size one.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if `self` does not broadcast to `shape`.
    pub(crate) fn broadcast_to(&self, shape: &[usize]) -> Result<Self, Error> {
        let dims = Dims::new(shape)?;
        element_count("broadcast_to", shape)?;
        let fits = super::broadcast("broadcast_to", self.shape(), shape)?;
        if *fits != *dims {
            return Err(Error::ShapeMismatch {
                operation: "broadcast_to",
                lhs: self.shape().to_vec(),
                rhs: shape.to_vec(),
            });
        }
        let strides = broadcast_strides(self.shape(), self.strides(), &dims);
        Ok(self.view(dims, strides))
    }

    /// Takes a diagonal of two different axes, which becomes the last axis in their place. The diagonal `offset` begins so many
    /// positions along the second axis, or minus as many along the first.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub(crate) fn diagonal(
        &self,
        offset: isize,
        [first, second]: [usize; 2],
    ) -> Result<Self, Error> {
        debug_assert_ne!(first, second);
        let operation = "diagonal";
        self.check_axis(operation, first, self.rank())?;
        self.check_axis(operation, second, self.rank())?;
        let Layout { shape, strides, .. } = self.layout();
        let skipped = [offset.min(0).unsigned_abs(), offset.max(0).unsigned_abs()];
        let left = [first, second].map(|axis| shape[axis]);
        let count = left[0]
            .saturating_sub(skipped[0])
            .min(left[1].saturating_sub(skipped[1]));
        let (higher, lower) = (first.max(second), first.min(second));
        let rank = self.rank() - 2;
        let shape = shape.removed(higher).removed(lower).inserted(rank, count)?;
        // With fewer than two positions the stride is not used; zero cannot overflow.
        let stride = if count < 2 {
            0
        } else {
            strides[first] + strides[second]
        };
        let start = match count {
            0 => 0,
            _ if offset < 0 => -offset * strides[first],
            _ => offset * strides[second],
        };
        let strides = strides
            .removed(higher)
            .removed(lower)
            .inserted(rank, stride)?;
        Ok(self.view_from(start, shape, strides))
    }

    /// Adds an axis for each axis from `first` on: the position within a window of this size, whose neighbours lie `dilation` apart.
    /// The axis itself is the number of the window; windows lie `step` apart. All of `sizes`, `steps` and `dilations` are as many as the
    /// axes from `first` on.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`]; [`Error::ShapeTooLarge`] if there are more positions than can be addressed.
    ///
    /// # Panics
    /// If a number is zero, or a window does not fit its axis.
    pub(crate) fn windows(
        &self,
        first: usize,
        sizes: &[usize],
        steps: &[usize],
        dilations: &[usize],
    ) -> Result<Self, Error> {
        let Layout {
            mut shape,
            mut strides,
            ..
        } = *self.layout();
        for (number, size) in sizes.iter().enumerate() {
            let (axis, step, dilation) = (first + number, steps[number], dilations[number]);
            let rest = (size - 1)
                .checked_mul(dilation)
                .and_then(|extent| (self.shape()[axis] - 1).checked_sub(extent));
            let rest = rest.expect("a window that fits its axis");
            let (count, stride) = (rest / step + 1, strides[axis]);
            // With a single position the stride is not used; zero cannot overflow.
            let times = |number: usize, count: usize| match count {
                1 => 0,
                _ => stride * number.cast_signed(),
            };
            shape[axis] = count;
            strides[axis] = times(step, count);
            shape = shape.inserted(shape.len(), *size)?;
            strides = strides.inserted(strides.len(), times(dilation, *size))?;
        }
        element_count(UNNAMED, &shape)?;
        Ok(self.view(shape, strides))
    }

    /// Removes an axis of size one.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::AxisSize`] if the axis has another size.
    pub(crate) fn squeeze(&self, axis: usize) -> Result<Self, Error> {
        self.check_axis("squeeze", axis, self.rank())?;
        if self.shape()[axis] != 1 {
            return Err(Error::AxisSize {
                operation: "squeeze",
                axis: axis.cast_signed(),
                size: self.shape()[axis],
                expected: 1,
            });
        }
        let Layout { shape, strides, .. } = self.layout();
        Ok(self.view(shape.removed(axis), strides.removed(axis)))
    }

    /// Inserts an axis of size one before `axis`.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::RankTooLarge`].
    pub(crate) fn unsqueeze(&self, axis: usize) -> Result<Self, Error> {
        self.check_axis("unsqueeze", axis, self.rank() + 1)?;
        let Layout { shape, strides, .. } = self.layout();
        let shape = shape.inserted(axis, 1)?;
        Ok(self.view(shape, strides.inserted(axis, 0)?))
    }

    /// Reverses an axis.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub(crate) fn flip(&self, axis: usize) -> Result<Self, Error> {
        self.check_axis("flip", axis, self.rank())?;
        self.slice(axis, self.shape()[axis].cast_signed() - 1, -1, -1)
    }
}
