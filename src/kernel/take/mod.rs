//! Gathering: elements at given indices along an axis.
//!
//! An element of the result lies in the operand at a distance that has two parts. One follows from the element's own
//! index, by strides as in any view. The other is the index that is looked up, times the stride of its axis. So [`take`] and
//! [`take_along_axis`] are one loop ([`Gather`]) with different strides. It checks each index where it uses it.
#![allow(unsafe_code, reason = "copies raw memory")]

mod gather;
mod indices;

#[cfg(feature = "stablehlo")]
use core::mem::MaybeUninit;

use crate::array::{
    Array, Buffer, Dims, PerAxis, Strides, Uninit, broadcast, element_count, row_major,
};
use crate::error::{Error, unequal_shapes};
use gather::{Gather, IndexedAxis};
use indices::convert;
pub(super) use indices::{BLOCK, Indices, Scratch, out_of_range, position_of, value_of};

/// Returns the shape of the result of [`take`]: the shape of `x`, with the axes of the indices in place of the axis.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`], [`Error::RankTooLarge`], [`Error::ShapeTooLarge`].
pub(crate) fn take_shape(x: &Array, indices: &Array, axis: usize) -> Result<Dims, Error> {
    check("take", x, indices, axis)?;
    let shape = in_place_of(axis, x.dims(), indices.dims())?;
    element_count("take", &shape)?;
    Ok(shape)
}

/// Takes the elements at these indices along an axis. Negative indices count from the end.
///
/// # Errors
/// The errors of [`take_shape`], [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
pub(crate) fn take(x: &Array, indices: &Array, axis: usize) -> Result<Array, Error> {
    let shape = take_shape(x, indices, axis)?;
    let looked_up = row_major(indices.dims());
    let strides = in_place_of(axis, x.strides(), &looked_up.map(|_| 0))?;
    let looked_up = in_place_of(axis, &x.dims().map(|_| 0), &looked_up)?;
    gathered("take", x, indices, axis, shape, [&strides, &looked_up])
}

/// Returns the values of all axes, with the values of other axes in place of those of one axis.
///
/// # Errors
/// [`Error::RankTooLarge`].
fn in_place_of<T: Copy + Default>(
    axis: usize,
    own: &[T],
    other: &[T],
) -> Result<PerAxis<T>, Error> {
    let end = axis + other.len();
    let mut values = PerAxis::filled(T::default(), own.len() - 1 + other.len())?;
    values[..axis].copy_from_slice(&own[..axis]);
    values[axis..end].copy_from_slice(other);
    values[end..].copy_from_slice(&own[axis + 1..]);
    Ok(values)
}

/// Returns the shape of the result of [`take_along_axis`]: the indices' size along the axis, and the broadcast of both shapes
/// along the others.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`]; [`Error::ShapeMismatch`] if the ranks differ, [`Error::SizeMismatch`] if the
/// shapes do not broadcast; [`Error::ShapeTooLarge`].
pub(crate) fn take_along_axis_shape(
    x: &Array,
    indices: &Array,
    axis: usize,
) -> Result<Dims, Error> {
    let operation = "take_along_axis";
    check(operation, x, indices, axis)?;
    let mismatch = || {
        let broadcasts = |at: usize| x.shape()[at] == 1 || indices.shape()[at] == 1;
        unequal_shapes(
            operation,
            ["the tensor".into(), "the indices".into()],
            [x.shape(), indices.shape()],
            |at| at == axis || broadcasts(at),
        )
    };
    if x.rank() != indices.rank() {
        return Err(mismatch());
    }
    let mut others = *x.dims();
    others[axis] = indices.shape()[axis];
    let mut shape = broadcast(operation, &others, indices.shape()).map_err(|_| mismatch())?;
    shape[axis] = indices.shape()[axis];
    element_count(operation, &shape)?;
    Ok(shape)
}

/// Takes an element of `x` for each position of the result. The element has the index that `indices` has there along the
/// axis, and the indices of the position along the other axes. Negative indices count from the end.
///
/// # Errors
/// The errors of [`take_along_axis_shape`], [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
pub(crate) fn take_along_axis(x: &Array, indices: &Array, axis: usize) -> Result<Array, Error> {
    let shape = take_along_axis_shape(x, indices, axis)?;
    let mut strides = Strides::new(x.strides())?;
    let mut looked_up = row_major(indices.dims());
    for at in 0..shape.len() {
        if at == axis || x.shape()[at] == 1 {
            strides[at] = 0;
        }
        if indices.shape()[at] == 1 {
            looked_up[at] = 0;
        }
    }
    let strides = [&strides[..], &looked_up];
    gathered("take_along_axis", x, indices, axis, shape, strides)
}

