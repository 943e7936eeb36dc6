//! `asin`, `acos`, `atan` and the inverses of hyperbolic functions, of complex numbers.
//!
//! `asin` and `acos` follow T. E. Hull, T. F. Fairgrieve and P. T. P. Tang, "Implementing the complex arcsine and arccosine functions
//! using exception handling", ACM TOMS 23 (1997). With `x` and `y` positive, `r` and `s` are the distances of `z` from -1 and 1, and
//! `a` is half their sum. Then
//!
//! ```text
//! asin(z) = asin(x / a) + i ln(a + sqrt(a² - 1))
//! acos(z) = acos(x / a) - i ln(a + sqrt(a² - 1))
//! ```
//!
//! Both lose digits where `x / a` or `a` is close to 1. There the differences `a - x` and `a - 1` are computed as sums of positive terms.
//! Very large and very small parts, whose squares overflow or vanish, have limits of their own.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_2, PI};

use super::function_table::Functions;
use crate::dtype::c128;

/// Parts above it are large: a quarter of the square root of the greatest float.
const LARGE: f64 = 3.351_951_982_485_649_3e153;
/// Parts below it are small: four times the square root of the least normal float.
const SMALL: f64 = 5.966_672_584_960_166e-154;

/// The parts of the results for `x >= 0` and `y >= 0`: the arcsine and the arccosine of `x / a`, and the logarithm.
struct Parts {
    sine: f64,
    cosine: f64,
    logarithm: f64,
}

/// [`Parts`] of finite numbers.
fn parts(x: f64, y: f64) -> Parts {
    if x.max(y) > LARGE || y < SMALL {
        return limits(x, y);
    }
    let (r, s) = (Functions::hypot(x + 1.0, y), Functions::hypot(x - 1.0, y));
    let a = (r + s) / 2.0;
    let b = x / a;
    let square = y * y;
    let (sine, cosine) = if b <= 0.6417 {
        (Functions::asin(b), Functions::acos(b))
    } else {
        // sqrt(a² - x²)
        let sum = a + x;
        let root = if x <= 1.0 {
            (sum * (square / (r + x + 1.0) + (s + (1.0 - x))) / 2.0).sqrt()
        } else {
            y * ((sum / (r + x + 1.0) + sum / (s + (x - 1.0))) / 2.0).sqrt()
        };
        (Functions::atan(x / root), Functions::atan(root / x))
    };
    let logarithm = if a <= 1.5 {
        let less_one = if x < 1.0 {
            (square / (r + x + 1.0) + square / (s + (1.0 - x))) / 2.0
        } else {
            (square / (r + x + 1.0) + (s + (x - 1.0))) / 2.0
        };
        Functions::ln_1p(less_one + (less_one * (a + 1.0)).sqrt())
    } else {
        Functions::ln(a + (a * a - 1.0).sqrt())
    };
    Parts {
        sine,
        cosine,
        logarithm,
    }
}

/// [`Parts`] where a part is large, or the imaginary one is small.
fn limits(x: f64, y: f64) -> Parts {
    if x.max(y) > LARGE {
        // a is |z|
        let half = Functions::hypot(x / 2.0, y / 2.0);
        return Parts {
            sine: Functions::atan2(x, y),
            cosine: Functions::atan2(y, x),
            logarithm: Functions::ln(half) + 2.0 * LN_2,
        };
    }
    if x < 1.0 {
        // y is far below 1 - x, or below the least difference
        let root = ((1.0 - x) * (1.0 + x)).sqrt();
        Parts {
            sine: Functions::asin(x),
            cosine: Functions::acos(x),
            logarithm: y / root,
        }
    } else if x > 1.0 {
        let root = ((x - 1.0) * (x + 1.0)).sqrt();
        Parts {
            sine: FRAC_PI_2 - y / root,
            cosine: y / root,
            logarithm: Functions::ln_1p((x - 1.0) + root),
        }
    } else {
        Parts {
            sine: FRAC_PI_2 - y.sqrt(),
            cosine: y.sqrt(),
            logarithm: y.sqrt(),
        }
    }
}

