//! Square roots, exponentials, hyperbolic and trigonometric functions of `c64`, as code that vectorises.
//!
//! They are computed in `f64` from the parts, without branches and calls, and rounded once. The relative error of intermediate results is
//! below 2⁻³². So each part of a result is within 0.51 ulp of the exact one, except where terms cancel ([`exp_m1`]).
//!
//! Exponentials are clamped to 2³⁰⁰ and 2⁻³⁰⁰. A sine or a cosine of a `f32` is zero, or between 2⁻¹⁴⁹ and 1, so the product rounds to
//! infinity or zero, as it should, and zero times infinity does not occur. Zeros, infinities and NaN give what Annex G of C says.
#![expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]

use core::f64::consts::LOG2_E;

use super::functions::{ROUND, polynomial};
use super::trigonometric::sin_cos_wide;
use crate::dtype::c64;

/// An exponential, and what exceeds one of it.
struct ExpAndExpM1 {
    /// eˣ
    power: f64,
    /// eˣ - 1, to the same relative precision near zero.
    less_one: f64,
}

/// The exponential of a `f32`, clamped.
#[inline(always)]
fn power(x: f64) -> ExpAndExpM1 {
    let x = x * LOG2_E;
    // NaN stays.
    let x = if x > 300.0 { 300.0 } else { x };
    let x = if x < -300.0 { -300.0 } else { x };
    let shifted = x + ROUND;
    let scale = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
    let part = x - (shifted - ROUND);
    // (2ˣ - 1) / x for |x| <= 1/2, within 2⁻³⁷·⁷
    let slope = polynomial!(
        part;
        0.693_147_180_556_876_6,
        0.240_226_506_964_891_65,
        0.055_504_109_060_070_04,
        0.009_618_128_942_528_73,
        0.001_333_347_881_417_377_3,
        0.000_154_036_295_906_007_5,
        1.530_360_985_552_441_7e-5,
        1.321_547_685_080_322_7e-6
    );
    let rest = scale * (part * slope);
    ExpAndExpM1 {
        power: scale + rest,
        less_one: (scale - 1.0) + rest,
    }
}

/// The hyperbolic sine and cosine of a `f32`.
#[inline(always)]
fn sinh_cosh(x: f32) -> (f64, f64) {
    let ExpAndExpM1 { power, less_one } = power(x.abs().into());
    let inverse = 1.0 / power;
    let sinh = 0.5 * (less_one + less_one * inverse);
    (sinh.copysign(x.into()), 0.5 * (power + inverse))
}

/// The larger part is `sqrt((|x| + |z|) / 2)`, and the smaller one `|y|` divided by twice the larger, so that no terms cancel. In `f64` no
/// square overflows or is subnormal.
#[inline(always)]
pub(super) fn sqrt(z: c64) -> c64 {
    let (x, y) = (f64::from(z.re), f64::from(z.im));
    let size = x.abs();
    let larger = ((size + (x * x + y * y).sqrt()) / 2.0).sqrt();
    // Also if the other part is NaN
    let larger = if size == f64::INFINITY { size } else { larger };
    let smaller = y.abs() / if larger == 0.0 { 1.0 } else { 2.0 * larger };
    let is_right = x >= 0.0;
    let real = if is_right { larger } else { smaller } as f32;
    let imaginary = if is_right { smaller } else { larger }.copysign(y) as f32;
    let is_infinite = z.im.is_infinite();
    c64::new(
        if is_infinite { f32::INFINITY } else { real },
        if is_infinite { z.im } else { imaginary },
    )
}

#[inline(always)]
pub(super) fn exp(z: c64) -> c64 {
    let (x, y) = (z.re, z.im);
    let ExpAndExpM1 { power, .. } = power(x.into());
    let (sin, cos) = sin_cos_wide(y);
    let real = (power * cos) as f32;
    let imaginary = (power * sin) as f32;
    // Without an angle, an infinite number is as far from zero as before, and zero is zero.
    let is_lost = x.is_infinite() & !y.is_finite();
    let limit = if x > 0.0 { x } else { 0.0 };
    let real = if is_lost { limit } else { real };
    let imaginary = if is_lost & (x < 0.0) { 0.0 } else { imaginary };
    c64::new(real, if y == 0.0 { y } else { imaginary })
}

