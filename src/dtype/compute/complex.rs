//! Functions of complex numbers that need their own code. Composed of other functions, they would cancel, overflow, or
//! turn infinities into NaN.

use super::arithmetic;
use super::double::{angles, exponential, logarithm, roots, trigonometric};
use crate::dtype::c128;

/// e to the power of `z`; infinities and NaN are those of Annex G of C.
pub(super) fn exp(z: c128) -> c128 {
    let size = exponential::exp(z.re);
    if z.im == 0.0 {
        // Not a product with an infinity
        c128::new(size, z.im)
    } else if z.re == f64::NEG_INFINITY && !z.im.is_finite() {
        c128::ZERO
    } else if z.re == f64::INFINITY && !z.im.is_finite() {
        c128::new(size, f64::NAN)
    } else {
        let (sin, cos) = trigonometric::sin_cos(z.im);
        let [real, imaginary] = match z.re > LARGEST_EXPONENT {
            true => scaled([cos, sin], z.re),
            false => [size * cos, size * sin],
        };
        c128::new(real, imaginary)
    }
}

/// `exp(z) - 1`, accurate near zero: `exp(x) * cos(y) - 1` is `expm1(x) * cos(y) - (1 - cos(y))`.
pub(super) fn exp_m1(z: c128) -> c128 {
    if z.re > LARGEST_EXPONENT && z.im.is_finite() {
        return exp(z);
    }
    let half = trigonometric::sin(z.im / 2.0);
    let real = exponential::exp_m1(z.re) * trigonometric::cos(z.im) - 2.0 * half * half;
    c128::new(real, exp(z).im)
}

/// The square root; infinities and NaN are those of Annex G of C.
pub(super) fn sqrt(z: c128) -> c128 {
    if z.re.is_finite() && z.im.is_finite() {
        finite_sqrt(z)
    } else if z.im.is_infinite() {
        c128::new(f64::INFINITY, z.im)
    } else if z.re.is_nan() || (z.im.is_nan() && z.re.is_finite()) {
        c128::new(f64::NAN, f64::NAN)
    } else if z.re > 0.0 {
        let zero = 0.0_f64.copysign(z.im);
        c128::new(z.re, if z.im.is_nan() { f64::NAN } else { zero })
    } else {
        let zero = if z.im.is_nan() { f64::NAN } else { 0.0 };
        c128::new(zero, f64::INFINITY.copysign(z.im))
    }
}

/// The larger part is `sqrt((|x| + |z|) / 2)`, and the smaller one `|y|` divided by twice the larger, so that no terms cancel.
///
/// A number near the ends of the range is scaled by an even power of two first: the sum does not overflow, and it is not subnormal.
fn finite_sqrt(z: c128) -> c128 {
    const DOWN: f64 = 0.25;
    const UP: f64 = 324_518_553_658_426_730_000_000_000_000_000.0; // 2¹⁰⁸
    const ROOT_OF_UP: f64 = 18_014_398_509_481_984.0; // 2⁵⁴
    let size = z.re.abs().max(z.im.abs());
    let (scale, unscale) = if size > f64::MAX * DOWN {
        (DOWN, 2.0)
    } else if size < f64::MIN_POSITIVE * UP {
        (UP, 1.0 / ROOT_OF_UP)
    } else {
        (1.0, 1.0)
    };
    let (x, y) = (z.re * scale, z.im * scale);
    let larger = ((x.abs() + roots::hypot(x, y)) / 2.0).sqrt();
    let over = if larger == 0.0 { 1.0 } else { 2.0 * larger };
    let (larger, smaller) = (larger * unscale, y.abs() / over * unscale);
    if x >= 0.0 {
        c128::new(larger, smaller.copysign(y))
    } else {
        c128::new(smaller, larger.copysign(y))
    }
}

/// 2 to the power of `z`.
pub(super) fn exp2(z: c128) -> c128 {
    // A power of two may overflow although a product with it does not: then it is two powers.
    const STEP: f64 = 1000.0;
    const POWER_OF_STEP: f64 = f64::from_bits((1023 + 1000) << 52);
    if z.im == 0.0 {
        return c128::new(exponential::exp2(z.re), z.im);
    }
    let (sin, cos) = trigonometric::sin_cos_ln_2(z.im);
    let direction = c128::new(cos, sin);
    match z.re > STEP {
        true => direction * POWER_OF_STEP * exponential::exp2(z.re - STEP),
        false => direction * exponential::exp2(z.re),
    }
}

