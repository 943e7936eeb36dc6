//! Activation functions of `f32`, and `gelu` of `f64`. Those of `f32` vectorise and compute in `f64`, as the exponentials of
//! [`functions`](super::functions) do. The others of `f64` are in `double/activations.rs`.
//!
//! All but `relu` multiply the argument by a number between 0 and 1, which underflows before the product does. Arguments far
//! below zero are clamped, so that the product with -inf is -0 and not NaN.

use core::f64::consts::{FRAC_1_SQRT_2, LOG2_E, PI};

use super::functions::{erfc_wide, power_of_two};

/// The root of 2 / pi, twice, and that times the coefficient of the cube.
pub(crate) const GELU_LINEAR: f64 = 1.595_769_121_605_730_8;
pub(crate) const GELU_CUBIC: f64 = 0.071_354_816_272_600_25;

// The rests that these floats lack.
pub(super) const GELU_LINEAR_REST: f64 = -9.969_308_809_110_92e-17;
pub(super) const GELU_CUBIC_REST: f64 = -6.175_149_918_155_315e-19;
const FRAC_1_SQRT_2_REST: f64 = -4.833_646_656_726_457e-17;

/// Returns the argument, or the bound if that is greater. NaN stays.
#[inline(always)]
fn at_least(x: f64, bound: f64) -> f64 {
    if x < bound { bound } else { x }
}

/// x times the normal distribution's share below x.
#[inline(always)]
pub(super) fn gelu(x: f32) -> f64 {
    // Below -14.4 the result rounds to -0.
    let x = at_least(x.into(), -20.0);
    0.5 * x * erfc_wide(-x * FRAC_1_SQRT_2)
}

/// `erfc` falls as `exp(-t * t)`, so the rounding of its argument t would be magnified by `2 * t * t`: the rest of t, of which the
/// float lacks less than half a unit, is taken into account by the derivative.
pub(super) fn gelu_f64(x: f64) -> f64 {
    let x = at_least(x, -40.0);
    // From 40 on the result is x.
    let bounded = if x > 40.0 { 40.0 } else { x };
    let t = TwoFloats::product(-bounded, FRAC_1_SQRT_2, FRAC_1_SQRT_2_REST);
    // -erfc' / erfc lies between t + sqrt(t^2 + 4 / pi) and t + sqrt(t^2 + 2) for positive t; where it is far from them, erfc is close
    // to 2 and the rest does not matter.
    let slope = t.high + (t.high * t.high + 4.0 / PI).sqrt();
    0.5 * x * (libm::erfc(t.high) * (1.0 - t.low * slope))
}

/// x times the sigmoid of twice the argument of `tanh`.
#[inline(always)]
pub(super) fn gelu_tanh(x: f32) -> f64 {
    let x = at_least(x.into(), -20.0);
    let inner = x * (GELU_LINEAR + GELU_CUBIC * (x * x));
    x / (1.0 + power_of_two(inner * -LOG2_E))
}

/// A number as the sum of a float and the rest that it lacks.
#[derive(Clone, Copy)]
struct TwoFloats {
    high: f64,
    low: f64,
}

impl TwoFloats {
    /// `x * (y + rest)`, where the rest is less than a unit of y.
    fn product(x: f64, y: f64, rest: f64) -> Self {
        let high = x * y;
        let low = x.mul_add(y, -high) + x * rest;
        Self { high, low }
    }
}

/// x times its sigmoid.
#[inline(always)]
pub(super) fn silu(x: f32) -> f64 {
    let x = at_least(x.into(), -110.0);
    x / (1.0 + power_of_two(x * -LOG2_E))
}
