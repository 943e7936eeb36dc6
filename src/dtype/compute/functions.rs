//! Inverse hyperbolic functions and others of `f32`, as code that vectorises.
//!
//! A function of the standard library is a call, which keeps a loop from being vectorised. These have
//! no branches (only selects), no calls and no table. They round each operation by itself, without
//! fused multiplication and addition, so that every instruction set gives the same bits.
//!
//! They compute in `f64`. Numbers of twice the width take more time but keep the code simple: nothing overflows or is subnormal before the
//! last rounding, and results are within 0.75 units in the last place. The functions that neural networks use most are computed in `f32`,
//! where they take a third to a half of the time ([`single`](super::single), [`gaussian`](super::gaussian)).
//!
//! Polynomials are minimax (Remez, in relative error); a comment gives the error.
//! Attempts and measurements: `docs/decisions/vector-functions.md`.
#![expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]

use core::f64::consts::{LN_2, LOG2_E};

/// A polynomial with these coefficients, from the lowest power to the highest.
///
/// It combines terms in pairs, and pairs in pairs (Estrin's scheme). By Horner's rule each step waits for the one before, so that a
/// logarithm takes 1.5 times as long.
// A macro, because LLVM does not vectorise loops over coefficients that stand in an array.
macro_rules! polynomial {
    ($x:expr; $coefficients:ident[$($at:literal)+]) => { polynomial!($x; $($coefficients[$at]),+) };
    ($x:expr; $sum:expr) => { $sum };
    ($x:expr; $($coefficient:expr),+) => {{
        let x = $x;
        polynomial!(@pairs x; []; $($coefficient),+)
    }};
    (@pairs $x:ident; [$($pair:expr),*]; $a:expr, $b:expr $(, $rest:expr)*) => {
        polynomial!(@pairs $x; [$($pair,)* $a + $b * $x]; $($rest),*)
    };
    (@pairs $x:ident; [$($pair:expr),*]; $($last:expr)?) => {
        polynomial!($x * $x; $($pair),* $(, $last)?)
    };
}
pub(super) use polynomial;

/// 2ˣ, or what rounds as it does in `f32`.
#[inline(always)]
pub(super) fn power_of_two(x: f64) -> f64 {
    // Beyond these all of the functions are saturated. NaN stays.
    let x = if x > 160.0 { 160.0 } else { x };
    let x = if x < -160.0 { -160.0 } else { x };
    let shifted = x + ROUND;
    let scale = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
    let part = x - (shifted - ROUND);
    // (2ˣ - 1) / x for |x| <= 1/2, within 2⁻²⁶·⁵
    let slope = polynomial!(
        part;
        0.693_147_187_958_071,
        0.240_226_497_943_974_23,
        0.055_503_573_325_880_92,
        0.009_618_237_343_924_349,
        0.001_339_077_598_187_857_3,
        0.000_154_035_993_084_476_67
    );
    scale + scale * (part * slope)
}

/// Added to a small number, rounds it to an integer, which stands in the lowest bits.
pub(super) const ROUND: f64 = 6_755_399_441_055_744.0; // 1.5 * 2⁵²

/// ln(1 + x) for finite x above -1.
#[inline(always)]
fn ln_1p_finite(x: f64) -> f64 {
    let (exponent, ln) = split_logarithm(x + 1.0);
    // `x + 1` has lost most of a small `x`, of which two terms of the series are enough.
    let small = x - 0.5 * x * x;
    if x.abs() < 1e-6 {
        small
    } else {
        exponent * LN_2 + ln
    }
}

/// ln(|x| + sqrt(x² + 1)), as the logarithm of one and a number that is small near zero.
#[inline(always)]
pub(super) fn asinh(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let square = size * size;
    let less_one = size + square / (1.0 + (square + 1.0).sqrt());
    let result = ln_1p_finite(less_one);
    // Infinities and NaN are their own.
    let result = if x.abs() < f32::INFINITY {
        result
    } else {
        size
    };
    (result as f32).copysign(x)
}

/// ln(x + sqrt(x² - 1)), of the distance from one.
#[inline(always)]
pub(super) fn acosh(x: f32) -> f32 {
    let wide = f64::from(x);
    let distance = wide - 1.0;
    let result = ln_1p_finite(distance + (distance * (distance + 2.0)).sqrt());
    let result = if x < f32::INFINITY { result } else { wide };
    (if x < 1.0 { f64::NAN } else { result }) as f32
}

/// ln((1 + |x|) / (1 - |x|)) / 2
#[inline(always)]
pub(super) fn atanh(x: f32) -> f32 {
    let size = f64::from(x.abs());
    let result = 0.5 * ln_1p_finite((size + size) / (1.0 - size));
    let edge = if size == 1.0 { f64::INFINITY } else { f64::NAN };
    (if size < 1.0 { result } else { edge } as f32).copysign(x)
}

/// The greater number plus ln(1 + exp(-distance)), which the smaller one adds to it.
#[inline(always)]
pub(super) fn log_add_exp(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let greater = if x > y { x } else { y };
    // Equal infinities have no difference.
    let distance = if x == y { 0.0 } else { (x - y).abs() };
    let sum = greater + ln_1p_finite(power_of_two(distance * -LOG2_E));
    (if x.is_nan() | y.is_nan() { x + y } else { sum }) as f32
}

