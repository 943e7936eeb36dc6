//! Copies the elements of small operands of any strides one after another, and fills them up to a whole pack.
//!
//! For at most [`MAX_GATHERED`] elements, coalescing axes and walking blocks take longer than the loop that computes them. So operands that
//! broadcast or have strides are gathered as one block each, and the loop runs once.
#![allow(unsafe_code, reason = "copies raw memory")]

use bytemuck::Pod;

use crate::array::strided::{copy_contiguous_rows, copy_strided};
use crate::array::{Array, Dims, MAX_RANK};
use crate::simd::{self, LANES, Repeats, black_box_usize, for_types};

/// The largest number of elements that are gathered as one block.
pub(in crate::kernel) const MAX_GATHERED: usize = 128;

/// Copies the `total` elements of an array, broadcast to a shape, and fills them up to a whole pack with copies of its first
/// element.
///
/// # Safety
/// The array broadcasts to the shape, which has `total` elements, at least one. At `to` as many can be written, and a pack; it
/// is aligned for them.
pub(in crate::kernel) unsafe fn gather_array(
    array: &Array,
    shape: &Dims,
    total: usize,
    to: *mut u8,
) {
    let (size, from) = (array.dtype().size(), array.as_ptr());
    if let [_, _] | [_] | [] = **shape {
        let [down, along] = matrix_strides(array);
        let columns = shape.last().copied().unwrap_or(1);
        let rows = if let [rows, _] = **shape { rows } else { 1 };
        let axes: AxesFromRight<'_> = (&[columns, rows], &[along, down]);
        // SAFETY: the caller guarantees that the array broadcasts to the shape, so its elements can be read at these strides; and
        // room.
        return unsafe { gather(size, from, axes, total, to) };
    }
    let (mut sizes, mut strides) = ([1; MAX_RANK], [0; MAX_RANK]);
    for (to, size) in sizes.iter_mut().zip(shape.iter().rev()) {
        *to = *size;
    }
    let own = array.shape().iter().zip(array.strides()).rev();
    for (to, (size, stride)) in strides.iter_mut().zip(own) {
        *to = if *size == 1 { 0 } else { *stride };
    }
    let axes = (&sizes[..shape.len()], &strides[..shape.len()]);
    // SAFETY: the caller guarantees that the array broadcasts to the shape, so its elements can be read at these strides; and
    // room.
    unsafe { gather(size, from, axes, total, to) }
}

/// Copies the `total` elements along at least two axes, of `size` bytes each, and fills them up to a whole pack with copies of the first
/// one.
///
/// # Safety
/// The elements, at least one, can be read from `from` on at these strides. At `to` as many can be written, and a pack; both are
/// aligned for them.
pub(in crate::kernel) unsafe fn gather(
    size: usize,
    from: *const u8,
    axes: AxesFromRight<'_>,
    total: usize,
    to: *mut u8,
) {
    let fills = total < LANES;
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller guarantees elements of this size to read, the first one at `from`, and room for as many and a pack.
        unsafe { gather_of::<T>(fills, from.cast(), axes, to.cast()) },
        // SAFETY: the caller guarantees elements of 16 bytes to read, aligned to 8, and room for as many and a pack.
        _ => unsafe { gather_of::<[u64; 2]>(fills, from.cast(), axes, to.cast()) }
    );
}

/// Returns the strides of an array along its last two axes, zero along those that it repeats along or lacks.
#[inline]
pub(in crate::kernel) fn matrix_strides(array: &Array) -> [isize; 2] {
    let (shape, strides) = (array.shape(), array.strides());
    let stride = |from_right: usize| {
        let axis = shape.len().checked_sub(from_right)?;
        (shape[axis] != 1).then(|| strides[axis])
    };
    [stride(2).unwrap_or(0), stride(1).unwrap_or(0)]
}

/// The sizes and strides of axes, from the last one on. There are at least two.
pub(in crate::kernel) type AxesFromRight<'a> = (&'a [usize], &'a [isize]);

/// [`gather`] for elements like `T`.
///
/// # Safety
/// The contract of [`gather_axes`] and, if the elements are filled up, room for a pack at `to`.
#[inline]
unsafe fn gather_of<T: Copy>(fills: bool, from: *const T, axes: AxesFromRight<'_>, to: *mut T) {
    // SAFETY: the caller guarantees that there is an element at `from` and room for a pack, and what `gather_axes` requires.
    unsafe {
        if fills {
            to.cast::<[T; LANES]>().write([from.read(); LANES]);
        }
        match axes {
            (&[columns, rows], &[along, down]) => {
                gather_rows(from, ([columns, rows], [along, down]), to);
            }
            _ => {
                gather_axes(from, axes, to);
            }
        }
    }
}