/// The arcsine. It has the sign of each part; infinities and NaN are those of Annex G of C.
pub(super) fn asin(z: c128) -> c128 {
    let (x, y) = (z.re.abs(), z.im.abs());
    let (real, imaginary) = if x.is_finite() && y.is_finite() {
        let parts = parts(x, y);
        (parts.sine, parts.logarithm)
    } else if y == f64::INFINITY {
        let angle = if x == f64::INFINITY { FRAC_PI_4 } else { 0.0 };
        (if x.is_nan() { x } else { angle }, y)
    } else if x == f64::INFINITY {
        (if y.is_nan() { y } else { FRAC_PI_2 }, x)
    } else if x == 0.0 {
        (x, y)
    } else {
        (f64::NAN, f64::NAN)
    };
    c128::new(real.copysign(z.re), imaginary.copysign(z.im))
}

/// The arccosine; infinities and NaN are those of Annex G of C.
pub(super) fn acos(z: c128) -> c128 {
    let (x, y) = (z.re.abs(), z.im.abs());
    let is_left = z.re.is_sign_negative();
    let (real, imaginary) = if x.is_finite() && y.is_finite() {
        let parts = parts(x, y);
        let angle = parts.cosine;
        (if is_left { PI - angle } else { angle }, parts.logarithm)
    } else if x.is_nan() || y.is_nan() {
        let real = if x == 0.0 { FRAC_PI_2 } else { f64::NAN };
        let is_infinite = x == f64::INFINITY || y == f64::INFINITY;
        (real, if is_infinite { f64::INFINITY } else { f64::NAN })
    } else {
        let angle = Functions::atan2(y, x);
        (if is_left { PI - angle } else { angle }, f64::INFINITY)
    };
    // If `z.im` is NaN, the result has an unspecified sign, which Annex G allows.
    c128::new(real, imaginary.copysign(-z.im))
}

/// The inverse of the hyperbolic sine: `-i asin(i z)`.
pub(super) fn asinh(z: c128) -> c128 {
    let result = asin(c128::new(z.im, z.re));
    c128::new(result.im, result.re)
}

/// The inverse of the hyperbolic cosine: `i acos(z)` or `-i acos(z)`, so that the real part is not negative.
pub(super) fn acosh(z: c128) -> c128 {
    let result = acos(z);
    c128::new(result.im.abs(), result.re.copysign(z.im))
}

/// The inverse of the hyperbolic tangent. It has the sign of each part.
pub(super) fn atanh(z: c128) -> c128 {
    let result = positive_atanh(z.re.abs(), z.im.abs());
    c128::new(result.re.copysign(z.re), result.im.copysign(z.im))
}

/// The arctangent: `i atanh(-i z)`.
pub(super) fn atan(z: c128) -> c128 {
    let result = atanh(c128::new(z.im, z.re));
    c128::new(result.im, result.re)
}

/// `atanh(x + iy)` of parts that are not negative:
///
/// ```text
/// ln(1 + 4x / ((1 - x)² + y²)) / 4 + i atan2(2y, (1 - x)(1 + x) - y²) / 2
/// ```
fn positive_atanh(x: f64, y: f64) -> c128 {
    if x.is_nan() || y.is_nan() {
        // Annex G: beside NaN, zero stays zero, and infinities have their limit.
        let real = if x == 0.0 || x == f64::INFINITY || y == f64::INFINITY {
            0.0
        } else {
            f64::NAN
        };
        return c128::new(
            real,
            if y == f64::INFINITY {
                FRAC_PI_2
            } else {
                f64::NAN
            },
        );
    }
    if x.max(y) > 1e15 {
        // 1 / z, of which the next term of the series is below a unit
        return c128::new(real_reciprocal(x, y), FRAC_PI_2);
    }
    let distance = Functions::hypot(1.0 - x, y);
    let real = if distance < 1e-100 {
        // The square vanishes; at 1 the result is infinite.
        (LN_2 - Functions::ln(distance)) / 2.0
    } else {
        Functions::ln_1p(4.0 * x / distance / distance) / 4.0
    };
    let (over, under) = if x == 1.0 {
        // 2y / -y²
        (2.0, -y)
    } else {
        (2.0 * y, (1.0 - x) * (1.0 + x) - y * y)
    };
    let imaginary = if x == 1.0 && y == 0.0 {
        0.0
    } else {
        Functions::atan2(over, under) / 2.0
    };
    c128::new(real, imaginary)
}

/// The real part of `1 / z`: `x / (x² + y²)` without overflow.
fn real_reciprocal(x: f64, y: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return 0.0;
    }
    let (less, more) = if x < y { (x, y) } else { (y, x) };
    let ratio = less / more;
    (x / more) / (more + less * ratio)
}
