//! Positions of extremes in contiguous rows of at least [`LANES`] elements.
//!
//! One call finds the positions of many rows, and reads each row once:
//!
//! 1. The extreme of each part of [`PART`] elements is found with a vector instruction for numbers. Beside it the elements of each lane
//!    are added up, as in `extremes.rs`: if no sum is NaN, no element is. Otherwise the part is searched again by a loop that knows
//!    the order of NaN.
//! 2. Only the part with the first extreme is searched for it: for the first [`searched`] elements with a match, and in these without a
//!    branch, from the last pack to the first. Each lane keeps the number of the last pack that matched, in an integer of the elements'
//!    size.
//! 3. Small floats are widened in registers.
//!
//! Time beside a search row by row, one thread, AVX-512, from the L2 cache: 0.5 for rows of 100 `f32`, 0.3 for `bf16`, 0.9 and 0.6 for
//! rows of 512; 1.1 for rows of 512 `i64`.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::ArgOp;
use super::arg::{Counter, Extreme};
use super::fold::{AsIs, FromBf16, FromF16, Read};
use super::loops::{fold_pack, prefetch_distance};
use crate::dtype::DType;
use crate::simd::{
    self, Body, Isa, Kernel, LANES, black_box_usize, for_level, for_types, for_wide, lanes, load,
};

/// The number of elements of a part: few enough to stay in the L1 cache.
const PART: usize = 1 << 12;
/// The number of elements that are searched without a branch. Most rows of more have a branch that the processor does not foresee.
const SEARCHED: usize = 4 * LANES;
/// The size of the most elements that are searched without a branch, in bytes. (Rows of 512 `i64`: 0.91 of the time of [`SEARCHED`].)
const SEARCHED_BYTES: usize = 512;

/// The number of elements of the type `T` that are searched without a branch.
const fn searched<T>() -> usize {
    match SEARCHED_BYTES / size_of::<T>() {
        few @ ..SEARCHED => few,
        _ => SEARCHED,
    }
}

/// Returns the loop that finds the position of the first extreme in each row; `None` for complex numbers, 8-bit floats, and integers on the
/// baseline.
///
/// Its inputs are contiguous rows and their length, a `usize` of at least [`LANES`]. The output is a position, an `i64`, for each of
/// `len` rows.
pub(in crate::kernel) fn arg_rows(op: ArgOp, dtype: DType) -> Option<Kernel> {
    fn of<T: Ordered, R: Read<T>>(op: ArgOp) -> Kernel {
        match op.is_greatest() {
            false => for_level::<ArgRows<T, R, false>>(),
            true => for_level::<ArgRows<T, R, true>>(),
        }
    }
    // The baseline of x86-64 selects among integers by many instructions: 2 times the time of a search row by row for `i64`.
    fn of_integers<T: Ordered, R: Read<T>>(op: ArgOp) -> Option<Kernel> {
        match op.is_greatest() {
            false => for_wide::<ArgRows<T, R, false>>(),
            true => for_wide::<ArgRows<T, R, true>>(),
        }
    }
    for_types!(dtype, T in [
        DType::Bool | DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
        DType::I8 => i8, DType::I16 => i16, DType::I32 => i32, DType::I64 => i64,
    ] => of_integers::<T, AsIs>(op), _ => Some(match dtype {
        DType::F16 => of::<f32, FromF16>(op),
        DType::BF16 => of::<f32, FromBf16>(op),
        DType::F32 => of::<f32, AsIs>(op),
        DType::F64 => of::<f64, AsIs>(op),
        _ => return None,
    }))
}

/// An element with an order.
trait Ordered: Extreme {
    /// By the order of numbers, in which a NaN is neither less nor more: this one if it is greater (or less, without `MAXIMUM`), else the
    /// other.
    fn further_number<const MAXIMUM: bool>(self, other: Self) -> Self;
    /// By `==`, by which a NaN differs from itself.
    fn equals(self, other: Self) -> bool;
    /// Returns whether it is NaN.
    fn is_unordered(self) -> bool;
    /// NaN if either is; of integers, which are not NaN, any.
    fn plus(self, other: Self) -> Self;
}

