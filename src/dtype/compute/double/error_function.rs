//! The error function of `f64` and its complement.
//!
//! Below 0.65, `erf(t) = t + t * slope(t²)`. From there on, with u = (t - 3) / (t + 3),
//!
//! ```text
//! erfc(t) = exp(-t²) * (5/4 + curve(u)) / (1 + 2 t)
//! ```
//!
//! where `curve` is between -0.11 and 0.04. The exponential, the sum and the divisor are sums of two floats.

use core::hint::select_unpredictable;

use super::super::functions::polynomial;
use super::exponential::{Power, Sum, at_most};
use super::{ordered_sum, square};

/// (erf(t) - t) / t as a polynomial of t², within 2⁻⁵⁷·⁷, from the lowest power to the highest
pub(crate) const SLOPE: [f64; 10] = [
    0.128_379_167_095_512_56,
    -0.376_126_389_031_835_43,
    0.112_837_916_709_386_9,
    -0.026_866_170_640_176_06,
    0.005_223_977_549_421_744_5,
    -0.000_854_832_031_023_603_9,
    0.000_120_549_711_023_797_53,
    -1.491_352_820_920_034_2e-5,
    1.621_491_332_658_142_7e-6,
    -1.352_581_602_282_417_1e-7,
];

/// (1 + 2 t) exp(t²) erfc(t) - 5/4 for t from 0.65 to 27.4 as a polynomial of (t - 3) / (t + 3), within 2⁻⁶⁰
pub(crate) const CURVE: [f64; 22] = [
    0.003_008_058_269_729_653,
    -0.135_621_106_124_581_23,
    -0.047_562_294_353_451_266,
    0.129_645_158_702_768_13,
    -0.119_273_663_415_269_3,
    0.068_308_027_343_655_94,
    -0.023_770_514_919_743_333,
    0.002_529_391_822_688_363,
    0.001_888_690_373_393_093_5,
    -0.000_779_832_349_516_697_4,
    -0.000_105_159_892_676_824_98,
    0.000_125_099_910_735_368_84,
    4.949_761_532_139_877e-6,
    -2.010_313_640_440_536_3e-5,
    -7.314_469_451_557_676e-7,
    3.479_937_246_749_574_7e-6,
    3.536_851_411_925_029e-7,
    -6.301_175_990_470_746e-7,
    -1.315_713_206_848_843_5e-7,
    1.149_862_774_304_637_4e-7,
    2.759_495_299_730_977e-8,
    -1.796_553_704_296_372e-8,
];

/// Below it, `erf` is the sum with [`near_zero`], and from there on one less [`Complement`].
pub(crate) const SMALL: f64 = 0.65;

/// The error function of `t`, which is less than 0.65, minus `t`.
#[inline(always)]
pub(super) fn near_zero(t: f64, square: f64) -> f64 {
    let slope = polynomial!(square; SLOPE[0 1 2 3 4 5 6 7 8 9]);
    t * slope
}

/// `(high + low) * scale`, where the scale is a power of two. The sum is far from underflow.
pub(super) struct Complement {
    high: f64,
    low: f64,
    scale: f64,
}

impl Complement {
    /// The complement of the error function of `t + rest`, which is at least 1/2. The square is that of the sum.
    #[inline(always)]
    pub(super) fn of(t: f64, rest: f64, (square, square_rest): (f64, f64)) -> Self {
        let power = Power::exp(-square, -square_rest);
        let first = power.first_product();
        let (divisor, lost) = ordered_sum(t + t, 1.0);
        let under = Sum {
            high: divisor,
            low: lost + (rest + rest),
        };
        // Both inverses by one division
        let inverse = 1.0 / ((t + 3.0) * divisor);
        let u = (t - 3.0) * (divisor * inverse);
        let curve = polynomial!(u; CURVE[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21]);
        let (most, lost) = ordered_sum(first.high, 0.25 * first.high);
        let (high, low) = ordered_sum(most, first.high * curve);
        let over = Sum {
            high,
            low: low + (lost + first.low * 1.25),
        };
        let (high, low) = over.quotient(&under, (t + 3.0) * inverse);
        Self {
            high,
            low,
            scale: power.second,
        }
    }

    /// The product with a number, which may be greater than zero where the complement alone rounds to zero.
    #[inline(always)]
    pub(super) fn times(&self, number: f64) -> f64 {
        (self.high + self.low) * number * self.scale
    }

    /// A number of few bits less this one.
    #[inline(always)]
    pub(super) fn subtracted_from(&self, number: f64) -> f64 {
        let (sum, lost) = ordered_sum(number, -(self.high * self.scale));
        sum + (lost - self.low * self.scale)
    }
}

/// From here on `erf` rounds to one, and `erfc` to zero.
pub(crate) const LARGE: f64 = 28.0;

#[inline(always)]
pub(in super::super) fn erf(x: f64) -> f64 {
    let size = at_most(x.abs(), LARGE);
    let (high, low) = square(size);
    let near = size + near_zero(size, high);
    let far = Complement::of(size, 0.0, (high, low)).subtracted_from(1.0);
    select_unpredictable(size < SMALL, near, far).copysign(x)
}

#[inline(always)]
pub(in super::super) fn erfc(x: f64) -> f64 {
    let size = at_most(x.abs(), LARGE);
    let (high, low) = square(size);
    let (sum, lost) = ordered_sum(1.0, -x);
    let near = sum + (lost - near_zero(x, high));
    let complement = Complement::of(size, 0.0, (high, low));
    let far = if x < 0.0 {
        complement.subtracted_from(2.0)
    } else {
        complement.times(1.0)
    };
    select_unpredictable(size < SMALL, near, far)
}