/// Returns indices as numbers that are not negative, in row-major order and in the dtype `i64`.
///
/// # Errors
/// [`Error::NotIndices`], [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
#[cfg(feature = "stablehlo")]
pub(crate) fn from_start(
    operation: &'static str,
    indices: &Array,
    axis: usize,
    size: usize,
) -> Result<Array, Error> {
    let indices = indices.row_major()?;
    if let Some(error) = out_of_range(operation, &indices, [axis, size]) {
        return Err(error);
    }
    let mut scratch = [MaybeUninit::uninit(); BLOCK];
    Array::from_positions(indices.shape(), |at| {
        let index = Indices::new(&indices).range(at..at + 1, &mut scratch)[0];
        let position = position_of(index, size).unwrap_or_default();
        i64::try_from(position).unwrap_or_default()
    })
}

/// Checks the axis and the dtype of the indices.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`].
pub(super) fn check(
    operation: &'static str,
    x: &Array,
    indices: &Array,
    axis: usize,
) -> Result<(), Error> {
    if axis >= x.rank() {
        return Err(Error::AxisOutOfRange {
            operation,
            axis: isize::try_from(axis).unwrap_or(isize::MAX),
            rank: x.rank(),
        });
    }
    match indices.dtype().kind() {
        crate::dtype::Kind::Unsigned | crate::dtype::Kind::Signed => Ok(()),
        _ => Err(Error::NotIndices {
            operation,
            found: indices.dtype(),
        }),
    }
}

/// Copies the elements that `strides` lead to from `x` and from the position of an index on its axis. The indices have the
/// strides `looked_up`.
///
/// # Errors
/// [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
fn gathered(
    operation: &'static str,
    x: &Array,
    indices: &Array,
    axis: usize,
    shape: Dims,
    [strides, looked_up]: [&[isize]; 2],
) -> Result<Array, Error> {
    let dtype = x.dtype();
    let count: usize = shape.iter().product();
    let size = x.shape()[axis];
    let indices = indices.row_major()?;
    let error = || out_of_range(operation, &indices, [axis, size]);
    if count == 0
        && let Some(error) = error()
    {
        return Err(error);
    }
    let mut buffer = Uninit::new(count * dtype.size())?;
    if count > 0 {
        let indexed = IndexedAxis {
            size,
            stride: x.strides()[axis].wrapping_mul(dtype.size().cast_signed()),
        };
        let gather = Gather::new(indexed, &shape, strides, looked_up, dtype.size());
        let converted;
        let read = match Indices::new(&indices) {
            Indices::Blocks(blocks) if !gather.reads_in_order() => {
                converted = all_converted(blocks)?;
                // SAFETY: the buffer has a number of type `isize` for each index, and is aligned to 16.
                let all = unsafe {
                    core::slice::from_raw_parts(converted.as_ptr().cast(), indices.len())
                };
                Indices::All(all)
            }
            indices => indices,
        };
        // SAFETY: along the shape, `strides` and the indices reach elements of `x`: `strides` has zero along their axis. Strides of the
        // indices are those of a row-major array of their shape, zero where it is repeated; those that are converted in blocks are read
        // in order. The buffer is new and has room for `count` elements.
        let is_done = unsafe { gather.run(x.as_ptr(), read, buffer.as_mut_ptr()) };
        if !is_done {
            return Err(error().expect("the loop found an index that is out of range"));
        }
    }
    // SAFETY: `gather` wrote all `count` elements, as no index was out of range.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, dtype, shape))
}

/// Returns all indices of a contiguous array, as numbers of type `isize`, in a buffer, because large ones come from the pool.
///
/// # Errors
/// [`Error::OutOfMemory`].
fn all_converted(indices: &Array) -> Result<Buffer, Error> {
    let len = indices.len();
    let mut buffer = Uninit::new(len * size_of::<isize>())?;
    let first = buffer.as_mut_ptr().cast();
    // SAFETY: the buffer is new, aligned to 16, and has room for `len` numbers.
    let numbers = unsafe { core::slice::from_raw_parts_mut(first, len) };
    convert(indices, 0..len, numbers);
    // SAFETY: `convert` has written a number for each index.
    Ok(unsafe { buffer.assume_init() })
}
