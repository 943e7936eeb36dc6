//! The functions of `f32` that neural networks use most, exponentials and [`tanh`], computed in `f32`.
//!
//! Many other functions of `f32` compute in `f64` ([`functions`](super::functions)). That is simpler, but vectors of `f64` have half as many
//! lanes, and conversions take as long as the arithmetic. Exponentials take half of the time with AVX-512 and up to four fifths
//! with AVX2, `tanh` a third:
//!
//! - They use fused multiply-add. A processor without one computes it in `f64` and rounds twice, which changes no result of these
//!   functions ([`Isa::mul_add`]).
//! - What a rounding cuts off is kept where it matters, in a second float that is added last ([`Power`]).
//! - Loops test each pack of arguments: if all of them [are moderate](is_moderate), an exponential needs neither bounds nor a second
//!   factor, and takes three quarters of the time with AVX-512, five sixths with AVX2 (`simd/by_case.rs`).
//!
//! Comments name the errors of polynomials, `docs/accuracy.md` those of functions. A test tries all arguments.

use crate::simd::Isa;

/// Added to a small number, rounds it to an integer, which stands in the lowest bits.
pub(super) const ROUND: f32 = 12_582_912.0; // 1.5 * 2²³

/// ln 2 in two parts. The first has 16 bits, so that its products with exponents are exact.
pub(super) const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// An exponential: `(high + low) * 2ⁿ`, where the sum is between √½ and √2 and `low` is less than an eighth of it.
pub(super) struct Power {
    high: f32,
    low: f32,
    /// `n`, plus a multiple of 2²².
    exponent: u32,
}

impl Power {
    /// eˣ, where `x` is between -130 and 95.
    #[inline(always)]
    pub(super) fn of_e<I: Isa>(x: f32) -> Self {
        Self::of_e_to_sum::<I>(x, -0.0)
    }

    /// e to the power of a sum. The second number is what the first one lacks.
    #[inline(always)]
    pub(super) fn of_e_to_sum<I: Isa>(x: f32, rest: f32) -> Self {
        let (main, rest, shifted) = modulo_ln_2::<I>(x, rest);
        Self::of_parts::<I>(main, rest, shifted)
    }

    /// 2ˣ, where `x` is between -170 and 129.
    #[inline(always)]
    fn of_two<I: Isa>(x: f32) -> Self {
        const LOW: f32 = -1.904_654_3e-9;
        let shifted = x + ROUND;
        let part = x - (shifted - ROUND);
        let main = part * core::f32::consts::LN_2;
        let rest = I::mul_add(part, core::f32::consts::LN_2, -main);
        Self::of_parts::<I>(main, I::mul_add(part, LOW, rest), shifted)
    }

    /// 2ⁿ times the exponential of a sum between -ln(2) / 2 and ln(2) / 2.
    #[inline(always)]
    fn of_parts<I: Isa>(main: f32, rest: f32, shifted: f32) -> Self {
        let x = main + rest;
        let square = x * x;
        let curve = curve::<I>(x, square);
        let high = 1.0 + main;
        // The rounding error of that addition, then the remaining terms: the smallest first, so that the least is lost.
        let low = (main - (high - 1.0)) + rest;
        let low = I::mul_add(curve, square * x, low);
        Self {
            high,
            low: I::mul_add(square, 0.5, low),
            exponent: shifted.to_bits(),
        }
    }

    /// 2ⁿ as a product, of which each factor is a normal number.
    #[inline(always)]
    fn scales(&self) -> [f32; 2] {
        const EXPONENT: u32 = 0xff80_0000;
        let half = (self.exponent << 22) & EXPONENT;
        let rest = (self.exponent << 23).wrapping_sub(half);
        [half, rest].map(|exponent| f32::from_bits(exponent.wrapping_add(1.0_f32.to_bits())))
    }

