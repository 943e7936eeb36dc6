//! Gathering: elements at given indices along an axis.
//!
//! An element of the result lies in the operand at a distance that has two parts. One follows from the element's own
//! index, by strides as in any view. The other is the index that was looked up, times the stride of its axis; these
//! distances are computed and checked first, once for each index. So [`take`] and [`take_along_axis`] are one loop
//! ([`Gather`]) with different strides. If whole rows lie together in the operand, it copies row by row.
#![allow(unsafe_code, reason = "copies raw memory")]

use core::fmt::Display;

use super::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::array::alloc::vec_with_capacity;
use crate::array::{Array, Dims, PerAxis, Strides, Uninit, broadcast, element_count, row_major};
use crate::dtype::{DType, Element};
use crate::error::Error;
use crate::simd::for_types;

/// Returns the shape of the result of [`take`]: that of `x`, with the axes of the indices in place of the axis.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`], [`Error::RankTooLarge`], [`Error::ShapeTooLarge`].
pub(crate) fn take_shape(x: &Array, indices: &Array, axis: usize) -> Result<Dims, Error> {
    check("take", x, indices, axis)?;
    let (before, after) = (&x.shape()[..axis], &x.shape()[axis + 1..]);
    let shape = Dims::new(&[before, indices.shape(), after].concat())?;
    element_count(&shape)?;
    Ok(shape)
}

/// Takes the elements at these indices along an axis. Negative indices count from the end.
///
/// # Errors
/// Those of [`take_shape`], [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
pub(crate) fn take(x: &Array, indices: &Array, axis: usize) -> Result<Array, Error> {
    let shape = take_shape(x, indices, axis)?;
    let distances = distances("take", x, indices, axis)?;
    let own = x.strides();
    let zeros = |count: usize| vec![0; count];
    let inner = &own[axis + 1..];
    let strides = [&own[..axis], &zeros(indices.rank()), inner].concat();
    let looked_up = row_major(indices.dims());
    let looked_up = [&zeros(axis), &looked_up[..], &zeros(inner.len())].concat();
    let (strides, looked_up) = (Strides::new(&strides)?, Strides::new(&looked_up)?);
    gathered(x, shape, &strides, &distances, &looked_up)
}

/// Returns the shape of the result of [`take_along_axis`]: along the axis that of the indices, along the others the broadcast of
/// both.
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
    element_count(&shape)?;
    Ok(shape)
}

/// Takes, at each position of the result, the element of `x` whose index along the axis is the one in `indices` there, and
/// whose other indices are those of the position. Negative indices count from the end.
///
/// # Errors
/// Those of [`take_along_axis_shape`], [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
pub(crate) fn take_along_axis(x: &Array, indices: &Array, axis: usize) -> Result<Array, Error> {
    let shape = take_along_axis_shape(x, indices, axis)?;
    let distances = distances("take_along_axis", x, indices, axis)?;
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
    gathered(x, shape, &strides, &distances, &looked_up)
}

/// Returns indices as numbers that are not negative, in row-major order and in the dtype `i64`.
///
/// # Errors
/// [`Error::NotIndices`], [`Error::IndexOutOfRange`], [`Error::OutOfMemory`].
#[allow(dead_code, reason = "only traces use it")]
pub(crate) fn from_start(
    operation: &'static str,
    indices: &Array,
    axis: usize,
    size: usize,
) -> Result<Array, Error> {
    let mut found = scaled(operation, indices, [axis, size], 1)?.into_iter();
    Array::from_positions(indices.shape(), |_| {
        let index = found.next().unwrap_or_default();
        i64::try_from(index).unwrap_or_default()
    })
}

/// Checks the axis and the dtype of the indices.
fn check(operation: &'static str, x: &Array, indices: &Array, axis: usize) -> Result<(), Error> {
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
) -> Result<Vec<isize>, Error> {
    let bytes = x.strides()[axis].wrapping_mul(x.dtype().size().cast_signed());
    scaled(operation, indices, [axis, x.shape()[axis]], bytes)
}

