//! Exponentials and hyperbolic functions of `f64`, as code that vectorises.
//!
//! All of them write the argument as `n ln 2 + part`, where the part is between -ln 2 / 2 and ln 2 / 2, and use one pair of polynomials:
//!
//! ```text
//! cosh(part) = 1 + part² / 2 + part⁴ * even(part²)
//! sinh(part) = part + part³ * odd(part²)
//! exp(part) = cosh(part) + sinh(part)
//! ```
//!
//! The large terms of a result are exact, or have their rounding errors in a second float, and the others are small. So the last addition
//! makes most of the error. Powers of two are those of `n - 1`, because 2ⁿ overflows where some results do not.

use core::f64::consts::{LN_2, LOG2_E};

use super::super::functions::{ROUND, polynomial};
use super::leading;

/// The argument `n ln 2 + part + rest`. The rest is less than a unit of the part.
struct Reduced {
    /// `n` in the lowest bits
    shifted: f64,
    part: f64,
    rest: f64,
}

/// Splits `x + more`, where `x` is between -800 and 711, and `more` at most a unit of it.
#[inline(always)]
fn reduce(x: f64, more: f64) -> Reduced {
    // 42 bits of ln 2, whose products with an integer of 11 bits are exact, and the rest.
    const HIGH: f64 = 0.693_147_180_559_890_3;
    const LOW: f64 = 5.497_923_018_708_371e-14;
    let shifted = x * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let (high, low) = (x - n * HIGH, n * LOW - more);
    let part = high - low;
    Reduced {
        shifted,
        part,
        rest: (high - part) - low,
    }
}

/// (cosh(x) - 1 - x² / 2) / x⁴ and (sinh(x) - x) / x³ of x², for |x| <= ln 2 / 2.
#[inline(always)]
fn even_and_odd(square: f64) -> (f64, f64) {
    let even = polynomial!(
        square;
        0.041_666_666_666_666_68,
        0.001_388_888_888_887_900_8,
        2.480_158_733_662_718_4e-5,
        2.755_726_307_513_505e-7,
        2.091_821_495_170_294_2e-9
    );
    let odd = polynomial!(
        square;
        0.166_666_666_666_666_69,
        0.008_333_333_333_330_037,
        0.000_198_412_698_631_779_4,
        2.755_726_826_171_465e-6,
        2.510_048_160_169_691_6e-8
    );
    (even, odd)
}

impl Reduced {
    /// exp(part + rest) - 1 - part
    #[inline(always)]
    fn curve(&self) -> f64 {
        let square = self.part * self.part;
        let (even, odd) = even_and_odd(square);
        let of_rest = self.rest * (1.0 + self.part);
        0.5 * square + (square * (square * even + self.part * odd) + of_rest)
    }
}

/// 2 to the power of the integer in the lowest bits of a float, plus another. The sum is from -1022 to 1023.
#[inline(always)]
fn power_of_two(shifted: f64, more: i64) -> f64 {
    let one = 1.0_f64.to_bits().wrapping_add_signed(more << 52);
    f64::from_bits((shifted.to_bits() << 52).wrapping_add(one))
}

/// Returns the argument, or the bound if that is greater. NaN stays.
#[inline(always)]
pub(super) fn at_least(x: f64, bound: f64) -> f64 {
    if x < bound { bound } else { x }
}

/// Returns the argument, or the bound if that is less. NaN stays.
#[inline(always)]
pub(super) fn at_most(x: f64, bound: f64) -> f64 {
    if x > bound { bound } else { x }
}

/// `(sum + rest) * first * second`, where both factors are powers of two. The first product is far from overflow and underflow, so that
/// what is multiplied before the second factor is accurate also where the power alone underflows.
pub(super) struct Power {
    sum: f64,
    rest: f64,
    first: f64,
    pub(super) second: f64,
}

impl Power {
    /// 2ⁿ exp(part + rest)
    #[inline(always)]
    fn of(reduced: &Reduced, is_small: bool) -> Self {
        /// 2⁻⁵¹²
        const SMALL: f64 = f64::from_bits((1023 - 512) << 52);
        let sum = 1.0 + reduced.part;
        let lost = reduced.part - (sum - 1.0);
        Self {
            sum,
            rest: lost + reduced.curve(),
            first: power_of_two(reduced.shifted, if is_small { 512 } else { -1 }),
            second: if is_small { SMALL } else { 2.0 },
        }
    }

    /// The exponential of `x + rest`, where the rest is less than a unit of `x`.
    #[inline(always)]
    pub(super) fn exp(x: f64, rest: f64) -> Self {
        // Beyond these the result is zero or infinity.
        let x = at_most(at_least(x, -800.0), 710.0);
        Self::of(&reduce(x, rest), x < -700.0)
    }

    #[inline(always)]
    fn value(&self) -> f64 {
        (self.sum + self.rest) * self.first * self.second
    }

