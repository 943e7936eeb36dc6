//! Inverses of hyperbolic functions of `f64`: logarithms of sums of two floats.

use core::hint::select_unpredictable;

use super::logarithm::{ln_1p_of_sum, ln_of_sum, one_plus};
use super::{ordered_sum, quotient, rest_of_root, square};

/// From there on, the root of `x² ± 1` is `x`, and the result is `ln(2 x)`.
const LARGE: f64 = 268_435_456.0; // 2²⁸

/// `ln(1 + x + more)`, or `ln(2 large)` if that is the number to take.
#[inline(always)]
fn ln_1p_or_twice(x: f64, more: f64, large: f64) -> f64 {
    let (sum, lost) = one_plus(x);
    let is_large = large > LARGE;
    let sum = select_unpredictable(is_large, large, sum);
    let lost = select_unpredictable(is_large, 0.0, lost);
    let more = select_unpredictable(is_large, 0.0, more);
    let result = ln_of_sum(sum, lost, more, select_unpredictable(is_large, 1.0, 0.0));
    // Infinities and NaN are their own.
    select_unpredictable(large < f64::INFINITY, result, large)
}

/// `ln(1 + |x| + q)`, where `q` is `sqrt(x² + 1) - 1`.
#[inline(always)]
pub(in super::super) fn asinh(x: f64) -> f64 {
    let size = x.abs();
    let (high, low) = square(size);
    let q = high / (1.0 + (high + 1.0).sqrt());
    // The rounding error of `q`, of which a few digits are enough: q (q + 2) is x².
    let (q_high, q_low) = square(q);
    let rest = ((high - 2.0 * q) - q_high) + (low - q_low);
    let rest = rest * f64::from(0.5 / (1.0 + q as f32));
    let (less_one, more) = ordered_sum(size, q);
    ln_1p_or_twice(less_one, more + rest, size).copysign(x)
}

/// `ln(x + sqrt(x² - 1))`, of the distance from one.
#[inline(always)]
pub(in super::super) fn acosh(x: f64) -> f64 {
    let (distance, lost) = ordered_sum(x, -1.0);
    // x² - 1 = 2 d + d²; the rounding of the sum matters only where the first term is the greater.
    let (sum, rest) = ordered_sum(2.0 * distance, distance * distance);
    let root = sum.sqrt();
    let rest = rest_of_root(root, sum, rest + 2.0 * lost * (1.0 + distance));
    let (less_one, more) = ordered_sum(root, distance);
    let result = ln_1p_or_twice(less_one, more + (rest + lost), x);
    select_unpredictable(x < 1.0, f64::NAN, result)
}

/// `ln((1 + |x|) / (1 - |x|)) / 2`
#[inline(always)]
pub(in super::super) fn atanh(x: f64) -> f64 {
    let size = x.abs();
    let (under, more) = ordered_sum(1.0, -size);
    let (high, low) = quotient(2.0 * size, under, more);
    let (less_one, more) = ordered_sum(high, low);
    let result = 0.5 * ln_1p_of_sum(less_one, more);
    let edge = if size == 1.0 { f64::INFINITY } else { f64::NAN };
    (if size < 1.0 { result } else { edge }).copysign(x)
}
