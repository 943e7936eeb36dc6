//! What elements are while they compute, and what every operation does to one of them.
#![expect(
    clippy::as_conversions,
    reason = "conversions of elements, which `as` defines"
)]

use num_complex::Complex;

use crate::dtype::cast::{f64_to_f32_odd, i64_to_f32_odd, u64_to_f32_odd};
use crate::dtype::{c64, c128};
use crate::kernel::arithmetic::{self, Divide, Float, Order};
use crate::kernel::functions::Functions;

/// A boolean: 0 or 1.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Truth(u8);

impl Truth {
    #[inline(always)]
    pub(super) fn of(truth: bool) -> Self {
        Self(truth.into())
    }

    #[inline(always)]
    pub(super) fn is_true(self) -> bool {
        self.0 != 0
    }

    /// From a byte that is 0 or 1.
    #[inline(always)]
    pub(super) fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    #[inline(always)]
    pub(super) fn byte(self) -> u8 {
        self.0
    }
}

/// Whether it has an operation is looked up before.
#[cold]
#[inline(never)]
fn undefined() -> ! {
    unreachable!("the operation has no meaning in the dtype")
}

macro_rules! defaults {
    ($($name:ident($($argument:ident),+) -> $result:ty;)*) => {$(
        fn $name($($argument: Self),+) -> $result {
            let _ = ($($argument,)+);
            undefined()
        }
    )*};
}

