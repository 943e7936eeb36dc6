//! The format of each element: how a pack of elements is loaded, rounded and stored, and the type it computes in.
#![allow(unsafe_code, reason = "reads and writes raw memory")]

use core::mem::MaybeUninit;

use num_complex::Complex;

use super::compute::{BoolByte, ComputeType};
use crate::dtype::cast::{bf16_bits, bf16_to_f32, cleared, f16_to_f32, f32_to_bf16, f32_to_f16};
use crate::dtype::float8::Float8;
use crate::dtype::{DType, Loss, bf16, f16};
use crate::simd::{Baseline, Isa, LANES, lanes, load, store};

/// The largest number of packs that a loop computes in advance.
pub(crate) const STAGED_PACKS: usize = 8;

/// Memory for packs of one format that are computed in advance. It takes less than that for any format, so that expressions
/// of few operations can afford it.
#[repr(C, align(64))]
pub struct FormatBuffer<T: Format>([MaybeUninit<[T::Compute; LANES]>; STAGED_PACKS]);

/// The way in which elements are stored and computed with.
pub trait Format: Copy + 'static {
    /// An element in memory, as it is read and written; any bytes of its size are one.
    type Stored: Copy;
    /// The type with which it is computed.
    type Compute: ComputeType;
    /// The type of a part of a complex number; else itself.
    type Real: crate::dtype::Element + Format<Compute = <Self::Compute as ComputeType>::Real>;
    /// Itself if it is inexact, else `f64`.
    type Inexact: crate::dtype::Element;
    /// The element type that is the same as its compute type.
    type Widened: crate::dtype::Element + Format<Compute = Self::Compute>;
    /// The element type in which its elements are added, if the sum is an integer.
    type IntegerSum: crate::dtype::Element;
    /// The element type in which its elements are added, if the sum is a float that computes in `f32`.
    type FloatSum: crate::dtype::Element;
    /// The element type in which elements of another format are added, if the sum has this one.
    type SumOf<T: Format>: crate::dtype::Element;
    /// The element type in which its powers with integer exponents are computed: a small float would round the exponent.
    type IntegerPower: crate::dtype::Element;
    /// The element type in which powers with exponents of this format are computed, if they give elements `T`.
    type PowerOf<T: crate::dtype::Element>: crate::dtype::Element;
    /// The latency of rounding a result, which the next operation waits for, in units of one `bf16` rounding. Zero for formats in
    /// which staging results in advance was not measured to be faster.
    const ROUND_LATENCY: usize = 0;
    /// Memory for packs that are computed in advance; empty where staging does not pay.
    type Stage;

    /// Reads 32 elements. Not `load`: of a record without `#[derive(LoadTensors)]` rustc would propose this trait for `Model::load`.
    ///
    /// # Safety
    /// They can be read, and the processor has the instruction set.
    unsafe fn load_pack<I: Isa>(from: *const Self::Stored) -> [Self::Compute; LANES];

    /// Rounds and writes 32 elements; `any_nan` as for [`bf16_bits`].
    ///
    /// # Safety
    /// They can be written, and the processor has the instruction set.
    unsafe fn store<I: Isa>(to: *mut Self::Stored, values: [Self::Compute; LANES], any_nan: bool);

    /// Rounds; `any_nan` as for [`bf16_bits`].
    ///
    /// # Safety
    /// The processor has the instruction set.
    #[inline(always)]
    unsafe fn round<I: Isa>(
        values: [Self::Compute; LANES],
        any_nan: bool,
    ) -> [Self::Compute; LANES] {
        let _ = any_nan;
        values
    }

    /// Converts a value of another format's compute type. A small float gets an `f32` that was rounded to odd, so that
    /// rounding it to the format gives the nearest value.
    fn convert<C: ComputeType>(from: C) -> Self::Compute;

    /// Converts a real number as [`Self::convert`] does, but integers do not wrap, and a number beyond the largest finite one
    /// becomes that one. NaN stays NaN in a float.
    fn saturate<C: ComputeType>(from: C) -> Self::Compute;

    /// An element as it computes.
    fn to_compute(self) -> Self::Compute;

    /// Rounds to an element.
    fn of(value: Self::Compute) -> Self;

    /// The next element towards another; only of floats.
    #[inline(always)]
    fn next_after(self, towards: Self) -> Self {
        Self::of(ComputeType::next_after::<Baseline>(
            self.to_compute(),
            towards.to_compute(),
        ))
    }
}

