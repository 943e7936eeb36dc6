//! The two 8-bit floats. Why they are ours and not a crate's: `docs/decisions/float8.md`.
#![allow(clippy::as_conversions, reason = "bit manipulation of element formats")]

use core::fmt;

macro_rules! float8 {
    ($($(#[$doc:meta])* $name:ident { $($facts:tt)* } $decode:ident $encode:ident;)*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types, reason = "named like the primitive floats")]
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)] // `array/` hands it around as a byte
        pub struct $name(u8);

        float8!(@constants $name $($facts)*);

        impl $name {
            /// Zero.
            pub const ZERO: Self = Self(0);
            /// Minus zero.
            pub const NEG_ZERO: Self = Self(0x80);
            /// The smallest number above zero, which is subnormal.
            pub const MIN_POSITIVE_SUBNORMAL: Self = Self(1);

            /// The number with these bits.
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// The bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Rounds to nearest even. What rounds beyond [`MAX`](Self::MAX) overflows as the type says,
            /// and so do infinities; NaN stays NaN. The sign is kept.
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::from_f32(1.0), ", stringify!($name), "::ONE);")]
            #[doc = concat!("assert!(!", stringify!($name), "::from_f32(1e9).is_finite());")]
            /// ```
            pub fn from_f32(value: f32) -> Self {
                Self($encode(value))
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
                super::cast::cast(value)
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
                } else {
                    Self(Self::MAX.0 | rounded.0 & 0x80)
                }
            }

            /// Like [`from_f32_saturating`](Self::from_f32_saturating), from the exact `f64`: one rounding.
            pub fn from_f64_saturating(value: f64) -> Self {
                Self::from_f32_saturating(super::cast::f64_to_f32_odd(value))
            }

            /// The same number; exact.
            pub fn to_f32(self) -> f32 {
                $decode(self.0)
            }

            /// The same number; exact.
            pub fn to_f64(self) -> f64 {
                self.to_f32().into()
            }

            /// Whether this is not a number.
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert!(", stringify!($name), "::NAN.is_nan() && !", stringify!($name), "::MAX.is_nan());")]
            /// ```
            pub const fn is_nan(self) -> bool {
                self.magnitude() > Self::LARGEST
            }

            /// Whether this is a finite number: neither infinite nor NaN.
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert!(", stringify!($name), "::MIN.is_finite() && !", stringify!($name), "::NAN.is_finite());")]
            /// ```
            pub const fn is_finite(self) -> bool {
                self.magnitude() <= Self::MAX.0
            }

            /// Whether the sign bit is set, which it may be for zero and NaN too.
            ///
            /// ```
            #[doc = concat!("use supremum::dtype::", stringify!($name), ";")]
            #[doc = concat!("assert!(", stringify!($name), "::from_f32(-0.0).is_sign_negative());")]
            /// ```
            pub const fn is_sign_negative(self) -> bool {
                self.0 >> 7 == 1
            }

            const fn magnitude(self) -> u8 {
                self.0 & 0x7f
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
    )*};
    (@constants $name:ident
        one $one:literal, max $max:literal, min_positive $min_positive:literal, epsilon $epsilon:literal, nan $nan:literal
        $(, infinity $infinity:literal)?
    ) => {
        impl $name {
            /// One.
            pub const ONE: Self = Self($one);
            /// The largest finite number.
            pub const MAX: Self = Self($max);
            /// The least finite number.
            pub const MIN: Self = Self(0x80 | $max);
            /// The smallest positive normal number.
            pub const MIN_POSITIVE: Self = Self($min_positive);
            /// The distance from one to the next larger number.
            pub const EPSILON: Self = Self($epsilon);
            /// A quiet NaN.
            pub const NAN: Self = Self($nan);
            $(
                /// Infinity.
                pub const INFINITY: Self = Self($infinity);
                /// Minus infinity.
                pub const NEG_INFINITY: Self = Self(0x80 | $infinity);
            )?

            /// The bits of the largest number that is not NaN, infinity included.
            const LARGEST: u8 = $max $(+ ($infinity - $max))?;

            /// Whether this is an infinity.
            pub const fn is_infinite(self) -> bool {
                !self.is_finite() && !self.is_nan()
            }
        }
    };
}

