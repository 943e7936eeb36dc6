//! Activation functions of `f32`, as code that vectorises. `double/activations.rs` has those of `f64`.
//!
//! All but `sigmoid` multiply the argument by a number between 0 and 1, the share, which underflows before the product does. Arguments far
//! below zero are clamped, so that the product with -inf is -0 and not NaN.
//!
//! They compute in `f32`, with a power of e that has more digits ([`Power`]). The share is a quotient, whose error is added last. If that
//! could underflow, it is the power itself. Loops leave that out for packs of numbers that are moderate or small. `gelu`, whose share is
//! the normal distribution's, is in [`gaussian`](super::gaussian).

use super::single::{Power, at_most, exp, is_moderate};
use crate::simd::Isa;

/// The root of 2 / pi, twice, and that times the coefficient of the cube.
pub(crate) const GELU_LINEAR: f64 = 1.595_769_121_605_730_8;
pub(crate) const GELU_CUBIC: f64 = 0.071_354_816_272_600_25;

// The rests that these floats lack.
pub(super) const GELU_LINEAR_REST: f64 = -9.969_308_809_110_92e-17;
pub(super) const GELU_CUBIC_REST: f64 = -6.175_149_918_155_315e-19;

/// Returns the argument, or the bound if that is greater. NaN stays.
#[inline(always)]
fn at_least(x: f32, bound: f32) -> f32 {
    if x < bound { bound } else { x }
}

#[inline(always)]
pub(super) fn sigmoid<I: Isa>(x: f32) -> f32 {
    let is_moderate = is_moderate(x);
    let power = Power::of_e::<I>(if is_moderate { -x } else { 0.0 });
    let (main, error) = power.logistic::<I>();
    let near = main + main * error;
    // There the exponential has the same digits, and can be subnormal.
    let power = exp::<I>(x);
    let far = if power > 1.0 { 1.0 } else { power };
    if is_moderate { near } else { far }
}

/// x times its sigmoid.
#[inline(always)]
pub(super) fn silu<I: Isa>(x: f32) -> f32 {
    let is_moderate = is_moderate(x);
    let inside = if is_moderate { x } else { 0.0 };
    let near = share::<I>(inside, Power::of_e::<I>(-inside));
    let below = at_least(x, -115.0);
    let far = Power::of_e::<I>(at_most(below, 0.0)).times::<I>(below);
    let far = if x > 0.0 { x } else { far };
    if is_moderate { near } else { far }
}

/// Returns whether `gelu_tanh` and `gelu` need no bounds, and the errors of their shares are no subnormal numbers.
#[inline(always)]
pub(super) fn is_small(x: f32) -> bool {
    x.abs() < 9.0
}

/// x times the sigmoid of twice the argument of `tanh`.
#[inline(always)]
pub(super) fn gelu_tanh<I: Isa>(x: f32) -> f32 {
    let is_small = is_small(x);
    let inside = if is_small { x } else { 0.0 };
    let near = share::<I>(inside, gelu_tanh_power::<I>(inside, -1.0));
    let below = at_least(x, -11.5);
    let far = gelu_tanh_power::<I>(at_most(below, 0.0), 1.0).times::<I>(below);
    let far = if x > 0.0 { x } else { far };
    if is_small { near } else { far }
}

/// e to the power of twice the argument of `tanh`, times a sign. Exponents are up to 120 and keep 32 bits.
#[inline(always)]
fn gelu_tanh_power<I: Isa>(x: f32, sign: f32) -> Power {
    // The first part of the first number has 12 bits, so that `LINEAR[0] - slope` is exact.
    const LINEAR: [f32; 2] = [1.595_703_1, 6.599_66e-5];
    const CUBIC: [f32; 2] = [0.071_354_814, 2.398_832_5e-9];
    let square = x * x;
    let square_rest = I::mul_add(x, x, -square);
    let slope = I::mul_add(square, CUBIC[0], LINEAR[0]);
    let slope_cut_off = I::mul_add(square, CUBIC[0], LINEAR[0] - slope);
    let slope_rest = I::mul_add(square, CUBIC[1], LINEAR[1]);
    let slope_rest = I::mul_add(square_rest, CUBIC[0], slope_rest) + slope_cut_off;
    let x = sign * x;
    let exponent = x * slope;
    let rest = I::mul_add(x, slope_rest, I::mul_add(x, slope, -exponent));
    Power::of_e_to_sum::<I>(exponent, rest)
}

/// x / (1 + the power)
#[inline(always)]
fn share<I: Isa>(x: f32, power: Power) -> f32 {
    let (main, error) = power.logistic::<I>();
    let product = x * main;
    // As a difference, so that zeros keep their sign.
    product - (I::mul_add(-x, main, product) - product * error)
}
