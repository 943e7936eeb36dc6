//! The loops: what folds pairs, how elements are read, blocks into elements and rows into rows.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use bytemuck::Pod;

use crate::dtype::c128;
use crate::dtype::cast::bf16_to_f32;
use crate::kernel::arithmetic::{Order, complex_mul};
use crate::kernel::isa::{self, Isa};
use crate::kernel::lanes::{
    Body, LANES, lanes, load, load_part, opaque, settled, store, store_part,
};
use crate::kernel::strip::STRIP;

/// An associative operation, but for rounding.
pub(super) trait Fold: 'static {
    type Item: Pod;
    /// Whether every order gives the same (but for which NaN it is).
    const ANY_ORDER: bool;
    fn combine(a: Self::Item, b: Self::Item) -> Self::Item;
}

pub(super) struct Sum<T>(PhantomData<T>);
pub(super) struct Product<T>(PhantomData<T>);
pub(super) struct Least<T>(PhantomData<T>);
pub(super) struct Most<T>(PhantomData<T>);
pub(super) struct Any;
pub(super) struct All;

macro_rules! folds {
    ($($fold:ty, $item:ty, $any_order:literal, $combine:expr;)*) => {$(
        impl Fold for $fold {
            type Item = $item;
            const ANY_ORDER: bool = $any_order;
            #[inline(always)]
            fn combine(a: $item, b: $item) -> $item {
                $combine(a, b)
            }
        }
    )*};
}

folds! {
    Any, u8, true, |a, b| a | b;
    All, u8, true, |a, b| a & b;
    Sum<u64>, u64, true, u64::wrapping_add;
    Sum<f32>, f32, false, |a, b| a + b;
    Sum<f64>, f64, false, |a, b| a + b;
    Sum<c128>, c128, false, |a: c128, b: c128| c128::new(a.re + b.re, a.im + b.im);
    Product<u64>, u64, true, u64::wrapping_mul;
    Product<f32>, f32, false, |a, b| a * b;
    Product<f64>, f64, false, |a, b| a * b;
    Product<c128>, c128, false, complex_mul;
}

impl<T: Order + Pod> Fold for Least<T> {
    type Item = T;
    const ANY_ORDER: bool = T::IDENTICAL;
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        a.least(b)
    }
}

impl<T: Order + Pod> Fold for Most<T> {
    type Item = T;
    const ANY_ORDER: bool = T::IDENTICAL;
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        a.most(b)
    }
}

/// How elements are read that are folded: as they are, or widened in registers.
pub(super) trait Read<T>: 'static {
    type From: Pod;
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn widened<I: Isa>(chunk: [Self::From; LANES]) -> [T; LANES];
}

pub(super) struct AsIs;
pub(super) struct FromF16;
pub(super) struct FromBf16;
pub(super) struct FromF32;

macro_rules! reads {
    ($($read:ident $(<$T:ident>)?: $from:ty => $to:ty, $Isa:ident $chunk:ident => $widened:expr;)*) => {$(
        impl $(<$T: Pod>)? Read<$to> for $read {
            type From = $from;
            #[inline(always)]
            unsafe fn widened<$Isa: Isa>($chunk: [$from; LANES]) -> [$to; LANES] {
                $widened
            }
        }
    )*};
}

reads! {
    AsIs<T>: T => T, I chunk => chunk;
    // SAFETY: the caller's.
    FromF16: u16 => f32, I chunk => unsafe { I::decode_f16(chunk) };
    FromBf16: u16 => f32, I chunk => lanes(|lane| bf16_to_f32(chunk[lane]));
    FromF32: f32 => f64, I chunk => lanes(|lane| f64::from(chunk[lane]));
}

/// Strips that one call folds at most.
const STRIPS: usize = 64;
/// Elements that one call folds at most; whole strips as a power of two.
pub(super) const BLOCK: usize = STRIPS * STRIP;

/// How many bytes ahead elements are asked for: processors guess too little, or too late. (16 million `f32` or `f16`: 0.4
/// and 0.7 of the time.)
const AHEAD: usize = 1 << 13;

