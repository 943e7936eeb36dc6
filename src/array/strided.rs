//! Copies of elements that lie apart, knowing their size alone.
#![allow(unsafe_code, reason = "copies raw memory")]

use core::mem::MaybeUninit;

use crate::simd::for_types;

/// Copies elements of a size that lie `stride` apart.
///
/// # Safety
/// `len` elements, aligned for their size up to that of `u64`, can be read and written, and do not overlap.
#[inline]
pub(crate) unsafe fn copy_strided(
    size: usize,
    from: *const u8,
    stride: isize,
    len: usize,
    to: *mut u8,
) {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller's; this has their size and at most their alignment.
        unsafe { copy_row::<T>(from.cast(), stride, len, to.cast()) },
        // SAFETY: as above, elements of 16 bytes.
        _ => unsafe { copy_row::<[u64; 2]>(from.cast(), stride, len, to.cast()) }
    );
}

/// Copies elements that lie `stride` apart.
///
/// # Safety
/// `len` elements can be read and written, and do not overlap.
#[inline(always)]
unsafe fn copy_row<T: Copy>(from: *const T, stride: isize, len: usize, to: *mut T) {
    // SAFETY: the caller's.
    unsafe {
        match stride {
            1 => to.copy_from_nonoverlapping(from, len),
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