    /// The power, as the nearest float and the rest. Where the power is subnormal, the rest is rounded too.
    #[inline(always)]
    pub(super) fn sum(&self) -> Sum {
        let Sum { high, low } = self.first_product();
        Sum {
            high: high * self.second,
            low: low * self.second,
        }
    }

    /// The power without its second factor, as the nearest float and the rest.
    #[inline(always)]
    pub(super) fn first_product(&self) -> Sum {
        let high = self.sum + self.rest;
        let low = self.rest - (high - self.sum);
        Sum {
            high: high * self.first,
            low: low * self.first,
        }
    }
}

/// A number as the sum of a float and a rest of about half a unit of it or less.
pub(super) struct Sum {
    pub(super) high: f64,
    pub(super) low: f64,
}

impl Sum {
    /// The number plus one, by Knuth's exact sum.
    #[inline(always)]
    pub(super) fn plus_one(&self) -> Self {
        let high = self.high + 1.0;
        let part = high - 1.0;
        let lost = (self.high - part) + (1.0 - (high - part));
        Self {
            high,
            low: lost + self.low,
        }
    }

    /// The quotient, rounded once.
    #[inline(always)]
    pub(super) fn over(&self, under: &Self) -> f64 {
        let (quotient, rest) = self.quotient(under, 1.0 / under.high);
        quotient + rest
    }

    /// The quotient as the sum of two floats, by the inverse of the divisor, of which some digits may be wrong. A quotient of floats is rounded
    /// to 26 bits, so that its products with two parts of the divisor are exact. The difference between the dividend and these products
    /// corrects it.
    #[inline(always)]
    pub(super) fn quotient(&self, under: &Self, inverse: f64) -> (f64, f64) {
        let under_high = leading(under.high);
        let under_low = (under.high - under_high) + under.low;
        let quotient = leading(self.high * inverse);
        let remainder = ((self.high - quotient * under_high) - quotient * under_low) + self.low;
        (quotient, remainder * inverse)
    }
}

#[inline(always)]
pub(in super::super) fn exp(x: f64) -> f64 {
    Power::exp(x, 0.0).value()
}

#[inline(always)]
pub(in super::super) fn exp2(x: f64) -> f64 {
    // 26 bits of ln 2, and the rest
    const HIGH: f64 = 0.693_147_167_563_438_4;
    const LOW: f64 = 1.299_650_689_388_988_9e-8;
    /// Added to a number between -1/2 and 1/2, rounds it to a multiple of 2⁻²⁶.
    const ROUND_TO_PART: f64 = ROUND / 67_108_864.0;
    // Beyond these the result is zero or infinity.
    let x = at_most(at_least(x, -1076.0), 1025.0);
    let shifted = x + ROUND;
    let distance = x - (shifted - ROUND);
    let few_bits = (distance + ROUND_TO_PART) - ROUND_TO_PART;
    let high = few_bits * HIGH;
    let low = few_bits * LOW + (distance - few_bits) * LN_2;
    let part = high + low;
    let rest = (high - part) + low;
    let reduced = Reduced {
        shifted,
        part,
        rest,
    };
    Power::of(&reduced, x < -1000.0).value()
}

/// Half of exp(x) - 1, as the sum of a float and a small rest.
#[inline(always)]
fn half_of_exp_m1(x: f64) -> (f64, f64) {
    let reduced = reduce(x, 0.0);
    let scale = power_of_two(reduced.shifted, -1);
    let whole = scale - 0.5;
    let rest_of_whole = (scale - whole) - 0.5;
    let scaled = scale * reduced.part;
    let sum = whole + scaled;
    let lost = scaled - (sum - whole);
    (sum, (lost + rest_of_whole) + scale * reduced.curve())
}

/// A number so close to zero that odd functions with the slope one, and `exp_m1`, are the number itself.
const TINY: f64 = 2e-17;

#[inline(always)]
pub(in super::super) fn exp_m1(x: f64) -> f64 {
    // Beyond these the result is -1 or infinity.
    let (half, rest) = half_of_exp_m1(at_most(at_least(x, -40.0), 710.0));
    if x.abs() < TINY {
        x
    } else {
        (half + rest) * 2.0
    }
}

/// The quotient of half of `exp(2x) - 1` and that plus one.
#[inline(always)]
pub(in super::super) fn tanh(x: f64) -> f64 {
    let size = at_most(x.abs(), 20.0); // The result rounds to one from 19.1 on.
    let (sum, rest) = half_of_exp_m1(size + size);
    let high = sum + rest;
    let half = Sum {
        high,
        low: rest - (high - sum),
    };
    let result = half.over(&half.plus_one()).copysign(x);
    if x.abs() < 1e-9 { x } else { result }
}

