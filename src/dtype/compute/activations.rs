//! Activation functions of `f32`. They vectorise, and compute in `f64`. `double/activations.rs` has those of `f64`.
//!
//! All but `relu` multiply the argument by a number between 0 and 1, which underflows before the product does. Arguments far
//! below zero are clamped, so that the product with -inf is -0 and not NaN.

use core::f64::consts::{FRAC_1_SQRT_2, LOG2_E};

use super::functions::{erfc_wide, power_of_two};

/// The root of 2 / pi, twice, and that times the coefficient of the cube.
pub(crate) const GELU_LINEAR: f64 = 1.595_769_121_605_730_8;
pub(crate) const GELU_CUBIC: f64 = 0.071_354_816_272_600_25;

// The rests that these floats lack.
pub(super) const GELU_LINEAR_REST: f64 = -9.969_308_809_110_92e-17;
pub(super) const GELU_CUBIC_REST: f64 = -6.175_149_918_155_315e-19;

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

/// x times the sigmoid of twice the argument of `tanh`.
#[inline(always)]
pub(super) fn gelu_tanh(x: f32) -> f64 {
    let x = at_least(x.into(), -20.0);
    let inner = x * (GELU_LINEAR + GELU_CUBIC * (x * x));
    x / (1.0 + power_of_two(inner * -LOG2_E))
}

/// x times its sigmoid.
#[inline(always)]
pub(super) fn silu(x: f32) -> f64 {
    let x = at_least(x.into(), -110.0);
    x / (1.0 + power_of_two(x * -LOG2_E))
}