float8! {
    /// An 8-bit float with four exponent and three mantissa bits, no infinity and one NaN per sign.
    ///
    /// The largest number is 448, and what rounds above it, infinities included, is NaN, as in
    /// ml_dtypes; [`from_f32_saturating`](Self::from_f32_saturating) stays finite instead.
    ///
    /// ```
    /// use supremum::dtype::f8e4m3fn;
    /// assert_eq!(f8e4m3fn::MAX.to_f32(), 448.0);
    /// assert_eq!(f8e4m3fn::from_f32(464.0), f8e4m3fn::MAX); // a tie, and 448 is even
    /// assert!(f8e4m3fn::from_f32(464.0_f32.next_up()).is_nan());
    /// assert_eq!(f8e4m3fn::MIN_POSITIVE.to_f32(), 1.0 / 64.0);
    /// assert_eq!(f8e4m3fn::MIN_POSITIVE_SUBNORMAL.to_f32(), 1.0 / 512.0);
    /// assert_eq!(f8e4m3fn::EPSILON.to_f32(), 0.125);
    /// ```
    f8e4m3fn { one 0x38, max 0x7e, min_positive 0x08, epsilon 0x20, nan 0x7f } e4m3fn_to_f32 f32_to_e4m3fn;
    /// An 8-bit float with five exponent and two mantissa bits, and infinities: the upper byte of
    /// an `f16`.
    ///
    /// The largest finite number is 57,344, and what rounds above it is infinite.
    ///
    /// ```
    /// use supremum::dtype::f8e5m2;
    /// assert_eq!(f8e5m2::MAX.to_f32(), 57_344.0);
    /// assert_eq!(f8e5m2::from_f32(61_440.0), f8e5m2::INFINITY); // a tie, and infinity is even
    /// assert_eq!(f8e5m2::from_f32(61_440.0_f32.next_down()), f8e5m2::MAX);
    /// assert!(f8e5m2::NEG_INFINITY.is_infinite());
    /// assert_eq!(f8e5m2::MIN_POSITIVE.to_f32(), 1.0 / 16_384.0);
    /// assert_eq!(f8e5m2::MIN_POSITIVE_SUBNORMAL.to_f32(), 1.0 / 65_536.0);
    /// assert_eq!(f8e5m2::EPSILON.to_f32(), 0.25);
    /// ```
    f8e5m2 { one 0x3c, max 0x7b, min_positive 0x04, epsilon 0x34, nan 0x7e, infinity 0x7c } e5m2_to_f32 f32_to_e5m2;
}

/// Decodes; exact. `e5m2` is the upper byte of an `f16`.
#[inline(always)]
pub(crate) fn e5m2_to_f32(bits: u8) -> f32 {
    super::cast::f16_to_f32(u16::from(bits) << 8)
}

/// Rounds to nearest even; too large gives infinity.
#[inline(always)]
pub(crate) fn f32_to_e5m2(value: f32) -> u8 {
    let bits = value.to_bits();
    let sign = (bits >> 24) & 0x80;
    let magnitude = bits & 0x7fff_ffff;
    // Exponent bias 15 against 127, 21 mantissa bits fewer.
    let normal = magnitude
        .wrapping_sub(112 << 23)
        .wrapping_add(0xf_ffff)
        .wrapping_add((magnitude >> 21) & 1)
        >> 21;
    // 128 has the subnormals' unit 2^-16 as its last place.
    let subnormal = (f32::from_bits(magnitude) + 128.0)
        .to_bits()
        .wrapping_sub(0x4300_0000);
    let finite = if magnitude < 0x3880_0000 {
        subnormal
    } else {
        normal
    };
    // What is too large comes out above infinity.
    let number = finite.min(0x7c);
    (if magnitude > 0x7f80_0000 {
        0x7e
    } else {
        number
    } | sign) as u8
}

/// Decodes; exact.
#[inline(always)]
pub(crate) fn e4m3fn_to_f32(bits: u8) -> f32 {
    let magnitude = (u32::from(bits) & 0x7f) << 20;
    let sign = (u32::from(bits) & 0x80) << 24;
    let normal = magnitude + (120 << 23);
    let subnormal = (f32::from_bits(magnitude + (121 << 23)) - f32::from_bits(121 << 23)).to_bits();
    let finite = if magnitude < 1 << 23 {
        subnormal
    } else {
        normal
    };
    f32::from_bits(
        if bits & 0x7f == 0x7f {
            0x7fc0_0000
        } else {
            finite
        } | sign,
    )
}

/// Rounds to nearest even; above 448 after rounding gives NaN.
#[inline(always)]
pub(crate) fn f32_to_e4m3fn(value: f32) -> u8 {
    let bits = value.to_bits();
    let sign = (bits >> 24) & 0x80;
    let magnitude = bits & 0x7fff_ffff;
    let normal = magnitude
        .wrapping_sub(120 << 23)
        .wrapping_add(0x7_ffff)
        .wrapping_add((magnitude >> 20) & 1)
        >> 20;
    // 16,384 has the subnormals' unit 2^-9 as its last place.
    let subnormal = (f32::from_bits(magnitude) + 16_384.0)
        .to_bits()
        .wrapping_sub(0x4680_0000);
    let finite = if magnitude < 121 << 23 {
        subnormal
    } else {
        normal
    };
    // What is too large comes out above NaN.
    (finite.min(0x7f) | sign) as u8
}
