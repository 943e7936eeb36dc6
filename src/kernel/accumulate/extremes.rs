//! The smallest and the greatest float of a segment.
//!
//! IEEE 754-2019 makes the extreme of two floats NaN if either is, and orders -0 before +0. That takes five instructions, and each step
//! waits for two of the step before. Processors have an instruction for the extreme of two floats that are neither NaN nor both zero:
//!
//! 1. This instruction reduces the segment. Beside it the elements of each lane are added up. If one of them is NaN, so is the sum of its
//!    lane, and the segment is reduced again by the longer code, which also chooses among NaNs. A sum of opposite infinities is NaN
//!    too: the longer code is slower there, and right.
//! 2. If the extreme is zero, the signs of all elements decide about its sign, because no element is beyond zero. They are read once
//!    more.
//! 3. The last pack overlaps the one before it, as an element may count twice.
//!
//! Rows of 512 `f32` take about 0.6 of the time.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::fold::{Fold, Maximum, MaximumNumber, Minimum, MinimumNumber, Read};
use super::loops::{Segment, fold_pack, prefetch_distance};
use crate::simd::{self, Body, Isa, LANES, black_box_usize, lanes, load};

/// An operation that gives one of two floats.
pub(super) trait FloatExtreme: Fold {
    /// The extreme of two numbers that are not both zero.
    fn of_numbers(a: Self::Item, b: Self::Item) -> Self::Item;
    /// Combines the signs of two zeros, in the sign of the result. Its other bits have no meaning.
    fn of_signs(a: Self::Item, b: Self::Item) -> Self::Item;
    /// NaN if either is.
    fn sum(a: Self::Item, b: Self::Item) -> Self::Item;
    fn is_nan(item: Self::Item) -> bool;
    fn is_zero(item: Self::Item) -> bool;
    fn with_sign(item: Self::Item, sign: Self::Item) -> Self::Item;
}

macro_rules! float_extremes {
    ($($fold:ident $compare:tt $bits:tt;)*) => {$(
        float_extremes!(@for $fold f32 $compare $bits);
        float_extremes!(@for $fold f64 $compare $bits);
    )*};
    (@for $fold:ident $float:ident $compare:tt $bits:tt) => {
        impl FloatExtreme for $fold<$float> {
            #[inline(always)]
            fn of_numbers(a: $float, b: $float) -> $float {
                if a $compare b { a } else { b }
            }
            #[inline(always)]
            fn of_signs(a: $float, b: $float) -> $float {
                $float::from_bits(a.to_bits() $bits b.to_bits())
            }
            #[inline(always)]
            fn sum(a: $float, b: $float) -> $float {
                a + b
            }
            #[inline(always)]
            fn is_nan(item: $float) -> bool {
                item.is_nan()
            }
            #[inline(always)]
            fn is_zero(item: $float) -> bool {
                item == 0.0
            }
            #[inline(always)]
            fn with_sign(item: $float, sign: $float) -> $float {
                item.copysign(sign)
            }
        }
    };
}

float_extremes! {
    Minimum < |;
    MinimumNumber < |;
    Maximum > &;
    MaximumNumber > &;
}

/// [`Segment`] of an extreme of floats.
pub(super) struct FloatSegment<O, R>(PhantomData<(O, R)>);

impl<O: FloatExtreme, R: Read<O::Item>> Body for FloatSegment<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` readable elements, as `Segment` and `by_instruction` require, room for one at
        // `output`, and a processor with `I`.
        unsafe {
            if len >= LANES
                && let Some(extreme) = by_instruction::<O, R, I>((*inputs).cast(), len)
            {
                return output.cast::<O::Item>().write(extreme);
            }
            Segment::<O, R>::run::<I>(inputs, output, len);
        }
    }
}

/// Returns the extreme of at least a pack of elements, or `None` if one of them is NaN, or their sum is.
///
/// # Safety
/// `len` elements, at least [`LANES`], can be read; the processor has the instruction set `I`.
#[inline(always)]
unsafe fn by_instruction<O: FloatExtreme, R: Read<O::Item>, I: Isa>(
    items: *const R::From,
    len: usize,
) -> Option<O::Item> {
    // SAFETY: the caller guarantees `len >= LANES` readable elements and a processor with `I`. No pack begins after
    // `len - LANES`.
    unsafe {
        let distance = prefetch_distance();
        let mut extreme = R::widened::<I>(load(items));
        let mut sum = extreme;
        let mut done = LANES;
        while done < len {
            let from = items.add(done.min(len - LANES));
            let ahead = from.cast::<u8>().wrapping_add(distance);
            simd::prefetch_all(ahead, size_of::<[R::From; LANES]>());
            let pack = R::widened::<I>(load(from));
            extreme = lanes(|lane| O::of_numbers(pack[lane], extreme[lane]));
            sum = lanes(|lane| O::sum(sum[lane], pack[lane]));
            done = black_box_usize(done + LANES);
        }
        if sum.iter().fold(false, |any, lane| any | O::is_nan(*lane)) {
            return None;
        }
        let extreme = fold_pack(extreme, O::of_numbers);
        if !O::is_zero(extreme) {
            return Some(extreme);
        }
        let mut signs = R::widened::<I>(load(items));
        let mut done = LANES;
        while done < len {
            let pack = R::widened::<I>(load(items.add(done.min(len - LANES))));
            signs = lanes(|lane| O::of_signs(signs[lane], pack[lane]));
            done = black_box_usize(done + LANES);
        }
        Some(O::with_sign(extreme, fold_pack(signs, O::of_signs)))
    }
}
