//! Gathering: elements at given indices along an axis.
//!
//! An element of the result lies in the operand at a distance that has two parts. One follows from the element's own
//! index, by strides as in any view. The other is the index that was looked up, times the stride of its axis; these
//! distances are computed and checked first, once for each index. So [`take`] and [`take_along_axis`] are one loop
//! ([`Gather`]) with different strides.
//!
//! Rows that lie together in the operand are copied whole:
//!
//! 1. Short rows are copied without a call of `memcpy`: as one element if they have a power of two up to [`LARGEST`] bytes,
//!    else element by element.
//! 2. Longer rows of large operands are prefetched [`PREFETCHED_BYTES`] ahead.
//! 3. Results that exceed the caches are written with streaming stores, as `memcpy` does by itself for a large copy.
#![allow(unsafe_code, reason = "copies raw memory")]

use super::drive::nontemporal::{
    PrefetchSet, STAGED_BYTES, StagingBuffer, StreamingWriter, is_worthwhile,
};
use super::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::array::{
    Array, Buffer, Dims, MAX_RANK, PerAxis, Strides, Uninit, broadcast, element_count, row_major,
};
use crate::dtype::{DType, Element};
use crate::error::Error;
use crate::simd::{for_types, prefetch_all};

/// The size of the longest row that is copied as one element, in bytes.
const LARGEST: usize = 128;
/// The number of bytes of rows that are prefetched before they are copied: rows at random places are no sequence that the
/// processor sees by itself.
const PREFETCHED_BYTES: usize = 2048;
/// The size of results from which rows are prefetched; smaller operands are mostly in a cache.
const PREFETCHED_FROM: usize = 1 << 20;

/// Returns the shape of the result of [`take`]: that of `x`, with the axes of the indices in place of the axis.
///
/// # Errors
/// [`Error::AxisOutOfRange`], [`Error::NotIndices`], [`Error::RankTooLarge`], [`Error::ShapeTooLarge`].
pub(crate) fn take_shape(x: &Array, indices: &Array, axis: usize) -> Result<Dims, Error> {
    check("take", x, indices, axis)?;
    let shape = in_place_of(axis, x.dims(), indices.dims())?;
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
    let looked_up = row_major(indices.dims());
    let strides = in_place_of(axis, x.strides(), &looked_up.map(|_| 0))?;
    let looked_up = in_place_of(axis, &x.dims().map(|_| 0), &looked_up)?;
    gathered(x, shape, &strides, &distances, &looked_up)
}

/// Returns the values of all axes but one, and those of other axes in its place.
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
    let wrong = for_types!(indices.dtype(), T in [
        DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
        DType::I8 => i8, DType::I16 => i16, DType::I32 => i32,
    ] =>
        // SAFETY: the buffer has room for as many `isize` as there are indices, and is aligned to 16.
        unsafe { write_scaled::<T>(&indices, size.cast_signed(), factor, to) },
        // SAFETY: likewise. `check` has refused all other dtypes but `i64`.
        _ => unsafe { write_scaled::<i64>(&indices, size.cast_signed(), factor, to) }
    );
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

