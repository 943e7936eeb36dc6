//! Logarithms of `f64`.
//!
//! With `x` as 2ⁿ (1 + f) and 1 + f between √½ and √2, `ln x` is `n ln 2 + ln(1 + f)`. With s = f / (2 + f),
//!
//! ```text
//! ln(1 + f) = 2 atanh(s) = f - f² / 2 + s (f² / 2 + R(s²))
//! ```
//!
//! where R is a short polynomial (as in the logarithm of FreeBSD's mathematical library). `f` is exact, and so is the square of its leading
//! bits. The large terms are a float of 26 bits, whose product with the leading bits of a constant is exact; the small terms are another.

use core::f64::consts::{LOG2_E, LOG10_E};

use super::super::functions::{ROUND, polynomial, split_mantissa};
use super::exponential::Power;
use super::{leading, ordered_sum};

/// Returns whether it is a positive normal number, as for `f32` (`logarithm.rs`).
#[inline(always)]
pub(in super::super) fn is_positive_normal(x: f64) -> bool {
    (x > LEAST) & (x < 1.7e308)
}

/// Above the least normal number.
const LEAST: f64 = 2.3e-308;

/// ln 2, and the factor from natural logarithms, as sums of a short number and its rest: products of the former with exponents, or with
/// numbers of 26 bits, are exact.
struct Base {
    two: (f64, f64),
    factor: (f64, f64, f64),
}

const BASE_2: Base = Base {
    two: (1.0, 0.0),
    factor: (1.442_695_051_431_655_9, -1.054_269_247_642_913_8e-8, LOG2_E),
};
const BASE_10: Base = Base {
    two: (0.301_029_995_664_066_5, -8.532_344_317_057_107e-14),
    factor: (
        0.434_294_484_555_721_3,
        -2.652_469_455_307_855_3e-9,
        LOG10_E,
    ),
};
/// ln 2, in the same way.
const TWO: (f64, f64) = (0.693_147_180_560_117_7, -1.723_944_452_561_483_5e-13);

/// A positive number as `2ⁿ (1 + part)`.
#[derive(Clone, Copy)]
pub(super) struct Split {
    pub(super) exponent: f64,
    pub(super) part: f64,
}

/// Splits a positive finite number, which may be subnormal.
#[inline(always)]
pub(super) fn split(x: f64) -> Split {
    const TWO_TO_54: f64 = 18_014_398_509_481_984.0;
    let is_subnormal = x < LEAST;
    let (exponent, part) = split_mantissa(x * if is_subnormal { TWO_TO_54 } else { 1.0 });
    let exponent = exponent - if is_subnormal { 54.0 } else { 0.0 };
    Split { exponent, part }
}

/// The logarithm of a part as the sum of three floats: one of 26 bits, one that is small beside it, and one that is tiny beside both.
struct Terms {
    high: f64,
    small: f64,
    tiny: f64,
}

/// `ln(1 + f)`
#[inline(always)]
fn ln_of_part(f: f64) -> Terms {
    let s = f / (2.0 + f);
    let z = s * s;
    // (2 atanh(s) / s - 2) / s² for |s| <= 0.1716, within 2⁻⁵⁰·⁹
    let slope = polynomial!(
        z;
        0.666_666_666_666_667,
        0.399_999_999_998_991_8,
        0.285_714_286_261_061_55,
        0.222_222_111_158_297_54,
        0.181_828_903_690_683_83,
        0.153_316_840_112_043_94,
        0.146_168_756_185_941_52
    );
    let upper = leading(f);
    let square = 0.5 * upper * upper;
    let rest = 0.5 * (f - upper) * (f + upper);
    let high = leading(f - square);
    Terms {
        high,
        small: s * ((square + rest) + z * slope),
        tiny: ((f - high) - square) - rest,
    }
}

/// The sum of an exponent and a logarithm of a part.
#[inline(always)]
fn total(exponent: f64, two: (f64, f64), part: Terms) -> f64 {
    let (sum, rest) = total_and_rest(exponent, two, part);
    sum + rest
}

/// The same sum as two floats, of which the second is small beside the first.
#[inline(always)]
fn total_and_rest(exponent: f64, two: (f64, f64), part: Terms) -> (f64, f64) {
    let (sum, rest) = ordered_sum(exponent * two.0, part.high);
    (sum, part.small + (rest + (part.tiny + exponent * two.1)))
}

/// The logarithm of `x` to another base.
#[inline(always)]
fn logarithm(x: f64, base: &Base) -> f64 {
    let x = split(x);
    let part = ln_of_part(x.part);
    let (leading, rest, factor) = base.factor;
    let scaled = Terms {
        high: part.high * leading,
        small: part.small * factor,
        tiny: part.high * rest + part.tiny * factor,
    };
    total(x.exponent, base.two, scaled)
}