/// The exponent `n` of `x`, and `x / 2ⁿ` less one, where `x / 2ⁿ` is between √½ and √2, for positive finite `x`.
#[inline(always)]
pub(super) fn split_mantissa(x: f64) -> (f64, f64) {
    const SQRT_HALF: u64 = core::f64::consts::FRAC_1_SQRT_2.to_bits();
    const MANTISSA: u64 = (1 << 52) - 1;
    const BIAS: u64 = 1 << 10;
    // 2⁵² with an integer in its lowest bits
    const INTEGER: f64 = 4_503_599_627_370_496.0;
    let above = x.to_bits().wrapping_sub(SQRT_HALF);
    let biased = above.wrapping_add(BIAS << 52) >> 52;
    let exponent = f64::from_bits(INTEGER.to_bits() | biased) - (INTEGER + BIAS as f64);
    let part = f64::from_bits((above & MANTISSA) + SQRT_HALF) - 1.0;
    (exponent, part)
}

/// The exponent `n` of `x` and the logarithm of `x / 2ⁿ`, which is between √½ and √2, for positive finite `x`.
#[inline(always)]
fn split_logarithm(x: f64) -> (f64, f64) {
    let (exponent, part) = split_mantissa(x);
    // ln(1 + x) / x for √½ <= 1 + x <= √2, within 2⁻²⁷·⁸
    let slope = polynomial!(
        part;
        0.999_999_999_955_571_8,
        -0.499_999_882_422_946_34,
        0.333_333_260_524_097_5,
        -0.250_015_906_838_842_7,
        0.200_019_690_626_996_97,
        -0.166_089_202_208_026_87,
        0.141_817_603_625_005_1,
        -0.132_441_067_142_739_6,
        0.129_054_035_213_416,
        -0.076_205_478_066_526_61
    );
    (exponent, part * slope)
}

/// A quotient of `f32`, which is within two units of the result, and a step of third order.
///
/// The step, in `f64`, leaves the bits of a quotient and a root of `f64`, which take three times as long.
#[inline(always)]
pub(super) fn rsqrt(x: f32) -> f32 {
    let first = 1.0 / x.sqrt();
    let wide = f64::from(first);
    let error = 1.0 - f64::from(x) * (wide * wide);
    let result = (wide + wide * (error * (0.5 + 0.375 * error))) as f32;
    // Zeros, infinities and negative numbers have no error.
    if result.is_nan() { first } else { result }
}

/// A third of the exponent, which is within 4 %, and two of Halley's steps, each of which triples the correct digits.
#[inline(always)]
pub(super) fn cbrt(x: f32) -> f32 {
    // A third of the bias, less what makes the largest error least; of the upper half of the bits (as in FreeBSD's `cbrt`).
    const BIAS: u64 = 715_094_163;
    // 2³² / 3, rounded up
    const THIRD: u64 = 0x5555_5556;
    let wide = f64::from(x);
    let upper = wide.abs().to_bits() >> 32;
    let mut root = f64::from_bits((((upper * THIRD) >> 32) + BIAS) << 32).copysign(wide);
    for _ in 0..2 {
        let cube = root * root * root;
        root = root * (wide + wide + cube) / (wide + cube + cube);
    }
    // Zeros keep their sign.
    if x == 0.0 || x.abs() >= f32::INFINITY {
        x
    } else {
        root as f32
    }
}

/// In `f64` neither the squares nor their sum overflow or are subnormal.
#[inline(always)]
pub(super) fn hypot(x: f32, y: f32) -> f32 {
    let (wide_x, wide_y) = (f64::from(x), f64::from(y));
    let root = (wide_x * wide_x + wide_y * wide_y).sqrt();
    let is_infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    (if is_infinite { f64::INFINITY } else { root }) as f32
}

/// exp(-x²) times a rational function of |x|; for negative x, 2 less that of -x.
#[inline(always)]
pub(super) fn erfc(x: f32) -> f32 {
    let wide = f64::from(x);
    let size = wide.abs();
    // The result is zero or two from there on. NaN stays.
    let size = if size > 10.5 { 10.5 } else { size };
    let over = polynomial!(size; ERFC_OVER[5 4 3 2 1 0]);
    let under = polynomial!(size; ERFC_UNDER[6 5 4 3 2 1 0]);
    let tail = power_of_two(size * size * -LOG2_E) * over / under;
    (if x < 0.0 { 2.0 - tail } else { tail }) as f32
}

/// The quotient of these polynomials is erfc(x) exp(x²) for 0 <= x <= 10.5, within 2⁻³²·³.
pub(crate) const ERFC_OVER: [f64; 6] = [
    0.010_943_184_118_723_44,
    0.098_943_502_971_929_14,
    0.421_209_669_983_048_45,
    1.031_565_537_055_263_4,
    1.458_347_248_896_95,
    0.999_999_999_814_915_6,
];
pub(crate) const ERFC_UNDER: [f64; 7] = [
    0.019_396_302_518_400_698,
    0.175_372_090_019_410_4,
    0.756_288_857_272_646_3,
    1.915_873_024_240_514_6,
    2.950_374_183_814_100_4,
    2.586_726_392_710_567_7,
    1.0,
];
