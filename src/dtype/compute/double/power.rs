//! Powers of `f64`: 2^(y log2 |x|).
//!
//! The exponential magnifies the error of its argument by up to 1,075 times ln 2, so the logarithm is exact to 68 bits. With `x` as 2ⁿ c m,
//! where `c` is one of three numbers of few bits, and s = (m - 1) / (m + 1),
//!
//! ```text
//! log2 x = n + log2 c + 2 / (3 ln 2) s (3 + s² + R(s²))
//! ```
//!
//! so that the largest terms are exact sums and products of short numbers (as in `pow` of FreeBSD's mathematical library).

use core::f64::consts::LN_2;
use core::hint::select_unpredictable;

use super::super::functions::{ROUND, polynomial};
use super::logarithm::{Split, split};
use super::{leading, ordered_sum, quotient, rounded_product, square};

/// `base` to the power of `exponent`, as IEEE 754 defines `pow`; but a square is the rounded product, the power by -1 the rounded quotient, and
/// those by 3 and 4 are [`cube`] and [`fourth`].
#[inline(always)]
pub(in super::super) fn pow(base: f64, exponent: f64) -> f64 {
    let size = base.abs();
    let power = power_of_two(product(exponent, log2(size)));
    // Zero and infinity have no logarithm. NaN is restored at the end.
    let is_infinite = (size < 1.0) == (exponent < 0.0);
    let limit = select_unpredictable(is_infinite, f64::INFINITY, 0.0);
    let has_logarithm = (size > 0.0) & (size < f64::INFINITY);
    let power = select_unpredictable(has_logarithm, power, limit);

    let (is_integer, is_odd) = parity(exponent);
    let is_positive = base > 0.0;
    let signed = select_unpredictable(is_odd & !is_positive, power.copysign(base), power);
    let is_root = (base < 0.0) & has_logarithm & !is_integer;
    let result = select_unpredictable(is_root, f64::NAN, signed);

    let is_nan = base.is_nan() | exponent.is_nan();
    let result = select_unpredictable(is_nan, base + exponent, result);
    let result = select_unpredictable(exponent == 2.0, base * base, result);
    let result = select_unpredictable(exponent == 0.5, root(base), result);
    let result = select_unpredictable(exponent == 3.0, cube(base), result);
    let result = select_unpredictable(exponent == 4.0, fourth(base), result);
    let result = select_unpredictable(exponent == -1.0, 1.0 / base, result);
    // A signalling NaN must not matter where a quiet one does not.
    select_unpredictable((exponent == 0.0) | (base == 1.0), 1.0, result)
}

/// The power by one half: the square root, but the positive zero of -0, and infinity of -infinity.
#[inline(always)]
pub(in super::super) fn root(x: f64) -> f64 {
    select_unpredictable(x == f64::NEG_INFINITY, f64::INFINITY, (x + 0.0).sqrt())
}

/// The third power: the rounded one of the square and its rounding error.
#[inline(always)]
pub(in super::super) fn cube(x: f64) -> f64 {
    let (high, low) = square(x);
    let (power, rest) = rounded_product(high, x);
    exact_or_limit(power, rest + low * x)
}

/// The fourth power, in the same way.
#[inline(always)]
pub(in super::super) fn fourth(x: f64) -> f64 {
    let (high, low) = square(x);
    let (power, rest) = square(high);
    exact_or_limit(power, rest + 2.0 * high * low)
}

/// The sum of a power and what rounding cut off. That is NaN for an infinite power, and would make -0 a positive zero.
#[inline(always)]
fn exact_or_limit(power: f64, rest: f64) -> f64 {
    if (power.abs() < f64::INFINITY) & (power != 0.0) {
        power + rest
    } else {
        power
    }
}

/// 2⁶⁶: from there on all powers but those of one are zero or infinite.
const LARGEST_EXPONENT: f64 = 73_786_976_294_838_206_464.0;

