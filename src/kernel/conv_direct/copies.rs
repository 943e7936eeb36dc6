//! Copies of rows of numbers.
#![allow(unsafe_code, reason = "loops over raw memory")]

use crate::kernel::matmul::multiply_add::MultiplyAdd;
use crate::simd::{black_box_usize, lanes, load, store};

/// Writes zeros.
///
/// # Safety
/// `count` numbers can be written.
#[inline(always)]
pub(super) unsafe fn zero<T: MultiplyAdd>(to: *mut T, count: usize) {
    for index in 0..count {
        // SAFETY: the caller guarantees `count` numbers.
        unsafe { to.add(index).write(T::ZERO) };
    }
}

/// Copies numbers from and to places at these distances.
///
/// # Safety
/// `count` numbers can be read and written there, and do not overlap.
#[inline(always)]
pub(super) unsafe fn copy<T: Copy>(
    from: *const T,
    step: isize,
    to: *mut T,
    to_step: usize,
    count: usize,
) {
    // SAFETY: the caller guarantees the places of `count` numbers.
    unsafe {
        match (step, to_step) {
            (1, 1) => copy_row(from, to, count),
            // A constant step, which the compiler reads by vectors.
            (2, 1) => {
                for index in 0..count {
                    to.add(index).write(from.add(2 * index).read());
                }
            }
            _ => {
                for index in 0..count {
                    let from = from.offset(index.cast_signed() * step);
                    to.add(index * to_step).write(from.read());
                }
            }
        }
    }
}

/// Copies numbers that follow one another, without the call of a library that short rows do not pay for.
///
/// # Safety
/// `count` numbers can be read and written, and do not overlap.
#[inline(always)]
unsafe fn copy_row<T: Copy>(from: *const T, to: *mut T, count: usize) {
    /// Copies the first and the last `N` of numbers, which may overlap.
    #[inline(always)]
    unsafe fn ends<T: Copy, const N: usize>(from: *const T, to: *mut T, count: usize) {
        // SAFETY: the caller guarantees `count` numbers, at least `N`.
        unsafe {
            let [first, last]: [[T; N]; 2] = [load(from), load(from.add(count - N))];
            store(to, first);
            store(to.add(count - N), last);
        }
    }
    // SAFETY: the caller guarantees `count` numbers; each step takes no more than are left.
    unsafe {
        let mut done = 0;
        while count - done > 16 {
            store(to.add(done), load::<T, 8>(from.add(done)));
            done = black_box_usize(done + 8);
        }
        let (from, to, count) = (from.add(done), to.add(done), count - done);
        match count {
            8.. => ends::<T, 8>(from, to, count),
            4.. => ends::<T, 4>(from, to, count),
            2.. => ends::<T, 2>(from, to, count),
            1 => to.write(from.read()),
            _ => {}
        }
    }
}

/// Copies the numbers of two rows in turn, from the first one on.
///
/// # Safety
/// `count` numbers of each row can be read, and twice as many can be written; they do not overlap.
#[inline(always)]
pub(super) unsafe fn interleave<T: Copy>(from: [*const T; 2], to: *mut T, count: usize) {
    // SAFETY: the caller guarantees `count` numbers of each row, and places for all of them.
    unsafe {
        let mut done = 0;
        while count - done >= 8 {
            let [a, b]: [[T; 8]; 2] = from.map(|from| load(from.add(done)));
            let pairs: [T; 16] = lanes(|lane| {
                if lane % 2 == 0 {
                    a[lane / 2]
                } else {
                    b[lane / 2]
                }
            });
            store(to.add(2 * done), pairs);
            done = black_box_usize(done + 8);
        }
        for index in done..count {
            to.add(2 * index).write(from[0].add(index).read());
            to.add(2 * index + 1).write(from[1].add(index).read());
        }
    }
}
