//! Powers of complex numbers: `exp(y ln x)`.
//!
//! The exponential magnifies the error of its argument, which reaches 700 and whose imaginary part, an angle, may be larger. So
//! `ln x` and its product with `y` are computed to twice the digits, as sums of two floats:
//!
//! 1. `l` is the logarithm as a complex number of single floats.
//! 2. `e = exp(l)` to twice the digits, by a series. `x / e` is close to one, and `ln x` is `l` plus its logarithm.
//! 3. `w = y ln x` to twice the digits.
//! 4. `exp(w)` is the exponential of the upper floats, turned and scaled by the lower ones.

use core::f64::consts::LN_2;

use super::arithmetic::complex_mul;
use super::complex::{exp, ln};
use super::double::{exponential, trigonometric};
use crate::dtype::c128;

/// A number as the sum of a float and the rest that it lacks.
#[derive(Clone, Copy)]
struct Double {
    high: f64,
    low: f64,
}

impl Double {
    const fn from(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }

    /// The sum of floats of which the first is the greater.
    fn ordered(high: f64, low: f64) -> Self {
        let sum = high + low;
        Self {
            high: sum,
            low: low - (sum - high),
        }
    }

    /// Knuth's exact sum of two floats.
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let part = high - a;
        let low = (a - (high - part)) + (b - part);
        Self { high, low }
    }

    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self {
            high,
            low: a.mul_add(b, -high),
        }
    }

    fn plus(self, other: Self) -> Self {
        let sum = Self::sum(self.high, other.high);
        Self::ordered(sum.high, sum.low + (self.low + other.low))
    }

    fn plus_float(self, x: f64) -> Self {
        let sum = Self::sum(self.high, x);
        Self::ordered(sum.high, sum.low + self.low)
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self {
            high: -other.high,
            low: -other.low,
        })
    }

    fn times(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let rest = self.high * other.low + self.low * other.high;
        Self::ordered(product.high, product.low + rest)
    }

    fn times_float(self, x: f64) -> Self {
        let product = Self::product(self.high, x);
        Self::ordered(product.high, product.low + self.low * x)
    }

    fn value(self) -> f64 {
        self.high + self.low
    }
}

/// A complex number of parts of twice the digits.
#[derive(Clone, Copy)]
struct Wide {
    re: Double,
    im: Double,
}

impl Wide {
    fn times(self, other: Self) -> Self {
        Self {
            re: self.re.times(other.re).minus(self.im.times(other.im)),
            im: self.re.times(other.im).plus(self.im.times(other.re)),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            re: self.re.plus(other.re),
            im: self.im.plus(other.im),
        }
    }

    fn from(z: c128) -> Self {
        Self {
            re: Double::from(z.re),
            im: Double::from(z.im),
        }
    }

    fn doubled(self) -> Self {
        let double = |x: Double| Double {
            high: 2.0 * x.high,
            low: 2.0 * x.low,
        };
        Self {
            re: double(self.re),
            im: double(self.im),
        }
    }

    /// `(x - y) (x + y) + 2 i x y`
    fn squared(self) -> Self {
        let product = self.re.times(self.im);
        Self {
            re: self.re.minus(self.im).times(self.re.plus(self.im)),
            im: product.plus(product),
        }
    }
}

/// ln 2 as the sum of two floats.
const LN_2_WIDE: Double = Double {
    high: LN_2,
    low: 2.319_046_813_846_299_6e-17,
};

/// 1, 1/2, 1/6, ..: the coefficients of the series of `(exp(z) - 1) / z`, without the first three.
const SERIES: [f64; 8] = [
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
];

/// `exp(z) - 1` to 70 bits, also near zero, of floats with parts up to about 3: the series of `z / 64`, squared six times. The terms
/// from the fourth on are so small that single floats are enough.
fn exponential_less_one(z: c128) -> Wide {
    const SQUARES: i32 = 6;
    const SIXTH: Double = Double {
        high: 1.0 / 6.0,
        low: 9.251_858_538_542_97e-18,
    };
    let z = z / f64::from(1 << SQUARES);
    let rest = SERIES
        .iter()
        .rev()
        .fold(c128::ZERO, |sum, next| sum * z + next);
    let rest = z * rest;
    let z = Wide::from(z);
    let rest = Wide {
        re: SIXTH.plus_float(rest.re),
        im: Double::from(rest.im),
    };
    let rest = z.times(rest);
    let rest = z.times(Wide {
        re: rest.re.plus_float(0.5),
        im: rest.im,
    });
    let mut less_one = z.plus(z.times(rest));
    for _ in 0..SQUARES {
        // (1 + d)^2 - 1 = 2 d + d^2
        less_one = less_one.doubled().plus(less_one.squared());
    }
    less_one
}

