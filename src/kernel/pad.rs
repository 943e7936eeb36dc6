//! Padding with a constant, and triangles of matrices.
#![allow(unsafe_code, reason = "copies raw memory")]

use crate::array::strided::copy_strided;
use crate::array::{Array, Dims, ScalarBits, element_count, row_major};
use crate::error::Error;

use super::cast::copied;

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
    let Some(columns) = x.shape().last() else {
        return Ok(x.clone());
    };
    if x.is_empty() {
        return Ok(padded);
    }
    let (size, last) = (x.dtype().size(), x.rank() - 1);
    let (from, to) = (x.strides(), row_major(&shape));
    let first: usize = padding
        .iter()
        .zip(to.iter())
        .map(|([before, _], stride)| before * stride.unsigned_abs())
        .sum();
    let target = padded
        .unique_mut_ptr()
        .expect("a fresh array has a single owner")
        .wrapping_add(first * size);
    let bytes = size.cast_signed();
    for row in 0..x.len() / columns {
        let (mut left, mut read, mut written) = (row, 0, 0);
        for axis in (0..last).rev() {
            let index = (left % x.shape()[axis]).cast_signed();
            left /= x.shape()[axis];
            read += index * from[axis];
            written += index * to[axis];
        }
        let source = x.as_ptr().wrapping_offset(read * bytes);
        let target = target.wrapping_offset(written * bytes);
        // SAFETY: `source` is the first element of a row of `x`, whose `columns` elements lie `from[last]` apart. Each
        // index of `x`, with the positions before it added, is an index of the larger shape, in which a row is
        // contiguous: so the row has its place at `target` in the new array, which has no other owner. Both are aligned
        // for their elements.
        unsafe { copy_strided(size, source, from[last], *columns, target) };
    }
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

/// Checks that there is a matrix.
///
/// # Errors
/// [`Error::AxisOutOfRange`] below rank 2.
pub(crate) fn check_matrix(operation: &'static str, x: &Array) -> Result<(), Error> {
    match x.rank() {
        rank @ (0 | 1) => Err(Error::AxisOutOfRange {
            operation,
            axis: -2,
            rank,
        }),
        _ => Ok(()),
    }
}

/// Replaces the elements on one side of a diagonal of each matrix (the last two axes) by zeros. The diagonal `offset` begins
/// so many columns to the right of the main one.
///
/// # Errors
/// [`Error::AxisOutOfRange`] below rank 2, [`Error::OutOfMemory`].
pub(crate) fn triangle(kept: Triangle, x: &Array, offset: isize) -> Result<Array, Error> {
    check_matrix(kept.name(), x)?;
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
