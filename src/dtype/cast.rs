//! Conversions between elements, with the semantics of Rust's `as`.
//!
//! - Floats to integers truncate and saturate; NaN becomes zero. Integers to integers wrap.
//! - A conversion to a narrower float rounds the exact value once, to nearest even.
//! - Booleans are zero and one; every number but zero is true.
//! - A complex number converts to a real dtype by its real part.
//!
//! NaN stays NaN in every float. A conversion to `f16`, `bf16` or an 8-bit float makes it quiet. `f16` and `bf16` keep
//! its sign and upper payload bits. The 8-bit floats that have NaNs of both signs keep only the sign. Both need a
//! processor that keeps these bits between `f32` and `f64` (x86-64 and AArch64 do; Rust does not promise it). NaN is
//! true as a boolean, as in NumPy.
//!
//! The conversions of `half` are not used: its `from_f64` rounds to `f32` first on some machines.
#![allow(clippy::as_conversions, reason = "this file is where conversions live")]

use half::{bf16, f16};

use super::float8::Float8;
use super::odd::{f64_to_f32_odd, i64_to_f32_odd, i128_to_f64_odd, u64_to_f32_odd};
use super::{DType, Kind, c64, c128};
pub(crate) use crate::codec::{
    bf16_bits, bf16_to_f32, cleared, f16_to_f32, f32_to_bf16, f32_to_f16, round_to_bf16,
};

/// Converts an element, as `as` would.
///
/// ```
/// use supremum::dtype::cast::cast;
/// use supremum::dtype::{bf16, f16};
/// assert_eq!(cast::<f32, u8>(300.7), 255);
/// assert_eq!(cast::<i32, u8>(300), 44);
/// assert_eq!(cast::<f64, f16>(1e6), f16::INFINITY);
/// assert_eq!(cast::<i64, bf16>(16_842_753).to_f32(), 16_908_288.0); // one rounding, not two
/// ```
#[inline(always)]
pub fn cast<From: CastElement, To: CastElement>(from: From) -> To {
    from.cast()
}

/// The hub through which elements convert: every element is exactly an `i64`, a `u64`, an `f64` or a
/// [`c128`], and every element can be made of any of these with a single rounding.
pub trait CastElement: Copy {
    /// Converts to another element type.
    fn cast<To: CastElement>(self) -> To;
    /// From a signed integer; wraps into integers, rounds once into floats.
    #[doc(hidden)]
    fn from_i64(value: i64) -> Self;
    /// From an unsigned integer; wraps into integers, rounds once into floats.
    #[doc(hidden)]
    fn from_u64(value: u64) -> Self;
    /// From a float (every smaller float is exactly an `f64`); rounds once.
    #[doc(hidden)]
    fn from_f64(value: f64) -> Self;
    /// From a complex number; the real part into real elements.
    #[doc(hidden)]
    fn from_c128(value: c128) -> Self;
}

macro_rules! native {
    ($($element:ident by $from:ident as $hub:ident),*) => {$(
        impl CastElement for $element {
            #[inline(always)]
            fn cast<To: CastElement>(self) -> To {
                To::$from(self as $hub)
            }
            #[inline(always)]
            fn from_i64(value: i64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn from_c128(value: c128) -> Self {
                value.re as Self
            }
        }
    )*};
}

native!(
    u8 by from_u64 as u64, u16 by from_u64 as u64, u32 by from_u64 as u64, u64 by from_u64 as u64,
    i8 by from_i64 as i64, i16 by from_i64 as i64, i32 by from_i64 as i64, i64 by from_i64 as i64,
    f32 by from_f64 as f64, f64 by from_f64 as f64
);

impl CastElement for bool {
    #[inline(always)]
    fn cast<To: CastElement>(self) -> To {
        To::from_u64(self as u64)
    }
    #[inline(always)]
    fn from_i64(value: i64) -> Self {
        value != 0
    }
    #[inline(always)]
    fn from_u64(value: u64) -> Self {
        value != 0
    }
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value != 0.0
    }
    #[inline(always)]
    fn from_c128(value: c128) -> Self {
        value.re != 0.0 || value.im != 0.0
    }
}

/// Small floats are made from an `f32` rounded *to odd*: a value that is not exact sets the last
/// bit, so that the second rounding sees on which side of a tie the source lay. `f32` has at least
/// two bits more than any of them, among the subnormals too, which makes the two roundings one.
macro_rules! small_float {
    ($($element:path: $decode:path, $encode:path;)*) => {$(
        impl CastElement for $element {
            #[inline(always)]
            fn cast<To: CastElement>(self) -> To {
                To::from_f64(f64::from($decode(self.to_bits())))
            }
            #[inline(always)]
            fn from_i64(value: i64) -> Self {
                Self::from_bits($encode(i64_to_f32_odd(value)))
            }
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                Self::from_bits($encode(u64_to_f32_odd(value)))
            }
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                Self::from_bits($encode(f64_to_f32_odd(value)))
            }
            #[inline(always)]
            fn from_c128(value: c128) -> Self {
                // By path: `half` has inherent functions of this name, which round twice.
                <Self as CastElement>::from_f64(value.re)
            }
        }
    )*};
}

small_float! {
    f16: f16_to_f32, f32_to_f16;
    bf16: bf16_to_f32, f32_to_bf16;
}

macro_rules! float8 {
    ($($(#[$doc:meta])* $marker:ident $element:ident { $($format:tt)* })*) => {
        small_float! { $(super::$element: super::$element::decode, super::$element::encode;)* }
    };
}

supremum_macros::with_float8!(float8);

macro_rules! complex {
    ($($element:ident $part:ident),*) => {$(
        impl CastElement for $element {
            #[inline(always)]
            fn cast<To: CastElement>(self) -> To {
                To::from_c128(c128::new(self.re.into(), self.im.into()))
            }
            #[inline(always)]
            fn from_i64(value: i64) -> Self {
                Self::new(value as $part, 0.0)
            }
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                Self::new(value as $part, 0.0)
            }
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                Self::new(value as $part, 0.0)
            }
            #[inline(always)]
            fn from_c128(value: c128) -> Self {
                Self::new(value.re as $part, value.im as $part)
            }
        }
    )*};
}

complex!(c64 f32, c128 f64);

/// An integer of up to 128 bits as an element: wraps into integers, rounds once into floats.
pub(crate) fn cast_i128<E: super::Element>(value: i128) -> E {
    // Conditions that the compiler knows, so that it compiles the conversions of this element alone without optimisation too.
    if const { matches!(E::DTYPE.kind(), Kind::Bool) } {
        cast(value != 0)
    } else if const { matches!(E::DTYPE.kind(), Kind::Unsigned | Kind::Signed) } {
        cast(value as i64)
    } else {
        match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => cast(value),
            (Err(_), Ok(value)) => cast(value),
            (Err(_), Err(_)) => cast(match E::DTYPE {
                DType::F64 | DType::C128 => value as f64,
                _ => i128_to_f64_odd(value),
            }),
        }
    }
}
