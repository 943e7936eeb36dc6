//! Logarithms of `f32`, as code that vectorises. They compute in `f32`, without fused multiply-add.
//!
//! With `x` as 2ⁿ (1 + f) and 1 + f between √½ and √2, `ln x` is `n ln 2 + ln(1 + f)`. With s = f / (2 + f),
//!
//! ```text
//! ln(1 + f) = 2 atanh(s) = f - f² / 2 + s (f² / 2 + R(s²))
//! ```
//!
//! as in the logarithms of `f64` (`double/logarithm.rs`). The series in s is so short that the division pays. `f` is exact. The logarithm is
//! the sum of a float of 12 bits, whose products with the leading bits of constants are exact, and of a small rest. Results are within 0.8
//! units in the last place.
//!
//! If all numbers of a pack [are positive normal numbers](is_positive_normal), loops leave out what serves others (the kind `positive` in
//! `op/unary.rs`).
#![expect(clippy::as_conversions, reason = "exponents as floats")]

use super::single::LN_2;

/// Returns whether it is a positive normal number; also `false` for a few of them at both ends. (LLVM makes a test of classes of the exact
/// bounds, and does not vectorise it.)
#[inline(always)]
pub(super) fn is_positive_normal(x: f32) -> bool {
    (x > LEAST) & (x < 3.4e38)
}

/// Above the least normal number.
const LEAST: f32 = 1.2e-38;

/// log10 2, in two parts as [`LN_2`].
const LOG10_2: [f32; 2] = [0.301_025_4, 4.605_039e-6];

/// log2 e and log10 e, in two parts. The first has 12 bits.
const LOG2_E: [f32; 2] = [1.442_871_1, -1.760_528_5e-4];
const LOG10_E: [f32; 2] = [0.434_326_17, -3.168_997e-5];

/// The exponent `n` of a positive normal number, and `x / 2ⁿ` less one, where `x / 2ⁿ` is between √½ and √2.
#[inline(always)]
fn split_normal(x: f32) -> (f32, f32) {
    const SQRT_HALF: u32 = core::f32::consts::FRAC_1_SQRT_2.to_bits();
    const MANTISSA: u32 = (1 << 23) - 1;
    let above = x.to_bits().wrapping_sub(SQRT_HALF);
    let exponent = (above.cast_signed() >> 23) as f32;
    (
        exponent,
        f32::from_bits((above & MANTISSA) + SQRT_HALF) - 1.0,
    )
}

/// [`split_normal`] of a positive number, which may be subnormal.
#[inline(always)]
fn split(x: f32) -> (f32, f32) {
    const TWO_TO_24: f32 = 16_777_216.0;
    let is_small = x < LEAST;
    let (exponent, part) = split_normal(if is_small { x * TWO_TO_24 } else { x });
    let exponent = if is_small { exponent - 24.0 } else { exponent };
    (exponent, part)
}

/// `ln(1 + f)` as the sum of a float of 12 bits and a small one.
#[inline(always)]
fn ln_of_part(f: f32) -> (f32, f32) {
    const LEADING: u32 = !((1 << 12) - 1);
    let s = f / (2.0 + f);
    let z = s * s;
    // (2 atanh(s) / s - 2) / s² for |s| <= 0.1716, so that the logarithm is within 2⁻³⁰
    let slope = 0.666_667_76 + z * (0.399_775_74 + z * 0.298_709_42);
    let half_square = 0.5 * f * f;
    let high = f32::from_bits((f - half_square).to_bits() & LEADING);
    let rest = s * (half_square + z * slope);
    (high, ((f - high) - half_square) + rest)
}

/// The sum of three floats. The first one is zero or greater than the second; the third one is small.
#[inline(always)]
fn total(whole: f32, high: f32, low: f32) -> f32 {
    let sum = whole + high;
    sum + ((high - (sum - whole)) + low)
}

/// A logarithm, given that of a number above `least`, where it is -inf, and below infinity.
#[inline(always)]
fn with_edges(x: f32, least: f32, finite: f32) -> f32 {
    let result = if x > least { finite } else { f32::NAN };
    let result = if x == least {
        f32::NEG_INFINITY
    } else {
        result
    };
    if x >= f32::INFINITY { x } else { result }
}

#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    let (exponent, part) = split(x);
    let (high, low) = ln_of_part(part);
    let low = low + exponent * LN_2[1];
    with_edges(x, 0.0, total(exponent * LN_2[0], high, low))
}

#[inline(always)]
pub(super) fn log2(x: f32) -> f32 {
    let (exponent, part) = split(x);
    let (high, low) = ln_of_part(part);
    let rest = low * LOG2_E[0] + (high + low) * LOG2_E[1];
    with_edges(x, 0.0, total(exponent, high * LOG2_E[0], rest))
}

#[inline(always)]
pub(super) fn log10(x: f32) -> f32 {
    let (exponent, part) = split(x);
    let (high, low) = ln_of_part(part);
    let rest = low * LOG10_E[0] + (high + low) * LOG10_E[1];
    let rest = rest + exponent * LOG10_2[1];
    let whole = exponent * LOG10_2[0];
    with_edges(x, 0.0, total(whole, high * LOG10_E[0], rest))
}

/// The logarithm of the rounded sum, and what the rounding cut off relative to it.
#[inline(always)]
pub(super) fn ln_1p(x: f32) -> f32 {
    let sum = x + 1.0;
    let cut_off = if x < 1.0 {
        x - (sum - 1.0)
    } else {
        1.0 - (sum - x)
    };
    let (exponent, part) = split_normal(sum);
    // With the exponent zero, the part is `x` itself, of which the sum may have lost most.
    let is_part = exponent == 0.0;
    let (high, low) = ln_of_part(if is_part { x } else { part });
    let cut_off = if is_part { 0.0 } else { cut_off / sum };
    let low = low + (exponent * LN_2[1] + cut_off);
    let result = with_edges(x, -1.0, total(exponent * LN_2[0], high, low));
    // Zeros keep their sign.
    if x == 0.0 { x } else { result }
}