/// Returns each index, counted from the start of the axis, times a factor.
fn scaled(
    operation: &'static str,
    indices: &Array,
    [axis, size]: [usize; 2],
    factor: isize,
) -> Result<Vec<isize>, Error> {
    let indices = indices.row_major()?;
    let mut found = vec_with_capacity(indices.len())?;
    let mut wrong = None;
    for_types!(indices.dtype(), T in [
        DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
        DType::I8 => i8, DType::I16 => i16, DType::I32 => i32, DType::I64 => i64,
    ] => wrong = push_scaled::<T>(&indices, size.cast_signed(), factor, &mut found), _ => {});
    match wrong {
        None => Ok(found),
        Some(index) => Err(Error::IndexOutOfRange {
            operation,
            index,
            axis,
            size,
        }),
    }
}

/// Appends the indices, counted from the start, times a factor. Returns the first that is out of range.
fn push_scaled<T: Element + TryInto<isize> + Display>(
    indices: &Array,
    size: isize,
    factor: isize,
    to: &mut Vec<isize>,
) -> Option<isize> {
    let indices: &[T] = indices.as_slice().unwrap_or_default();
    let mut wrong = None;
    to.extend(indices.iter().map_while(|index| {
        // A `u64` above every `isize` is out of range too.
        let index: isize = (*index).try_into().unwrap_or(isize::MAX);
        let from_start = if index < 0 { index + size } else { index };
        if from_start < 0 || from_start >= size {
            wrong = Some(index);
            return None;
        }
        // An axis of one element can have any stride.
        Some(from_start.wrapping_mul(factor))
    }));
    wrong
}

/// Copies the elements at `strides` from `x` and at the looked-up distances, whose strides are `looked_up`.
fn gathered(
    x: &Array,
    shape: Dims,
    strides: &[isize],
    distances: &[isize],
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
        unsafe { gather.run(x.as_ptr(), distances.as_ptr(), buffer.as_mut_ptr()) };
    }
    // SAFETY: `gather` wrote all `count` elements.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, dtype, shape))
}

/// The axes of a result, with neighbours coalesced that are walked as one. All strides of the operand are in bytes.
struct Gather {
    /// The axes but the last two.
    outer: PerAxis<usize>,
    outer_strides: Strides,
    outer_looked_up: Strides,
    /// The last axis but one.
    rows: Axis,
    /// The last axis.
    columns: Axis,
    /// The bytes that are copied at a time along the last axis.
    size: usize,
}

#[derive(Clone, Copy)]
struct Axis {
    len: usize,
    /// The distance of neighbours in the operand, in bytes.
    stride: isize,
    /// The distance of the neighbours' looked-up distances from one another.
    looked_up: isize,
}

impl Gather {
    fn new(shape: &[usize], strides: &[isize], looked_up: &[isize], size: usize) -> Self {
        let mut axes: Vec<Axis> = Vec::with_capacity(shape.len() + 2);
        for ((len, stride), looked_up) in shape.iter().zip(strides).zip(looked_up) {
            if *len == 1 {
                continue;
            }
            let axis = Axis {
                len: *len,
                stride: stride.wrapping_mul(size.cast_signed()),
                looked_up: *looked_up,
            };
            let along = |stride: isize| stride.wrapping_mul(len.cast_signed());
            match axes.last_mut() {
                Some(outer)
                    if outer.stride == along(axis.stride)
                        && outer.looked_up == along(axis.looked_up) =>
                {
                    *outer = Axis {
                        len: outer.len * len,
                        ..axis
                    };
                }
                _ => axes.push(axis),
            }
        }
        let single = Axis {
            len: 1,
            stride: 0,
            looked_up: 0,
        };
        let mut columns = axes.pop().unwrap_or(single);
        let mut size = size;
        // A row that is as long as an element of another dtype is copied as one.
        let is_row = columns.looked_up == 0 && columns.stride == size.cast_signed();
        if is_row && [2, 4, 8, 16].contains(&(columns.len * size)) {
            size *= columns.len;
            columns = axes.pop().unwrap_or(single);
        }
        let rows = axes.pop().unwrap_or(single);
        let mut outer = Dims::filled(1, axes.len()).unwrap_or_default();
        let (mut outer_strides, mut outer_looked_up) = (outer.map(|_| 0), outer.map(|_| 0));
        for (at, axis) in axes.iter().enumerate() {
            outer[at] = axis.len;
            outer_strides[at] = axis.stride;
            outer_looked_up[at] = axis.looked_up;
        }
        Self {
            outer,
            outer_strides,
            outer_looked_up,
            rows,
            columns,
            size,
        }
    }

