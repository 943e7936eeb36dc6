//! Sine, cosine and tangent of `f64`.
//!
//! The magnitude of the argument is split into quarter turns, `n π / 2`, and a part between -π / 4 and π / 4, which is a sum of two floats. The
//! sine and the cosine of the part are sums of a large term, which is exact, and a small one:
//!
//! ```text
//! sin(part) = (part - part³ / 6) + part⁵ * odd(part²)
//! cos(part) = (1 - part² / 2) + part⁴ * even(part²)
//! ```
//!
//! `n` tells which of them the result is, and its sign. The tangent is their quotient.
//!
//! Numbers below [`FAR`] need four pieces of π / 2, whose products with `n` are exact except for the last one (W. Cody and W. Waite, "Software manual
//! for the elementary functions", 1980). Others take as many bits of 2 / π as they need, in integers, by a function that is not inlined
//! ([`reduce_far`]). Loops leave that call out for packs in which all numbers are near (the kind `near` in `op/unary.rs`).

use core::f64::consts::{FRAC_2_PI, LN_2};

use super::super::functions::{ROUND, polynomial};
use super::exponential::Sum;
use super::ordered_sum;

/// The least number that [`reduce_far`] splits. Numbers below it have fewer than 2²⁴ quarter turns.
const FAR: f64 = 2.5e7;

/// Returns whether loops of the kind `near` take the short way.
#[inline(always)]
pub(in super::super) fn is_near(x: f64) -> bool {
    (x.abs() < FAR) | x.is_nan()
}

/// A number as `quarters * π / 2 + part + rest`, less whole turns. The rest is at most half a unit of the part.
#[derive(Clone, Copy)]
struct Reduced {
    /// The number of quarter turns, in the lowest two bits
    quarters: u64,
    part: f64,
    rest: f64,
}

/// Splits a number that is not negative.
#[inline(always)]
fn reduce(size: f64) -> Reduced {
    if is_near(size) {
        reduce_near(size)
    } else {
        reduce_far(size, &QUARTERS)
    }
}

#[inline(always)]
fn reduce_near(size: f64) -> Reduced {
    // π / 2 down to its bit of 2⁻²⁸, from there down to those of 2⁻⁵⁷ and 2⁻⁸⁶, and the rest
    const FIRST: f64 = 1.570_796_325_802_803;
    const SECOND: f64 = 9.920_935_808_982_456e-10;
    const THIRD: f64 = -1.217_705_181_318_956_4e-18;
    const REST: f64 = 3.521_559_865_183_2e-27;
    let shifted = size * FRAC_2_PI + ROUND;
    let n = shifted - ROUND;
    // The first difference is exact. So are the others where they cancel.
    let (second, lost_second) = ordered_sum(size - n * FIRST, -(n * SECOND));
    let (third, lost_third) = ordered_sum(second, -(n * THIRD));
    let low = (lost_second + lost_third) - n * REST;
    let (part, rest) = ordered_sum(third, low);
    Reduced {
        quarters: shifted.to_bits(),
        part,
        rest,
    }
}

/// 64 zeros, and the bits of 2 / π behind the point
const QUARTERS: [u64; 20] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// 64 zeros, and the bits of 2 ln 2 / π behind the point
const QUARTERS_OF_LN_2: [u64; 20] = [
    0,
    0x70f7_263d_fa5a_6eec,
    0xb608_582e_55fe_f3dd,
    0x8e13_becd_1d49_5c36,
    0x1d72_013a_ea9f_8fca,
    0x76e8_66fc_9b48_be48,
    0x15f5_cb6f_d8be_e211,
    0x0394_db30_20d6_eb52,
    0x30ff_a9ae_90cb_c735,
    0x5135_8ced_67c0_db3c,
    0x490d_15bd_d91a_29f5,
    0x6824_02af_5e8f_9c23,
    0xbff1_5cbc_71f0_5fed,
    0xfe0b_b062_2a8c_8f67,
    0x7309_c45a_7502_282a,
    0xead0_c243_5c55_27bb,
    0x759f_345e_2d06_28e8,
    0xb1a5_63a2_53e6_2918,
    0xea5f_fdab_eac0_d479,
    0xcfed_b1b6_fc78_b439,
];