macro_rules! ordered {
    ($($item:ty: $is_unordered:expr, $plus:expr;)*) => {$(
        impl Ordered for $item {
            #[inline(always)]
            fn further_number<const MAXIMUM: bool>(self, other: Self) -> Self {
                if MAXIMUM {
                    if self > other { self } else { other }
                } else {
                    if self < other { self } else { other }
                }
            }
            #[inline(always)]
            fn equals(self, other: Self) -> bool {
                self == other
            }
            #[inline(always)]
            fn is_unordered(self) -> bool {
                let is_unordered: fn(Self) -> bool = $is_unordered;
                is_unordered(self)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                let plus: fn(Self, Self) -> Self = $plus;
                plus(self, other)
            }
        }
    )*};
}

ordered! {
    u8: |_| false, |a, _| a;
    u16: |_| false, |a, _| a;
    u32: |_| false, |a, _| a;
    u64: |_| false, |a, _| a;
    i8: |_| false, |a, _| a;
    i16: |_| false, |a, _| a;
    i32: |_| false, |a, _| a;
    i64: |_| false, |a, _| a;
    f32: |a| a.is_nan(), |a, b| a + b;
    f64: |a| a.is_nan(), |a, b| a + b;
}

struct ArgRows<T, R, const MAXIMUM: bool>(PhantomData<(T, R)>);

