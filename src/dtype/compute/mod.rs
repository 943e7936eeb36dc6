//! The compute types of elements, and the scalar function of every operation.
#![expect(
    clippy::as_conversions,
    reason = "conversions of elements, which `as` defines"
)]

pub(crate) mod activations;
mod angles;
pub(crate) mod arithmetic;
mod complex;
mod complex_inverse;
mod complex_power;
mod complex_single;
mod division;
mod double;
mod function_table;
pub(crate) mod functions;
mod gaussian;
mod hyperbolic;
mod logarithm;
mod power;
mod quotient;
mod reciprocal;
mod remainder;
mod single;
mod to_integer;
mod trigonometric;

use num_complex::Complex;

use self::arithmetic::{Divide, Float, Order};
#[cfg(feature = "stablehlo")]
pub(crate) use self::double::error_function;
#[cfg(test)]
pub(crate) use self::function_table::{COMPLEX, OF_ONE_OPERAND, by_instruction_set};
pub(crate) use self::function_table::{ComplexFunctions, ComplexOperations, Functions};
pub(crate) use self::power::{PowerBase, ShortPower};
pub(crate) use self::reciprocal::{Integer, Reciprocal};
use self::remainder::Remainder;
#[cfg(test)]
pub(crate) use self::single::elu;
pub(crate) use self::single::exp_or_zero;
use self::to_integer::ToInteger;
use crate::dtype::odd::{
    f64_to_f32_odd, i32_to_f32_odd, i64_to_f32_odd, u32_to_f32_odd, u64_to_f32_odd,
};
use crate::dtype::{c64, c128};
use crate::op::{each_binary, each_unary};
use crate::simd::{Isa, lanes};

/// A boolean: 0 or 1.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct BoolByte(u8);

impl BoolByte {
    #[inline(always)]
    pub(crate) fn of(truth: bool) -> Self {
        Self(truth.into())
    }

    #[inline(always)]
    pub(crate) fn is_true(self) -> bool {
        self.0 != 0
    }

    /// From a byte that is 0 or 1.
    #[inline(always)]
    pub(crate) fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    #[inline(always)]
    pub(crate) fn byte(self) -> u8 {
        self.0
    }
}

/// Returns whether it has an operation is looked up before.
#[cold]
#[inline(never)]
fn undefined() -> ! {
    unreachable!("the operation has no meaning in the dtype")
}

macro_rules! inlined {
    ($($name:ident($($argument:pat_param),+) -> $result:ty { $body:expr })+) => {$(
        #[inline(always)]
        fn $name($($argument: Self),+) -> $result {
            $body
        }
    )+};
}

/// The type of a function's result, by the word in its row.
macro_rules! result_of {
    (Itself) => {
        Self
    };
    (Part) => {
        Self::Real
    };
    (Truth) => {
        bool
    };
}

/// Declares the operations on two operands. Their code can depend on the instruction set of the loop, `I`; their results cannot.
macro_rules! binary_defaults {
    ($($name:ident: $Op:ident $text:literal, $cost:literal => Itself $kinds:tt)*) => {$(
        fn $name<I: Isa>(a: Self, b: Self) -> Self {
            let _ = (a, b);
            undefined()
        }
    )*};
}

/// Declares the functions of one operand, as [`binary_defaults`] declares operations.
macro_rules! unary_defaults {
    ($($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident $kinds:tt)*) => {$(
        fn $name<I: Isa>(x: Self) -> result_of!($Result) {
            let _ = x;
            undefined()
        }
    )*};
}