/// The logarithm of a finite number that is not zero, to twice the digits.
fn logarithm(x: c128) -> Wide {
    // A power of two leaves a number whose greater part is between 3/4 and 3/2, so that the logarithm of a number close to one is not
    // the difference of two.
    let size = x.re.abs().max(x.im.abs());
    let exponent = exponent_of(size / 0.75);
    let x = c128::new(scaled(x.re, -exponent), scaled(x.im, -exponent));
    let rough = ln(x);
    let less_one = exponential_less_one(rough);
    // x / e - 1 = (x - e) / e, where x - e is tiny
    let difference = c128::new(
        Double::sum(x.re, -1.0).minus(less_one.re).value(),
        Double::from(x.im).minus(less_one.im).value(),
    );
    let ratio = difference / c128::new(1.0 + less_one.re.high, less_one.im.high);
    // ln(1 + d) = d - d² / 2
    let rest = ratio - ratio * ratio / 2.0;
    let whole = LN_2_WIDE.times_float(f64::from(exponent));
    Wide {
        re: whole.plus(Double::sum(rough.re, rest.re)),
        im: Double::sum(rough.im, rest.im),
    }
}

/// The exponent of two of a positive finite number.
fn exponent_of(x: f64) -> i32 {
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    let normal = if x < f64::MIN_POSITIVE {
        x * TWO_TO_64
    } else {
        x
    };
    let biased = i32::try_from(normal.to_bits() >> 52).unwrap_or(0) - 1023;
    if x < f64::MIN_POSITIVE {
        biased - 64
    } else {
        biased
    }
}

/// `x` times a power of two, in two steps because the power may be beyond floats.
fn scaled(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * 2.0_f64.powi(half) * 2.0_f64.powi(exponent - half)
}

/// The power of finite numbers that are not zero, by single floats if their rounding matters little.
fn of_numbers(base: c128, exponent: c128, bound: f64) -> c128 {
    let log = ln(base);
    let power = exponent * log;
    let is_small = power.re.abs() + power.im.abs() < bound;
    // Beyond them the result is zero or infinite, or its angle unknown.
    let has_value = power.re.abs() < 1400.0 && power.im.abs() < 1e15;
    if !is_small && has_value {
        precise(base, exponent)
    } else if power.im == 0.0 {
        // Not a product with an infinity
        c128::new(exponential::exp(power.re), power.im)
    } else {
        exp(power)
    }
}

/// The power of finite numbers that are not zero.
fn precise(base: c128, exponent: c128) -> c128 {
    let log = logarithm(base);
    let product = |x: Double, y: f64| {
        if y == 0.0 {
            Double::from(0.0)
        } else {
            x.times_float(y)
        }
    };
    let real = product(log.re, exponent.re).minus(product(log.im, exponent.im));
    let angle = product(log.im, exponent.re).plus(product(log.re, exponent.im));
    let (sin, cos) = trigonometric::sin_cos(angle.high);
    // Turned by the rest of the angle, and scaled by that of the logarithm
    let (sin, cos) = (
        sin + (cos * angle.low + sin * real.low),
        cos + (cos * real.low - sin * angle.low),
    );
    if real.high.abs() < 700.0 {
        let size = exponential::exp(real.high);
        c128::new(cos * size, sin * size)
    } else {
        // The exponential may overflow although a product with it does not.
        let half = exponential::exp(real.high / 2.0);
        c128::new(cos * half * half, sin * half * half)
    }
}

/// `base` to the power of `exponent`, which gives what NumPy gives at zeros, infinities and NaN. If the argument of the exponential is
/// less than `bound`, it is computed to the digits of `f64`.
pub(super) fn pow(base: c128, exponent: c128, bound: f64) -> c128 {
    if exponent == c128::ZERO {
        return c128::ONE;
    }
    if base == c128::ZERO {
        let part = if exponent.re > 0.0 { 0.0 } else { f64::NAN };
        return c128::new(part, part);
    }
    let parts = [base.re, base.im, exponent.re, exponent.im];
    if exponent == c128::ONE {
        base
    } else if parts.iter().all(|x| x.is_finite()) {
        of_numbers(base, exponent, bound)
    } else {
        exp(complex_mul(exponent, ln(base)))
    }
}
