//! The operations by which reductions combine two elements, and the conversions that are applied to elements when they are read.
#![allow(unsafe_code, reason = "conversions by the processor's instructions")]

use core::marker::PhantomData;

use bytemuck::Pod;

use crate::dtype::cast::bf16_to_f32;
use crate::dtype::compute::arithmetic::{Order, complex_mul};
use crate::dtype::{c64, c128};
use crate::simd::{Isa, LANES, lanes};

/// An operation that is associative, except for rounding.
pub(super) trait Fold: 'static {
    type Item: Pod;
    /// `true` if every order of the elements gives the same result, except for the choice among NaNs.
    const REORDERABLE: bool;
    /// `true` if an element may also be combined twice: the result is the same, bit for bit.
    const REPEATABLE: bool = false;
    fn combine(a: Self::Item, b: Self::Item) -> Self::Item;
}

pub(super) struct Sum<T>(PhantomData<T>);
pub(super) struct Product<T>(PhantomData<T>);
pub(super) struct Minimum<T>(PhantomData<T>);
pub(super) struct Maximum<T>(PhantomData<T>);
pub(super) struct Any;
pub(super) struct All;

macro_rules! folds {
    ($($fold:ty, $item:ty, $any_order:literal, $repeatable:literal, $combine:expr;)*) => {$(
        impl Fold for $fold {
            type Item = $item;
            const REORDERABLE: bool = $any_order;
            const REPEATABLE: bool = $repeatable;
            #[inline(always)]
            fn combine(a: $item, b: $item) -> $item {
                $combine(a, b)
            }
        }
    )*};
}

folds! {
    Any, u8, true, true, |a, b| a | b;
    All, u8, true, true, |a, b| a & b;
    Sum<u64>, u64, true, false, u64::wrapping_add;
    Sum<f32>, f32, false, false, |a, b| a + b;
    Sum<f64>, f64, false, false, |a, b| a + b;
    Sum<c128>, c128, false, false, |a: c128, b: c128| c128::new(a.re + b.re, a.im + b.im);
    Product<u64>, u64, true, false, u64::wrapping_mul;
    Product<f32>, f32, false, false, |a, b| a * b;
    Product<f64>, f64, false, false, |a, b| a * b;
    Product<c128>, c128, false, false, complex_mul;
}

impl<T: Order + Pod> Fold for Minimum<T> {
    type Item = T;
    const REORDERABLE: bool = T::TIES_IDENTICAL;
    const REPEATABLE: bool = T::TIES_IDENTICAL && !T::HAS_NAN;
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        a.lesser(b)
    }
}

/// Elements that may be NaN.
pub(super) trait MaybeNan: Pod {
    const ONE: Self;
    fn is_nan(self) -> bool;
}

macro_rules! maybe_nan {
    ($($item:ty: $one:expr;)*) => {$(
        impl MaybeNan for $item {
            const ONE: Self = $one;
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }
        }
    )*};
}

maybe_nan! {
    f32: 1.0;
    f64: 1.0;
    c128: c128::new(1.0, 0.0);
}

/// The smaller of two numbers; NaN if both are NaN (IEEE 754-2019 `minimumNumber`).
pub(super) struct MinimumNumber<T>(PhantomData<T>);
/// The greater of two numbers; NaN if both are NaN (IEEE 754-2019 `maximumNumber`).
pub(super) struct MaximumNumber<T>(PhantomData<T>);

macro_rules! extreme_numbers {
    ($($fold:ident $extreme:ident;)*) => {$(
        impl<T: Order + MaybeNan> Fold for $fold<T> {
            type Item = T;
            const REORDERABLE: bool = T::TIES_IDENTICAL;
            #[inline(always)]
            fn combine(a: T, b: T) -> T {
                let number = if b.is_nan() { a } else { a.$extreme(b) };
                if a.is_nan() { b } else { number }
            }
        }
    )*};
}

extreme_numbers! {
    MinimumNumber lesser;
    MaximumNumber greater;
}

impl<T: Order + Pod> Fold for Maximum<T> {
    type Item = T;
    const REORDERABLE: bool = T::TIES_IDENTICAL;
    const REPEATABLE: bool = T::TIES_IDENTICAL && !T::HAS_NAN;
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        a.greater(b)
    }
}

/// A conversion of elements as they are read: none, or widening in registers.
pub(super) trait Read<T>: 'static {
    type From: Pod;
    /// Converts a pack.
    ///
    /// # Safety
    /// The processor has the instruction set `I`.
    unsafe fn widened<I: Isa>(pack: [Self::From; LANES]) -> [T; LANES];
}

pub(super) struct AsIs;
pub(super) struct FromF16;
pub(super) struct FromBf16;
pub(super) struct FromF32;
pub(super) struct FromC64;
/// Extends the sign of an integer.
pub(super) struct FromInteger<T>(PhantomData<T>);

macro_rules! reads {
    ($($read:ident $(<$T:ident>)?: $from:ty => $to:ty, $Isa:ident $pack:ident => $widened:expr;)*) => {$(
        impl $(<$T: Pod>)? Read<$to> for $read {
            type From = $from;
            #[inline(always)]
            unsafe fn widened<$Isa: Isa>($pack: [$from; LANES]) -> [$to; LANES] {
                $widened
            }
        }
    )*};
}

reads! {
    AsIs<T>: T => T, I pack => pack;
    // SAFETY: the caller guarantees a processor with the instruction set `I`.
    FromF16: u16 => f32, I pack => unsafe { I::decode_f16(pack) };
    FromBf16: u16 => f32, I pack => lanes(|lane| bf16_to_f32(pack[lane]));
    FromF32: f32 => f64, I pack => lanes(|lane| f64::from(pack[lane]));
    FromC64: c64 => c128, I pack => lanes(|lane| c128::new(pack[lane].re.into(), pack[lane].im.into()));
}

macro_rules! reads_integers {
    ($($integer:ty)*) => {$(
        impl Read<u64> for FromInteger<$integer> {
            type From = $integer;
            #[inline(always)]
            unsafe fn widened<I: Isa>(pack: [$integer; LANES]) -> [u64; LANES] {
                lanes(|lane| i64::from(pack[lane]).cast_unsigned())
            }
        }
    )*};
}

reads_integers!(u8 u16 u32 i8 i16 i32);

/// Reads NaN as zero.
pub(super) struct NanAsZero<R>(PhantomData<R>);
/// Reads NaN as one.
pub(super) struct NanAsOne<R>(PhantomData<R>);

macro_rules! nan_as {
    ($($read:ident: $number:expr;)*) => {$(
        impl<T: MaybeNan, R: Read<T>> Read<T> for $read<R> {
            type From = R::From;
            #[inline(always)]
            unsafe fn widened<I: Isa>(pack: [R::From; LANES]) -> [T; LANES] {
                // SAFETY: the caller guarantees a processor with the instruction set `I`.
                let pack = unsafe { R::widened::<I>(pack) };
                lanes(|lane| if pack[lane].is_nan() { $number } else { pack[lane] })
            }
        }
    )*};
}

nan_as! {
    NanAsZero: T::zeroed();
    NanAsOne: T::ONE;
}

/// Reads one for a number and zero for NaN.
pub(super) struct IsNumber<T>(PhantomData<T>);

impl<T: MaybeNan> Read<u64> for IsNumber<T> {
    type From = T;
    #[inline(always)]
    unsafe fn widened<I: Isa>(pack: [T; LANES]) -> [u64; LANES] {
        lanes(|lane| u64::from(!pack[lane].is_nan()))
    }
}
