//! Activation functions of `f64`, as code that vectorises.

use core::f64::consts::FRAC_1_SQRT_2;
use core::hint::select_unpredictable;

use super::super::activations::{GELU_CUBIC, GELU_CUBIC_REST, GELU_LINEAR, GELU_LINEAR_REST};
use super::error_function::{Complement, SMALL, near_zero};
use super::exponential::{Power, Sum, at_least, at_most, exp_m1};
use super::{leading, ordered_sum, square};

#[inline(always)]
pub(in super::super) fn sigmoid(x: f64) -> f64 {
    times_sigmoid(1.0, x, 0.0)
}

/// x times its sigmoid.
#[inline(always)]
pub(in super::super) fn silu(x: f64) -> f64 {
    let x = at_least(x, -800.0);
    times_sigmoid(x, x, 0.0)
}

/// x times half of the complement of the error function of -x / √2. Half of x² is exact, but that argument is not: it has a rest.
#[inline(always)]
pub(in super::super) fn gelu(x: f64) -> f64 {
    /// The root of 1/2, minus the float nearest to it
    const REST: f64 = -4.833_646_656_726_457e-17;
    // Below -40 the result is -0, and beyond 40 it is x.
    let x = at_least(x, -40.0);
    let size = at_most(x.abs(), 40.0);
    let half = 0.5 * x;
    let t = product(size, FRAC_1_SQRT_2, REST);
    let (high, low) = square(size);
    let half_square = (0.5 * high, 0.5 * low);

    let (sum, lost) = ordered_sum(1.0, t.high.copysign(x));
    let rest = t.low + near_zero(t.high, half_square.0);
    let near = half * (sum + (lost + if x < 0.0 { -rest } else { rest }));
    let complement = Complement::of(t.high, t.low, half_square);
    let far = if x < 0.0 {
        complement.times(half)
    } else {
        half * complement.subtracted_from(2.0)
    };
    select_unpredictable(t.high < SMALL, near, far)
}

/// x times the sigmoid of twice the argument of `tanh`. The exponential magnifies the rounding of its argument, a polynomial that reaches
/// -700: it is computed to twice the digits.
#[inline(always)]
pub(in super::super) fn gelu_tanh(x: f64) -> f64 {
    // Beyond -40 the result is -0, and beyond 40 it is x.
    let x = at_least(x, -40.0);
    let bounded = at_most(x, 40.0);
    let square = product(bounded, bounded, 0.0);
    let cubic = product(GELU_CUBIC, square.high, square.low);
    // Both numbers are positive, but the greater may be either: Knuth's exact sum.
    let high = GELU_LINEAR + cubic.high;
    let part = high - GELU_LINEAR;
    let lost = (GELU_LINEAR - (high - part)) + (cubic.high - part);
    let low = lost + (cubic.low + (GELU_CUBIC_REST * square.high + GELU_LINEAR_REST));
    let inner = product(bounded, high, low);
    times_sigmoid(x, inner.high, inner.low)
}

/// The element, or below zero alpha times its exponential less one.
#[inline(always)]
pub(in super::super) fn elu(x: f64, alpha: f64) -> f64 {
    let below = alpha * exp_m1(at_most(x, 0.0));
    select_unpredictable(x >= 0.0, x, below)
}

/// A factor times `1 / (1 + exp(-|x|))`, for negative x times the exponential too. `x + rest` is the argument.
#[inline(always)]
fn times_sigmoid(factor: f64, x: f64, rest: f64) -> f64 {
    let is_negative = x < 0.0;
    let power = Power::exp(-x.abs(), if is_negative { rest } else { -rest });
    let first = power.first_product();
    let under = Sum {
        high: first.high * power.second,
        low: first.low * power.second,
    };
    let over = Sum {
        high: factor * if is_negative { first.high } else { 1.0 },
        low: factor * if is_negative { first.low } else { 0.0 },
    };
    let quotient = over.over(&under.plus_one());
    let result = quotient * if is_negative { power.second } else { 1.0 };
    // An infinite factor has no rest, and a zero keeps its sign.
    let result = if factor.abs() < f64::INFINITY {
        result
    } else {
        factor
    };
    result.copysign(factor)
}

/// `x * (y + rest)`, where the rest is less than a unit of y. The products of halves are exact (T. J. Dekker, 1971).
#[inline(always)]
fn product(x: f64, y: f64, rest: f64) -> Sum {
    let high = x * y;
    let (x_high, y_high) = (leading(x), leading(y));
    let (x_low, y_low) = (x - x_high, y - y_high);
    let crossed = x_high * y_low + x_low * y_high;
    let low = ((x_high * y_high - high) + crossed) + (x_low * y_low + x * rest);
    Sum { high, low }
}