/// Splits a number of at least 2¹⁶ (M. Payne and R. Hanek, "Radian reduction for trigonometric functions", 1983). Infinity gives NaN.
///
/// The digits are those of the quarter turns in one, [`QUARTERS`] or [`QUARTERS_OF_LN_2`].
///
/// The number is an integer times 2ⁿ, so the digits whose products with 2ⁿ are multiples of four are left out. Of the product of the
/// integer with the next 192 bits, 128 are kept: two for the quarter turns, and 126 behind the point. No `f64` is so close to a multiple of
/// π / 2 that fewer than 64 of them matter.
#[cold]
#[inline(never)]
fn reduce_far(size: f64, digits: &[u64; 20]) -> Reduced {
    /// π / 2 * 2⁶³
    const RIGHT_ANGLE: u128 = 0xc90f_daa2_2168_c235;
    let bits = size.to_bits();
    let integer = u128::from((bits & ((1 << 52) - 1)) | (1 << 52));
    // With n as the exponent less 1075, the first bit that matters is that of 2¹⁻ⁿ.
    let first = (bits >> 52) as usize - 1013;
    let word = |at: usize| {
        let pair =
            u128::from(digits[first / 64 + at]) << 64 | u128::from(digits[first / 64 + at + 1]);
        (pair << (first % 64)) >> 64
    };
    let low = integer * word(2);
    let middle = integer * word(1) + (low >> 64);
    let turns = ((integer * word(0)) << 64).wrapping_add(middle);

    let quarters = turns.wrapping_add(1 << 125) >> 126;
    let distance = turns.wrapping_sub(quarters << 126).cast_signed();
    let size = distance.unsigned_abs();
    let zeros = size.leading_zeros();
    // 63 bits of the angle: the first 53, which a float has, and the others
    let angle = ((((size << zeros) >> 64) * RIGHT_ANGLE) >> 65) as i64;
    let (part, rest) = ordered_sum((angle & !1023) as f64, (angle & 1023) as f64);
    let unit = f64::from_bits(u64::from(1023 - 60 - zeros) << 52);
    let unit = if distance < 0 { -unit } else { unit };
    let unit = if bits < f64::INFINITY.to_bits() {
        unit
    } else {
        f64::NAN
    };
    Reduced {
        quarters: quarters as u64,
        part: part * unit,
        rest: rest * unit,
    }
}

/// The sine and the cosine of the part, each as a large term and a small one.
#[inline(always)]
fn sine_and_cosine(reduced: &Reduced) -> [(f64, f64); 2] {
    let Reduced { part, rest, .. } = *reduced;
    // 16 bits of the part: their square and their cube are exact.
    let short = f64::from_bits(part.to_bits() & !((1 << 37) - 1));
    let short_square = short * short;
    let rest_of_short = part - short;
    let rest_of_square = rest_of_short * (part + short);
    let square = short_square + rest_of_square;
    // (sin(x) / x - 1 + x² / 6) / x⁴ for |x| <= π / 4, within 2⁻⁵⁷·⁴ of the sine
    let odd = polynomial!(
        square;
        0.008_333_333_333_329_035,
        -0.000_198_412_698_341_863_72,
        2.755_731_500_009_829e-6,
        -2.505_093_935_835_800_5e-8,
        1.590_627_029_009_186e-10
    );
    // (cos(x) - 1 + x² / 2) / x⁴, within 2⁻⁶⁴ of the cosine
    let even = polynomial!(
        square;
        0.041_666_666_666_666_6,
        -0.001_388_888_888_887_413_8,
        2.480_158_728_949_18e-5,
        -2.755_731_435_522_382e-7,
        2.087_572_368_090_877_6e-9,
        -1.135_966_964_148_219_5e-11
    );
    let (cosine, lost_of_cosine) = ordered_sum(1.0, -0.5 * short_square);
    let small_of_cosine = lost_of_cosine - (0.5 * rest_of_square + part * rest);
    // The product with 21/128, which is most of 1/6, is exact too.
    let cube = short * short_square;
    let rest_of_cube = rest_of_short * short_square + part * rest_of_square;
    let (sine, lost_of_sine) = ordered_sum(part, cube * (-21.0 / 128.0));
    let small_of_sine = cube * (21.0 / 128.0 - 1.0 / 6.0) - rest_of_cube * (1.0 / 6.0);
    let square_square = square * square;
    [
        (
            sine,
            (lost_of_sine + rest * cosine) + (small_of_sine + part * (square_square * odd)),
        ),
        (cosine, small_of_cosine + square_square * even),
    ]
}

