//! Functions of complex numbers that cancel if they are made of others.

use crate::dtype::c128;

/// `exp(z) - 1`, accurate near zero: `exp(x) * cos(y) - 1` is `expm1(x) * cos(y) - (1 - cos(y))`.
pub(super) fn exp_m1(z: c128) -> c128 {
    let half = (z.im / 2.0).sin();
    let real = z.re.exp_m1() * z.im.cos() - 2.0 * half * half;
    c128::new(real, z.re.exp() * z.im.sin())
}

/// The logarithm, also where `|z|` is close to 1: its square is `1 + (a - 1) * (a + 1) + b * b` of the larger and the smaller part.
pub(super) fn ln(z: c128) -> c128 {
    let (x, y) = (z.re.abs(), z.im.abs());
    let (a, b) = (x.max(y), x.min(y));
    let real = if a > 0.5 && a < 2.0 {
        ((a - 1.0) * (a + 1.0) + b * b).ln_1p() / 2.0
    } else {
        z.re.hypot(z.im).ln()
    };
    c128::new(real, z.im.atan2(z.re))
}

/// `ln(1 + z)`, accurate near zero: the square of `|1 + z|` is `1 + x * (2 + x) + y * y`.
pub(super) fn ln_1p(z: c128) -> c128 {
    let real = if z.re.abs().max(z.im.abs()) > 0.5 {
        (z.re + 1.0).hypot(z.im).ln()
    } else {
        (z.re * (2.0 + z.re) + z.im * z.im).ln_1p() / 2.0
    };
    c128::new(real, z.im.atan2(z.re + 1.0))
}