macro_rules! native {
    ($($element:ty: $kind:ident $convert:ident, $real:ty, $inexact:ty, sums $integer:ty, $float:ty, of $T:ident $sum:ty, power $power:ty, of $power_of:ty;)*) => {$(
        impl Format for $element {
            type Stored = Self;
            type Compute = Self;
            type Real = $real;
            type Inexact = $inexact;
            type Widened = Self;
            type IntegerSum = $integer;
            type FloatSum = $float;
            type SumOf<$T: Format> = $sum;
            type IntegerPower = $power;
            type PowerOf<$T: crate::dtype::Element> = $power_of;
            type Stage = ();

            #[inline(always)]
            unsafe fn load_pack<I: Isa>(from: *const Self) -> [Self; LANES] {
                // SAFETY: the caller of `load_pack` guarantees that 32 elements can be read, and the instruction set of `I`.
                unsafe { load(from) }
            }
            #[inline(always)]
            unsafe fn store<I: Isa>(to: *mut Self, values: [Self; LANES], _: bool) {
                // SAFETY: the caller of `store` guarantees that 32 elements can be written, and the instruction set of `I`.
                unsafe { store(to, values) }
            }
            #[inline(always)]
            fn convert<C: ComputeType>(from: C) -> Self {
                from.$convert()
            }
            #[inline(always)]
            fn saturate<C: ComputeType>(from: C) -> Self {
                native!(@saturate $kind from $convert)
            }
            #[inline(always)]
            fn to_compute(self) -> Self {
                self
            }
            #[inline(always)]
            fn of(value: Self) -> Self {
                value
            }
        }
    )*};
    (@saturate integer $from:ident $convert:ident) => {
        $from.clamp_integer(Self::MIN.into(), Self::MAX.into()).$convert()
    };
    (@saturate float $from:ident $convert:ident) => {
        $from.$convert().clamp(-Self::MAX, Self::MAX)
    };
    (@saturate complex $from:ident $convert:ident) => {
        $from.$convert()
    };
}

native! {
    u8: integer to_u8, Self, f64, sums u64, f64, of T T::IntegerSum, power Self, of T::IntegerPower;
    u16: integer to_u16, Self, f64, sums u64, f64, of T T::IntegerSum, power Self, of T::IntegerPower;
    u32: integer to_u32, Self, f64, sums u64, f64, of T T::IntegerSum, power Self, of T::IntegerPower;
    u64: integer to_u64, Self, f64, sums u64, f64, of T T::IntegerSum, power Self, of T::IntegerPower;
    i8: integer to_i8, Self, f64, sums i64, f64, of T T::IntegerSum, power Self, of T::IntegerPower;
    i16: integer to_i16, Self, f64, sums i64, f64, of T T::IntegerSum, power Self, of T::IntegerPower;
    i32: integer to_i32, Self, f64, sums i64, f64, of T T::IntegerSum, power Self, of T::IntegerPower;
    i64: integer to_i64, Self, f64, sums i64, f64, of T T::IntegerSum, power Self, of T::IntegerPower;
    f32: float to_f32, Self, Self, sums f64, f64, of T T::FloatSum, power f64, of T;
    f64: float to_f64, Self, Self, sums f64, f64, of T f64, power Self, of T;
    Complex<f32>: complex to_c64, f32, Self, sums Complex<f64>, Complex<f64>, of T Complex<f64>, power Complex<f64>, of T;
    Complex<f64>: complex to_c128, f64, Self, sums Self, Self, of T Self, power Self, of T;
}

impl Format for bool {
    type Stored = u8;
    type Compute = BoolByte;
    type Real = Self;
    type Inexact = f64;
    type Widened = Self;
    type IntegerSum = u64;
    type FloatSum = f64;
    type SumOf<T: Format> = Self;
    type IntegerPower = Self;
    type PowerOf<T: crate::dtype::Element> = T;
    type Stage = ();

    #[inline(always)]
    unsafe fn load_pack<I: Isa>(from: *const u8) -> [BoolByte; LANES] {
        // SAFETY: the caller of `load_pack` guarantees that 32 elements can be read, and the instruction set of `I`.
        let bytes: [u8; LANES] = unsafe { load(from) };
        lanes(|lane| BoolByte::from_byte(bytes[lane]))
    }
    #[inline(always)]
    unsafe fn store<I: Isa>(to: *mut u8, values: [BoolByte; LANES], _: bool) {
        // SAFETY: the caller of `store` guarantees that 32 elements can be written, and the instruction set of `I`.
        unsafe { store(to, lanes::<_, LANES>(|lane| values[lane].byte())) }
    }
    #[inline(always)]
    fn convert<C: ComputeType>(from: C) -> BoolByte {
        from.to_truth()
    }
    #[inline(always)]
    fn saturate<C: ComputeType>(from: C) -> BoolByte {
        from.to_truth()
    }
    #[inline(always)]
    fn to_compute(self) -> BoolByte {
        BoolByte::of(self)
    }
    #[inline(always)]
    fn of(value: BoolByte) -> Self {
        value.is_true()
    }
}