/// Defines the operations of rows that a kind of dtype has.
macro_rules! of_kind {
    ($kind:ident $($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident {
        $($of:ident: $loop:ident |$($x:pat_param),+| $body:expr;)*
    })*) => {
        $($(of_kind! { @$kind $of $loop $name $Result |$($x),+| $body })*)*
    };
    (@define $name:ident $Result:ident |$($x:pat_param),+| $body:expr) => {
        #[inline(always)]
        fn $name<I: Isa>($($x: Self),+) -> result_of!($Result) {
            $body
        }
    };
    (@bool bool $loop:ident $($function:tt)+) => { of_kind! { @define $($function)+ } };
    (@unsigned unsigned $loop:ident $($function:tt)+) => { of_kind! { @define $($function)+ } };
    (@signed signed $loop:ident $($function:tt)+) => { of_kind! { @define $($function)+ } };
    (@float float $loop:ident $($function:tt)+) => { of_kind! { @define $($function)+ } };
    (@complex complex $loop:ident $($function:tt)+) => { of_kind! { @define $($function)+ } };
    (@single_complex complex wide $name:ident Itself |$x:pat_param| $body:expr) => {
        #[inline(always)]
        fn $name<I: Isa>(z: Self) -> Self {
            <c128 as ComputeType>::$name::<I>(z.to_c128()).to_c64()
        }
    };
    (@single_complex complex $loop:ident $($function:tt)+) => { of_kind! { @define $($function)+ } };
    (@$kind:ident $other:ident $($function:tt)+) => {};
}

/// The type with which elements are computed. An operation that has no meaning for it panics.
pub trait ComputeType: Copy + Sync + 'static {
    /// A part of a complex number; else itself.
    type Real: ComputeType;

    each_binary!(kernels binary_defaults!);
    each_unary!(kernels unary_defaults!);

    // The other comparisons are made of these.
    fn eq(a: Self, b: Self) -> bool;
    fn lt(a: Self, b: Self) -> bool;
    fn le(a: Self, b: Self) -> bool;

    fn to_u8(self) -> u8;
    fn to_u16(self) -> u16;
    fn to_u32(self) -> u32;
    fn to_u64(self) -> u64;
    fn to_i8(self) -> i8;
    fn to_i16(self) -> i16;
    fn to_i32(self) -> i32;
    fn to_i64(self) -> i64;
    fn to_f32(self) -> f32;
    /// Rounded to odd, to be rounded once more into a float of at most 14 bits.
    fn to_f32_odd(self) -> f32;
    fn to_f64(self) -> f64;
    fn to_c64(self) -> c64;
    fn to_c128(self) -> c128;
    fn to_truth(self) -> BoolByte;
    /// An integer between bounds; floats and booleans as they are.
    fn clamp_integer(self, low: i128, high: i128) -> Self;
    /// The greater of two floats whose sign bits are clear, also those of NaN; NaN if either is. (The first one may be negative infinity:
    /// then it is the second one.)
    #[inline(always)]
    fn greater_magnitude(a: Self, b: Self) -> Self {
        if Self::lt(a, b) { b } else { a }
    }
    /// Returns whether it is so close to zero that loops of the kind `near` take the short way.
    #[inline(always)]
    fn is_near(self) -> bool {
        true
    }
    /// Returns whether its exponential is a normal number, so that loops of the kind `moderate` take the short way.
    #[inline(always)]
    fn is_moderate(self) -> bool {
        true
    }
    /// Returns whether loops of the kind `small` take the short way.
    #[inline(always)]
    fn is_small(self) -> bool {
        true
    }
    /// Returns whether it is a positive normal number, so that loops of the kind `positive` take the short way.
    #[inline(always)]
    fn is_positive_normal(self) -> bool {
        true
    }
    /// Returns whether loops of the kind `power` take the short way.
    #[inline(always)]
    fn is_usual_power(base: Self, exponent: Self) -> bool {
        let _ = (base, exponent);
        true
    }
    /// Returns whether loops of the kind `quotient` take the short way.
    #[inline(always)]
    fn has_short_quotient(a: Self, b: Self) -> bool {
        let _ = (a, b);
        true
    }
    /// Divides a pack by another, with the results of [`Self::div`]. Faster where `f32` are divided by one number.
    #[inline(always)]
    fn div_packs<I: Isa, const N: usize>(a: &[Self; N], b: &[Self; N]) -> [Self; N] {
        lanes(|lane| Self::div::<I>(a[lane], b[lane]))
    }
}