/// `expm1(x) * cos(y) - (1 - cos(y))`, and the imaginary part of [`exp`].
#[inline(always)]
pub(super) fn exp_m1(z: c64) -> c64 {
    let (x, y) = (z.re, z.im);
    let ExpAndExpM1 { power, less_one } = power(x.into());
    // The sign is for zero's sake.
    let less_one = less_one.copysign(x.into());
    let (sin, cos) = sin_cos_wide(y);
    // 1 - cos(y) is sin(y)² / (1 + cos(y)).
    let is_less = cos > 0.0;
    let over = if is_less { sin * sin } else { 1.0 - cos };
    let under = if is_less { 1.0 + cos } else { 1.0 };
    let real = (less_one * cos - over / under) as f32;
    c64::new(real, if y == 0.0 { y } else { (power * sin) as f32 })
}

#[inline(always)]
pub(super) fn sinh(z: c64) -> c64 {
    let (x, y) = (z.re, z.im);
    let (sinh, cosh) = sinh_cosh(x);
    let (sin, cos) = sin_cos_wide(y);
    let is_itself = !y.is_finite() & ((x == 0.0) | x.is_infinite());
    let real = if is_itself { x } else { (sinh * cos) as f32 };
    let imaginary = if y == 0.0 { y } else { (cosh * sin) as f32 };
    c64::new(real, imaginary)
}

#[inline(always)]
pub(super) fn cosh(z: c64) -> c64 {
    let (x, y) = (z.re, z.im);
    let (sinh, cosh) = sinh_cosh(x);
    let (sin, cos) = sin_cos_wide(y);
    let is_infinite = !y.is_finite() & x.is_infinite();
    let real = if is_infinite {
        f32::INFINITY
    } else {
        (cosh * cos) as f32
    };
    let imaginary = if (y == 0.0) | ((x == 0.0) & !y.is_finite()) {
        // Their product, without the infinity or NaN that the other may be.
        let sign = (x.to_bits() ^ y.to_bits()) & (1 << 31);
        f32::from_bits(sign)
    } else {
        (sinh * sin) as f32
    };
    c64::new(real, imaginary)
}

/// `(sinh(x) * cosh(x) + i sin(y) * cos(y)) / (sinh(x)² + cos(y)²)`
#[inline(always)]
pub(super) fn tanh(z: c64) -> c64 {
    let (x, y) = (z.re, z.im);
    let (sinh, cosh) = sinh_cosh(x);
    let (sin, cos) = sin_cos_wide(y);
    let scale = 1.0 / (sinh * sinh + cos * cos);
    let real = (sinh * cosh * scale) as f32;
    let imaginary = (sin * cos * scale) as f32;
    let is_lost = !y.is_finite();
    let real = if is_lost & (x == 0.0) { x } else { real };
    let real = if is_lost & x.is_infinite() {
        1.0_f32.copysign(x)
    } else {
        real
    };
    let imaginary = if is_lost & x.is_infinite() {
        0.0_f32.copysign(y)
    } else {
        imaginary
    };
    c64::new(real, if y == 0.0 { y } else { imaginary })
}

/// `-i sinh(i z)`
#[inline(always)]
pub(super) fn sin(z: c64) -> c64 {
    let result = sinh(c64::new(z.im, z.re));
    c64::new(result.im, result.re)
}

/// `cosh(i z)`
#[inline(always)]
pub(super) fn cos(z: c64) -> c64 {
    cosh(c64::new(-z.im, z.re))
}

/// `-i tanh(i z)`
#[inline(always)]
pub(super) fn tan(z: c64) -> c64 {
    let result = tanh(c64::new(z.im, z.re));
    c64::new(result.im, result.re)
}