/// The parts of an argument's hyperbolic sine and cosine.
struct Hyperbolic {
    /// Half of sinh(n ln 2) and of cosh(n ln 2), rounded: the difference and the sum of the powers
    sinh: f64,
    cosh: f64,
    /// A quarter of 2ⁿ and of 2⁻ⁿ
    power: f64,
    inverse: f64,
    reduced: Reduced,
    /// cosh(part) - 1
    even: f64,
    /// sinh(part) / part - 1
    odd: f64,
}

/// For numbers between 0 and 710.5
#[inline(always)]
fn hyperbolic(size: f64) -> Hyperbolic {
    let reduced = reduce(size, 0.0);
    let square = reduced.part * reduced.part;
    let (even, odd) = even_and_odd(square);
    // Beyond 2⁶⁰ the other power does not matter.
    let at_most_60 = at_most(reduced.shifted, ROUND + 60.0);
    let inverse = f64::from_bits(0.25_f64.to_bits().wrapping_sub(at_most_60.to_bits() << 52));
    let power = power_of_two(reduced.shifted, -2);
    Hyperbolic {
        sinh: power - inverse,
        cosh: power + inverse,
        power,
        inverse,
        even: 0.5 * square + square * (square * even),
        odd: square * odd,
        reduced,
    }
}

/// `sinh(n ln 2) * cosh(part) + cosh(n ln 2) * sinh(part)`
#[inline(always)]
pub(in super::super) fn sinh(x: f64) -> f64 {
    let h = hyperbolic(at_most(x.abs(), 710.5));
    let Reduced { part, rest, .. } = h.reduced;
    let sinh_rest = (h.power - h.sinh) - h.inverse;
    let product = h.cosh * part;
    let product_rest = (h.power * part - product) + h.inverse * part;
    let sum = h.sinh + product;
    let lost = product - (sum - h.sinh);
    let small = (h.sinh * h.even + product * h.odd) + (product_rest + h.cosh * rest);
    let half = sum + ((lost + sinh_rest) + small);
    let result = (half + half).copysign(x);
    if x.abs() < 1e-9 { x } else { result }
}

/// `cosh(n ln 2) * cosh(part) + sinh(n ln 2) * sinh(part)`
#[inline(always)]
pub(in super::super) fn cosh(x: f64) -> f64 {
    let h = hyperbolic(at_most(x.abs(), 710.5));
    let Reduced { part, rest, .. } = h.reduced;
    let cosh_rest = (h.power - h.cosh) + h.inverse;
    let product = h.sinh * part;
    let sum = h.cosh + product;
    let lost = product - (sum - h.cosh);
    let small = (h.cosh * h.even + product * h.odd) + h.sinh * rest;
    let half = sum + ((lost + cosh_rest) + small);
    half + half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_are_exact() {
        for n in -1074..=1023_i16 {
            // The bits of a subnormal power are one bit, those of others an exponent.
            let bits = match u64::try_from(i64::from(n) + 1022) {
                Ok(above) => (above + 1) << 52,
                Err(_) => 1 << (n + 1074),
            };
            assert_eq!(exp2(n.into()).to_bits(), bits, "{n}");
        }
        assert_eq!(exp2(1024.0), f64::INFINITY);
        assert_eq!(exp2(-1075.0), 0.0);
    }

    /// The last numbers with finite results and those after them, infinities, and NaN.
    #[test]
    fn results_overflow_where_they_should() {
        for (function, last) in [
            (exp as fn(f64) -> f64, 709.782_712_893_384),
            (exp_m1, 709.782_712_893_384),
            (sinh, 710.475_860_073_943_9),
            (cosh, 710.475_860_073_943_9),
        ] {
            assert!(function(last).is_finite());
            for x in [last.next_up(), 1e300, f64::INFINITY] {
                assert_eq!(function(x), f64::INFINITY, "{x:e}");
            }
            assert!(function(f64::NAN).is_nan());
        }
        assert_eq!(sinh(f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert_eq!(cosh(f64::NEG_INFINITY), f64::INFINITY);
        assert_eq!(exp_m1(f64::NEG_INFINITY), -1.0);
        assert_eq!(tanh(f64::NEG_INFINITY), -1.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert_eq!(exp(-745.133_219_101_941_1), f64::from_bits(1));
        assert_eq!(exp(-745.133_219_101_941_2), 0.0);
    }

    #[test]
    fn small_numbers_stay_themselves() {
        for size in [0.0, f64::from_bits(1), f64::MIN_POSITIVE, 1e-200, 1e-18] {
            for x in [size, -size] {
                for function in [exp_m1, sinh, tanh] {
                    assert_eq!(function(x).to_bits(), x.to_bits(), "{x:e}");
                }
                assert_eq!([exp(x), exp2(x), cosh(x)], [1.0; 3], "{x:e}");
            }
        }
        assert_eq!(exp(1.0), core::f64::consts::E);
    }
}
