//! Angles: the inverse trigonometric functions of `f32`, as code that vectorises.
//!
//! Like the functions of [`functions`](super::functions), they have no branches and no calls, compute in `f64`, and round each
//! operation by itself. Results are within 0.54 ulp. Only [`atan`] computes in `f32`, which takes less than half of the time, and is within 0.9.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::functions::polynomial;

/// The angle whose tangent is `over / under`, for `0 <= over <= under`.
///
/// Above π/8 it is π/4 less the angle whose tangent is `(under - over) / (under + over)`, so that a short polynomial is enough.
#[inline(always)]
fn arc_tangent(over: f64, under: f64) -> f64 {
    /// The tangent of π/8.
    const HALFWAY: f64 = 0.414_213_562_373_095_03;
    let is_above = over > under * HALFWAY;
    let base = if is_above { FRAC_PI_4 } else { 0.0 };
    let tangent =
        if is_above { over - under } else { over } / if is_above { over + under } else { under };
    let square = tangent * tangent;
    // (atan(x) / x - 1) / x² for |x| <= tan(π/8), so that atan(x) is within 2⁻²⁸·⁵
    let slope = polynomial!(
        square;
        -0.333_333_317_611_685_2,
        0.199_995_404_836_489_64,
        -0.142_639_555_979_846_4,
        0.107_437_314_907_910_84,
        -0.064_519_282_081_217_49
    );
    base + (tangent + tangent * (square * slope))
}

/// The angle, in `f32`. From 9/16 to 7/4 it is π/4 plus the angle whose tangent is (|x| - 1) / (|x| + 1), and above π/2 less that of 1 / |x|.
#[inline(always)]
pub(super) fn atan(x: f32) -> f32 {
    /// What π/2 lacks as a `f32`.
    const REST: f32 = -4.371_139e-8;
    let size = x.abs();
    let is_steep = size > 1.75;
    let is_diagonal = (size > 0.5625) & !is_steep;
    let sum = size + 1.0;
    let over = if is_diagonal { size - 1.0 } else { size };
    let over = if is_steep { -1.0 } else { over };
    let under = if is_diagonal { sum } else { 1.0 };
    let under = if is_steep { size } else { under };
    let tangent = over / under;
    // The rounding error of the sum changes the quotient by itself times the quotient / (|x| + 1), where 1 / (|x| + 1) is (1 - quotient) / 2.
    let cut_off = if is_diagonal { size - (sum - 1.0) } else { 0.0 };
    let tangent_rest = (tangent * cut_off) * (0.5 * tangent - 0.5);
    let base = if is_diagonal {
        core::f32::consts::FRAC_PI_4
    } else {
        0.0
    };
    let base = if is_steep {
        core::f32::consts::FRAC_PI_2
    } else {
        base
    };
    let base_rest = if is_diagonal { 0.5 * REST } else { 0.0 };
    let base_rest = if is_steep { REST } else { base_rest };
    let square = tangent * tangent;
    // (atan(x) / x - 1) / x² for |x| <= 9/16, so that atan(x) is within 2⁻²⁷·⁸
    let slope = polynomial!(
        square;
        0.199_986_06,
        -0.142_560_26,
        0.108_149_02,
        -0.075_371_55,
        0.032_853_417
    );
    let slope = -0.333_333_1 + square * slope;
    let sum = base + tangent;
    let rest = ((base - sum) + tangent) + ((tangent * square) * slope + (base_rest + tangent_rest));
    (sum + rest).copysign(x)
}

#[inline(always)]
#[expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]
pub(super) fn atan2(y: f32, x: f32) -> f32 {
    let (height, width) = (f64::from(y.abs()), f64::from(x.abs()));
    let is_steep = height > width;
    let over = if is_steep { width } else { height };
    let under = if is_steep { height } else { width };
    // Equal infinities are a diagonal; zero by zero is the angle zero.
    let is_infinite = over == f64::INFINITY;
    let over = if is_infinite { 1.0 } else { over };
    let under = if is_infinite | (under == 0.0) {
        1.0
    } else {
        under
    };
    let angle = arc_tangent(over, under);
    let angle = if is_steep { FRAC_PI_2 - angle } else { angle };
    let angle = if x.is_sign_negative() {
        PI - angle
    } else {
        angle
    };
    if x.is_nan() | y.is_nan() {
        x + y
    } else {
        (angle as f32).copysign(y)
    }
}

/// The angle whose sine is `size` if that is at most one half. Else `true`, and half of the angle whose cosine it is:
/// `acos(x) = 2 asin(sqrt((1 - x) / 2))`. NaN above one.
#[inline(always)]
fn arc_sine(size: f64) -> (bool, f64) {
    let is_above = size > 0.5;
    let square = if is_above {
        (1.0 - size) * 0.5
    } else {
        size * size
    };
    // The root of the square of a `f32` is exact in `f64`.
    let sine = square.sqrt();
    // (asin(x) / x - 1) / x² for |x| <= 1/2, so that asin(x) is within 2⁻²⁹·⁸
    let slope = polynomial!(
        square;
        0.166_666_663_374_309_08,
        0.075_000_945_434_974_24,
        0.044_599_401_528_512_18,
        0.031_100_662_735_494_57,
        0.017_149_238_357_677_253,
        0.033_690_847_202_830_12
    );
    (is_above, sine + sine * (square * slope))
}

#[inline(always)]
#[expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]
pub(super) fn asin(x: f32) -> f32 {
    let (is_half, angle) = arc_sine(x.abs().into());
    let angle = if is_half {
        FRAC_PI_2 - 2.0 * angle
    } else {
        angle
    };
    (angle as f32).copysign(x)
}

#[inline(always)]
#[expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]
pub(super) fn acos(x: f32) -> f32 {
    let (is_half, angle) = arc_sine(x.abs().into());
    // The angle of |x|.
    let angle = if is_half {
        2.0 * angle
    } else {
        FRAC_PI_2 - angle
    };
    let angle = if x < 0.0 { PI - angle } else { angle };
    angle as f32
}