/// Returns whether the operands have neither signs nor limits that matter, and the power is not one of a short product or a root, so that loops
/// may take the short way.
#[inline(always)]
pub(in super::super) fn is_usual(base: f64, exponent: f64) -> bool {
    // Other bounds than those of normal numbers, for whose test LLVM takes the bits of one number after the other.
    let is_short = (exponent == 3.0) | (exponent == 4.0) | (exponent == 0.5);
    (base > 1e-300) & (base < 1e300) & (exponent.abs() < LARGEST_EXPONENT) & !is_short
}

/// Returns whether the number is an integer, and whether that is odd. Infinities count as even integers.
#[inline(always)]
fn parity(x: f64) -> (bool, bool) {
    const TWO_TO_52: f64 = 4_503_599_627_370_496.0;
    let size = x.abs();
    let is_small = size < TWO_TO_52;
    // From there on, numbers are integers, and the lowest bit is that of the integer up to 2⁵³.
    let whole = if is_small { size + TWO_TO_52 } else { size };
    let is_integer = !is_small | (whole - TWO_TO_52 == size);
    let is_odd = whole.to_bits() & 1 == 1;
    (is_integer, is_integer & is_odd & (size < 2.0 * TWO_TO_52))
}

/// The logarithm to base 2 of a positive finite number, as the sum of two floats, the first with 26 bits. Within 2⁻⁶⁸ of itself.
#[inline(always)]
fn log2(x: f64) -> (f64, f64) {
    /// Divisors, and their logarithms as the sums of a short number and its rest.
    const LEFT: (f64, f64, f64) = (
        0.792_968_75,
        -0.334_664_076_566_696_17,
        -6.248_127_604_846_07e-9,
    );
    const RIGHT: (f64, f64, f64) = (
        1.259_765_625,
        0.333_155_363_798_141_5,
        -1.348_752_501_128_398_8e-8,
    );
    // 2 / (3 ln 2)
    const FACTOR_HIGH: f64 = 0.961_796_700_954_437_3;
    const FACTOR_LOW: f64 = -7.028_461_650_952_758e-9;
    let Split { exponent, part } = split(x);
    // The sixth roots of 1/2 and 2
    let is_left = part < 0.890_898_718_140_339_3 - 1.0;
    let is_right = part > 1.122_462_048_309_373 - 1.0;
    let of_part = |left: f64, middle: f64, right: f64| {
        let other = if is_right { right } else { middle };
        if is_left { left } else { other }
    };
    let divisor = of_part(LEFT.0, 1.0, RIGHT.0);
    let of_divisor = of_part(LEFT.1, 0.0, RIGHT.1);
    let rest_of_divisor = of_part(LEFT.2, 0.0, RIGHT.2);

    let number = part + 1.0;
    let sum = number + divisor;
    let (s_high, s_low) = quotient(number - divisor, sum, number - (sum - divisor));
    let s = s_high + s_low;
    let z = s * s;
    // (3 atanh(s) / s - 3 - s²) / s⁴ for |s| <= 0.0585, within 2⁻⁵¹·⁵
    let slope = polynomial!(
        z;
        0.600_000_000_000_000_2,
        0.428_571_428_568_728_9,
        0.333_333_339_641_801_95,
        0.272_722_115_167_988_67,
        0.232_488_836_667_413_5
    );
    let square = s_high * s_high;
    let small = z * z * slope + s_low * (s_high + s);
    let factor_high = leading(3.0 + square + small);
    let factor_low = small - ((factor_high - 3.0) - square);
    let product_high = s_high * factor_high;
    let product_low = s_low * factor_high + factor_low * s;
    let high = leading(product_high + product_low);
    let low = product_low - (high - product_high);

    let scaled = FACTOR_HIGH * high;
    let rest = FACTOR_LOW * high + low * (FACTOR_HIGH + FACTOR_LOW) + rest_of_divisor;
    let total = leading((scaled + rest) + of_divisor + exponent);
    (total, rest - (((total - exponent) - of_divisor) - scaled))
}