/// Writes the indices, counted from the start, times a factor. Returns the first that is out of range.
///
/// # Safety
/// `to` has room for as many numbers as there are indices, and is aligned for them.
unsafe fn write_scaled<T: Element + TryInto<isize>>(
    indices: &Array,
    size: isize,
    factor: isize,
    to: *mut isize,
) -> Option<isize> {
    let indices: &[T] = indices.as_slice().expect("contiguous, of this dtype");
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

/// The axes of a result, with neighbours coalesced that are walked as one. All strides of the operand are in bytes.
struct Gather {
    /// The axes but the last two.
    outer: PerAxis<Axis>,
    /// The last axis but one.
    rows: Axis,
    /// The last axis.
    columns: Axis,
    /// The bytes that are copied at a time along the last axis.
    size: usize,
    /// `true` if the last axis lies together in the operand, so that whole rows are copied.
    copies_rows: bool,
    /// `true` if the rows are written past the caches.
    streams: bool,
}

#[derive(Clone, Copy)]
struct Axis {
    len: usize,
    /// The distance of neighbours in the operand, in bytes.
    stride: isize,
    /// The distance of the neighbours' looked-up distances from one another.
    looked_up: isize,
}

impl Default for Axis {
    /// An axis of one position.
    fn default() -> Self {
        Self {
            len: 1,
            stride: 0,
            looked_up: 0,
        }
    }
}

impl Gather {
    fn new(shape: &[usize], strides: &[isize], looked_up: &[isize], size: usize) -> Self {
        let (mut axes, mut count) = ([Axis::default(); MAX_RANK], 0);
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
            match axes[..count].last_mut() {
                Some(outer)
                    if outer.stride == along(axis.stride)
                        && outer.looked_up == along(axis.looked_up) =>
                {
                    let len = outer.len * len;
                    *outer = Axis { len, ..axis };
                }
                _ => {
                    axes[count] = axis;
                    count += 1;
                }
            }
        }
        let mut pop = || {
            let axis = axes[..count].last().copied().unwrap_or_default();
            count = count.saturating_sub(1);
            axis
        };
        let (mut columns, mut size) = (pop(), size);
        let mut copies_rows = columns.looked_up == 0 && columns.stride == size.cast_signed();
        let bytes = columns.len * size;
        let streams = copies_rows && is_worthwhile(2 * size * shape.iter().product::<usize>());
        // A call of `memcpy` for each short row would take longer than its elements.
        let largest = if streams { 16 } else { LARGEST };
        if copies_rows && bytes <= largest && bytes.is_power_of_two() {
            size = bytes;
            columns = pop();
            copies_rows = false;
        }
        if bytes < 32 {
            copies_rows = false;
        }
        let rows = pop();
        Self {
            outer: PerAxis::new(&axes[..count]).unwrap_or_default(),
            rows,
            columns,
            size,
            copies_rows,
            streams: streams && copies_rows,
        }
    }

    /// Copies all elements, on several threads if there are many.
    ///
    /// # Safety
    /// For each position, the strides lead from `distances` to a distance, and from `x` and by this distance to `size`
    /// bytes that can be read. `to` has room for the bytes of all positions.
    unsafe fn run(&self, x: *const u8, distances: *const isize, to: *mut u8) {
        let blocks: usize = self.outer.iter().map(|axis| axis.len).product();
        let rows = blocks * self.rows.len;
        let row_bytes = self.columns.len * self.size;
        let total = rows * row_bytes;
        let is_large = total > PREFETCHED_FROM;
        let shared = SendPtr::new((x, (distances, to)));
        let min_len = (MIN_WORK_PER_THREAD / row_bytes.max(1)).max(1);
        split(rows, 1, min_len, |piece| {
            let (x, (distances, to)) = shared.get();
            let mut staging = StagingBuffer::empty();
            let reads = PrefetchSet::new(1, core::iter::empty());
            let streamed = self.streams.then_some((&mut staging, reads));
            let mut writer =
                StreamingWriter::new(to.wrapping_add(piece.start * row_bytes), streamed);
            let mut row = piece.start;
            while row < piece.end {
                let (mut block, in_block) = (row / self.rows.len, row % self.rows.len);
                let len = (self.rows.len - in_block).min(piece.end - row);
                let (mut offset, mut position) = (
                    self.rows.stride * in_block.cast_signed(),
                    self.rows.looked_up * in_block.cast_signed(),
                );
                for axis in self.outer.iter().rev() {
                    let index = (block % axis.len).cast_signed();
                    block /= axis.len;
                    offset += axis.stride * index;
                    position += axis.looked_up * index;
                }
                let x = x.wrapping_offset(offset);
                let distances = distances.wrapping_offset(position);
                if self.copies_rows {
                    // SAFETY: `x` and `distances` are those of row `row`, and `len` rows follow in this block, which the
                    // caller guarantees to be readable. The writer began at the first row of this piece and has
                    // written all up to `row`; no other piece has these rows.
                    unsafe { self.copy_rows(len, x, distances, is_large, &mut writer) };
                } else {
                    let to = to.wrapping_add(row * row_bytes);
                    for_types!(self.size, T in [
                        1 => [u8; 1], 2 => [u8; 2], 4 => [u8; 4], 8 => [u8; 8], 16 => [u8; 16], 32 => [u8; 32],
                        64 => [u8; 64],
                    ] =>
                        // SAFETY: likewise. The place of these rows in the output begins at `to`.
                        unsafe { self.copy_elements::<T>(len, x, distances, to) },
                        // SAFETY: likewise; the only other size is `LARGEST`.
                        _ => unsafe { self.copy_elements::<[u8; LARGEST]>(len, x, distances, to) }
                    );
                }
                row += len;
            }
            // SAFETY: the writer has written the rows of this piece, or none.
            unsafe { writer.finish() };
        });
    }

    /// Copies `len` rows that are neighbours along the last axis but one, each of which lies together in the operand.
    ///
    /// # Safety
    /// That of [`Self::run`], for the positions of these rows. The writer stands at the first of them in the output.
    unsafe fn copy_rows(
        &self,
        len: usize,
        x: *const u8,
        distances: *const isize,
        is_large: bool,
        writer: &mut StreamingWriter<'_>,
    ) {
        let bytes = self.columns.len * self.size;
        let longest = if self.streams { STAGED_BYTES } else { bytes };
        let place = |row: usize| {
            let row = row.cast_signed();
            let distance = distances.wrapping_offset(self.rows.looked_up * row);
            // SAFETY: the caller guarantees a distance at each position of these rows.
            let distance = unsafe { distance.read() };
            x.wrapping_offset(self.rows.stride * row)
                .wrapping_offset(distance)
        };
        let ahead = PREFETCHED_BYTES.div_ceil(bytes);
        for row in 0..len {
            if is_large && row + ahead < len {
                prefetch_all(place(row + ahead), bytes.min(PREFETCHED_BYTES));
            }
            let (mut from, mut left) = (place(row), bytes);
            while left > 0 {
                let piece = left.min(longest);
                // SAFETY: the caller guarantees `bytes` readable bytes at the place of each row and room for them in the
                // output, which is new. If it is streamed, a piece is at most `STAGED_BYTES`, less than `MAX_PIECE`.
                unsafe {
                    writer.next().copy_from_nonoverlapping(from, piece);
                    writer.advance(piece);
                }
                from = from.wrapping_add(piece);
                left -= piece;
            }
        }
    }

    /// Copies the elements of `len` rows that are neighbours along the last axis but one.
    ///
    /// # Safety
    /// That of [`Self::run`], for the positions of these rows; `T` has `size` bytes.
    unsafe fn copy_elements<T: Copy>(
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
        for row in 0..len {
            let signed = row.cast_signed();
            let x = x.wrapping_offset(self.rows.stride * signed);
            let distances = distances.wrapping_offset(self.rows.looked_up * signed);
            let to = to.wrapping_add(row * columns * size).cast::<T>();
            let copy = |column: usize, distance: isize| {
                let from = x.wrapping_offset(stride * column.cast_signed());
                let from = from.wrapping_offset(distance).cast::<T>();
                // SAFETY: the caller guarantees `size` readable bytes at this position, and room for them in the
                // output, which is new; reads and writes need no alignment.
                unsafe { to.add(column).write_unaligned(from.read_unaligned()) };
            };
            // SAFETY: the caller guarantees a distance at each position that the strides reach.
            let distance = |at: isize| unsafe { distances.offset(looked_up * at).read() };
            if looked_up == 0 {
                let distance = distance(0);
                (0..columns).for_each(|column| copy(column, distance));
            } else {
                (0..columns).for_each(|column| copy(column, distance(column.cast_signed())));
            }
        }
    }
}