/// Conversions of what `as` converts.
macro_rules! conversions {
    ($odd:expr) => {
        conversions!(@as to_f32 f32, to_f64 f64);
        #[inline(always)]
        fn to_f32_odd(self) -> f32 {
            $odd(self)
        }
        #[inline(always)]
        fn to_c64(self) -> c64 {
            c64::new(self as f32, 0.0)
        }
        #[inline(always)]
        fn to_c128(self) -> c128 {
            c128::new(self as f64, 0.0)
        }
    };
    (@saturated $($name:ident $to:ident $saturated:ident),*) => {$(
        #[inline(always)]
        fn $name(self) -> $to {
            self.$saturated()
        }
    )*};
    (@as $($name:ident $to:ident),*) => {$(
        #[inline(always)]
        #[allow(clippy::unnecessary_cast, reason = "a type to itself, in some impls")]
        fn $name(self) -> $to {
            self as $to
        }
    )*};
}

/// [`ComputeType::clamp_integer`] of types that are not integers.
macro_rules! not_integer {
    () => {
        #[inline(always)]
        fn clamp_integer(self, _: i128, _: i128) -> Self {
            self
        }
    };
}

macro_rules! integers {
    ($($integer:ident $sign:ident $odd:expr;)*) => {$(
        impl ComputeType for $integer {
            type Real = Self;

            inlined! {
                eq(a, b) -> bool { a == b }
                lt(a, b) -> bool { a < b }
                le(a, b) -> bool { a <= b }
            }
            each_binary!(kernels of_kind! $sign);
            each_unary!(kernels of_kind! $sign);
            conversions!($odd);
            conversions!(@as to_u8 u8, to_u16 u16, to_u32 u32, to_u64 u64, to_i8 i8, to_i16 i16, to_i32 i32, to_i64 i64);
            #[inline(always)]
            fn to_truth(self) -> BoolByte {
                BoolByte::of(self != 0)
            }
            #[inline(always)]
            fn is_usual_power(_: Self, exponent: Self) -> bool {
                arithmetic::is_short_exponent(exponent)
            }
            #[inline(always)]
            fn clamp_integer(self, low: i128, high: i128) -> Self {
                let low = low.max(Self::MIN.into()) as Self;
                let high = high.min(Self::MAX.into()) as Self;
                self.max(low).min(high)
            }
        }
    )*};
}

integers! {
    u8 unsigned f32::from;
    u16 unsigned f32::from;
    u32 unsigned u32_to_f32_odd;
    u64 unsigned u64_to_f32_odd;
    i8 signed f32::from;
    i16 signed f32::from;
    i32 signed i32_to_f32_odd;
    i64 signed i64_to_f32_odd;
}

macro_rules! floats {
    ($($float:ident $odd:expr, $is_near:expr, $is_moderate:expr, $is_small:expr, $is_positive_normal:expr, $is_usual_power:expr $(, $div_packs:expr)?;)*) => {$(
        impl ComputeType for $float {
            type Real = Self;

            inlined! {
                eq(a, b) -> bool { a == b }
                lt(a, b) -> bool { a < b }
                le(a, b) -> bool { a <= b }
            }
            each_binary!(kernels of_kind! float);
            each_unary!(kernels of_kind! float);
            conversions!($odd);
            conversions! { @saturated
                to_u8 u8 saturated_u8, to_u16 u16 saturated_u16, to_u32 u32 saturated_u32, to_u64 u64 saturated_u64,
                to_i8 i8 saturated_i8, to_i16 i16 saturated_i16, to_i32 i32 saturated_i32, to_i64 i64 saturated_i64
            }
            #[inline(always)]
            fn to_truth(self) -> BoolByte {
                BoolByte::of(self != 0.0)
            }
            /// As integers: their order is that of the floats, and NaN is the greatest.
            #[inline(always)]
            fn greater_magnitude(a: Self, b: Self) -> Self {
                let bits = a.to_bits().cast_signed().max(b.to_bits().cast_signed());
                Self::from_bits(bits.cast_unsigned())
            }
            #[inline(always)]
            fn is_near(self) -> bool {
                $is_near(self)
            }
            #[inline(always)]
            fn is_moderate(self) -> bool {
                $is_moderate(self)
            }
            #[inline(always)]
            fn is_small(self) -> bool {
                $is_small(self)
            }
            #[inline(always)]
            fn is_positive_normal(self) -> bool {
                $is_positive_normal(self)
            }
            #[inline(always)]
            fn is_usual_power(base: Self, exponent: Self) -> bool {
                $is_usual_power(base, exponent)
            }
            #[inline(always)]
            fn has_short_quotient(a: Self, b: Self) -> bool {
                Remainder::has_short_quotient(a, b)
            }
            $(
                #[inline(always)]
                fn div_packs<I: Isa, const N: usize>(a: &[Self; N], b: &[Self; N]) -> [Self; N] {
                    $div_packs(a, b)
                }
            )?
            not_integer!();
        }
    )*};
}