/// `1 / (1 + exp(-z))`
pub(super) fn sigmoid(z: c128) -> c128 {
    // Below it `1 + exp(z)` rounds to one, and `exp(-z)` may overflow.
    const LEAST: f64 = -40.0;
    match z.re < LEAST {
        true => exp(z),
        false => arithmetic::complex_recip(exp(-z) + 1.0),
    }
}

/// The logarithm, also where `|z|` is close to 1: its square is `1 + (a - 1) * (a + 1) + b * b` of the larger and the smaller part.
/// A magnitude that could be subnormal is that of `2²⁰⁰ z`.
pub(super) fn ln(z: c128) -> c128 {
    const LEAST: f64 = 1e-290;
    const UP: f64 = f64::from_bits((1023 + 200) << 52);
    let (x, y) = (z.re.abs(), z.im.abs());
    let (a, b) = (x.max(y), x.min(y));
    let real = if a > 0.5 && a < 2.0 && !x.is_nan() && !y.is_nan() {
        logarithm::ln_1p((a - 1.0) * (a + 1.0) + b * b) / 2.0
    } else if a < LEAST {
        logarithm::ln(roots::hypot(z.re * UP, z.im * UP)) - 200.0 * core::f64::consts::LN_2
    } else {
        logarithm::ln(roots::hypot(z.re, z.im))
    };
    c128::new(real, angles::atan2(z.im, z.re))
}

/// `ln(1 + z)`, accurate near zero: the square of `|1 + z|` is `1 + x * (2 + x) + y * y`.
pub(super) fn ln_1p(z: c128) -> c128 {
    let real = if z.re.abs().max(z.im.abs()) > 0.5 {
        logarithm::ln(roots::hypot(z.re + 1.0, z.im))
    } else {
        logarithm::ln_1p(z.re * (2.0 + z.re) + z.im * z.im) / 2.0
    };
    c128::new(real, angles::atan2(z.im, z.re + 1.0))
}

/// `-i ln((x + iy) / sqrt(x² + y²))`, the continuation of the angle of real numbers. Near an angle of zero the quotient is close to one, and
/// its logarithm loses the digits of the angle. These formulas, of `p = x + iy` and `q = x - iy`, keep them:
///
/// ```text
/// (arg(p / q) + i ln(|q|² / |p|²) / 2) / 2 = (arg(|x|² - |y|² + 2i Re(x ȳ)) + i ln(1 + 4 Im(x̄ y) / |p|²) / 2) / 2
/// ```
///
/// The argument of the quotient says to which half of the plane the angle belongs.
pub(super) fn atan2(y: c128, x: c128) -> c128 {
    let i = c128::I;
    let (p, q) = (x + i * y, x - i * y);
    let angle = -i * ln(p / sqrt(x * x + y * y));
    let magnitude = |z: c128| roots::hypot(z.re, z.im);
    let [of_x, of_y, of_p, of_q] = [x, y, p, q].map(magnitude);
    let squares_are_normal = |size: f64| (1e-140..1e140).contains(&size);
    if ![of_x, of_y, of_p, of_q].into_iter().all(squares_are_normal) {
        return angle;
    }
    let twice = angles::atan2(
        2.0 * (x.re * y.re + x.im * y.im),
        (of_x - of_y) * (of_x + of_y),
    );
    let half = twice / 2.0;
    let real = if (half - angle.re).abs() > core::f64::consts::FRAC_PI_2 {
        half + core::f64::consts::PI.copysign(angle.re)
    } else {
        half
    };
    let crossed = x.re * y.im - x.im * y.re;
    let nearer = if crossed < 0.0 { of_q } else { of_p };
    let logarithm = logarithm::ln_1p(4.0 * crossed.abs() / nearer / nearer) / 4.0;
    c128::new(real, logarithm.copysign(crossed))
}