/// Copies the elements along at least two axes, of `size` bytes each, in row-major order.
///
/// # Safety
/// The elements can be read from `from` on at these strides, and as many can be written to `to`; both are aligned for them.
pub(in crate::kernel) unsafe fn copy_axes(
    size: usize,
    from: *const u8,
    axes: AxesFromRight<'_>,
    to: *mut u8,
) {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller guarantees elements of this size to read, and room for as many.
        { unsafe { gather_axes::<T>(from.cast(), axes, to.cast()) }; },
        // SAFETY: the caller guarantees elements of 16 bytes to read, aligned to 8, and room for as many.
        _ => { unsafe { gather_axes::<[u64; 2]>(from.cast(), axes, to.cast()) }; }
    );
}

/// Copies the elements along axes, in row-major order, and returns the address after the last copy.
///
/// # Safety
/// All these elements can be read from `from` on, and as many can be written to `to`.
unsafe fn gather_axes<T: Copy>(
    mut from: *const T,
    axes: AxesFromRight<'_>,
    mut to: *mut T,
) -> *mut T {
    if let (&[columns, rows], &[along, down]) = axes {
        let bytes = columns * size_of::<T>();
        let from_down = down * size_of::<T>().cast_signed();
        // SAFETY: the caller guarantees that the elements along these axes can be read, and room for them, which they do not overlap. Rows
        // of the stride 1 are contiguous, those of the stride 0 repeat an element, and those of the distance 0 repeat the first row.
        unsafe {
            match (along, down) {
                (_, 0) if rows > 1 => {
                    gather_axes(from, (&[columns, 1], &[along, down]), to);
                    repeat_period(to.cast(), bytes, rows * bytes);
                }
                (1, _) => {
                    let (from, to) = ((from.cast(), from_down), (to.cast(), bytes.cast_signed()));
                    copy_contiguous_rows(from, to, rows, bytes);
                }
                (0, _) => {
                    let repeats = Repeats {
                        distance: down,
                        copies: columns,
                    };
                    let inputs = [from.cast(), (&raw const repeats).cast()];
                    simd::repeat_each::<T>()(inputs.as_ptr(), to.cast(), rows * columns);
                }
                (_, 1) if matches!(columns, 2..LONG_ROW) => {
                    interleave(from, along, [columns, rows], to);
                }
                _ => {
                    gather_rows(from, ([columns, rows], [along, down]), to);
                }
            }
        }
        return to.wrapping_add(rows * columns);
    }
    let (Some((size, sizes)), Some((stride, strides))) = (axes.0.split_last(), axes.1.split_last())
    else {
        return to;
    };
    for _ in 0..*size {
        // SAFETY: the caller guarantees that the elements of each part along this axis can be read, and room for them.
        to = unsafe { gather_axes(from, (sizes, strides), to) };
        from = from.wrapping_offset(*stride);
    }
    to
}

/// Copies the elements along two axes, in row-major order, and returns the address after the last copy. Takes sizes and strides, each of
/// the last axis first.
///
/// # Safety
/// All these elements can be read from `from` on, and as many can be written to `to`.
#[inline]
unsafe fn gather_rows<T: Copy>(
    mut from: *const T,
    ([columns, rows], [along, down]): ([usize; 2], [isize; 2]),
    mut to: *mut T,
) -> *mut T {
    let end = to.wrapping_add(rows * columns);
    while to != end {
        // SAFETY: the caller guarantees that each element along the last two axes can be read, and room for it.
        unsafe {
            if columns >= LONG_ROW {
                copy_strided(size_of::<T>(), from.cast(), along, columns, to.cast());
            } else {
                let (mut element, mut column) = (from, 0);
                while column < columns {
                    to.add(column).write(element.read());
                    element = element.wrapping_offset(along);
                    // Opaque to LLVM, whose checks for vectors take longer than few elements.
                    column = black_box_usize(column + 1);
                }
            }
        }
        (from, to) = (from.wrapping_offset(down), to.wrapping_add(columns));
    }
    to
}

