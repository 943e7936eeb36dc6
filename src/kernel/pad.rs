//! Padding with a constant, and triangles of matrices.
#![allow(unsafe_code, reason = "copies raw memory")]

use super::assign::copy_rows;
use super::cast::copied;
use super::drive::block::Operand;
use super::elementwise::operand;
use crate::array::{Array, Dims, ScalarBits, element_count, row_major};
use crate::error::{Error, check_axes};

/// Returns the shape of the result of [`pad`].
///
/// # Errors
/// [`Error::LengthMismatch`] if there is not one pair for each axis, [`Error::ShapeTooLarge`].
pub(crate) fn pad_shape(x: &Array, padding: &[[usize; 2]]) -> Result<Dims, Error> {
    if padding.len() != x.rank() {
        return Err(Error::LengthMismatch {
            operation: "pad",
            what: "pairs, one for each axis",
            expected: x.rank(),
            found: padding.len(),
        });
    }
    let mut shape = *x.dims();
    for (size, [before, after]) in shape.iter_mut().zip(padding) {
        *size = size.saturating_add(*before).saturating_add(*after);
    }
    element_count("pad", &shape)?;
    Ok(shape)
}

/// Pads each axis by a number of positions before it and another one after it. All new positions hold `value`.
///
/// # Errors
/// The errors of [`pad_shape`], [`Error::OutOfMemory`].
pub(crate) fn pad(x: &Array, padding: &[[usize; 2]], value: ScalarBits) -> Result<Array, Error> {
    let shape = pad_shape(x, padding)?;
    let mut padded = value.full(&shape)?;
    if x.rank() == 0 {
        return Ok(x.clone());
    }
    if x.is_empty() {
        return Ok(padded);
    }
    let (size, strides) = (x.dtype().size(), row_major(&shape));
    let first: usize = padding
        .iter()
        .zip(strides.iter())
        .map(|([before, _], stride)| before * stride.unsigned_abs())
        .sum();
    let target = padded
        .unique_mut_ptr()
        .expect("a fresh array has a single owner")
        .wrapping_add(first * size);
    let place = Operand {
        pointer: target,
        strides,
        size,
        chain: &[],
    };
    // SAFETY: each index of `x`, with the positions before it added, is an index of the larger shape, whose index of the first element
    // is at `target`. So the elements along the shape of `x` have their places in the new array, which has no other owner. They
    // have the dtype of `x`.
    unsafe { copy_rows(x.dims(), &[place, operand(x, x.dims(), &[])], target) };
    Ok(padded)
}

/// Which part of a matrix is kept; the other one becomes zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Triangle {
    /// At and below a diagonal.
    Lower,
    /// At and above a diagonal.
    Upper,
}

impl Triangle {
    /// The name in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lower => "tril",
            Self::Upper => "triu",
        }
    }
}

/// Replaces the elements on one side of a diagonal of each matrix (the last two axes) by zeros. The diagonal begins
/// `offset` columns to the right of the main one.
///
/// # Errors
/// [`Error::TooFewAxes`] below rank 2, [`Error::OutOfMemory`].
pub(crate) fn triangle(kept: Triangle, x: &Array, offset: isize) -> Result<Array, Error> {
    check_axes(kept.name(), 2, x.shape())?;
    let mut result = copied(x)?;
    let [.., rows, columns] = *x.shape() else {
        unreachable!("a matrix has two axes");
    };
    let size = x.dtype().size();
    let first = result
        .unique_mut_ptr()
        .expect("a fresh copy has a single owner");
    for row in 0..x.len() / columns.max(1) {
        let diagonal = (row % rows).cast_signed().saturating_add(offset);
        let (start, end) = match kept {
            Triangle::Lower => (diagonal.saturating_add(1), columns.cast_signed()),
            Triangle::Upper => (0, diagonal),
        };
        let within = |column: isize| column.clamp(0, columns.cast_signed()).unsigned_abs();
        let (start, end) = (within(start), within(end));
        let bytes = end.saturating_sub(start) * size;
        // SAFETY: the columns from `start` up to `end`, which are at most `columns`, lie within row `row` of the copy,
        // which is contiguous and has no other owner. Zero bytes are a zero of every dtype.
        unsafe {
            first
                .wrapping_add((row * columns + start) * size)
                .write_bytes(0, bytes);
        }
    }
    Ok(result)
}