/// The logarithm of `x - least`, if that is positive and finite; it is infinite at zero.
#[inline(always)]
fn with_edges(x: f64, least: f64, finite: f64) -> f64 {
    let result = if x > least { finite } else { f64::NAN };
    let result = if x == least {
        f64::NEG_INFINITY
    } else {
        result
    };
    if x >= f64::INFINITY { x } else { result }
}

#[inline(always)]
pub(in super::super) fn ln(x: f64) -> f64 {
    let x_split = split(x);
    with_edges(
        x,
        0.0,
        total(x_split.exponent, TWO, ln_of_part(x_split.part)),
    )
}

#[inline(always)]
pub(in super::super) fn log2(x: f64) -> f64 {
    with_edges(x, 0.0, logarithm(x, &BASE_2))
}

#[inline(always)]
pub(in super::super) fn log10(x: f64) -> f64 {
    with_edges(x, 0.0, logarithm(x, &BASE_10))
}

#[inline(always)]
pub(in super::super) fn ln_1p(x: f64) -> f64 {
    let result = with_edges(x, -1.0, ln_1p_of_sum(x, 0.0));
    // The sign of zero
    if x == 0.0 { x } else { result }
}

/// `ln(1 + x + more)` of a finite number above -1, where `more` is less than a unit of `x`.
#[inline(always)]
pub(super) fn ln_1p_of_sum(x: f64, more: f64) -> f64 {
    let (sum, lost) = one_plus(x);
    ln_of_sum(sum, lost, more, 0.0)
}

/// `1 + x` rounded, and its rounding error.
#[inline(always)]
pub(super) fn one_plus(x: f64) -> (f64, f64) {
    exact_sum(1.0, x)
}

/// The rounded sum, and its rounding error (D. Knuth, "The Art of Computer Programming", volume 2, 4.2.2).
#[inline(always)]
fn exact_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let without_x = sum - x;
    (sum, (x - (sum - without_x)) + (y - without_x))
}

/// The natural logarithm of `2ⁿ (sum + lost + more)`. `sum` is positive and finite, `lost` is the rest of a sum of which it is the rounded
/// one, and `more` is less than a unit of that sum less one.
#[inline(always)]
pub(super) fn ln_of_sum(sum: f64, lost: f64, more: f64, n: f64) -> f64 {
    let (sum, rest) = ln_and_rest(sum, lost, more, n);
    sum + rest
}

/// The same logarithm as two floats, of which the second is small beside the first.
#[inline(always)]
fn ln_and_rest(sum: f64, lost: f64, more: f64, n: f64) -> (f64, f64) {
    const TWO_TO_60: f64 = 1_152_921_504_606_846_976.0;
    let Split { exponent, part } = split(sum);
    let scale =
        f64::from_bits(((ROUND - exponent).to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
    // Beside large numbers the rests are nothing, and the scale is not a number.
    let scale = if sum < TWO_TO_60 { scale } else { 0.0 };
    // If the exponent is zero, this restores the digits that the sum has lost.
    let (whole, rest) = ordered_sum(part, lost * scale);
    let rest = rest + more * scale;
    let part_of_sum = ln_of_part(whole);
    // 1 / (1 + x) between √½ and √2, within 1.1 %
    let inverse = polynomial!(part; 1.005, -1.081, 0.914);
    let tiny = part_of_sum.tiny + rest * inverse;
    total_and_rest(
        exponent + n,
        TWO,
        Terms {
            tiny,
            ..part_of_sum
        },
    )
}

/// The greater number plus what the smaller one adds to it, `ln(1 + exp(-distance))`.
///
/// Nothing is rounded before the last sum. If the greater number is negative, it may cancel most of the logarithm; then a distance of 20,
/// rounded, would change the result by 16 units.
#[inline(always)]
pub(in super::super) fn log_add_exp(x: f64, y: f64) -> f64 {
    // From here on the exponential is zero. Larger distances may have a rest that is no number.
    const FAR: f64 = 746.0;
    let (greater, less) = if x > y { (x, y) } else { (y, x) };
    let (distance, rest) = exact_sum(greater, -less);
    let is_near = distance < FAR;
    let power = Power::exp(-distance, if is_near { -rest } else { 0.0 }).sum();
    let (sum, lost) = one_plus(power.high);
    let (logarithm, small) = ln_and_rest(sum, lost, power.low, 0.0);
    let (sum, lost) = exact_sum(greater, logarithm);
    // Equal infinities have no distance. Zero is positive.
    let sum = if is_near {
        sum + (lost + small)
    } else {
        greater + 0.0
    };
    if x.is_nan() | y.is_nan() { x + y } else { sum }
}