/// Copies columns, at least one, each of `rows` contiguous elements and `along` elements from the one before, into rows.
///
/// # Safety
/// The elements of the columns can be read, and as many can be written; they do not overlap.
#[inline(never)]
unsafe fn interleave<T: Copy>(
    from: *const T,
    along: isize,
    [columns, rows]: [usize; 2],
    to: *mut T,
) {
    let shape = [columns, rows];
    // SAFETY: the caller guarantees these columns, and room for the rows. Each type has the size of the elements, and at most their
    // alignment. The rows from `done` on are rows of the same columns.
    unsafe {
        let done = match size_of::<T>() {
            // Two columns of bytes take no less time than by elements.
            1 if columns > 2 => interleave_vectors::<u8, 16>(from.cast(), along, shape, to.cast()),
            2 => interleave_vectors::<u16, 8>(from.cast(), along, shape, to.cast()),
            4 => interleave_vectors::<u32, 4>(from.cast(), along, shape, to.cast()),
            8 => interleave_vectors::<u64, 2>(from.cast(), along, shape, to.cast()),
            _ => 0,
        };
        let (from, to) = (from.add(done), to.add(done * columns));
        gather_rows(from, ([columns, rows - done], [along, 1]), to);
    }
}

/// [`interleave`] in squares of `N` by `N` elements. Returns the number of rows that it copied: all but a few.
///
/// # Safety
/// The contract of [`interleave`]; the elements are aligned for `T`.
unsafe fn interleave_vectors<T: Pod, const N: usize>(
    from: *const T,
    along: isize,
    [columns, rows]: [usize; 2],
    to: *mut T,
) -> usize {
    let mut done = 0;
    // A square that is wider than the rows writes beyond its last row, where the next square writes the elements that belong there.
    let beyond = N.saturating_sub(columns).div_ceil(columns);
    while rows - done >= N + beyond {
        let mut left = 0;
        loop {
            let column = |column: usize| {
                let column = (left + column).min(columns - 1);
                let first = from.wrapping_offset(column.cast_signed() * along);
                // SAFETY: `done + N <= rows`, the number of elements of this column, which the caller guarantees.
                unsafe { first.add(done).cast::<[T; N]>().read() }
            };
            let square = simd::transposed(core::array::from_fn(column));
            for (row, elements) in square.into_iter().enumerate() {
                let at = (done + row) * columns + left;
                // SAFETY: `left + N <= columns`, or the square is at most `beyond` rows too wide, so the caller guarantees room.
                unsafe { to.add(at).cast::<[T; N]>().write(elements) };
            }
            if left + N >= columns {
                break;
            }
            left = (left + N).min(columns - N);
        }
        done += N;
    }
    done
}

/// Repeats the first `period` bytes up to `len` bytes.
///
/// # Safety
/// `period` bytes, at least one if `len` is more than none, can be read at `to`, and `len` written.
pub(super) unsafe fn repeat_period(to: *mut u8, period: usize, len: usize) {
    let mut done = period;
    while done < len {
        let more = done.min(len - done);
        // SAFETY: the first `done` bytes are there, `more <= done`, and there is room for `done + more <= len`; the two parts do not
        // overlap.
        unsafe { to.add(done).copy_from_nonoverlapping(to.cast_const(), more) };
        done += more;
    }
}

/// The length from which rows are copied by loops that LLVM vectorises.
const LONG_ROW: usize = 16;

/// Copies elements and repeats the last one up to a whole pack.
///
/// # Safety
/// `len` elements, at least one and fewer than [`LANES`], can be read from `from`, and [`LANES`] can be written to
/// `to`; both are aligned and do not overlap.
#[inline]
pub(in crate::kernel) unsafe fn fill_up<T: Copy>(from: *const T, len: usize, to: *mut T) {
    debug_assert!(0 < len && len < LANES, "part of a pack");
    // SAFETY: the caller guarantees `len >= 1` readable elements, so the last one exists, and room for `LANES`; `len
    // < LANES`.
    unsafe {
        // Writing a whole pack takes fewer instructions than writing the missing part.
        to.cast::<[T; LANES]>()
            .write([from.add(len - 1).read(); LANES]);
        to.copy_from_nonoverlapping(from, len);
    }
}

/// [`fill_up`] for elements of `size` bytes.
///
/// # Safety
/// `len` elements, at least one and fewer than [`LANES`], can be read from `from`, and [`LANES`] can be written to
/// `to`; both are aligned for the size, up to 8 bytes, and do not overlap.
#[inline]
pub(in crate::kernel) unsafe fn fill_up_of(size: usize, from: *const u8, len: usize, to: *mut u8) {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller guarantees `0 < len < LANES` readable elements of this size and room for a pack.
        unsafe { fill_up::<T>(from.cast(), len, to.cast()) },
        // SAFETY: the caller guarantees `0 < len < LANES` readable elements of 16 bytes, aligned to 8, and room for a
        // pack.
        _ => unsafe { fill_up::<[u64; 2]>(from.cast(), len, to.cast()) }
    );
}