    /// 1 / (1 + the power), where that is between 2⁻¹²⁶ and 2¹²⁶, as `main * (1 + error)`.
    #[inline(always)]
    pub(super) fn logistic<I: Isa>(&self) -> (f32, f32) {
        let scale = self.single_scale();
        let power = self.high * scale;
        // In this order NaN stays.
        let (greater, smaller) = if power < 1.0 {
            (1.0, power)
        } else {
            (power, 1.0)
        };
        let sum = greater + smaller;
        let cut_off = I::mul_add(self.low, scale, smaller - (sum - greater));
        let main = 1.0 / (sum + cut_off);
        let error = I::mul_add(-main, sum, 1.0);
        (main, I::mul_add(-main, cut_off, error))
    }

    /// A product with the power, rounded once, or twice if it is below the least normal number.
    #[inline(always)]
    pub(super) fn times<I: Isa>(&self, x: f32) -> f32 {
        let product = x * self.high;
        let cut_off = I::mul_add(x, self.high, -product);
        let [half, rest] = self.scales();
        (product + (cut_off + x * self.low)) * rest * half
    }

    /// 2ⁿ, if that is a normal number.
    #[inline(always)]
    fn single_scale(&self) -> f32 {
        f32::from_bits((self.exponent << 23).wrapping_add(1.0_f32.to_bits()))
    }

    /// Rounded. A result below the least normal number is rounded twice.
    ///
    /// The result is a normal number if the argument [is moderate](is_moderate): then `n` is added to the exponent, and loops over moderate
    /// arguments leave the product with two factors out.
    #[inline(always)]
    fn value(&self, is_moderate: bool) -> f32 {
        let sum = self.high + self.low;
        if is_moderate {
            return scaled(sum, self.exponent);
        }
        let [half, rest] = self.scales();
        sum * rest * half
    }
}

/// A normal number times 2ⁿ, if that is a normal number. `exponent` is `n`, plus a multiple of 2²².
#[inline(always)]
fn scaled(x: f32, exponent: u32) -> f32 {
    f32::from_bits(x.to_bits().wrapping_add(exponent << 23))
}

