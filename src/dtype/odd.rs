//! Rounding to odd: the first of two roundings that together give the result of a single one.
//!
//! A number that is rounded to odd keeps a trace of what was cut off: its last bit is set. With two bits more than the
//! format that it is rounded to next, to nearest even, it lies on a tie only if the exact number does. (Boldo and
//! Melquiond, "Emulation of a FMA and Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd", 2008.)
#![allow(clippy::as_conversions, reason = "roundings of numbers")]

/// Rounds an integer to odd; see [`f64_to_f32_odd`].
pub(crate) fn i128_to_f64_odd(value: i128) -> f64 {
    let nearest = value as f64;
    let back = nearest as i128;
    let bits = nearest.to_bits();
    let farther = back.unsigned_abs() > value.unsigned_abs();
    let truncated = if farther { bits - 1 } else { bits };
    f64::from_bits(if back == value { bits } else { truncated | 1 })
}

/// Rounds to odd: exact values as they are, others towards zero with the last bit set.
#[inline(always)]
pub(crate) fn f64_to_f32_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    let bits = nearest.to_bits();
    // Towards zero when the nearest lies farther out; infinity steps back to the largest finite.
    let truncated = if back.abs() > value.abs() {
        bits.wrapping_sub(1)
    } else {
        bits
    };
    let inexact = back != value && !value.is_nan();
    f32::from_bits(if inexact { truncated | 1 } else { bits })
}

/// Rounds to odd, to at least 16 bits, a signed integer that `f32` may not have: the eight lowest bits are folded into the ninth, which is
/// set if any of them is. (By `f64` it takes twice as long.)
#[inline(always)]
pub(crate) fn i32_to_f32_odd(value: i32) -> f32 {
    let sticky = i32::from(value & 0xff != 0) << 8;
    let folded = (value & !0xff) | sticky;
    let is_exact = value.unsigned_abs() >> 24 == 0;
    (if is_exact { value } else { folded }) as f32
}

/// [`i32_to_f32_odd`] of an unsigned integer.
#[inline(always)]
pub(crate) fn u32_to_f32_odd(value: u32) -> f32 {
    let sticky = u32::from(value & 0xff != 0) << 8;
    let folded = (value & !0xff) | sticky;
    let is_exact = value >> 24 == 0;
    (if is_exact { value } else { folded }) as f32
}

/// Rounds a signed integer to odd; see [`f64_to_f32_odd`].
#[inline(always)]
pub(crate) fn i64_to_f32_odd(value: i64) -> f32 {
    let magnitude = u64_to_f32_odd(value.unsigned_abs());
    if value < 0 { -magnitude } else { magnitude }
}

/// Rounds an unsigned integer to odd; see [`f64_to_f32_odd`].
#[inline(always)]
pub(crate) fn u64_to_f32_odd(value: u64) -> f32 {
    // Below 2^53 an `f64` is exact. Above, the eleven lowest bits are folded into one that is set if
    // any of them is, which rounds to odd too, to at least 42 bits; odd after odd stays odd.
    let sticky = (value & 0x7ff != 0) as u64;
    let exact_in_f64 = if value >> 53 == 0 {
        value
    } else {
        (value & !0x7ff) | (sticky << 11)
    };
    f64_to_f32_odd(exact_in_f64 as f64)
}
