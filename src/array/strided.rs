//! Copies of strided elements whose size alone is known.
#![allow(unsafe_code, reason = "copies raw memory")]

use core::mem::MaybeUninit;

use crate::simd::{self, for_types};

/// Copies `len` elements of `size` bytes, which lie `stride` elements apart, to contiguous memory.
///
/// # Safety
/// `len` elements can be read at `from` and written at `to`; both are aligned for the size, up to 8 bytes; they do
/// not overlap.
#[inline]
pub(crate) unsafe fn copy_strided(
    size: usize,
    from: *const u8,
    stride: isize,
    len: usize,
    to: *mut u8,
) {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller guarantees `len` elements to read and write, without overlap; the type has their size
        // and, as they are aligned for their size up to 8 bytes, at most their alignment. With stride -1 they end at `from`.
        unsafe {
            match stride {
                -1 => copy_reversed::<T>(from.cast(), len, to.cast()),
                _ => copy_row::<T>(from.cast(), stride, len, to.cast()),
            }
        },
        // SAFETY: as the caller guarantees, `len` elements to read and write, without overlap, aligned to 8; sizes
        // other than 1, 2, 4 and 8 are 16.
        _ => unsafe { copy_row::<[u64; 2]>(from.cast(), stride, len, to.cast()) }
    );
}

/// The number of bytes that one call of `memcpy` copies.
///
/// From 2 KiB on (glibc) `memcpy` copies by `rep movsb`, which takes ten times as long on some processors (AMD EPYC) if source and
/// destination lie a few bytes apart within a page, as the rows of a matrix and of the same matrix moved by one column do.
const PIECE: usize = 1 << 10;

/// The number of bytes from which on the pieces take no less time: `memcpy` stores past the caches.
const WHOLE: usize = 1 << 16;

/// Copies elements that lie next to one another.
///
/// # Safety
/// `len` elements can be read at `from` and written at `to`; both are aligned for `T`; they do not overlap.
#[inline(always)]
unsafe fn copy_adjacent<T: Copy>(from: *const T, len: usize, to: *mut T) {
    let piece = match len * size_of::<T>() < WHOLE {
        true => PIECE / size_of::<T>(),
        false => len,
    };
    let mut start = 0;
    while start < len {
        let count = piece.min(len - start);
        // SAFETY: `start + count <= len`, the number of elements that the caller guarantees to read and write, without overlap.
        unsafe {
            to.add(start)
                .copy_from_nonoverlapping(from.add(start), count);
        }
        start += count;
    }
}

/// Copies elements that lie `stride` elements apart to contiguous memory.
///
/// # Safety
/// `len` elements can be read at `from` and written at `to`; both are aligned for `T`; they do not overlap.
#[inline(always)]
pub(crate) unsafe fn copy_row<T: Copy>(from: *const T, stride: isize, len: usize, to: *mut T) {
    // SAFETY: element `at < len` is at `from + at * stride`, which the caller guarantees to be readable, and `to` has
    // room for `len` elements. With stride 0 all of them are at `from`.
    unsafe {
        match stride {
            1 => copy_adjacent(from, len, to),
            // By itself, so that LLVM reads and reverses vectors.
            -1 => {
                for at in 0..len {
                    to.add(at).write(from.sub(at).read());
                }
            }
            0 => core::slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), len)
                .fill(MaybeUninit::new(from.read())),
            _ => {
                for at in 0..len {
                    to.add(at)
                        .write(from.offset(at.cast_signed() * stride).read());
                }
            }
        }
    }
}

/// The largest number of bytes of a row that [`copy_contiguous_rows`] copies by two moves, which take less time than a call of `memcpy`
/// or a loop over its elements.
const SHORT_ROW: usize = 32;