floats! {
    f32 |x: f32| x, trigonometric::is_near, single::is_moderate, activations::is_small, logarithm::is_positive_normal, power::is_usual, quotient::of_packs::<I, N>;
    f64 f64_to_f32_odd, double::trigonometric::is_near, |_| true, |_| true, double::logarithm::is_positive_normal, double::power::is_usual;
}

macro_rules! complex {
    ($($part:ident $kind:ident;)*) => {$(
        impl ComputeType for Complex<$part> {
            type Real = $part;

            inlined! {
                eq(a, b) -> bool { a.re == b.re && a.im == b.im }
                lt(a, b) -> bool { arithmetic::complex_less(a, b) }
                le(a, b) -> bool { arithmetic::complex_less_or_equal(a, b) }
            }
            each_binary!(kernels of_kind! $kind);
            each_unary!(kernels of_kind! $kind);
            complex!(@real to_u8 u8, to_u16 u16, to_u32 u32, to_u64 u64, to_i8 i8, to_i16 i16, to_i32 i32, to_i64 i64, to_f32 f32, to_f32_odd f32, to_f64 f64);
            #[inline(always)]
            fn to_c64(self) -> c64 {
                c64::new(self.re.to_f32(), self.im.to_f32())
            }
            #[inline(always)]
            fn to_c128(self) -> c128 {
                c128::new(self.re.into(), self.im.into())
            }
            #[inline(always)]
            fn is_near(self) -> bool {
                self.re.is_near() & self.im.is_near()
            }
            #[inline(always)]
            fn to_truth(self) -> BoolByte {
                BoolByte::of(self.re != 0.0 || self.im != 0.0)
            }
            not_integer!();
        }
    )*};
    (@real $($name:ident $to:ident),*) => {$(
        #[inline(always)]
        fn $name(self) -> $to {
            self.re.$name()
        }
    )*};
}

complex! {
    f32 single_complex;
    f64 complex;
}

macro_rules! truth {
    ($($name:ident $to:ident),*) => {$(
        #[inline(always)]
        fn $name(self) -> $to {
            self.0.$name()
        }
    )*};
}

impl ComputeType for BoolByte {
    type Real = Self;

    inlined! {
        eq(a, b) -> bool { a.0 == b.0 }
        lt(a, b) -> bool { a.0 < b.0 }
        le(a, b) -> bool { a.0 <= b.0 }
    }
    each_binary!(kernels of_kind! bool);
    each_unary!(kernels of_kind! bool);

    truth!(to_u8 u8, to_u16 u16, to_u32 u32, to_u64 u64, to_i8 i8, to_i16 i16, to_i32 i32, to_i64 i64, to_f32 f32, to_f32_odd f32, to_f64 f64, to_c64 c64, to_c128 c128);
    #[inline(always)]
    fn to_truth(self) -> BoolByte {
        self
    }
    not_integer!();
}