/// Folds at most [`BLOCK`] elements into one.
pub(super) struct Block<O, R>(PhantomData<(O, R)>);

impl<O: Fold, R: Read<O::Item>> Body for Block<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        if const { O::ANY_ORDER } {
            // As one strip: for fewer instructions, which all have to be compiled.
            // SAFETY: the caller's.
            return unsafe {
                let folded = fold_strip::<O, R, I>((*inputs).cast(), len);
                output.cast::<O::Item>().write(folded);
            };
        }
        let mut room = [MaybeUninit::<O::Item>::uninit(); STRIPS / 2];
        let pairs = room.as_mut_ptr().cast::<O::Item>();
        // SAFETY: the caller's: `len` elements can be read and one can be written; there are no more
        // pairs of strips than there is room for.
        unsafe {
            let items = (*inputs).cast::<R::From>();
            let mut done = 0;
            while done < len {
                let pair = pairs.add(done / (2 * STRIP));
                if const { two_fit::<O, I>() } && len - done >= 2 * STRIP {
                    let [first, second] = fold_two::<O, R, I>(items.add(done));
                    pair.write(O::combine(first, second));
                    done += 2 * STRIP;
                    continue;
                }
                let strip = fold_strip::<O, R, I>(items.add(done), STRIP.min(len - done));
                let is_second = done % (2 * STRIP) != 0;
                pair.write(if is_second {
                    O::combine(pair.read(), strip)
                } else {
                    strip
                });
                done += STRIP;
            }
            fold_pairs::<O>(pairs, len.div_ceil(2 * STRIP));
            output.cast::<O::Item>().write(pairs.read());
        }
    }
}

/// What pairs of strips gave, pairwise, until the first is what all of them gave. (By itself, as [`fold_few`], since it is as fast on any
/// instruction set.)
///
/// # Safety
/// There are `count` pairs, at least one.
#[inline(never)]
unsafe fn fold_pairs<O: Fold>(pairs: *mut O::Item, mut count: usize) {
    while count > 1 {
        // SAFETY: the caller's.
        unsafe {
            for at in 0..count / 2 {
                let two = pairs.add(2 * at);
                let folded = O::combine(two.read(), two.add(1).read());
                pairs.add(at).write(folded);
            }
            if count % 2 == 1 {
                pairs.add(count / 2).write(pairs.add(count - 1).read());
            }
        }
        count = count.div_ceil(2);
    }
}

/// The lower half of the lanes with the upper half, until one is left.
#[inline(always)]
fn fold_lanes<O: Fold>(all: [O::Item; LANES]) -> O::Item {
    #[inline(always)]
    fn halved<O: Fold, const HALF: usize>(all: &[O::Item]) -> [O::Item; HALF] {
        lanes(|lane| O::combine(all[lane], all[lane + HALF]))
    }
    let all = settled(halved::<O, 16>(&all));
    let all = settled(halved::<O, 8>(&all));
    let all = settled(halved::<O, 4>(&all));
    let all = halved::<O, 2>(&all);
    halved::<O, 1>(&all)[0]
}

/// [`fold_lanes`] one by one, and of the first lanes only: those that no element reached take no part, for no element is
/// neutral in all cases.
#[inline(never)]
fn fold_few<O: Fold>(all: &mut [O::Item; LANES], mut filled: usize) -> O::Item {
    let mut half = LANES / 2;
    while half > 0 {
        let mut lane = half;
        while lane < filled {
            all[lane - half] = O::combine(all[lane - half], all[lane]);
            lane = opaque(lane + 1);
        }
        filled = filled.min(half);
        half /= 2;
    }
    all[0]
}