/// Copies rows of contiguous bytes, whose starts lie some bytes apart.
///
/// # Safety
/// `rows` rows of `bytes` bytes can be read from `from` on and written from `to` on, at these distances. They do not overlap.
#[inline(never)]
pub(crate) unsafe fn copy_contiguous_rows(
    (mut from, from_down): (*const u8, isize),
    (mut to, to_down): (*mut u8, isize),
    rows: usize,
    bytes: usize,
) {
    // SAFETY: the caller guarantees the rows. Each has the number of bytes that its function requires.
    unsafe {
        match bytes {
            0 => {}
            1 => copy_rows_in_two::<1>((from, from_down), (to, to_down), rows, bytes),
            2..4 => copy_rows_in_two::<2>((from, from_down), (to, to_down), rows, bytes),
            4..8 => copy_rows_in_two::<4>((from, from_down), (to, to_down), rows, bytes),
            8..16 => copy_rows_in_two::<8>((from, from_down), (to, to_down), rows, bytes),
            16..=SHORT_ROW => copy_rows_in_two::<16>((from, from_down), (to, to_down), rows, bytes),
            _ => {
                for _ in 0..rows {
                    copy_adjacent(from, bytes, to);
                    from = from.wrapping_offset(from_down);
                    to = to.wrapping_offset(to_down);
                }
            }
        }
    }
}

/// Copies the first `N` bytes of each row, and then the last `N`, which may overlap the first.
///
/// # Safety
/// That of [`copy_contiguous_rows`]; `bytes` is from `N` to `2 * N`.
#[inline(always)]
unsafe fn copy_rows_in_two<const N: usize>(
    (mut from, from_down): (*const u8, isize),
    (mut to, to_down): (*mut u8, isize),
    rows: usize,
    bytes: usize,
) {
    for _ in 0..rows {
        // SAFETY: the caller guarantees `bytes >= N` bytes of this row to read and write; any bytes are valid for `MaybeUninit`, which
        // is aligned to 1.
        unsafe {
            let first = from.cast::<[MaybeUninit<u8>; N]>().read();
            let last = from.add(bytes - N).cast::<[MaybeUninit<u8>; N]>().read();
            to.cast::<[MaybeUninit<u8>; N]>().write(first);
            to.add(bytes - N).cast::<[MaybeUninit<u8>; N]>().write(last);
        }
        (from, to) = (from.wrapping_offset(from_down), to.wrapping_offset(to_down));
    }
}

/// Copies elements in the reverse order, by a loop for the instruction set in use.
///
/// # Safety
/// `len` elements that end at `from` can be read, and as many can be written at `to`; both are aligned for `T`; they do not overlap.
#[inline(never)]
unsafe fn copy_reversed<T: Copy>(from: *const T, len: usize, to: *mut T) {
    // SAFETY: the caller guarantees the elements that the loop reads, and room for as many.
    unsafe { simd::reverse::<T>()(&from.cast(), to.cast(), len) }
}

/// Copies `len` elements of `size` bytes between memory where they lie `from_stride` and `to_stride` elements apart.
///
/// # Safety
/// `len` elements can be read at `from` and written at `to`, with these strides; both are aligned for the size, up to 8 bytes;
/// they do not overlap.
pub(crate) unsafe fn copy_between(
    size: usize,
    (from, from_stride): (*const u8, isize),
    (to, to_stride): (*mut u8, isize),
    len: usize,
) {
    if to_stride == 1 {
        // SAFETY: the caller guarantees `len` elements to read with this stride and to write next to one another, aligned and
        // without overlap.
        return unsafe { copy_strided(size, from, from_stride, len, to) };
    }
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller guarantees `len` elements to read and write with these strides, without overlap; the type has their
        // size and, as they are aligned for their size up to 8 bytes, at most their alignment.
        unsafe { scatter_row::<T>(from.cast(), from_stride, to.cast(), to_stride, len) },
        // SAFETY: as the caller guarantees, `len` elements to read and write, without overlap, aligned to 8; sizes other than 1,
        // 2, 4 and 8 are 16.
        _ => unsafe { scatter_row::<[u64; 2]>(from.cast(), from_stride, to.cast(), to_stride, len) }
    );
}

/// Copies elements between memory where they lie some elements apart.
///
/// # Safety
/// `len` elements can be read at `from` and written at `to`, with these strides; both are aligned for `T`; they do not overlap.
unsafe fn scatter_row<T: Copy>(
    from: *const T,
    from_stride: isize,
    to: *mut T,
    to_stride: isize,
    len: usize,
) {
    for at in 0..len.cast_signed() {
        // SAFETY: `at < len`, and the caller guarantees elements at these distances from `from` and `to`.
        unsafe {
            to.offset(at * to_stride)
                .write(from.offset(at * from_stride).read());
        }
    }
}
