//! From the bits of a generator to single elements.

use core::ops::Range;

use rand::Rng;

use super::IntegerRange;
use crate::array::Array;
use crate::dtype::cast::{CastElement, cast};
use crate::dtype::compute::Functions;
use crate::dtype::{DType, Element};
use crate::error::Error;
use crate::literals::Scalar;
use crate::rule_set::LiteralPolicy;

/// A float from zero up to but not one, a multiple of 2^-53.
#[expect(clippy::as_conversions, reason = "53 bits are exact in an `f64`")]
fn unit<G: Rng + ?Sized>(rng: &mut G) -> f64 {
    (rng.next_u64() >> 11) as f64 * (0.5 * f64::EPSILON)
}

/// An integer below a bound, each with the same probability; any integer if the bound is zero, which stands for 2^64.
///
/// The upper half of a product of 128 bits, drawn again in the few cases that would be too frequent (Lemire 2019).
fn below<G: Rng + ?Sized>(bound: u64, rng: &mut G) -> u64 {
    if bound == 0 {
        return rng.next_u64();
    }
    let excess = bound.wrapping_neg() % bound;
    loop {
        let [low, high] = halves(u128::from(rng.next_u64()) * u128::from(bound));
        if low >= excess {
            return high;
        }
    }
}

/// The lower and the upper 64 bits.
#[expect(clippy::as_conversions, reason = "truncates on purpose")]
fn halves(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

/// The number below which 64 random bits are with a probability.
#[expect(clippy::as_conversions, reason = "at most 2^64")]
pub(super) fn threshold(probability: f64) -> Result<u128, Error> {
    if !(0.0..=1.0).contains(&probability) {
        return Err(Error::Parameter {
            operation: "bernoulli",
            parameter: "probability",
            value: probability,
            expected: "from 0 to 1",
        });
    }
    Ok((probability * (1_u128 << 64) as f64) as u128)
}

/// Puts elements in random order: each is exchanged with itself or one before it (Fisher and Yates).
pub(super) fn shuffle<E, G: Rng + ?Sized>(elements: &mut [E], rng: &mut G) {
    let mut rest = elements;
    while let [.., _] = rest {
        let last = rest.len() - 1;
        // A length is less than 2^64, and so is what is below it.
        let bound = u64::try_from(rest.len()).unwrap_or(u64::MAX);
        let at = usize::try_from(below(bound, rng)).unwrap_or(last);
        rest.swap(at, last);
        (rest, _) = rest.split_at_mut(last);
    }
}

/// The numbers from zero up to `len`.
pub(super) fn counted<E: Element>(len: usize) -> Result<Array, Error> {
    let last = Scalar::from(len.saturating_sub(1));
    let fits = last.to_scalar_bits("permutation", E::DTYPE, LiteralPolicy::EXACT);
    fits.map_err(|_| Error::TooManyPositions {
        operation: "permutation",
        count: len,
        dtype: E::DTYPE,
    })?;
    let mut next = 0_u64;
    Array::from_positions(&[len], |_| {
        let element: E = cast(next);
        next += 1;
        element
    })
}

/// Integers in a range.
pub(super) struct Integers {
    start: i128,
    /// The number of integers; zero stands for 2^64.
    count: u64,
}

impl Integers {
    /// # Errors
    /// [`Error::RandomRange`] if the range is empty, or beyond the dtype.
    pub(super) fn new(dtype: DType, range: impl IntegerRange) -> Result<Self, Error> {
        let Range { start, end } = range.half_open();
        let (least, greatest) = dtype.integer_bounds();
        if start >= end || start < least || end > greatest + 1 {
            return Err(Error::RandomRange {
                operation: "integers",
                dtype,
                start: Scalar::Int(start),
                end: Scalar::Int(end),
            });
        }
        let [count, _] = halves(end.abs_diff(start));
        Ok(Self { start, count })
    }

    pub(super) fn sample<E: CastElement, G: Rng + ?Sized>(&self, rng: &mut G) -> E {
        let integer = self.start + i128::from(below(self.count, rng));
        match i64::try_from(integer) {
            Ok(integer) => cast(integer),
            // Above 2^63; an element of 64 bits.
            Err(_) => cast(u64::try_from(integer).unwrap_or(u64::MAX)),
        }
    }
}

/// Floats in a range.
pub(super) struct Uniform<E> {
    range: Range<f64>,
    /// The first element in the range, as an `f64`.
    first: f64,
    /// The least finite element.
    least: E,
    /// The bits of an `f64` that a normal element does not have.
    low: u64,
    /// The least positive normal element, as an `f64`.
    normal: f64,
}

impl<E: Element> Uniform<E> {
    /// # Errors
    /// [`Error::RandomRange`] if the dtype has no value in the range, or if the range or its width is not finite in the dtype.
    pub(super) fn new(range: Range<f64>) -> Result<Self, Error> {
        let [least, greatest] = [f64::NEG_INFINITY, f64::INFINITY].map(|x| E::of(E::saturate(x)));
        let inside = |x: f64| cast::<E, f64>(least) <= x && x <= cast::<E, f64>(greatest);
        let Range { start, end } = range;
        let nearest: E = cast(start);
        let first = match cast::<E, f64>(nearest) < start {
            true => nearest.next_after(greatest),
            false => nearest,
        };
        let first = cast::<E, f64>(first);
        let valid = inside(start) && inside(end) && (end - start).is_finite();
        if !valid || first >= end {
            return Err(Error::RandomRange {
                operation: "uniform",
                dtype: E::DTYPE,
                start: Scalar::Float(start),
                end: Scalar::Float(end),
            });
        }
        let [one, tiny] =
            [1.0, 0.0].map(|x| cast::<E, f64>(cast::<f64, E>(x).next_after(greatest)));
        Ok(Self {
            range,
            first,
            least,
            low: one.to_bits() - 1.0_f64.to_bits() - 1,
            normal: tiny / (one - 1.0),
        })
    }

    /// Rounds down, so that the end is never reached, and each element stands for the numbers up to the next one.
    pub(super) fn sample<G: Rng + ?Sized>(&self, rng: &mut G) -> E {
        let Range { start, end } = self.range;
        let x = start + unit(rng) * (end - start);
        let x = if x < end { x } else { end.next_down() };
        if self.low == 0 {
            return cast(x); // an `f64`
        }
        let down = match x.abs() < self.normal {
            true => self.next_below(x),
            false => self.without_low_bits(x),
        };
        cast(if down < self.first { self.first } else { down })
    }

    /// Rounds a number with the exponent of a normal element down, by its bits: rounding to nearest would be wrong for half of the
    /// numbers, which is a branch that processors cannot predict (6 times slower for `f32`).
    fn without_low_bits(&self, x: f64) -> f64 {
        let bits = x.to_bits();
        // Below zero, down is away from zero. A mask of the sign, because a condition would become a branch too.
        let sign = (bits.cast_signed() >> 63).cast_unsigned();
        f64::from_bits((bits + (self.low & sign)) & !self.low)
    }

    /// Rounds any number down. Subnormal elements have fewer bits.
    #[cold]
    fn next_below(&self, x: f64) -> f64 {
        let nearest: E = cast(x);
        cast(match cast::<E, f64>(nearest) > x {
            true => nearest.next_after(self.least),
            false => nearest,
        })
    }
}

/// Floats of a normal distribution.
pub(super) struct Normal {
    mean: f64,
    deviation: f64,
}

impl Normal {
    /// # Errors
    /// [`Error::Parameter`] if the mean is not finite, or the standard deviation not finite or below zero.
    pub(super) fn new(mean: f64, deviation: f64) -> Result<Self, Error> {
        let refused = |parameter, value, expected| {
            Err(Error::Parameter {
                operation: "normal",
                parameter,
                value,
                expected,
            })
        };
        if !mean.is_finite() {
            return refused("mean", mean, "a finite number");
        }
        if !(deviation >= 0.0 && deviation.is_finite()) {
            return refused("standard deviation", deviation, "a finite number from 0 up");
        }
        Ok(Self { mean, deviation })
    }

    /// One draw for each element, computed in `f64` and rounded once.
    #[expect(clippy::as_conversions, reason = "52 bits are exact in an `f64`")]
    pub(super) fn sample<E: Element, G: Rng + ?Sized>(&self, rng: &mut G) -> E {
        // From 2^-53 to one less 2^-53, and symmetric.
        let probability = ((rng.next_u64() >> 12) as f64 + 0.5) * f64::EPSILON;
        cast(self.mean + self.deviation * normal_quantile(probability))
    }
}

/// The number below which a normal variable is with a probability between zero and one: the rational approximations of
/// algorithm AS 241 (`PPND16`, Wichura 1988), with a relative error of about 1e-16.
///
/// Multiplications, additions, divisions and square roots are the same on all processors, and so is the logarithm, which is
/// made of them. It is called for the outer 15 % only.
#[expect(
    clippy::excessive_precision,
    reason = "the coefficients as they were published"
)]
fn normal_quantile(probability: f64) -> f64 {
    const A: [f64; 8] = [
        2.509_080_928_730_122_672_7e3,
        3.343_057_558_358_812_810_5e4,
        6.726_577_092_700_870_085_3e4,
        4.592_195_393_154_987_145_7e4,
        1.373_169_376_550_946_112_5e4,
        1.971_590_950_306_551_442_7e3,
        1.331_416_678_917_843_774_5e2,
        3.387_132_872_796_366_608,
    ];
    const B: [f64; 8] = [
        5.226_495_278_852_854_561e3,
        2.872_908_573_572_194_267_4e4,
        3.930_789_580_009_271_061e4,
        2.121_379_430_158_659_586_7e4,
        5.394_196_021_424_751_107_7e3,
        6.871_870_074_920_579_083e2,
        4.231_333_070_160_091_125_2e1,
        1.0,
    ];
    const C: [f64; 8] = [
        7.745_450_142_783_414_076_4e-4,
        2.272_384_498_926_918_458_33e-2,
        2.417_807_251_774_506_117_7e-1,
        1.270_458_252_452_368_382_58,
        3.647_848_324_763_204_605_04,
        5.769_497_221_460_691_405_5,
        4.630_337_846_156_545_295_9,
        1.423_437_110_749_683_577_34,
    ];
    const D: [f64; 8] = [
        1.050_750_071_644_416_843_24e-9,
        5.475_938_084_995_344_946e-4,
        1.519_866_656_361_645_719_66e-2,
        1.481_039_764_274_800_745_9e-1,
        6.897_673_349_851_000_045_5e-1,
        1.676_384_830_183_803_849_4,
        2.053_191_626_637_758_821_87,
        1.0,
    ];
    const E: [f64; 8] = [
        2.010_334_399_292_288_132_65e-7,
        2.711_555_568_743_487_578_15e-5,
        1.242_660_947_388_078_438_6e-3,
        2.653_218_952_657_612_309_3e-2,
        2.965_605_718_285_048_912_3e-1,
        1.784_826_539_917_291_335_8,
        5.463_784_911_164_114_369_9,
        6.657_904_643_501_103_777_2,
    ];
    const F: [f64; 8] = [
        2.044_263_103_389_939_785_64e-15,
        1.421_511_758_316_445_888_7e-7,
        1.846_318_317_510_054_681_8e-5,
        7.868_691_311_456_132_591e-4,
        1.487_536_129_085_061_485_25e-2,
        1.369_298_809_227_358_053_1e-1,
        5.998_322_065_558_879_376_9e-1,
        1.0,
    ];
    let ratio = |over: [f64; 8], under: [f64; 8], x: f64| {
        let [over, under] =
            [over, under].map(|all| all.into_iter().fold(0.0, |sum, c| sum * x + c));
        over / under
    };
    let distance = probability - 0.5;
    if distance.abs() <= 0.425 {
        return distance * ratio(A, B, 0.180625 - distance * distance);
    }
    let tail = if distance < 0.0 {
        probability
    } else {
        1.0 - probability
    };
    let r = (-Functions::ln(tail)).sqrt();
    let magnitude = match r <= 5.0 {
        true => ratio(C, D, r - 1.6),
        false => ratio(E, F, r - 5.0),
    };
    if distance < 0.0 {
        -magnitude
    } else {
        magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::normal_quantile;

    /// Python's `statistics.NormalDist().inv_cdf`, which is this algorithm with the platform's logarithm.
    #[test]
    fn quantiles_are_those_of_python() {
        for (probability, expected) in [
            (0.5, 0.0),
            (0.25, -0.674_489_750_196_081_7),
            (0.925, 1.439_531_470_938_456),
            (0.975, 1.959_963_984_540_053_6),
            (1e-6, -4.753_424_308_822_899),
            (1e-12, -7.034_483_825_301_132),
        ] {
            let found = normal_quantile(probability);
            assert!(
                (found - expected).abs() <= 1e-15 * expected.abs(),
                "{probability}: {found}"
            );
        }
        assert_eq!(normal_quantile(0.3), -normal_quantile(0.7));
    }
}