/// The product of a number and a sum of two floats, the first of which has 26 bits, as such a sum.
#[inline(always)]
fn product(x: f64, (high, low): (f64, f64)) -> (f64, f64) {
    let x = select_unpredictable(x > LARGEST_EXPONENT, LARGEST_EXPONENT, x);
    let x = select_unpredictable(x < -LARGEST_EXPONENT, -LARGEST_EXPONENT, x);
    let upper = leading(x);
    (upper * high, (x - upper) * high + x * low)
}

/// 2 to the power of the sum of two floats.
#[inline(always)]
fn power_of_two((high, low): (f64, f64)) -> f64 {
    // ln 2
    const LN_2_HIGH: f64 = 0.693_147_182_464_599_6;
    const LN_2_LOW: f64 = -1.904_654_299_957_768e-9;
    const BIAS: u64 = 1023;
    // Beyond these the result is zero or infinite.
    let low = if high.abs() < 1200.0 { low } else { 0.0 };
    let high = if high > 1200.0 { 1200.0 } else { high };
    let high = if high < -1200.0 { -1200.0 } else { high };
    let shifted = high + ROUND;
    let distance = high - (shifted - ROUND);
    let (part, rest) = ordered_sum(distance, low);
    let upper = leading(part);
    let natural = upper * LN_2_HIGH;
    let small = ((part - upper) + rest) * LN_2 + upper * LN_2_LOW;
    let t = natural + small;
    // (exp(x) - 1 - x) / x² for |x| <= ln 2 / 2, within 2⁻⁵⁸
    let curve = polynomial!(
        t;
        0.5,
        0.166_666_666_666_666_7,
        0.041_666_666_666_666_616,
        0.008_333_333_333_326_167,
        0.001_388_888_888_891_795_7,
        0.000_198_412_698_747_209_83,
        2.480_158_724_574_576_3e-5,
        2.755_725_551_400_943_2e-6,
        2.755_734_961_639_768e-7,
        2.510_517_371_692_752e-8,
        2.088_937_492_375_144_3e-9
    );
    let (one, lost) = ordered_sum(1.0, natural);
    let power = one + (lost + (small + t * t * curve));
    // In two steps, of which the first is exact, because 2ⁿ may be beyond floats
    let biased = shifted.to_bits().wrapping_sub(ROUND.to_bits() - 2 * BIAS);
    let half = biased >> 1;
    let rest = biased.wrapping_sub(half);
    power * f64::from_bits(half << 52) * f64::from_bits(rest << 52)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::as_conversions, reason = "exact integers as floats")]

    use super::{cube, fourth, pow};

    /// Returns how far an integer is from an exact one, in units of its last place.
    fn units(found: f64, exact: i128) -> f64 {
        let unit = found.next_up() - found;
        (found as i128 - exact).unsigned_abs() as f64 / unit
    }

    #[test]
    fn third_and_fourth_powers_are_nearly_the_nearest() {
        let mut random = 1_u64;
        for _ in 0..100_000 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            // The cubes have up to 126 bits, and the fourth powers up to 124.
            let (x, y) = ((random >> 22) as i128, (random >> 33) as i128);
            assert!(units(cube(x as f64), x.pow(3)) < 0.501, "{x}");
            assert!(units(fourth(y as f64), y.pow(4)) < 0.501, "{y}");
            assert_eq!(pow(x as f64, 3.0), cube(x as f64));
            assert_eq!(pow(y as f64, 4.0), fourth(y as f64));
        }
    }

    #[test]
    fn third_and_fourth_powers_have_limits() {
        for (x, third, fourth_power) in [
            (-0.0, -0.0, 0.0),
            (f64::NEG_INFINITY, f64::NEG_INFINITY, f64::INFINITY),
            (-1e200, f64::NEG_INFINITY, f64::INFINITY),
            (1e-200, 0.0, 0.0),
            (-3.0, -27.0, 81.0),
        ] {
            assert_eq!(cube(x).to_bits(), f64::to_bits(third), "{x}");
            assert_eq!(fourth(x).to_bits(), f64::to_bits(fourth_power), "{x}");
        }
        assert!(cube(f64::NAN).is_nan() && fourth(f64::NAN).is_nan());
    }
}