/// The quotient of a sum and ln 2, rounded and added to [`ROUND`], and the rest of the division: a sum between -ln(2) / 2 and ln(2) / 2.
#[inline(always)]
fn modulo_ln_2<I: Isa>(x: f32, rest: f32) -> (f32, f32, f32) {
    let shifted = I::mul_add(x, core::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    // Exact. The rest is small, so that the rounding of its product is too.
    let main = I::mul_add(n, -LN_2[0], x);
    (main, I::mul_add(n, -LN_2[1], rest), shifted)
}

/// (exp(x) - 1 - x - x² / 2) / x³ for |x| <= ln(2) / 2, within 2⁻³⁴ of the exponential.
#[inline(always)]
fn curve<I: Isa>(x: f32, square: f32) -> f32 {
    let upper = I::mul_add(x, 1.394_470_3e-3, 8.333_498e-3);
    let upper = I::mul_add(square, 1.979_029_7e-4, upper);
    let lower = I::mul_add(x, 4.166_629_5e-2, 1.666_666_6e-1);
    I::mul_add(square, upper, lower)
}

/// An exponential: `(1 + main + rest) * 2ⁿ`, where `main` is exact, between -ln(2) / 2 and ln(2) / 2, and `rest` less than 1/14.
///
/// A product with another number needs fewer operations than one with a [`Power`].
pub(super) struct Growth {
    pub(super) main: f32,
    pub(super) rest: f32,
    /// `n`, plus a multiple of 2²².
    exponent: u32,
}

impl Growth {
    /// e to the power of a sum, which is between -110 and 0. The second number is what the first one lacks.
    #[inline(always)]
    pub(super) fn of_e_to_sum<I: Isa>(x: f32, rest: f32) -> Self {
        let (main, rest, shifted) = modulo_ln_2::<I>(x, rest);
        let x = main + rest;
        let square = x * x;
        let bend = I::mul_add(curve::<I>(x, square), x, 0.5);
        Self {
            main,
            rest: I::mul_add(square, bend, rest),
            exponent: shifted.to_bits(),
        }
    }

    /// A normal number times 2ⁿ, if that is a normal number.
    #[inline(always)]
    pub(super) fn scale(&self, x: f32) -> f32 {
        scaled(x, self.exponent)
    }

    /// The magnitude of a number times 2ⁿ, less than one. It is rounded twice if it is below the least normal number.
    ///
    /// No operation has a subnormal result, which would take long: the digits of a subnormal number are rounded as those of an integer.
    #[inline(always)]
    pub(super) fn scale_down<I: Isa>(&self, x: f32) -> f32 {
        // Times 2¹⁰⁰, which keeps it normal.
        const UP: u32 = 100 << 23;
        const LEAST: f32 = 1.0 / 67_108_864.0; // 2⁻¹²⁶⁺¹⁰⁰
        const TO_INTEGER: f32 = 562_949_953_421_312.0; // 2¹⁴⁹⁻¹⁰⁰
        // Added to a smaller number, rounds it to an integer, which stands in the lowest bits.
        const ROUND_DOWN: f32 = 8_388_608.0; // 2²³
        let scale = f32::from_bits((self.exponent << 23).wrapping_add(1.0_f32.to_bits() + UP));
        let up = x.abs() * scale;
        let integer = I::mul_add(up, TO_INTEGER, ROUND_DOWN)
            .to_bits()
            .wrapping_sub(ROUND_DOWN.to_bits());
        let bits = if up < LEAST {
            integer
        } else {
            up.to_bits().wrapping_sub(UP)
        };
        f32::from_bits(bits)
    }
}

/// Returns a number, or the bound if that is less. NaN stays.
#[inline(always)]
pub(super) fn at_most(x: f32, bound: f32) -> f32 {
    if x > bound { bound } else { x }
}

/// Returns a number between bounds. NaN stays.
#[inline(always)]
fn between(x: f32, least: f32, greatest: f32) -> f32 {
    let x = at_most(x, greatest);
    if x < least { least } else { x }
}

/// Returns whether eˣ and 2ˣ are normal numbers, and so are their products with a rounding error. (An operation with a subnormal result can
/// take a hundred cycles.)
#[inline(always)]
pub(super) fn is_moderate(x: f32) -> bool {
    x.abs() < 64.0
}

#[inline(always)]
pub(super) fn exp<I: Isa>(x: f32) -> f32 {
    let is_moderate = is_moderate(x);
    // Beyond these bounds the result is infinite or zero. (Just below the least subnormal number, rounding to zero would take long.)
    let x = if is_moderate {
        x
    } else {
        between(x, -115.0, 89.0)
    };
    Power::of_e::<I>(x).value(is_moderate)
}

/// The exponential of a number that is not positive; zero where that is below the least normal number.
#[inline(always)]
pub(crate) fn exp_or_zero<I: Isa>(x: f32) -> f32 {
    let is_tiny = x < -87.3;
    let power = Power::of_e::<I>(if is_tiny { 0.0 } else { x });
    if is_tiny {
        0.0
    } else {
        (power.high + power.low) * power.single_scale()
    }
}

#[inline(always)]
pub(super) fn exp2<I: Isa>(x: f32) -> f32 {
    let is_moderate = is_moderate(x);
    let x = if is_moderate {
        x
    } else {
        between(x, -166.0, 129.0)
    };
    Power::of_two::<I>(x).value(is_moderate)
}

#[inline(always)]
pub(super) fn exp_m1<I: Isa>(x: f32) -> f32 {
    // Below -18 the result rounds to -1.
    let [half, rest] = exp_m1_parts::<I>(between(x, -18.0, 89.0));
    let result = 2.0 * (half + rest);
    // The scale would cut off bits of subnormal numbers, and the sign of zero.
    if x.abs() < 1e-9 { x } else { result }
}

/// Half of eˣ - 1, where `x` is between -30 and 89, as a sum of two numbers. Half of the power does not overflow before the result does.
#[inline(always)]
fn exp_m1_parts<I: Isa>(x: f32) -> [f32; 2] {
    let power = Power::of_e::<I>(x);
    let scale = f32::from_bits((power.exponent << 23).wrapping_add(0.5_f32.to_bits()));
    let (less, cut_off) = sum(power.high * scale, -0.5);
    [less, I::mul_add(power.low, scale, cut_off)]
}

/// Returns `x`, or below zero `alpha * (exp(x) - 1)`. The rounding errors of the sum of its parts and of the product are added last, so that
/// the product adds little to the error of [`exp_m1`].
#[inline(always)]
pub(crate) fn elu<I: Isa>(x: f32, alpha: f32) -> f32 {
    // Below -25 the exponential changes no digit of the result.
    let [half, rest] = exp_m1_parts::<I>(between(x, -25.0, 0.0));
    // Both parts have few digits of a result near zero: for those, two terms of the series. The third is less than 2⁻²⁸ of the result.
    let is_near_zero = x.abs() < 1.0 / 8192.0;
    let (main, rest) = if is_near_zero {
        (x, 0.5 * x * x)
    } else {
        (2.0 * half, 2.0 * rest)
    };
    let less = main + rest;
    let less_cut_off = rest - (less - main);
    let product = alpha * less;
    // Exact, so that a processor without fused multiply-add computes the same.
    let cut_off = I::mul_add(alpha, less, -product);
    let rounded = product + (alpha * less_cut_off + cut_off);
    // If the product is infinite, its rounding error is NaN. If it is zero, the error may have the opposite sign.
    let product = if product.abs() < f32::INFINITY {
        rounded.copysign(product)
    } else {
        product
    };
    // The same value. In the loop for this factor (`unit` in `op/binary.rs`) the compiler drops everything above.
    let product = if alpha == 1.0 { less } else { product };
    if x >= 0.0 { x } else { product }
}

/// A sum, and what rounding cut off (Knuth's two-sum).
#[inline(always)]
fn sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// With `n` as |x| / ln 2 rounded down (up from 0.94: found to lose least), `r` the rest, and i = 4⁻ⁿ:
///
/// ```text
/// tanh(n ln 2) = (1 - i) / (1 + i)
/// tanh |x| = ((1 - i) + (1 + i) tanh r) / ((1 + i) + (1 - i) tanh r)
///          = (1 - i) + i ((3 - i) tanh r - (1 - i)) / ((1 + i) + (1 - i) tanh r)
/// ```
///
/// The last form adds a small number to one that is exact, so that little is lost; for `n` = 0 it is
/// tanh r itself.
#[inline(always)]
pub(super) fn tanh<I: Isa>(x: f32) -> f32 {
    let magnitude = x.abs();
    // Above 9.02 the result rounds to one. NaN stays.
    let magnitude = if magnitude > 9.02 { 9.02 } else { magnitude };
    let shifted = I::mul_add(magnitude, core::f32::consts::LOG2_E, -0.44) + ROUND;
    let n = shifted - ROUND;
    let rest = I::mul_add(n, -core::f32::consts::LN_2, magnitude);
    let square = rest * rest;
    // (tanh(x) / x - 1) / x² for |x| <= 0.94 ln 2, so that tanh(x) is within 2⁻²⁶
    let mut curve = -0.005_501_238_f32;
    for coefficient in [0.020_456_527, -0.053_683_97, 0.133_307_81, -0.333_332_58] {
        curve = I::mul_add(curve, square, coefficient);
    }
    let tanh_rest = I::mul_add(square * curve, rest, rest);
    let i = f32::from_bits(1.0_f32.to_bits().wrapping_sub(shifted.to_bits() << 24));
    let base = 1.0 - i;
    let more = i * I::mul_add(3.0 - i, tanh_rest, -base) / I::mul_add(base, tanh_rest, 1.0 + i);
    (base + more).copysign(x)
}