/// The sine of the sum of the part and quarter turns.
#[inline(always)]
fn sine(quarters: u64, [sine, cosine]: [(f64, f64); 2]) -> f64 {
    let is_odd = quarters & 1 == 1;
    let large = if is_odd { cosine.0 } else { sine.0 };
    let small = if is_odd { cosine.1 } else { sine.1 };
    f64::from_bits((large + small).to_bits() ^ ((quarters & 2) << 62))
}

/// The number, with the other sign if `of` is negative.
#[inline(always)]
fn with_sign(x: f64, of: f64) -> f64 {
    f64::from_bits(x.to_bits() ^ (of.to_bits() & (1 << 63)))
}

#[inline(always)]
pub(in super::super) fn sin(x: f64) -> f64 {
    let reduced = reduce(x.abs());
    with_sign(sine(reduced.quarters, sine_and_cosine(&reduced)), x)
}

#[inline(always)]
pub(in super::super) fn cos(x: f64) -> f64 {
    let reduced = reduce(x.abs());
    sine(reduced.quarters.wrapping_add(1), sine_and_cosine(&reduced))
}

/// Sine and cosine.
pub(in super::super) fn sin_cos(x: f64) -> (f64, f64) {
    both(&reduce(x.abs()), x)
}

/// Sine and cosine of `x ln 2`. The rounding of a large product would turn them.
pub(in super::super) fn sin_cos_ln_2(x: f64) -> (f64, f64) {
    /// ln 2 less the float
    const REST: f64 = 2.319_046_813_846_299_6e-17;
    if x.abs() >= FAR {
        return both(&reduce_far(x.abs(), &QUARTERS_OF_LN_2), x);
    }
    let angle = x * LN_2;
    let (sin, cos) = sin_cos(angle);
    // The square of the rest is less than a rounding.
    let rest = x.mul_add(LN_2, -angle) + x * REST;
    (sin + rest * cos, cos - rest * sin)
}

/// Sine and cosine of a number that was split, with the sign of `x`.
#[inline(always)]
fn both(reduced: &Reduced, x: f64) -> (f64, f64) {
    let terms = sine_and_cosine(reduced);
    (
        with_sign(sine(reduced.quarters, terms), x),
        sine(reduced.quarters.wrapping_add(1), terms),
    )
}

/// The quotient of sine and cosine; after an odd number of quarter turns that of the cosine and the negative sine.
#[inline(always)]
pub(in super::super) fn tan(x: f64) -> f64 {
    let reduced = reduce(x.abs());
    let [sine, cosine] = sine_and_cosine(&reduced).map(|(large, small)| {
        let (high, low) = ordered_sum(large, small);
        Sum { high, low }
    });
    let is_odd = reduced.quarters & 1 == 1;
    let over = Sum {
        high: if is_odd { cosine.high } else { sine.high },
        low: if is_odd { cosine.low } else { sine.low },
    };
    let under = Sum {
        high: if is_odd { -sine.high } else { cosine.high },
        low: if is_odd { -sine.low } else { cosine.low },
    };
    with_sign(over.over(&under), x)
}
