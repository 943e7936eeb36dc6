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
//!
//! Elements that are combined may lie in different lanes of one vector. There LLVM selects floats one by one, but integers by vectors. So lanes
//! are joined as integers, the keys of their floats: the extreme of two floats is the one with the greater key. (Rows of 2 to 16 `f32` take
//! 0.25 to 0.65 of the time with AVX-512, and rows of 512 take 0.94.)
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use bytemuck::Pod;

use super::fold::{Fold, Maximum, MaximumNumber, Minimum, MinimumNumber, Read};
use super::loops::{HALF, Segment, fold_lanes, fold_pack, prefetch_distance};
use super::short_rows::ShortRows;
use crate::simd::{self, Body, Isa, LANES, black_box_usize, lanes, load, store};

/// An operation that gives one of two floats.
pub(super) trait FloatExtreme: Fold {
    /// An integer of the size of an element.
    type Key: Pod + Ord;
    /// Of two floats the extreme has the greater key.
    fn key(item: Self::Item) -> Self::Key;
    /// The float with this key, except for the sign of NaN.
    fn of_key(key: Self::Key) -> Self::Item;
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
    ($($fold:ident $compare:tt $bits:tt $is_least:literal $prefers_nan:literal;)*) => {$(
        float_extremes!(@for $fold f32 i32 $compare $bits $is_least $prefers_nan);
        float_extremes!(@for $fold f64 i64 $compare $bits $is_least $prefers_nan);
    )*};
    (@for $fold:ident $float:ident $key:ident $compare:tt $bits:tt $is_least:literal $prefers_nan:literal) => {
        impl FloatExtreme for $fold<$float> {
            type Key = $key;
            // The bits of positive floats rise with them. Of negative ones all bits but the sign are flipped, and of keys whose least float
            // is wanted all bits. The magnitude of NaN lies above that of infinity, so it or its complement lies beyond all other keys.
            #[inline(always)]
            fn key(item: $float) -> $key {
                let bits = item.to_bits().cast_signed();
                let magnitude = bits & $key::MAX;
                let rising = bits ^ (bits >> ($key::BITS - 1) & $key::MAX);
                let ordered = if $is_least { !rising } else { rising };
                let nan = if $prefers_nan { magnitude } else { !magnitude };
                if magnitude > $float::INFINITY.to_bits().cast_signed() { nan } else { ordered }
            }
            #[inline(always)]
            fn of_key(key: $key) -> $float {
                let infinity = $float::INFINITY.to_bits().cast_signed();
                let nan = if $prefers_nan { key } else { !key };
                let rising = if $is_least { !key } else { key };
                let number = rising ^ (rising >> ($key::BITS - 1) & $key::MAX);
                let bits = if nan > infinity { nan } else { number };
                $float::from_bits(bits.cast_unsigned())
            }
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
    Minimum < | true true;
    MinimumNumber < | true false;
    Maximum > & false true;
    MaximumNumber > & false false;
}

/// An extreme of floats as the greatest of their keys.
struct Keys<O>(PhantomData<O>);

impl<O: FloatExtreme> Fold for Keys<O> {
    type Item = O::Key;
    const REORDERABLE: bool = true;
    const REPEATABLE: bool = true;
    #[inline(always)]
    fn combine(a: O::Key, b: O::Key) -> O::Key {
        a.max(b)
    }
}

/// Reads keys.
struct ReadKeys<O, R>(PhantomData<(O, R)>);

impl<O: FloatExtreme, R: Read<O::Item>> Read<O::Key> for ReadKeys<O, R> {
    type From = R::From;
    #[inline(always)]
    unsafe fn widened<I: Isa>(pack: [R::From; LANES]) -> [O::Key; LANES] {
        // SAFETY: the caller guarantees a processor with `I`.
        let items = unsafe { R::widened::<I>(pack) };
        lanes(|lane| O::key(items[lane]))
    }
}

/// Replaces keys by their floats.
///
/// # Safety
/// `len` keys can be read, and written.
#[inline(always)]
unsafe fn items_of_keys<O: FloatExtreme>(keys: *mut O::Key, len: usize) {
    const { assert!(size_of::<O::Key>() == size_of::<O::Item>()) };
    let items = keys.cast::<O::Item>();
    let mut done = 0;
    while len - done >= HALF {
        // SAFETY: the caller guarantees `len` keys, and so many are left. An element has the size of its key.
        unsafe {
            let keys: [O::Key; HALF] = load(keys.add(done));
            store(
                items.add(done),
                lanes::<_, HALF>(|lane| O::of_key(keys[lane])),
            );
        }
        done = black_box_usize(done + HALF);
    }
    while done < len {
        // SAFETY: as above.
        unsafe { items.add(done).write(O::of_key(keys.add(done).read())) };
        done = black_box_usize(done + 1);
    }
}

/// [`Join`](super::loops::Join) of an extreme of floats.
pub(super) struct FloatJoin<O>(PhantomData<O>);

impl<O: FloatExtreme> Body for FloatJoin<O> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` vectors that can be read and written, and room for as many elements. A key has the size
        // of an element (asserted in `items_of_keys`).
        unsafe {
            let vectors = (*inputs).cast_mut().cast::<[O::Key; HALF]>();
            let mut at = 0;
            while at < len {
                let items: [O::Item; HALF] = load(vectors.add(at).cast());
                store(
                    vectors.add(at).cast(),
                    lanes::<_, HALF>(|lane| O::key(items[lane])),
                );
                at = black_box_usize(at + 1);
            }
            fold_lanes::<Keys<O>>(vectors, len, 1);
            items_of_keys::<O>(vectors.cast(), len);
            let joined = vectors.cast_const().cast::<O::Item>();
            output
                .cast::<O::Item>()
                .copy_from_nonoverlapping(joined, len);
        }
    }
}

/// [`ShortRows`] of an extreme of floats.
pub(super) struct FloatShortRows<O, R>(PhantomData<(O, R)>);

impl<O: FloatExtreme, R: Read<O::Item>> Body for FloatShortRows<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees rows that can be read, and room for `len` elements, which have the size of their keys (asserted
        // in `items_of_keys`).
        unsafe {
            ShortRows::<Keys<O>, ReadKeys<O, R>>::run::<I>(inputs, output, len);
            items_of_keys::<O>(output.cast(), len);
        }
    }
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
