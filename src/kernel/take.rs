//! Gathering: elements at given indices along an axis.
//!
//! An element of the result lies in the operand at a distance that has two parts. One follows from the element's own
//! index, by strides as in any view. The other is the index that was looked up, times the stride of its axis; these
//! distances are computed and checked first, once for each index. So [`take`] and [`take_along_axis`] are one loop
//! ([`Gather`]) with different strides.
//!
//! Along the first axis, rows of up to [`LONGEST_IN_BLOCKS`] bytes are copied for [`BLOCK`] indices at a time, so that the looked-up
//! distances stay in the cache.
#![allow(unsafe_code, reason = "copies raw memory")]

mod gather;

use core::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::array::{
    Array, Buffer, Dims, PerAxis, Strides, Uninit, broadcast, element_count, row_major,
};
use crate::dtype::{DType, Element};
use crate::error::Error;
use crate::simd::for_types;
use gather::Gather;

/// The size of the longest rows that are copied for [`BLOCK`] indices at a time, in bytes. For such short rows, reading the distances
/// is a large part of the work.
const LONGEST_IN_BLOCKS: usize = 32;
/// The number of indices that are looked up at a time.
pub(super) const BLOCK: usize = 1024;

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
    let row: usize = x.shape()[axis + 1..].iter().product();
    let is_first = x.shape()[..axis].iter().all(|size| *size == 1);
    let is_short = (1..=LONGEST_IN_BLOCKS).contains(&(row * x.dtype().size()));
    if is_first && is_short && indices.len() > BLOCK {
        return take_in_blocks(x, indices, axis, shape);
    }
    let distances = distances("take", x, indices, axis)?;
    let looked_up = row_major(indices.dims());
    let strides = in_place_of(axis, x.strides(), &looked_up.map(|_| 0))?;
    let looked_up = in_place_of(axis, &x.dims().map(|_| 0), &looked_up)?;
    gathered(x, shape, &strides, &distances, &looked_up)
}