/// Folds elements, at least one, in the order of a strip.
///
/// # Safety
/// `len` elements can be read; the processor has the instruction set.
#[inline(always)]
unsafe fn fold_strip<O: Fold, R: Read<O::Item>, I: Isa>(
    items: *const R::From,
    len: usize,
) -> O::Item {
    // SAFETY: the caller's.
    unsafe {
        if len < LANES {
            let mut few = R::widened::<I>(load_part(items, len));
            return fold_few::<O>(&mut few, len);
        }
        let mut folded = R::widened::<I>(load(items));
        let mut done = LANES;
        while len - done >= LANES {
            let ahead = items.wrapping_add(done).cast::<u8>().wrapping_add(AHEAD);
            isa::prefetch_all(ahead, size_of::<[R::From; LANES]>());
            let chunk = R::widened::<I>(load(items.add(done)));
            folded = lanes(|lane| O::combine(folded[lane], chunk[lane]));
            done = opaque(done + LANES);
        }
        let mut folded = settled(folded);
        let rest = len - done;
        if rest > 0 {
            let chunk = R::widened::<I>(load_part(items.add(done), rest));
            let mut lane = 0;
            while lane < rest {
                folded[lane] = O::combine(folded[lane], chunk[lane]);
                lane = opaque(lane + 1);
            }
        }
        if const { O::ANY_ORDER } {
            fold_few::<O>(&mut folded, LANES)
        } else {
            fold_lanes::<O>(folded)
        }
    }
}

/// Whether the lanes of two strips fit into registers.
const fn two_fit<O: Fold, I: Isa>() -> bool {
    I::WIDE && size_of::<O::Item>() <= 4
}

/// Folds two strips, each in its order, at the same time: an addition waits for the one before, and those of the other strip
/// need not wait for it.
///
/// # Safety
/// Two strips of elements can be read; the processor has the instruction set.
#[inline(always)]
unsafe fn fold_two<O: Fold, R: Read<O::Item>, I: Isa>(items: *const R::From) -> [O::Item; 2] {
    // SAFETY: the caller's.
    unsafe {
        let mut first = R::widened::<I>(load(items));
        let mut second = R::widened::<I>(load(items.add(STRIP)));
        let mut done = LANES;
        while done < STRIP {
            let (a, b) = (items.add(done), items.add(STRIP + done));
            // From first to last, not in both strips at a time, which a processor's own guesses take for two walks.
            let ahead = items
                .wrapping_add(2 * done)
                .cast::<u8>()
                .wrapping_add(AHEAD);
            isa::prefetch_all(ahead, 2 * size_of::<[R::From; LANES]>());
            let (a, b) = (R::widened::<I>(load(a)), R::widened::<I>(load(b)));
            first = lanes(|lane| O::combine(first[lane], a[lane]));
            second = lanes(|lane| O::combine(second[lane], b[lane]));
            done = opaque(done + LANES);
        }
        [fold_lanes::<O>(first), fold_lanes::<O>(second)]
    }
}

/// Combines a row that is widened with what others gave, or begins with it.
///
/// Inputs are what others gave, or null; the row; and the row that is asked for meanwhile, as [`Accumulator::add_row`] does.
pub(super) struct Row<O, R>(PhantomData<(O, R)>);

impl<O: Fold, R: Read<O::Item>> Body for Row<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's: rows of `len` elements, and room for as many.
        unsafe {
            let before = (*inputs).cast::<O::Item>();
            let row = (*inputs.add(1)).cast::<R::From>();
            let ahead = (*inputs.add(2)).cast::<R::From>();
            let output = output.cast::<O::Item>();
            let mut done = 0;
            while len - done >= LANES {
                let mut chunk = R::widened::<I>(load(row.add(done)));
                if !before.is_null() {
                    let before: [_; LANES] = load(before.add(done));
                    chunk = lanes(|lane| O::combine(before[lane], chunk[lane]));
                }
                store(output.add(done), chunk);
                // After the loads, which would have to wait for it.
                isa::prefetch_all(
                    ahead.wrapping_add(done).cast(),
                    size_of::<[R::From; LANES]>(),
                );
                done = opaque(done + LANES);
            }
            if done < len {
                let left = len - done;
                let mut chunk = R::widened::<I>(load_part(row.add(done), left));
                if !before.is_null() {
                    let before = load_part(before.add(done), left);
                    chunk = lanes(|lane| O::combine(before[lane], chunk[lane]));
                }
                store_part(output.add(done), &chunk, left);
            }
        }
    }
}