/// Small floats, which compute as `f32`: how packs are decoded, encoded and rounded.
macro_rules! small_floats {
    ($($element:path: $bits:ident, $from_bits:path, $to_bits:path, $wait:literal $Ahead:ty {
        decode($stored:ident) $decode:expr;
        encode($values:ident, $any_nan:ident) $encode:expr;
        round $round:expr;
    })*) => {$(
        impl Format for $element {
            type Stored = $bits;
            type Compute = f32;
            type Real = Self;
            type Inexact = Self;
            type Widened = f32;
            type IntegerSum = f64;
            type FloatSum = f32;
            type SumOf<T: Format> = T::FloatSum;
            type IntegerPower = f64;
            type PowerOf<T: crate::dtype::Element> = T;
            const ROUND_LATENCY: usize = $wait;
            type Stage = $Ahead;

            #[inline(always)]
            unsafe fn load_pack<I: Isa>(from: *const $bits) -> [f32; LANES] {
                // SAFETY: the caller of `load_pack` guarantees that 32 elements can be read, and the instruction set of `I`.
                unsafe {
                    let $stored: [$bits; LANES] = load(from);
                    $decode
                }
            }
            #[inline(always)]
            unsafe fn store<I: Isa>(to: *mut $bits, $values: [f32; LANES], $any_nan: bool) {
                let _ = $any_nan;
                // SAFETY: the caller of `store` guarantees that 32 elements can be written, and the instruction set of `I`.
                unsafe { store::<$bits, LANES>(to, $encode) }
            }
            #[inline(always)]
            unsafe fn round<I: Isa>($values: [f32; LANES], $any_nan: bool) -> [f32; LANES] {
                let _ = $any_nan;
                #[allow(unused_unsafe, reason = "only some round by intrinsics")]
                // SAFETY: the caller of `round` guarantees the instruction set of `I`.
                unsafe {
                    $round
                }
            }
            #[inline(always)]
            fn convert<C: ComputeType>(from: C) -> f32 {
                from.to_f32_odd()
            }
            #[inline(always)]
            fn saturate<C: ComputeType>(from: C) -> f32 {
                let greatest = $from_bits(Self::MAX.to_bits());
                from.to_f32_odd().clamp(-greatest, greatest)
            }
            #[inline(always)]
            fn to_compute(self) -> f32 {
                $from_bits(self.to_bits())
            }
            #[inline(always)]
            fn of(value: f32) -> Self {
                Self::from_bits($to_bits(value))
            }
            #[inline(always)]
            fn next_after(self, towards: Self) -> Self {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                let (x, y) = (self.to_compute(), towards.to_compute());
                let (bits, sign) = (self.to_bits(), towards.to_bits() & SIGN);
                let away = (x < y) == (x > 0.0);
                let stepped = if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
                // Formats without a negative zero have a NaN in its place.
                let stepped = if stepped == SIGN && $from_bits(SIGN).is_nan() { 0 } else { stepped };
                let next = if x == 0.0 { sign | 1 } else { stepped };
                let next = if x == y { towards.to_bits() } else { next };
                if x.is_nan() | y.is_nan() { Self::of(x + y) } else { Self::from_bits(next) }
            }
        }
    )*};
}

small_floats! {
    f16: u16, f16_to_f32, f32_to_f16, 2 FormatBuffer<Self> {
        decode(bits) I::decode_f16(bits);
        encode(values, any_nan) I::encode_f16(values);
        round I::decode_f16(I::encode_f16(values));
    }
    bf16: u16, bf16_to_f32, f32_to_bf16, 1 FormatBuffer<Self> {
        decode(bits) lanes(|lane| bf16_to_f32(bits[lane]));
        encode(values, any_nan) I::upper_halves(lanes(|lane| bf16_bits(values[lane], any_nan)));
        round lanes(|lane| cleared(bf16_bits(values[lane], any_nan)));
    }
}

macro_rules! float8 {
    ($($(#[$doc:meta])* $marker:ident $element:ident { $($format:tt)* })*) => {
        small_floats! {
            $(crate::dtype::$element: u8, Self::decode, Self::encode, 0 () {
                decode(bits) lanes(|lane| <Self as Float8>::decode(bits[lane]));
                encode(values, any_nan) lanes(|lane| <Self as Float8>::encode(values[lane]));
                round lanes(|lane| <Self as Float8>::round(values[lane]));
            })*
        }
    };
}

supremum_macros::with_float8!(float8);

/// Returns whether a conversion gives what needs no rounding any more, if its last step would round.
pub(crate) const fn is_exact(from: DType, to: DType) -> bool {
    !to.is_small_float() || matches!(from.loss_to(to), Loss::None)
}
