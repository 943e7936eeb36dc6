//! Concatenation of arrays.
#![allow(unsafe_code, reason = "lets the driver write into parts of a buffer")]

use std::borrow::Cow;

use super::assign::copy_rows;
use super::cast::{cast, chain, copy};
use super::elementwise::operand;
use crate::array::{Array, Dims, Uninit, element_count, row_major};
use crate::dtype::DType;
use crate::error::{Error, unequal_shapes};
use crate::kernel::drive::block::{Operand, Output};
use crate::kernel::drive::run;

/// Returns the shape of arrays that are concatenated along an existing axis.
///
/// # Errors
/// [`Error::ShapeMismatch`] if ranks differ, [`Error::SizeMismatch`] if sizes along another axis do, [`Error::AxisOutOfRange`],
/// [`Error::LengthMismatch`] if there are no arrays, [`Error::ShapeTooLarge`].
pub(crate) fn concat_shape(arrays: &[&Array], axis: usize) -> Result<Dims, Error> {
    let Some((first, others)) = arrays.split_first() else {
        return Err(Error::LengthMismatch {
            operation: "concat",
            what: "arrays",
            expected: 1,
            found: 0,
        });
    };
    if axis >= first.rank() {
        return Err(Error::AxisOutOfRange {
            operation: "concat",
            axis: isize::try_from(axis).unwrap_or(isize::MAX),
            rank: first.rank(),
        });
    }
    let mut shape = *first.dims();
    for (number, other) in (1..).zip(others) {
        let fits = other.rank() == first.rank()
            && (0..shape.len()).all(|at| at == axis || shape[at] == other.shape()[at]);
        if !fits {
            return Err(unequal_shapes(
                "concat",
                ["tensor 0".into(), format!("tensor {number}")],
                [first.shape(), other.shape()],
                |at| at == axis,
            ));
        }
        shape[axis] = shape[axis].saturating_add(other.shape()[axis]);
    }
    element_count("concat", &shape)?;
    Ok(shape)
}

/// The largest number of elements in a row of the result for which each array is cast as a whole, and its rows are copied to the result.
/// Parts of longer rows are cast one by one: starting a loop for each part takes as long as copying some thousand bytes.
const MAX_COPIED_ROW: usize = 1 << 14;

/// The largest number of bytes of a part that are copied without a loop, whose preparation takes longer than the copy.
const MAX_PLAIN_COPY: usize = 1 << 16;

/// Concatenates arrays, each cast to a dtype, along an existing axis.
///
/// # Errors
/// The errors of [`concat_shape`], [`Error::OutOfMemory`].
pub(crate) fn concat(arrays: &[&Array], axis: usize, out: DType) -> Result<Array, Error> {
    let shape = concat_shape(arrays, axis)?;
    let count: usize = shape.iter().product();
    let mut buffer = Uninit::new(count * out.size())?;
    let outer: usize = shape[..axis].iter().product();
    if outer > 1 && count / outer <= MAX_COPIED_ROW {
        copy_parts(arrays, axis, out, &shape, buffer.as_mut_ptr())?;
    } else {
        convert_parts(arrays, axis, out, outer, buffer.as_mut_ptr())?;
    }
    // SAFETY: the parts of all arrays have filled the buffer.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, out, shape))
}

/// Casts each array in one pass, and copies its elements to their places in a result of this shape, at `to`.
///
/// # Errors
/// [`Error::OutOfMemory`].
fn copy_parts(
    arrays: &[&Array],
    axis: usize,
    out: DType,
    shape: &Dims,
    mut to: *mut u8,
) -> Result<(), Error> {
    let inner: usize = shape[axis + 1..].iter().product();
    for array in arrays {
        let part = cast(Cow::Borrowed(*array), out)?;
        let place = Operand {
            pointer: to,
            strides: row_major(shape),
            size: out.size(),
            chain: &[],
        };
        // SAFETY: the part has the shape of the result but along `axis`, where the parts before it leave room for it: its index
        // zero is at `to`, and its elements lie as far apart as those of the result. They have the dtype `out`. The result is new, so it
        // overlaps no operand.
        unsafe { copy_rows(part.dims(), &[place, operand(&part, part.dims(), &[])], to) };
        to = to.wrapping_add(part.shape()[axis] * inner * out.size());
    }
    Ok(())
}

/// Casts the rows of the arrays, one after another, to a result at `to`. The axes before `axis` have `outer` positions.
///
/// # Errors Never fails: views of a row have at most as many axes as the array.
fn convert_parts(
    arrays: &[&Array],
    axis: usize,
    out: DType,
    outer: usize,
    mut to: *mut u8,
) -> Result<(), Error> {
    for row in 0..outer {
        for array in arrays {
            let part = row_of(array, axis, row)?;
            let chain = chain(part.dtype(), out);
            let bytes = part.len() * out.size();
            if chain.is_empty() && part.is_contiguous() && bytes <= MAX_PLAIN_COPY {
                // SAFETY: the part is contiguous and has `bytes` bytes. The parts of all arrays, row by row, have as many elements as
                // the shape, so the buffer has room for this part at `to`; it is new, so it does not overlap the part.
                unsafe { to.copy_from_nonoverlapping(part.as_ptr(), bytes) };
                to = to.wrapping_add(bytes);
                continue;
            }
            let (kernel, before) = match chain.split_last() {
                Some((last, before)) => (*last, before),
                None => (copy(out), chain),
            };
            let output = Output {
                pointer: to,
                kernel,
                chain: &[],
                size: out.size(),
                cost: 1,
            };
            // SAFETY: the parts of all arrays, row by row, have as many elements as the shape, so the buffer has room
            // for this part at `to`; it is new, so it overlaps no operand. The chain converts the part's elements to
            // the input of its last loop, which writes `out`.
            unsafe { run::run(part.dims(), &[operand(&part, part.dims(), before)], &output) };
            to = to.wrapping_add(bytes);
        }
    }
    Ok(())
}

/// Returns the part of an array at a position along the axes before `axis`, taken as one axis.
fn row_of(array: &Array, axis: usize, row: usize) -> Result<Array, Error> {
    let (mut part, mut left) = (array.clone(), row);
    for at in (0..axis).rev() {
        let size = array.shape()[at];
        part = part.index_axis(at, left % size)?;
        left /= size;
    }
    Ok(part)
}
