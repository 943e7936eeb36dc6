//! The two 8-bit floats.
#![allow(clippy::as_conversions, reason = "bit manipulation of element formats")]

use core::fmt;

macro_rules! float8 {
    ($($(#[$doc:meta])* $name:ident $decode:ident $encode:ident;)*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types, reason = "named like the primitive floats")]
        #[derive(Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(transparent)]
        pub struct $name(u8);

        impl $name {
            /// The number with these bits.
            pub const fn from_bits(bits: u8) -> Self {
                Self(bits)
            }

            /// The bits.
            pub const fn to_bits(self) -> u8 {
                self.0
            }

            /// Rounds to nearest even, once.
            pub fn from_f32(value: f32) -> Self {
                Self($encode(value))
            }

            /// Rounds to nearest even, once.
            pub fn from_f64(value: f64) -> Self {
                super::cast::cast(value)
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
            pub fn is_nan(self) -> bool {
                self.to_f32().is_nan()
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
}

float8! {
    /// Four exponent and three mantissa bits, no infinity, one NaN per sign; the largest number is
    /// 448, and what rounds above it is NaN (as in ml_dtypes).
    f8e4m3fn e4m3fn_to_f32 f32_to_e4m3fn;
    /// Five exponent and two mantissa bits with infinities; the largest number is 57,344.
    f8e5m2 e5m2_to_f32 f32_to_e5m2;
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
    let number = if magnitude >= 0x4770_0000 {
        0x7c
    } else {
        finite
    };
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
    (if magnitude > 0x43e8_0000 {
        0x7f
    } else {
        finite
    } | sign) as u8
}
