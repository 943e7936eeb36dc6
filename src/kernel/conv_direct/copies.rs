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
/// `count` numbers can be read and written there, and do not overlap. With a step of 2, the numbers between those that are copied can be
/// read too.
#[inline(always)]
pub(super) unsafe fn copy<T: Copy>(
    from: *const T,
    step: isize,
    to: *mut T,
    to_step: usize,
    count: usize,
) {
    // SAFETY: the caller guarantees the places of `count` numbers, and those between them if the step is 2.
    unsafe {
        match (step, to_step) {
            (1, 1) => copy_row(from, to, count),
            (2, 1) => every_second(from, to, count),
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

/// Copies every second number.
///
/// # Safety
/// `count` numbers two places apart, and those between them, can be read, and `count` can be written; they do not overlap.
#[inline(always)]
unsafe fn every_second<T: Copy>(from: *const T, to: *mut T, count: usize) {
    /// Copies `N` numbers. It reads none after the last of them.
    #[inline(always)]
    unsafe fn pack<T: Copy, const N: usize>(from: *const T, to: *mut T) {
        // SAFETY: the caller guarantees `N` numbers and those between them. The last of them is `2 * N - 2` places after the first, and
        // so is the last one that is read.
        unsafe {
            let [a, b]: [[T; N]; 2] = [load(from), load(from.add(N - 1))];
            let pack: [T; N] = lanes(|lane| match 2 * lane < N {
                true => a[2 * lane],
                false => b[2 * lane - (N - 1)],
            });
            store(to, pack);
        }
    }
    // SAFETY: the caller guarantees the places of `count` numbers; each pack ends with the last of them or before it.
    unsafe {
        packs(count, |at, size| match size {
            8 => pack::<T, 8>(from.add(2 * at), to.add(at)),
            4 => pack::<T, 4>(from.add(2 * at), to.add(at)),
            _ => to.add(at).write(from.add(2 * at).read()),
        });
    }
}

/// Copies the numbers of two rows in turn, from the first one on.
///
/// # Safety
/// `count` numbers of each row can be read, and twice as many can be written; they do not overlap.
#[inline(always)]
pub(super) unsafe fn interleave<T: Copy>(from: [*const T; 2], to: *mut T, count: usize) {
    /// Copies `N` numbers of each row, `PAIRS = 2 * N` of both.
    #[inline(always)]
    unsafe fn pack<T: Copy, const N: usize, const PAIRS: usize>(from: [*const T; 2], to: *mut T) {
        // SAFETY: the caller guarantees `N` numbers of each row, and places for all of them.
        unsafe {
            let rows: [[T; N]; 2] = [load(from[0]), load(from[1])];
            let pairs: [T; PAIRS] = lanes(|lane| rows[lane % 2][lane / 2]);
            store(to, pairs);
        }
    }
    // SAFETY: the caller guarantees `count` numbers of each row, and places for all of them.
    unsafe {
        packs(count, |at, size| {
            let (from, to) = ([from[0].add(at), from[1].add(at)], to.add(2 * at));
            match size {
                8 => pack::<T, 8, 16>(from, to),
                4 => pack::<T, 4, 8>(from, to),
                _ => pack::<T, 1, 2>(from, to),
            }
        });
    }
}

/// Divides numbers into packs of eight, of four if there are fewer than eight, or of one if there are fewer than four. The last two packs
/// may overlap. Calls a function with the start and the size of each.
#[inline(always)]
fn packs(count: usize, mut each: impl FnMut(usize, usize)) {
    match count {
        8.. => {
            let mut done = 0;
            while count - done > 8 {
                each(done, 8);
                done = black_box_usize(done + 8);
            }
            each(count - 8, 8);
        }
        4.. => {
            each(0, 4);
            each(count - 4, 4);
        }
        _ => (0..count).for_each(|at| each(at, 1)),
    }
}