/// What elements are while they compute. An operation that has no meaning for them panics.
pub trait Carrier: Copy + Sync + 'static {
    /// A part of a complex number; else itself.
    type Real: Carrier;

    defaults! {
        add(a, b) -> Self; sub(a, b) -> Self; mul(a, b) -> Self; div(a, b) -> Self;
        floor_div(a, b) -> Self; rem(a, b) -> Self; atan2(a, b) -> Self;
        min(a, b) -> Self; max(a, b) -> Self;
        pow(a, b) -> Self; and(a, b) -> Self; or(a, b) -> Self; xor(a, b) -> Self; shl(a, b) -> Self; shr(a, b) -> Self;
        lt(a, b) -> bool; le(a, b) -> bool;
        neg(x) -> Self; sign(x) -> Self; not(x) -> Self; recip(x) -> Self; sqrt(x) -> Self;
        exp(x) -> Self; exp2(x) -> Self; exp_m1(x) -> Self;
        ln(x) -> Self; ln_1p(x) -> Self; log2(x) -> Self; log10(x) -> Self;
        sin(x) -> Self; cos(x) -> Self; tan(x) -> Self; asin(x) -> Self; acos(x) -> Self; atan(x) -> Self;
        sinh(x) -> Self; cosh(x) -> Self; tanh(x) -> Self; sigmoid(x) -> Self;
        imag(x) -> Self::Real;
    }

    fn eq(a: Self, b: Self) -> bool;
    fn abs(x: Self) -> Self::Real;
    fn real(x: Self) -> Self::Real;

    /// The identity of what has no fraction, as are the next three.
    #[inline(always)]
    fn floor(x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn ceil(x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn round(x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn trunc(x: Self) -> Self {
        x
    }
    /// The identity of what has no imaginary part.
    #[inline(always)]
    fn conj(x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn is_nan(_: Self) -> bool {
        false
    }
    #[inline(always)]
    fn is_inf(_: Self) -> bool {
        false
    }
    #[inline(always)]
    fn is_finite(_: Self) -> bool {
        true
    }

    fn to_u8(self) -> u8;
    fn to_u16(self) -> u16;
    fn to_u32(self) -> u32;
    fn to_u64(self) -> u64;
    fn to_i8(self) -> i8;
    fn to_i16(self) -> i16;
    fn to_i32(self) -> i32;
    fn to_i64(self) -> i64;
    fn to_f32(self) -> f32;
    /// Rounded to odd, to be rounded once more into a float of at most 22 bits.
    fn to_f32_odd(self) -> f32;
    fn to_f64(self) -> f64;
    fn to_c64(self) -> c64;
    fn to_c128(self) -> c128;
    fn to_truth(self) -> Truth;
}

/// Conversions of what `as` converts.
macro_rules! conversions {
    ($odd:expr) => {
        conversions!(@as to_u8 u8, to_u16 u16, to_u32 u32, to_u64 u64, to_i8 i8, to_i16 i16, to_i32 i32, to_i64 i64, to_f32 f32, to_f64 f64);
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
    (@as $($name:ident $to:ident),*) => {$(
        #[inline(always)]
        #[allow(clippy::unnecessary_cast, reason = "a type to itself, in some impls")]
        fn $name(self) -> $to {
            self as $to
        }
    )*};
}

macro_rules! integers {
    ($($integer:ident $sign:ident $odd:expr;)*) => {$(
        impl Carrier for $integer {
            type Real = Self;

            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                a.wrapping_add(b)
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                a.wrapping_sub(b)
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                a.wrapping_mul(b)
            }
            #[inline(always)]
            fn min(a: Self, b: Self) -> Self {
                a.least(b)
            }
            #[inline(always)]
            fn max(a: Self, b: Self) -> Self {
                a.most(b)
            }
            #[inline(always)]
            fn and(a: Self, b: Self) -> Self {
                a & b
            }
            #[inline(always)]
            fn or(a: Self, b: Self) -> Self {
                a | b
            }
            #[inline(always)]
            fn xor(a: Self, b: Self) -> Self {
                a ^ b
            }
            #[inline(always)]
            fn shl(a: Self, b: Self) -> Self {
                arithmetic::shl(a, b)
            }
            #[inline(always)]
            fn shr(a: Self, b: Self) -> Self {
                arithmetic::shr(a, b)
            }
            #[inline(always)]
            fn eq(a: Self, b: Self) -> bool {
                a == b
            }
            #[inline(always)]
            fn lt(a: Self, b: Self) -> bool {
                a < b
            }
            #[inline(always)]
            fn le(a: Self, b: Self) -> bool {
                a <= b
            }
            #[inline(always)]
            fn neg(x: Self) -> Self {
                x.wrapping_neg()
            }
            #[inline(always)]
            fn not(x: Self) -> Self {
                !x
            }
            #[inline(always)]
            fn real(x: Self) -> Self {
                x
            }
            #[inline(always)]
            fn imag(_: Self) -> Self {
                0
            }
            integers!(@$sign);
            conversions!($odd);
            #[inline(always)]
            fn to_truth(self) -> Truth {
                Truth::of(self != 0)
            }
        }
    )*};
    (@signed) => {
        #[inline(always)]
        fn abs(x: Self) -> Self {
            x.wrapping_abs()
        }
        #[inline(always)]
        fn sign(x: Self) -> Self {
            x.signum()
        }
    };
    (@unsigned) => {
        #[inline(always)]
        fn abs(x: Self) -> Self {
            x
        }
        #[inline(always)]
        fn sign(x: Self) -> Self {
            Self::from(x != 0)
        }
    };
}

integers! {
    u8 unsigned f32::from;
    u16 unsigned f32::from;
    u32 unsigned |x: u32| f64_to_f32_odd(x.into());
    u64 unsigned u64_to_f32_odd;
    i8 signed f32::from;
    i16 signed f32::from;
    i32 signed |x: i32| f64_to_f32_odd(x.into());
    i64 signed i64_to_f32_odd;
}

macro_rules! floats {
    ($($float:ident $odd:expr;)*) => {$(
        impl Carrier for $float {
            type Real = Self;

            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                a + b
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                a - b
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                a * b
            }
            #[inline(always)]
            fn div(a: Self, b: Self) -> Self {
                a / b
            }
            #[inline(always)]
            fn floor_div(a: Self, b: Self) -> Self {
                Divide::floor_div(a, b)
            }
            #[inline(always)]
            fn rem(a: Self, b: Self) -> Self {
                Divide::floor_rem(a, b)
            }
            #[inline(always)]
            fn atan2(a: Self, b: Self) -> Self {
                Float::atan2(a, b)
            }
            #[inline(always)]
            fn min(a: Self, b: Self) -> Self {
                a.least(b)
            }
            #[inline(always)]
            fn max(a: Self, b: Self) -> Self {
                a.most(b)
            }
            #[inline(always)]
            fn eq(a: Self, b: Self) -> bool {
                a == b
            }
            #[inline(always)]
            fn lt(a: Self, b: Self) -> bool {
                a < b
            }
            #[inline(always)]
            fn le(a: Self, b: Self) -> bool {
                a <= b
            }
            #[inline(always)]
            fn neg(x: Self) -> Self {
                -x
            }
            #[inline(always)]
            fn abs(x: Self) -> Self {
                Float::magnitude(x)
            }
            #[inline(always)]
            fn recip(x: Self) -> Self {
                1.0 / x
            }
            #[inline(always)]
            fn real(x: Self) -> Self {
                x
            }
            #[inline(always)]
            fn imag(_: Self) -> Self {
                0.0
            }
            #[inline(always)]
            fn is_inf(x: Self) -> bool {
                Float::is_infinite(x)
            }
            #[inline(always)]
            fn round(x: Self) -> Self {
                Float::round_ties_even(x)
            }
            floats!(@Float sign sqrt sin cos tan asin acos atan floor ceil trunc -> Self);
            floats!(@Functions exp exp2 exp_m1 ln ln_1p log2 log10 sinh cosh tanh sigmoid -> Self);
            floats!(@Float is_nan is_finite -> bool);
            conversions!($odd);
            #[inline(always)]
            fn to_truth(self) -> Truth {
                Truth::of(self != 0.0)
            }
        }
    )*};
    (@$trait:ident $($name:ident)* -> $result:ty) => {$(
        #[inline(always)]
        fn $name(x: Self) -> $result {
            $trait::$name(x)
        }
    )*};
}

floats! {
    f32 |x: f32| x;
    f64 f64_to_f32_odd;
}

macro_rules! complex {
    ($($part:ident;)*) => {$(
        impl Carrier for Complex<$part> {
            type Real = $part;

            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                Self::new(a.re + b.re, a.im + b.im)
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                Self::new(a.re - b.re, a.im - b.im)
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                arithmetic::complex_mul(a, b)
            }
            #[inline(always)]
            fn div(a: Self, b: Self) -> Self {
                arithmetic::complex_div(a, b)
            }
            #[inline(always)]
            fn eq(a: Self, b: Self) -> bool {
                a.re == b.re && a.im == b.im
            }
            #[inline(always)]
            fn neg(x: Self) -> Self {
                Self::new(-x.re, -x.im)
            }
            #[inline(always)]
            fn conj(x: Self) -> Self {
                Self::new(x.re, -x.im)
            }
            #[inline(always)]
            fn abs(x: Self) -> $part {
                x.re.hypot(x.im)
            }
            #[inline(always)]
            fn real(x: Self) -> $part {
                x.re
            }
            #[inline(always)]
            fn imag(x: Self) -> $part {
                x.im
            }
            #[inline(always)]
            fn is_nan(x: Self) -> bool {
                x.re.is_nan() | x.im.is_nan()
            }
            #[inline(always)]
            fn is_inf(x: Self) -> bool {
                x.re.is_infinite() | x.im.is_infinite()
            }
            #[inline(always)]
            fn is_finite(x: Self) -> bool {
                x.re.is_finite() & x.im.is_finite()
            }
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
            fn to_truth(self) -> Truth {
                Truth::of(self.re != 0.0 || self.im != 0.0)
            }
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
    f32;
    f64;
}

macro_rules! truth {
    ($($name:ident $to:ident),*) => {$(
        #[inline(always)]
        fn $name(self) -> $to {
            self.0.$name()
        }
    )*};
}

impl Carrier for Truth {
    type Real = Self;

    #[inline(always)]
    fn add(a: Self, b: Self) -> Self {
        Self::or(a, b)
    }
    #[inline(always)]
    fn mul(a: Self, b: Self) -> Self {
        Self::and(a, b)
    }
    #[inline(always)]
    fn min(a: Self, b: Self) -> Self {
        Self::and(a, b)
    }
    #[inline(always)]
    fn max(a: Self, b: Self) -> Self {
        Self::or(a, b)
    }
    #[inline(always)]
    fn and(a: Self, b: Self) -> Self {
        Self(a.0 & b.0)
    }
    #[inline(always)]
    fn or(a: Self, b: Self) -> Self {
        Self(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(a: Self, b: Self) -> Self {
        Self(a.0 ^ b.0)
    }
    #[inline(always)]
    fn eq(a: Self, b: Self) -> bool {
        a.0 == b.0
    }
    #[inline(always)]
    fn lt(a: Self, b: Self) -> bool {
        a.0 < b.0
    }
    #[inline(always)]
    fn le(a: Self, b: Self) -> bool {
        a.0 <= b.0
    }
    #[inline(always)]
    fn not(x: Self) -> Self {
        Self(x.0 ^ 1)
    }
    #[inline(always)]
    fn sign(x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn abs(x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn real(x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn imag(_: Self) -> Self {
        Self(0)
    }

    truth!(to_u8 u8, to_u16 u16, to_u32 u32, to_u64 u64, to_i8 i8, to_i16 i16, to_i32 i32, to_i64 i64, to_f32 f32, to_f32_odd f32, to_f64 f64, to_c64 c64, to_c128 c128);
    #[inline(always)]
    fn to_truth(self) -> Truth {
        self
    }
}
