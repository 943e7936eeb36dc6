//! Reduction of short rows that follow one another, each to one element.
//!
//! A row of few elements is the lanes of a part of a block, of which the lower half is combined with the upper half until one is left. Many
//! rows do that together:
//!
//! ```text
//! rows of 6:                                   a0 a1 a2 a3 a4 a5 | b0 b1 b2 b3 b4 b5 | ..
//! row by row, up to a power of two:            a04 a15 a2 a3 | b04 b15 b2 b3 | ..
//! vectors of several rows, until one is left:  a024 a135 | b024 b135 | ..  and  a | b | ..
//! ```
//!
//! The last steps are those of the blocks of a long row ([`fold_lanes`]).
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use bytemuck::Zeroable;

use super::Accumulator;
use super::fold::{Fold, Read};
use super::loops::{HALF, fold_lanes, prefetch_distance};
use crate::simd::{self, Body, Isa, LANES, black_box_usize, lanes, load, load_part, store};

/// The length of the longest rows.
const LONGEST: usize = LANES - 1;
/// The number of elements that are combined at a time, so that they stay in the L1 cache.
const TOGETHER: usize = 1 << 10;

/// Rows of `depth` elements that follow one another. The input of [`ShortRows`].
#[repr(C)]
struct Items {
    first: *const u8,
    depth: usize,
}

/// Room for the elements of some rows, for a pack that is filled up, and for one after it that is read but not used.
#[repr(C, align(64))]
struct Room<T>([MaybeUninit<T>; TOGETHER + 2 * LANES]);

/// Reduces rows of at least two elements and at most [`LONGEST`], each to one element. The input is [`Items`]; the length is the number of
/// rows.
pub(super) struct ShortRows<O, R>(PhantomData<(O, R)>);

impl<O: Fold, R: Read<O::Item>> Body for ShortRows<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees that `inputs` is `Items` with `len` rows, and room for as many results. `room` has room for the rows
        // that are combined at a time, in whole packs, and for a pack of zeros after them.
        unsafe {
            let items = &*inputs.cast::<Items>();
            let (first, depth) = (items.first.cast::<R::From>(), items.depth);
            let output = output.cast::<O::Item>();
            let mut room = Room::<O::Item>([const { MaybeUninit::uninit() }; TOGETHER + 2 * LANES]);
            let room = room.0.as_mut_ptr().cast::<O::Item>();
            let at_once = TOGETHER / depth;
            let mut done = 0;
            while done < len {
                let rows = at_once.min(len - done);
                Self::read::<I>(first.add(done * depth), rows * depth, room);
                let width = halved::<O>(room, rows, depth);
                let vectors = (rows * width).div_ceil(HALF);
                fold_lanes::<O>(room.cast(), vectors, HALF / width);
                output
                    .add(done)
                    .copy_from_nonoverlapping(room.cast_const(), rows);
                done = black_box_usize(done + rows);
            }
        }
    }
}

impl<O: Fold, R: Read<O::Item>> ShortRows<O, R> {
    /// Reads elements, and writes a pack of zeros after the last pack.
    ///
    /// # Safety
    /// `len` elements can be read, and written in whole packs, with another pack after them. The processor has the instruction set `I`.
    #[inline(always)]
    unsafe fn read<I: Isa>(from: *const R::From, len: usize, to: *mut O::Item) {
        // SAFETY: the caller guarantees `len` elements, of which a pack is read while one is left, room for whole packs and one more, and a
        // processor with `I`.
        unsafe {
            let distance = prefetch_distance();
            let mut done = 0;
            while len - done >= LANES {
                let from = from.add(done);
                let ahead = from.cast::<u8>().wrapping_add(distance);
                simd::prefetch_all(ahead, size_of::<[R::From; LANES]>());
                store(to.add(done), R::widened::<I>(load(from)));
                done = black_box_usize(done + LANES);
            }
            if done < len {
                let last = load_part(from.add(done), len - done);
                store(to.add(done), R::widened::<I>(last));
                done += LANES;
            }
            store(to.add(done), [O::Item::zeroed(); LANES]);
        }
    }
}

/// Combines the lower part of each row with the upper part until its length is a power of two up to [`HALF`], at least two, which is
/// returned. Rows then follow one another at that distance.
///
/// # Safety
/// `rows` rows of `depth` elements, at least two and at most [`LONGEST`], can be read and written, and [`LANES`] elements after them read.
#[inline(always)]
unsafe fn halved<O: Fold>(elements: *mut O::Item, rows: usize, depth: usize) -> usize {
    // SAFETY: the caller guarantees these rows and a pack after them: each step reads no more than twice its width of a row.
    unsafe {
        match depth {
            2 | 4 | 8 | HALF => return depth,
            3 => halve::<O, 2>(elements, rows, depth),
            5..8 => halve::<O, 4>(elements, rows, depth),
            9..HALF => halve::<O, 8>(elements, rows, depth),
            _ => halve::<O, HALF>(elements, rows, depth),
        }
        depth.next_power_of_two() / 2
    }
}

/// Combines the first `N` elements of each row with those after them, of which there are at most as many. Rows then follow one another
/// at the distance `N`.
///
/// # Safety
/// The contract of [`halved`].
#[inline(always)]
unsafe fn halve<O: Fold, const N: usize>(elements: *mut O::Item, rows: usize, depth: usize) {
    let (mut row, pairs) = (0, depth - N);
    while row < rows {
        // SAFETY: the caller guarantees the row, and a pack after the last one. The result ends no later than the row, so it overwrites
        // elements that were read.
        unsafe {
            let from = elements.add(row * depth);
            let (lower, upper): ([_; N], [_; N]) = (load(from), load(from.add(N)));
            let joined: [O::Item; N] = lanes(|lane| match lane < pairs {
                true => O::combine(lower[lane], upper[lane]),
                false => lower[lane],
            });
            store(elements.add(row * N), joined);
        }
        row = black_box_usize(row + 1);
    }
}

impl Accumulator {
    /// Returns whether [`Self::fold_short_rows`] can reduce rows of `depth` elements.
    pub(in crate::kernel) fn has_short_rows(&self, depth: usize) -> bool {
        self.short_rows.is_some() && (2..=LONGEST).contains(&depth)
    }

    /// Returns whether [`Self::fold_short_rows`] is the fastest loop for arrays with rows of `depth` elements. For extremes of integers it
    /// is only if rows need not be shortened to a power of two.
    pub(in crate::kernel) fn prefers_short_rows(&self, depth: usize) -> bool {
        self.has_short_rows(depth) && (depth.is_power_of_two() || !self.is_repeatable)
    }

    /// Reduces `count` rows of `depth` elements that follow one another, each to one element.
    ///
    /// # Safety
    /// There are [such loops](Self::has_short_rows). The elements of the rows, of the dtype that the accumulator reads, can be read at `items`.
    /// An element of its own dtype for each can be written to `to`. Both are aligned.
    pub(in crate::kernel) unsafe fn fold_short_rows(
        &self,
        items: *const u8,
        depth: usize,
        count: usize,
        to: *mut u8,
    ) {
        let Some(short_rows) = self.short_rows else {
            unreachable!("rows of a length that has a loop")
        };
        let items = Items {
            first: items,
            depth,
        };
        // SAFETY: the caller guarantees short rows that can be read, and room for their results.
        unsafe { short_rows((&raw const items).cast(), to, count) }
    }
}
