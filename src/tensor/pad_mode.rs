//! Padding with the tensor's own elements, and repetition of each position by its own count.

use super::positions::axis_of;
use crate::array::{Array, element_count};
use crate::error::{Error, SizedAxis, named};
use crate::exec;
use crate::rank::Axis;

/// The elements that [`Tensor::pad_with`](crate::Tensor::pad_with) puts before and after an axis: the `mode` of NumPy's and JAX's `pad`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PadMode {
    /// The first and the last element, repeated: `a a | a b c | c c`. PyTorch's `replicate`.
    Edge,
    /// The elements backwards from the edge, without the edge itself: `c b | a b c | b a`.
    Reflect,
    /// The elements backwards from the edge: `b a | a b c | c b`.
    Symmetric,
    /// The elements of the other end: `b c | a b c | a b`. PyTorch's `circular`.
    Wrap,
}

impl PadMode {
    /// The position of an axis of `size` elements, at least one, that stands `offset` positions after the first one, which may be
    /// outside of the axis.
    fn source(self, offset: i128, size: i128) -> i128 {
        // A reflected axis repeats after the way there and back.
        match self {
            Self::Edge => offset.clamp(0, size - 1),
            Self::Wrap => offset.rem_euclid(size),
            Self::Reflect if size == 1 => 0,
            Self::Reflect => match offset.rem_euclid(2 * (size - 1)) {
                there if there < size => there,
                back => 2 * (size - 1) - back,
            },
            Self::Symmetric => match offset.rem_euclid(2 * size) {
                there if there < size => there,
                back => 2 * size - 1 - back,
            },
        }
    }
}

/// [`Tensor::try_pad_with`](crate::Tensor::try_pad_with) of arrays.
pub(crate) fn pad_with(x: &Array, padding: &[[usize; 2]], mode: PadMode) -> Result<Array, Error> {
    let operation = "pad_with";
    if padding.len() != x.rank() {
        return Err(Error::LengthMismatch {
            operation,
            what: "pairs, one for each axis",
            expected: x.rank(),
            found: padding.len(),
        });
    }
    exec::require_current(operation, x)?;
    let mut shape = *x.dims();
    for (axis, (size, [before, after])) in shape.iter_mut().zip(padding).enumerate() {
        if *size == 0 && (*before, *after) != (0, 0) {
            return Err(Error::EmptyAxis { operation, axis });
        }
        *size = size.saturating_add(*before).saturating_add(*after);
    }
    element_count(operation, &shape)?;
    if x.is_empty() {
        return named(operation, exec::reshape(x, &shape));
    }
    let source = |offset: isize, size: usize| {
        let [offset, size] = [i128::try_from(offset), i128::try_from(size)];
        let source = mode.source(offset.unwrap_or_default(), size.unwrap_or(i128::MAX));
        usize::try_from(source).unwrap_or_default()
    };
    if let Some(padded) = exec::pad_with(x, padding, &shape, &source) {
        return named(operation, padded);
    }
    let mut padded = x.clone();
    for (axis, [before, after]) in padding.iter().copied().enumerate() {
        if (before, after) == (0, 0) {
            continue;
        }
        let wide = |size: usize| i128::try_from(size).unwrap_or(i128::MAX);
        let size = wide(x.shape()[axis]);
        let side = |first: i128, count: usize| {
            let positions = Array::from_positions(&[count], |at| {
                i64::try_from(mode.source(first + wide(at), size)).unwrap_or(i64::MAX)
            });
            exec::take(&padded, &positions?, axis)
        };
        let sides = || {
            let (first, last) = (side(-wide(before), before)?, side(size, after)?);
            exec::concat(&[&first, &padded, &last], axis, x.dtype())
        };
        padded = named(operation, sides())?;
    }
    Ok(padded)
}

/// [`Tensor::try_repeat_each`](crate::Tensor::try_repeat_each) of arrays.
pub(crate) fn repeat_each(x: &Array, counts: &[usize], axis: impl Axis) -> Result<Array, Error> {
    let operation = "repeat_each";
    let given = axis.to_signed();
    let axis = axis_of(operation, given, x.rank())?;
    let size = x.shape()[axis];
    if counts.len() != size {
        return Err(Error::SizeMismatch {
            operation,
            axes: Box::new([
                SizedAxis::new("the tensor", given, x.shape()),
                SizedAxis::new("the counts", 0, &[counts.len()]),
            ]),
        });
    }
    let total = counts.iter().copied().fold(0, usize::saturating_add);
    let mut shape = *x.dims();
    shape[axis] = total;
    element_count(operation, &shape)?;
    if x.is_empty() {
        return named(operation, exec::reshape(x, &shape));
    }
    let mut sources = (0_i64..)
        .zip(counts)
        .flat_map(|(at, count)| core::iter::repeat_n(at, *count));
    let positions = Array::from_positions(&[total], |_| sources.next().unwrap_or_default());
    let positions = named(operation, positions)?;
    named(operation, exec::take(x, &positions, axis))
}
