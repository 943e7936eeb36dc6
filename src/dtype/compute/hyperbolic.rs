//! Hyperbolic sine and cosine of `f32`, as code that vectorises. They compute in `f32`, without fused multiply-add.
//!
//! With |x| as n ln 2 + r, both are made of the even and the odd part of eʳ, without a division:
//!
//! ```text
//! 2 cosh x = 2ⁿ (1 + odd + even) + 2⁻ⁿ (1 - odd + even)
//! 2 sinh x = 2ⁿ (1 + odd + even) - 2⁻ⁿ (1 - odd + even)
//! ```
//!
//! The large terms are exact, or keep what roundings cut off, and are added last. Results are within 0.9 units in the last place. Below 1.04,
//! where `n` is zero or one, the sine is a polynomial, because the terms would cancel.

use super::single::{LN_2, ROUND};

/// A quarter of the exponentials of a number and of its negative, which do not overflow before their sum does: `high + low` and
/// `inverse + inverse_rest`.
struct Quarters {
    high: f32,
    low: f32,
    inverse: f32,
    inverse_rest: f32,
}

impl Quarters {
    /// Of the magnitude of `x`.
    #[inline(always)]
    fn of(x: f32) -> Self {
        let size = x.abs();
        // Both functions are infinite there. NaN stays.
        let size = if size > 89.5 { 89.5 } else { size };
        let shifted = size * core::f32::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let main = size - n * LN_2[0];
        let rest = n * -LN_2[1];
        let r = main + rest;
        let square = r * r;
        // cosh(r) - 1 and sinh(r) - main for |r| <= ln(2) / 2, within 2⁻²⁹ and 2⁻²⁸
        let even = square * (0.5 + square * (0.041_666_266 + square * 0.001_394_621_9));
        let odd = rest + (r * square) * (0.166_665_18 + square * 0.008_368_883);
        let scale = (shifted.to_bits() << 23).wrapping_add(125 << 23);
        let inverse = f32::from_bits((250_u32 << 23).wrapping_sub(scale));
        // It changes no digit there, and its rest might be subnormal.
        let inverse = if size > 32.0 { 0.0 } else { inverse };
        let scale = f32::from_bits(scale);
        let high = 1.0 + main;
        let low = (main - (high - 1.0)) + (odd + even);
        Self {
            high: scale * high,
            low: scale * low,
            inverse,
            inverse_rest: inverse * ((even - odd) - main),
        }
    }
}

#[inline(always)]
pub(super) fn cosh(x: f32) -> f32 {
    let e = Quarters::of(x);
    2.0 * (e.high + (e.inverse + (e.low + e.inverse_rest)))
}

#[inline(always)]
pub(super) fn sinh(x: f32) -> f32 {
    let e = Quarters::of(x);
    let far = 2.0 * (e.high + ((e.low - e.inverse_rest) - e.inverse));
    let size = x.abs();
    let square = size * size;
    // (sinh(x) / x - 1) / x² for |x| <= 1.04, within 2⁻²⁷ of the sine
    let slope = 0.166_666_67
        + square * (0.008_333_354 + square * (1.983_529_4e-4 + square * 2.821_961_7e-6));
    let near = size + (size * square) * slope;
    (if size > 1.04 { far } else { near }).copysign(x)
}