    /// Copies all elements, on several threads if there are many.
    ///
    /// # Safety
    /// For each position, the strides lead from `distances` to a distance, and from `x` and by this distance to `size`
    /// bytes that can be read. `to` has room for the bytes of all positions.
    unsafe fn run(&self, x: *const u8, distances: *const isize, to: *mut u8) {
        let rows = self.outer.iter().product::<usize>() * self.rows.len;
        let row_bytes = self.columns.len * self.size;
        let shared = SendPtr::new((x, (distances, to)));
        let min_len = (MIN_WORK_PER_THREAD / row_bytes.max(1)).max(1);
        split(rows, 1, min_len, |piece| {
            let (x, (distances, to)) = shared.get();
            let mut row = piece.start;
            while row < piece.end {
                let (mut block, in_block) = (row / self.rows.len, row % self.rows.len);
                let len = (self.rows.len - in_block).min(piece.end - row);
                let (mut offset, mut position) = (
                    self.rows.stride * in_block.cast_signed(),
                    self.rows.looked_up * in_block.cast_signed(),
                );
                for at in (0..self.outer.len()).rev() {
                    let index = (block % self.outer[at]).cast_signed();
                    block /= self.outer[at];
                    offset += self.outer_strides[at] * index;
                    position += self.outer_looked_up[at] * index;
                }
                let (x, distances) = (
                    x.wrapping_offset(offset),
                    distances.wrapping_offset(position),
                );
                let to = to.wrapping_add(row * row_bytes);
                for_types!(self.size, T in [1 => [u8; 1], 2 => [u8; 2], 4 => [u8; 4], 8 => [u8; 8]] =>
                    // SAFETY: `x` and `distances` are those of row `row`, and `len` rows follow in this block, which
                    // the caller guarantees to be readable. Their place in the output begins at `to`, and no other
                    // piece has these rows.
                    unsafe { self.copy_rows::<T>(len, x, distances, to) },
                    // SAFETY: likewise; other sizes are 16.
                    _ => unsafe { self.copy_rows::<[u8; 16]>(len, x, distances, to) }
                );
                row += len;
            }
        });
    }

    /// Copies `len` rows that are neighbours along the last axis but one.
    ///
    /// # Safety
    /// That of [`Self::run`], for the positions of these rows; `T` has `size` bytes.
    unsafe fn copy_rows<T: Copy>(
        &self,
        len: usize,
        x: *const u8,
        distances: *const isize,
        to: *mut u8,
    ) {
        let Axis {
            len: columns,
            stride,
            looked_up,
        } = self.columns;
        let size = size_of::<T>();
        let is_contiguous = looked_up == 0 && stride == size.cast_signed();
        for row in 0..len {
            let signed = row.cast_signed();
            let x = x.wrapping_offset(self.rows.stride * signed);
            let distances = distances.wrapping_offset(self.rows.looked_up * signed);
            let to = to.wrapping_add(row * columns * size);
            // SAFETY: the caller guarantees a distance at each position of `distances` that the strides reach, `size`
            // readable bytes at that distance, and room for the row at `to`, which is part of a new buffer. Reads and
            // writes need no alignment.
            unsafe {
                if is_contiguous {
                    let from = x.offset(distances.read());
                    to.copy_from_nonoverlapping(from, columns * size);
                } else if looked_up == 0 {
                    let from = x.offset(distances.read());
                    for column in 0..columns {
                        let from = from.offset(stride * column.cast_signed());
                        to.cast::<T>()
                            .add(column)
                            .write_unaligned(from.cast::<T>().read_unaligned());
                    }
                } else {
                    for column in 0..columns {
                        let at = column.cast_signed();
                        let distance = distances.offset(looked_up * at).read();
                        let from = x.wrapping_offset(stride * at).wrapping_offset(distance);
                        to.cast::<T>()
                            .add(column)
                            .write_unaligned(from.cast::<T>().read_unaligned());
                    }
                }
            }
        }
    }
}
