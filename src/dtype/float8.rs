//! The 8-bit floats. Each is a row of `rules-syntax/src/dtypes.rs`; `codec.rs` converts them. `docs/decisions/float8.md` explains
//! why we use no crate for them.
#![allow(clippy::as_conversions, reason = "bit manipulation of element formats")]

use core::fmt;

use super::odd::f64_to_f32_odd;
use crate::codec::{Codec, Specials};

/// An 8-bit float, as the conversions see it.
pub(crate) trait Float8: Copy + 'static {
    const CODEC: Codec;

    #[inline(always)]
    fn decode(bits: u8) -> f32 {
        Self::CODEC.decode(bits.into())
    }

    #[inline(always)]
    fn encode(value: f32) -> u8 {
        Self::CODEC.encode(value) as u8
    }

    /// The nearest of these, as an `f32`.
    #[inline(always)]
    fn round(value: f32) -> f32 {
        Self::decode(Self::encode(value))
    }
}

macro_rules! float8 {
    ($($(#[$doc:meta])* $marker:ident $name:ident { $exponent_bits:literal, $mantissa_bits:literal, $bias:literal, $specials:ident })*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types, reason = "named like the primitive floats")]
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)] // `array/` hands it around as a byte
        pub struct $name(u8);

        impl Float8 for $name {
            const CODEC: Codec = Codec {
                exponent_bits: $exponent_bits,
                mantissa_bits: $mantissa_bits,
                bias: $bias,
                specials: Specials::$specials,
            };
        }

        float8!(@specials $specials $name);

        impl $name {
            /// Zero.
            pub const ZERO: Self = Self(0);
            /// One.
            pub const ONE: Self = Self(<Self as Float8>::CODEC.one() as u8);
            /// The largest finite number.
            pub const MAX: Self = Self(<Self as Float8>::CODEC.max() as u8);
            /// The least finite number.
            pub const MIN: Self = Self(0x80 | Self::MAX.0);
            /// The smallest positive normal number.
            pub const MIN_POSITIVE: Self = Self(<Self as Float8>::CODEC.min_positive() as u8);
            /// The smallest number above zero, which is subnormal.
            pub const MIN_POSITIVE_SUBNORMAL: Self = Self(1);
            /// The distance from one to the next larger number.
            pub const EPSILON: Self = Self(<Self as Float8>::CODEC.epsilon() as u8);
            /// A quiet NaN.
            pub const NAN: Self = Self(<Self as Float8>::CODEC.nan() as u8);

            /// The number with these bits.
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// The bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Rounds to nearest even. What rounds beyond [`MAX`](Self::MAX) overflows as the type says,
            /// and so do infinities; NaN stays NaN. The sign is kept where the format has it.
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(1.0), ", stringify!($name), "::ONE);")]
            #[doc = concat!("assert!(!", stringify!($name), "::from_f32(1e9).is_finite());")]
            /// ```
            pub fn from_f32(value: f32) -> Self {
                Self(<Self as Float8>::encode(value))
            }

            /// Like [`from_f32`](Self::from_f32), from the exact `f64`: one rounding. (ml_dtypes rounds to
            /// `f32` first.)
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("let half_ulp = ", stringify!($name), "::EPSILON.to_f64() / 2.0;")]
            /// // A tie goes to the even 1.0; the least above it does not, though as an f32 it is the tie.
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f64(1.0 + half_ulp), ", stringify!($name), "::ONE);")]
            #[doc = concat!("assert!(", stringify!($name), "::from_f64((1.0 + half_ulp).next_up()) > ", stringify!($name), "::ONE);")]
            /// ```
            pub fn from_f64(value: f64) -> Self {
                Self(<Self as Float8>::encode(f64_to_f32_odd(value)))
            }

            /// Rounds to nearest even and saturates: what rounds beyond the largest finite number, and an
            /// infinity, becomes the largest finite number of its sign; NaN stays NaN.
            ///
            /// This is how accelerators commonly quantize (`__NV_SATFINITE`).
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32_saturating(1e9), ", stringify!($name), "::MAX);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32_saturating(f32::NEG_INFINITY), ", stringify!($name), "::MIN);")]
            #[doc = concat!("assert!(", stringify!($name), "::from_f32_saturating(f32::NAN).is_nan());")]
            /// ```
            pub fn from_f32_saturating(value: f32) -> Self {
                let rounded = Self::from_f32(value);
                if rounded.is_finite() || value.is_nan() {
                    rounded
                } else if value.is_sign_negative() {
                    Self::MIN
                } else {
                    Self::MAX
                }
            }

            /// Like [`from_f32_saturating`](Self::from_f32_saturating), from the exact `f64`: one rounding.
            pub fn from_f64_saturating(value: f64) -> Self {
                Self::from_f32_saturating(f64_to_f32_odd(value))
            }

            /// The same number; exact.
            pub fn to_f32(self) -> f32 {
                <Self as Float8>::decode(self.0)
            }

            /// The same number; exact.
            pub fn to_f64(self) -> f64 {
                self.to_f32().into()
            }

            /// Returns whether this is not a number.
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert!(", stringify!($name), "::NAN.is_nan() && !", stringify!($name), "::MAX.is_nan());")]
            /// ```
            pub const fn is_nan(self) -> bool {
                let bits: u8 = self.0;
                <Self as Float8>::CODEC.is_nan(bits as u32)
            }

            /// Returns whether this is a finite number: neither infinite nor NaN.
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert!(", stringify!($name), "::MIN.is_finite() && !", stringify!($name), "::NAN.is_finite());")]
            /// ```
            pub const fn is_finite(self) -> bool {
                let bits: u8 = self.0;
                <Self as Float8>::CODEC.is_finite(bits as u32)
            }

            /// Returns whether this is an infinity.
            pub const fn is_infinite(self) -> bool {
                !self.is_finite() && !self.is_nan()
            }

            /// Returns whether the sign bit is set, which it may be for NaN too, and for zero where the format has a negative zero.
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert!(", stringify!($name), "::from_f32(-1.0).is_sign_negative());")]
            /// ```
            pub const fn is_sign_negative(self) -> bool {
                self.0 >> 7 == 1
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.to_f32() == other.to_f32()
            }
        }

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                self.to_f32().partial_cmp(&other.to_f32())
            }
        }

        impl From<$name> for f32 {
            fn from(value: $name) -> Self {
                value.to_f32()
            }
        }

        impl From<$name> for f64 {
            fn from(value: $name) -> Self {
                value.to_f64()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.to_f32(), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }
    )*
        float8! { @dispatch ($) $($marker $name)* }
    };
    (@dispatch ($d:tt) $($marker:ident $name:ident)*) => {
        /// Runs `$body` with `$E` the element type if the dtype is an 8-bit float, else `$other`.
        macro_rules! dispatch_float8 {
            ($d dtype:expr, $d E:ident => $d body:expr, _ => $d other:expr) => {
                match $d dtype {
                    $($crate::dtype::DType::$marker => { type $d E = $crate::dtype::$name; $d body })*
                    _ => $d other,
                }
            };
        }
        pub(crate) use dispatch_float8;
    };
    (@specials Fnuz $name:ident) => {};
    (@specials Fn $name:ident) => {
        impl $name {
            /// Minus zero.
            pub const NEG_ZERO: Self = Self(0x80);
        }
    };
    (@specials Ieee $name:ident) => {
        float8!(@specials Fn $name);

        impl $name {
            /// Infinity.
            pub const INFINITY: Self = Self(<Self as Float8>::CODEC.exponent() as u8);
            /// Minus infinity.
            pub const NEG_INFINITY: Self = Self(0x80 | Self::INFINITY.0);
        }
    };
}

supremum_macros::with_float8!(float8);