/// [`take`] along the first axis of more than one position, for [`BLOCK`] indices at a time.
fn take_in_blocks(x: &Array, indices: &Array, axis: usize, shape: Dims) -> Result<Array, Error> {
    let size = x.dtype().size();
    let count: usize = shape.iter().product();
    let row = count / indices.len();
    let rows = indices.row_major()?;
    let mut buffer = Uninit::new(count * size)?;
    let strides = in_place_of(axis, x.strides(), &[0])?;
    let looked_up = in_place_of(axis, &x.dims().map(|_| 0), &[1])?;
    let gather_of = |len: usize| {
        let block = in_place_of(axis, x.dims(), &[len])?;
        Ok::<_, Error>(Gather::new(&block, &strides, &looked_up, size))
    };
    let (whole, last) = (gather_of(BLOCK)?, gather_of(indices.len() % BLOCK)?);
    let factor = x.strides()[axis].wrapping_mul(size.cast_signed());
    let axis_size = x.shape()[axis].cast_signed();
    let to = SendPtr::new((x.as_ptr(), buffer.as_mut_ptr()));
    let all_in_range = AtomicBool::new(true);
    let blocks = indices.len().div_ceil(BLOCK);
    let min_len = (MIN_WORK_PER_THREAD / (BLOCK * row * size).max(1)).max(1);
    split(blocks, 1, min_len, |piece| {
        let (x, to) = to.get();
        let mut distances = [0_isize; BLOCK];
        for block in piece {
            let first = block * BLOCK;
            let len = BLOCK.min(indices.len() - first);
            // SAFETY: `distances` has room for `len` numbers, and is aligned for them.
            let wrong = unsafe {
                write_scaled(
                    &rows,
                    first..first + len,
                    axis_size,
                    factor,
                    distances.as_mut_ptr(),
                )
            };
            if wrong.is_some() {
                all_in_range.store(false, Ordering::Relaxed);
                return;
            }
            let gather = if len == BLOCK { &whole } else { &last };
            // SAFETY: the distances are those of indices within the axis, along which `strides` has zero, so that both together
            // reach elements of `x`. The buffer is new and has room for `row` elements of each index.
            unsafe { gather.run(x, distances.as_ptr(), to.add(first * row * size)) };
        }
    });
    if !all_in_range.load(Ordering::Relaxed) {
        // Looks for the first index that is out of range, in order.
        distances("take", x, indices, axis)?;
    }
    // SAFETY: the pieces cover all indices, and each block was written, as no index was out of range.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, x.dtype(), shape))
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
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`]; [`Error::ShapeMismatch`] if the ranks differ or the shapes do not
/// broadcast; [`Error::ShapeTooLarge`].
pub(crate) fn take_along_axis_shape(
    x: &Array,
    indices: &Array,
    axis: usize,
) -> Result<Dims, Error> {
    let operation = "take_along_axis";
    check(operation, x, indices, axis)?;
    let mismatch = || Error::ShapeMismatch {
        operation,
        lhs: x.shape().to_vec(),
        rhs: indices.shape().to_vec(),
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
    if shape == *indices.dims() && indices.len() > BLOCK {
        return take_along_in_blocks(x, indices, axis, &strides);
    }
    let distances = distances("take_along_axis", x, indices, axis)?;
    gathered(x, shape, &strides, &distances, &looked_up)
}

/// [`take_along_axis`] with an index for each element of the result, for up to [`BLOCK`] of them at a time. `strides` are those of the
/// operand, zero along the axis.
fn take_along_in_blocks(
    x: &Array,
    indices: &Array,
    axis: usize,
    strides: &[isize],
) -> Result<Array, Error> {
    let size = x.dtype().size();
    let in_order = indices.row_major()?;
    let mut buffer = Uninit::new(indices.len() * size)?;
    let gather = Gather::new(indices.shape(), strides, &row_major(indices.dims()), size);
    let factor = x.strides()[axis].wrapping_mul(size.cast_signed());
    let axis_size = x.shape()[axis].cast_signed();
    let look_up = |range: Range<usize>, to: &mut [isize]| {
        // SAFETY: `run_in_blocks` gives as many places as there are indices in the range.
        unsafe { write_scaled(&in_order, range, axis_size, factor, to.as_mut_ptr()) }.is_none()
    };
    // SAFETY: the distances are those of indices within the axis, along which `strides` has zero, so that both together reach elements
    // of `x`; there is one for each position, in row-major order. The buffer is new and has room for all of them.
    let all_in_range = unsafe { gather.run_in_blocks(x.as_ptr(), &look_up, buffer.as_mut_ptr()) };
    if !all_in_range {
        // Looks for the first index that is out of range, in order.
        distances("take_along_axis", x, indices, axis)?;
    }
    // SAFETY: all positions were written, as no index was out of range.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, x.dtype(), *indices.dims()))
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
    let found = scaled(operation, indices, [axis, size], 1)?;
    let found: &[isize] = bytemuck::cast_slice(found.as_bytes());
    Array::from_positions(indices.shape(), |at| {
        i64::try_from(found[at]).unwrap_or_default()
    })
}

/// Writes the distances of some indices of a contiguous array: each index, counted from the start of an axis of this size, times a
/// factor.
///
/// # Errors
/// [`Error::IndexOutOfRange`].
pub(super) fn write_distances(
    operation: &'static str,
    indices: &Array,
    range: Range<usize>,
    [axis, size]: [usize; 2],
    factor: usize,
    to: &mut [isize],
) -> Result<(), Error> {
    assert_eq!(range.len(), to.len());
    let (len, factor) = (size.cast_signed(), factor.cast_signed());
    // SAFETY: `to` is a slice with a number for each index of the range (asserted).
    match unsafe { write_scaled(indices, range, len, factor, to.as_mut_ptr()) } {
        None => Ok(()),
        Some(index) => Err(Error::IndexOutOfRange {
            operation,
            index,
            axis,
            size,
        }),
    }
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

/// Returns, for each index in row-major order, the distance that it stands for in `x`, in bytes.
fn distances(
    operation: &'static str,
    x: &Array,
    indices: &Array,
    axis: usize,
) -> Result<Buffer, Error> {
    let bytes = x.strides()[axis].wrapping_mul(x.dtype().size().cast_signed());
    scaled(operation, indices, [axis, x.shape()[axis]], bytes)
}

/// Returns each index, counted from the start of the axis, times a factor: numbers of type `isize`, in a buffer, because
/// large ones come from the pool.
fn scaled(
    operation: &'static str,
    indices: &Array,
    [axis, size]: [usize; 2],
    factor: isize,
) -> Result<Buffer, Error> {
    let indices = indices.row_major()?;
    let mut found = Uninit::new(indices.len() * size_of::<isize>())?;
    let to = found.as_mut_ptr().cast();
    // SAFETY: the buffer has room for as many `isize` as there are indices, and is aligned to 16.
    let wrong = unsafe { write_scaled(&indices, 0..indices.len(), size.cast_signed(), factor, to) };
    match wrong {
        // SAFETY: `write_scaled` has written a number for each index.
        None => Ok(unsafe { found.assume_init() }),
        Some(index) => Err(Error::IndexOutOfRange {
            operation,
            index,
            axis,
            size,
        }),
    }
}

/// Writes some indices of a contiguous array, counted from the start, times a factor. Returns the first that is out of range.
///
/// # Safety
/// `to` has room for as many numbers as there are indices in the range, and is aligned for them.
unsafe fn write_scaled(
    indices: &Array,
    range: Range<usize>,
    size: isize,
    factor: isize,
    to: *mut isize,
) -> Option<isize> {
    fn slice<T: Element>(indices: &Array) -> &[T] {
        indices.as_slice().expect("contiguous, of this dtype")
    }
    for_types!(indices.dtype(), T in [
        DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
        DType::I8 => i8, DType::I16 => i16, DType::I32 => i32,
    ] =>
        // SAFETY: the caller guarantees aligned room for a number for each index.
        unsafe { write_scaled_of::<T>(&slice(indices)[range], size, factor, to) },
        // SAFETY: the caller guarantees aligned room for a number for each index. The dtype is `i64`: `check` has refused all other dtypes.
        _ => unsafe { write_scaled_of::<i64>(&slice(indices)[range], size, factor, to) }
    )
}

/// [`write_scaled`] of indices of a type.
///
/// # Safety
/// The contract of [`write_scaled`].
unsafe fn write_scaled_of<T: Element + TryInto<isize>>(
    indices: &[T],
    size: isize,
    factor: isize,
    to: *mut isize,
) -> Option<isize> {
    // A `u64` above every `isize` is out of range too.
    let number = |index: &T| (*index).try_into().unwrap_or(isize::MAX);
    let from_start = |index: isize| if index < 0 { index + size } else { index };
    let in_range = |index: isize| (0..size).contains(&from_start(index));
    let mut all_in_range = true;
    for (at, index) in indices.iter().enumerate() {
        let index = number(index);
        all_in_range &= in_range(index);
        // It may wrap around: an axis of one element can have any stride, and numbers out of range are not used.
        let distance = from_start(index).wrapping_mul(factor);
        // SAFETY: `at` is less than the number of indices, for which the caller guarantees room.
        unsafe { to.add(at).write(distance) };
    }
    let mut numbers = indices.iter().map(number);
    match all_in_range {
        true => None,
        false => numbers.find(|index| !in_range(*index)),
    }
}

/// Copies the elements at `strides` from `x` and at the looked-up distances, whose strides are `looked_up`.
fn gathered(
    x: &Array,
    shape: Dims,
    strides: &[isize],
    distances: &Buffer,
    looked_up: &[isize],
) -> Result<Array, Error> {
    let dtype = x.dtype();
    let count: usize = shape.iter().product();
    let mut buffer = Uninit::new(count * dtype.size())?;
    if count > 0 {
        let gather = Gather::new(&shape, strides, looked_up, dtype.size());
        // SAFETY: along the shape, `strides` and the distances reach elements of `x`: each distance is that of an index
        // within its axis, and `strides` has zero there. Strides of the distances are those of a row-major array of
        // their shape, zero where it is repeated. The buffer is new and has room for `count` elements.
        unsafe { gather.run(x.as_ptr(), distances.as_ptr().cast(), buffer.as_mut_ptr()) };
    }
    // SAFETY: `gather` wrote all `count` elements.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, dtype, shape))
}