impl<T: Ordered, R: Read<T>, const MAXIMUM: bool> Body for ArgRows<T, R, MAXIMUM> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` rows of `depth >= LANES` elements, room for as many positions, and a processor with `I`. A
        // part begins at least `LANES` elements before the end of its row, and ends there or `PART` elements on.
        unsafe {
            let items = (*inputs).cast::<R::From>();
            let depth = (*inputs.add(1)).cast::<usize>().read();
            let positions = output.cast::<i64>();
            for row in 0..len {
                let items = items.add(row * depth);
                let first_len = PART.min(depth);
                let mut best = extreme::<T, R, I, MAXIMUM>(items, first_len);
                let (mut start, mut start_len) = (0, first_len);
                let mut done = first_len;
                while done < depth {
                    let (from, part) = part_at(done, depth);
                    let found = extreme::<T, R, I, MAXIMUM>(items.add(from), part);
                    if found.is_beyond::<MAXIMUM>(best) {
                        (best, start, start_len) = (found, from, part);
                    }
                    done = from + part;
                }
                let items = items.add(start);
                let at = match best.is_unordered() {
                    false => first::<T, R, I>(items, start_len, |item| item.equals(best)),
                    true => first::<T, R, I>(items, start_len, Ordered::is_unordered),
                };
                let position = i64::try_from(start + at).unwrap_or(i64::MAX);
                positions.add(row).write(position);
            }
        }
    }
}

/// Returns the start and the length of the part of a row from `done` on. The last part may overlap the one before, so that no part has
/// less than a pack: elements that count twice do not change the first position.
#[inline(always)]
fn part_at(done: usize, depth: usize) -> (usize, usize) {
    let from = done.min(depth - LANES);
    (from, PART.min(depth - from))
}

/// Returns the extreme of some elements.
///
/// # Safety
/// `len` elements, at least [`LANES`], can be read; the processor has the instruction set `I`.
// The loop is that of `by_instruction` in `extremes.rs`. One function for both took 4 to 8 % more time.
#[inline(always)]
unsafe fn extreme<T: Ordered, R: Read<T>, I: Isa, const MAXIMUM: bool>(
    items: *const R::From,
    len: usize,
) -> T {
    // SAFETY: the caller guarantees `len >= LANES` readable elements and a processor with `I`. No pack begins after
    // `len - LANES`.
    unsafe {
        let distance = prefetch_distance();
        let mut best = R::widened::<I>(load(items));
        let mut sum = best;
        let mut done = LANES;
        while done < len {
            let from = items.add(done.min(len - LANES));
            let ahead = from.cast::<u8>().wrapping_add(distance);
            simd::prefetch_all(ahead, size_of::<[R::From; LANES]>());
            let pack = R::widened::<I>(load(from));
            best = lanes(|lane| pack[lane].further_number::<MAXIMUM>(best[lane]));
            sum = lanes(|lane| pack[lane].plus(sum[lane]));
            done = black_box_usize(done + LANES);
        }
        if sum.iter().fold(false, |any, sum| any | sum.is_unordered()) {
            return extreme_of_unordered::<T, R, I, MAXIMUM>(items, len);
        }
        fold_pack(best, |a, b| a.further_number::<MAXIMUM>(b))
    }
}

/// [`extreme`] of elements some of which may be NaN.
///
/// # Safety
/// The contract of [`extreme`].
#[cold]
#[inline(never)]
unsafe fn extreme_of_unordered<T: Ordered, R: Read<T>, I: Isa, const MAXIMUM: bool>(
    items: *const R::From,
    len: usize,
) -> T {
    let further = |a: T, b: T| if b.is_beyond::<MAXIMUM>(a) { b } else { a };
    // SAFETY: the caller guarantees `len >= LANES` readable elements and a processor with `I`. No pack begins after
    // `len - LANES`.
    unsafe {
        let mut best = R::widened::<I>(load(items));
        let mut done = LANES;
        while done < len {
            let pack = R::widened::<I>(load(items.add(done.min(len - LANES))));
            best = lanes(|lane| further(best[lane], pack[lane]));
            done += LANES;
        }
        best.into_iter().fold(best[0], further)
    }
}

/// Returns the position of the first element that matches, or a larger number.
///
/// # Safety
/// `len` elements, at least [`LANES`] and at most [`PART`], can be read; the processor has the instruction set `I`.
#[inline(always)]
unsafe fn first<T: Ordered, R: Read<T>, I: Isa>(
    items: *const R::From,
    len: usize,
    matches: impl Fn(T) -> bool + Copy,
) -> usize {
    let mut start = 0;
    let searched = const { searched::<T>() };
    while len - start > searched {
        // SAFETY: the caller guarantees more than `searched` readable elements from `start` on and a processor with `I`.
        let pack = unsafe { R::widened::<I>(load(items.add(start))) };
        if pack.iter().fold(false, |any, item| any | matches(*item)) {
            break;
        }
        start = black_box_usize(start + LANES);
    }
    // No fewer than a pack; those before did not match.
    let start = start.min(len - LANES);
    // SAFETY: the caller guarantees `len` readable elements and a processor with `I`. From `start` on there is at least a pack.
    let at =
        unsafe { first_of_few::<T, R, I>(items.add(start), searched.min(len - start), matches) };
    start.saturating_add(at)
}

/// [`first`] of at most [`searched`] elements, without a branch that depends on them.
///
/// # Safety
/// `len` elements, at least [`LANES`], can be read; the processor has the instruction set `I`.
#[inline(always)]
unsafe fn first_of_few<T: Ordered, R: Read<T>, I: Isa>(
    items: *const R::From,
    len: usize,
    matches: impl Fn(T) -> bool + Copy,
) -> usize {
    let mut found = [T::Counter::NONE; LANES];
    let packs = len.div_ceil(LANES);
    let mut left = packs;
    while left > 0 {
        let pack = black_box_usize(left - 1);
        let number = T::Counter::of(pack);
        // SAFETY: the caller guarantees `len >= LANES` readable elements and a processor with `I`. No pack begins after
        // `len - LANES`.
        let items = unsafe { R::widened::<I>(load(items.add((pack * LANES).min(len - LANES)))) };
        found = lanes(|lane| match matches(items[lane]) {
            true => number,
            false => found[lane],
        });
        left = pack;
    }
    let last = u32::try_from(len - LANES).unwrap_or(u32::MAX);
    let positions: [u32; LANES] = lanes(|lane| {
        let start = found[lane].number().wrapping_mul(LANE_COUNT).min(last);
        let is_none = found[lane] == T::Counter::NONE;
        let lane = u32::try_from(lane).unwrap_or(0);
        if is_none { u32::MAX } else { start + lane }
    });
    let position = fold_pack(positions, |a: u32, b: u32| if a < b { a } else { b });
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// [`LANES`], in the type of positions in a part.
const LANE_COUNT: u32 = 32;
const _: () = assert!(
    LANES == 32 && SEARCHED / LANES < 255,
    "numbers of packs fit a byte"
);
