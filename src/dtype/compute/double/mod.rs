//! Functions of `f64`, as code that vectorises.
//!
//! Like the functions of [`functions`](super::functions), they have no branches, no calls and no table, and round each operation by
//! itself, so that every processor gives the same bits. No wider type takes their rounding errors. Where a result needs more digits, it
//! is a sum of two floats, whose parts come from exact products of short numbers ([`leading`]) and from exact differences.

#![allow(
    clippy::as_conversions,
    reason = "conversions to `f32` and back, and of the digits of angles"
)]

pub(super) mod activations;
pub(super) mod angles;
pub(crate) mod error_function;
pub(super) mod exponential;
pub(super) mod inverse_hyperbolic;
pub(super) mod logarithm;
pub(super) mod power;
pub(super) mod roots;
pub(super) mod trigonometric;

/// The number without the lower 27 bits of its fraction. The product of two such numbers is exact.
#[inline(always)]
pub(super) fn leading(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !((1 << 27) - 1))
}

/// The rounded sum, and its rounding error. The first number is the greater one, or zero.
#[inline(always)]
fn ordered_sum(greater: f64, less: f64) -> (f64, f64) {
    let sum = greater + less;
    (sum, (greater - sum) + less)
}

/// The rounded square, and its rounding error.
#[inline(always)]
fn square(x: f64) -> (f64, f64) {
    let rounded = x * x;
    let high = leading(x);
    (rounded, (high * high - rounded) + (x - high) * (x + high))
}

/// The rounded product, and its rounding error.
#[inline(always)]
fn rounded_product(a: f64, b: f64) -> (f64, f64) {
    let rounded = a * b;
    let (a_high, b_high) = (leading(a), leading(b));
    let rest = (a_high * b_high - rounded) + (a_high * (b - b_high) + (a - a_high) * b);
    (rounded, rest)
}

/// `over / (under + more)` as the sum of two floats, the first with 26 bits; `more` is at most a unit of `under`.
#[inline(always)]
fn quotient(over: f64, under: f64, more: f64) -> (f64, f64) {
    let inverse = 1.0 / under;
    let high = leading(over * inverse);
    let leading_under = leading(under);
    let rest = (over - high * leading_under) - high * ((under - leading_under) + more);
    (high, rest * inverse)
}

/// The root of `square + more`, minus the rounded root. `more` is less than a unit of `square`. Zero has the rest zero.
#[inline(always)]
fn rest_of_root(root: f64, square: f64, more: f64) -> f64 {
    let (high, low) = self::square(root);
    let rest = ((square - high) - low) + more;
    // A few digits of the rest are enough. The addend keeps zero from being divided by.
    rest * f64::from(0.5 / (root as f32 + f32::MIN_POSITIVE))
}