/// The hyperbolic sine; infinities and NaN are those of Annex G of C.
pub(super) fn sinh(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    let (sin, cos) = trigonometric::sin_cos(y);
    if y == 0.0 {
        // Not a product with an infinity
        c128::new(exponential::sinh(x), y)
    } else if x == 0.0 {
        let cos = if y.is_finite() { cos } else { 1.0 };
        c128::new(x * cos, sin)
    } else if !y.is_finite() {
        let real = if x.is_infinite() { x } else { f64::NAN };
        c128::new(real, f64::NAN)
    } else if x.abs() > LARGEST_EXPONENT {
        let [cos, sin] = scaled([cos / 2.0, sin / 2.0], x.abs());
        c128::new(if x < 0.0 { -cos } else { cos }, sin)
    } else {
        c128::new(exponential::sinh(x) * cos, exponential::cosh(x) * sin)
    }
}

/// The hyperbolic cosine; infinities and NaN are those of Annex G of C.
pub(super) fn cosh(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    let (sin, cos) = trigonometric::sin_cos(y);
    if y == 0.0 {
        c128::new(
            exponential::cosh(x),
            if x.is_sign_negative() { -y } else { y },
        )
    } else if x == 0.0 {
        let sin = if y.is_finite() { sin } else { 0.0 };
        c128::new(cos, x * sin)
    } else if !y.is_finite() {
        let real = if x.is_infinite() {
            f64::INFINITY
        } else {
            f64::NAN
        };
        c128::new(real, f64::NAN)
    } else if x.abs() > LARGEST_EXPONENT {
        let [cos, sin] = scaled([cos / 2.0, sin / 2.0], x.abs());
        c128::new(cos, if x < 0.0 { -sin } else { sin })
    } else {
        c128::new(exponential::cosh(x) * cos, exponential::sinh(x) * sin)
    }
}

/// Exponentials of numbers above it may overflow although a product with them does not.
const LARGEST_EXPONENT: f64 = 709.0;

/// `factor * exp(x)` of both factors, where the exponential may overflow and the product not.
fn scaled(factors: [f64; 2], x: f64) -> [f64; 2] {
    const STEP: f64 = 704.0; // `x - STEP` is exact.
    const POWER_OF_STEP: f64 = 5.537_519_389_284_593_5e305;
    let power = exponential::exp(x - STEP);
    factors.map(|factor| factor * POWER_OF_STEP * power)
}

/// The hyperbolic tangent (W. Kahan, "Branch cuts for complex elementary functions", 1987); infinities and NaN are those of Annex G of C.
pub(super) fn tanh(z: c128) -> c128 {
    let (x, y) = (z.re, z.im);
    if x.is_nan() || (!y.is_finite() && !x.is_infinite()) {
        let real = if x == 0.0 { x } else { f64::NAN };
        return c128::new(real, if y == 0.0 { y } else { f64::NAN });
    }
    if x.abs() > 22.0 {
        // The real part rounds to one; the other is 4 sin(y) cos(y) exp(-2|x|).
        let turn = if y.is_finite() {
            let (sin, cos) = trigonometric::sin_cos(y);
            sin * cos
        } else {
            0.0_f64.copysign(y)
        };
        let small = exponential::exp(-x.abs());
        return c128::new(1.0_f64.copysign(x), 4.0 * turn * small * small);
    }
    let tan = trigonometric::tan(y);
    let sinh = exponential::sinh(x);
    let beta = 1.0 + tan * tan;
    let under = 1.0 + beta * sinh * sinh;
    c128::new(beta * roots::hypot(sinh, 1.0) * sinh / under, tan / under)
}

/// The sine: `-i sinh(i z)`.
pub(super) fn sin(z: c128) -> c128 {
    let result = sinh(c128::new(z.im, z.re));
    c128::new(result.im, result.re)
}

/// The cosine: `cosh(i z)`.
pub(super) fn cos(z: c128) -> c128 {
    cosh(c128::new(-z.im, z.re))
}

/// The tangent: `-i tanh(i z)`.
pub(super) fn tan(z: c128) -> c128 {
    let result = tanh(c128::new(z.im, z.re));
    c128::new(result.im, result.re)
}
