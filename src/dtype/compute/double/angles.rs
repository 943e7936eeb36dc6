//! Inverse trigonometric functions of `f64`.
//!
//! The largest terms of a result are sums of two floats, so that only the last addition rounds noticeably.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::super::functions::polynomial;
use super::{ordered_sum, quotient, rest_of_root};

/// π / 2, minus the float nearest to it
const FRAC_PI_2_REST: f64 = 6.123_233_995_736_766e-17;

/// The angle whose tangent is `over / under`, for `0 <= over <= under`, as the sum of two floats.
///
/// Above 1/4 it is the angle whose tangent is `c`, 1/2 or 1, and the rest, whose tangent is `(over - c under) / (under + c over)`, so that
/// a short polynomial is enough. Both products are exact, and so is the difference.
#[inline(always)]
fn arc_tangent(over: f64, under: f64) -> (f64, f64) {
    // Of 1/2, as the sum of two floats
    const ATAN_HALF: f64 = 0.463_647_609_000_806_1;
    const ATAN_HALF_REST: f64 = 2.269_877_745_296_168_7e-17;
    let is_low = over < 0.25 * under;
    let is_middle = over < 0.75 * under;
    let of_range = |low: f64, middle: f64, high: f64| {
        let other = if is_middle { middle } else { high };
        if is_low { low } else { other }
    };
    let of_over = of_range(0.0, 0.5, 1.0) * over;
    let base = of_range(0.0, ATAN_HALF, FRAC_PI_4);
    let base_rest = of_range(0.0, ATAN_HALF_REST, 0.5 * FRAC_PI_2_REST);
    let (sum, lost) = ordered_sum(under, of_over);
    let (high, low) = quotient(over - of_range(0.0, 0.5, 1.0) * under, sum, lost);
    let tangent = high + low;
    let square = tangent * tangent;
    // (atan(x) / x - 1) / x² for |x| <= 1/4, within 2⁻⁵⁶
    let slope = polynomial!(
        square;
        -0.333_333_333_333_333_3,
        0.199_999_999_999_989_4,
        -0.142_857_142_852_611_25,
        0.111_111_110_363_206_85,
        -0.090_909_028_959_107_05,
        0.076_920_185_908_197_21,
        -0.066_587_008_885_500_44,
        0.057_531_268_933_797_376,
        -0.041_039_561_474_071_95
    );
    let (angle, rest) = ordered_sum(base, high);
    (
        angle,
        rest + (base_rest + (low + tangent * (square * slope))),
    )
}

/// `quarters * π / 2 + sign * (high + low)`, of at most two quarters.
#[inline(always)]
fn turned(quarters: f64, sign: f64, (high, low): (f64, f64)) -> f64 {
    let (sum, rest) = ordered_sum(quarters * FRAC_PI_2, sign * high);
    sum + (rest + (quarters * FRAC_PI_2_REST + sign * low))
}

#[inline(always)]
pub(in super::super) fn atan(x: f64) -> f64 {
    let size = x.abs();
    let is_steep = size > 1.0;
    let (over, under) = if is_steep { (1.0, size) } else { (size, 1.0) };
    // The angle of larger numbers is a right one, and the steps may overflow.
    let under = if under > 1e300 { 1e300 } else { under };
    let (quarters, sign) = if is_steep { (1.0, -1.0) } else { (0.0, 1.0) };
    turned(quarters, sign, arc_tangent(over, under)).copysign(x)
}

#[inline(always)]
pub(in super::super) fn atan2(y: f64, x: f64) -> f64 {
    // Beyond these the steps may overflow or lose digits.
    const LARGE: f64 = 1e300;
    const SMALL: f64 = 1e-270;
    const TWO_TO_150: f64 = 1.427_247_692_705_96e45;
    let (height, width) = (y.abs(), x.abs());
    let is_steep = height > width;
    let over = if is_steep { width } else { height };
    let under = if is_steep { height } else { width };
    // Equal infinities are a diagonal; zero by zero is the angle zero.
    let is_infinite = under == f64::INFINITY;
    let limit = if over == f64::INFINITY { 1.0 } else { 0.0 };
    let over = if is_infinite { limit } else { over };
    let under = if is_infinite | (under == 0.0) {
        1.0
    } else {
        under
    };
    let up = if under < SMALL { TWO_TO_150 } else { 1.0 };
    let scale = if under > LARGE { 1.0 / TWO_TO_150 } else { up };
    let ratio = over / under;
    let (high, low) = arc_tangent(over * scale, under * scale);
    // The tangents of small angles are the angles, and the steps may lose digits of them.
    let is_small = ratio < f64::EPSILON * f64::EPSILON;
    let high = if is_small { ratio } else { high };
    let low = if is_small { 0.0 } else { low };
    let is_left = x.is_sign_negative();
    let level = if is_left { 2.0 } else { 0.0 };
    let quarters = if is_steep { 1.0 } else { level };
    let sign = if is_steep == is_left { 1.0 } else { -1.0 };
    let angle = turned(quarters, sign, (high, low));
    if x.is_nan() | y.is_nan() {
        x + y
    } else {
        angle.copysign(y)
    }
}

/// The angle whose sine is `size` if that is at most one half. Else `true`, and half of the angle whose cosine it is:
/// `acos(x) = 2 asin(sqrt((1 - x) / 2))`. NaN above one. The angle is the sum of two floats.
#[inline(always)]
fn arc_sine(size: f64) -> (bool, (f64, f64)) {
    let is_above = size > 0.5;
    let square = if is_above {
        (1.0 - size) * 0.5
    } else {
        size * size
    };
    let root = square.sqrt();
    let rest = rest_of_root(root, square, 0.0);
    let sine = if is_above { root } else { size };
    let rest = if is_above { rest } else { 0.0 };
    // (asin(x) / x - 1) / x² for |x| <= 1/2, within 2⁻⁵³·⁵
    let slope = polynomial!(
        square;
        0.166_666_666_666_666_69,
        0.074_999_999_999_983_36,
        0.044_642_857_146_541_85,
        0.030_381_944_124_502_566,
        0.022_372_173_486_961_074,
        0.017_352_380_248_742_524,
        0.013_971_393_834_714_572,
        0.011_477_452_047_239_626,
        0.010_333_788_432_917_898,
        0.005_411_424_701_815_114_5,
        0.017_523_546_651_578_68,
        -0.015_039_405_969_758_455,
        0.028_883_229_690_728_78
    );
    (is_above, (sine, rest + sine * (square * slope)))
}

#[inline(always)]
pub(in super::super) fn asin(x: f64) -> f64 {
    let (is_half, angle) = arc_sine(x.abs());
    let (quarters, factor) = if is_half { (1.0, -2.0) } else { (0.0, 1.0) };
    turned(quarters, factor, angle).copysign(x)
}

#[inline(always)]
pub(in super::super) fn acos(x: f64) -> f64 {
    let (is_half, angle) = arc_sine(x.abs());
    let is_left = x < 0.0;
    let quarters = if is_half {
        if is_left { 2.0 } else { 0.0 }
    } else {
        1.0
    };
    let factor = if is_half { 2.0 } else { -1.0 };
    turned(quarters, if is_left { -factor } else { factor }, angle)
}
