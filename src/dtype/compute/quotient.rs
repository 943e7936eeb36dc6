//! Division of a pack of floats by one divisor, as products.
//!
//! With AVX-512 an Intel processor divides 16 floats in 10 cycles, and multiplies 32 in one. If all divisors of a pack are one number, as
//! those of `x / 3.0` and of a matrix by a column are, the rounded reciprocal of that number gives the same quotients:
//!
//! ```text
//! quotient = a * reciprocal               near a / b
//! rest     = a - quotient * b             by fused multiply-add
//! quotient + rest * reciprocal            rounded once: a / b
//! ```
//!
//! (Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990.) For fractions from 1 to 2, let u be 2⁻²⁴. The
//! reciprocal is off by u / 2 at most, the first quotient by 1.5 u, and the rest, which is below 3 u, by 2 u². So the sum is off by 2.5 u²
//! before it is rounded, and it rounds as a / b does unless a / b is that near to the middle between two floats. A test tries all such pairs of
//! fractions, 46 million. Exponents change nothing as long as no number here is subnormal or infinite, so the divisor and the dividends
//! must lie within bounds. A dividend may also be +0.

use crate::simd::{Isa, MAX_REGISTER_BYTES, black_box_f32, lanes};

/// Magnitudes of dividends are between 2⁻¹⁰⁰ and 2¹⁰⁰.
const DIVIDENDS: [f32; 2] = [7.888_609e-31, 1.267_650_6e30];
/// Magnitudes of divisors are between 2⁻²⁵ and 2²⁵.
const DIVISORS: [f32; 2] = [2.980_232_2e-8, 33_554_432.0];

/// Divides a pack by another.
#[inline(always)]
pub(super) fn of_packs<I: Isa, const N: usize>(a: &[f32; N], b: &[f32; N]) -> [f32; N] {
    let divisor = black_box_f32(b[0]);
    // With AVX-512 only: with AVX2 the tests take longer than the quotients, and the baseline may lack fused multiply-add.
    if const { I::REGISTER_BYTES >= MAX_REGISTER_BYTES }
        && is_usual_divisor(divisor)
        && all::<N>(|lane| b[lane] == divisor)
        && all::<N>(|lane| is_usual_dividend(a[lane]))
    {
        let reciprocal = 1.0 / divisor;
        return lanes(|lane| as_product::<I>(a[lane], divisor, reciprocal));
    }
    lanes(|lane| a[lane] / b[lane])
}

/// The quotient of a [usual dividend](is_usual_dividend) and a [usual divisor](is_usual_divisor) with this reciprocal.
#[inline(always)]
fn as_product<I: Isa>(a: f32, b: f32, reciprocal: f32) -> f32 {
    let quotient = a * reciprocal;
    let rest = I::mul_add(-quotient, b, a);
    I::mul_add(rest, reciprocal, quotient)
}

/// Returns whether a condition holds of all lanes. Without an early exit, so that it is a comparison of vectors.
#[inline(always)]
fn all<const N: usize>(holds: impl Fn(usize) -> bool) -> bool {
    let (mut all, mut lane) = (true, 0);
    while lane < N {
        all &= holds(lane);
        lane += 1;
    }
    all
}

#[inline(always)]
fn is_usual_divisor(x: f32) -> bool {
    let [least, greatest] = DIVISORS;
    (x.abs() >= least) & (x.abs() <= greatest)
}

/// -0 is not usual: as the sum of two zeros the quotient would lose its sign.
#[inline(always)]
fn is_usual_dividend(x: f32) -> bool {
    let [least, greatest] = DIVIDENDS.map(f32::to_bits);
    let magnitude = x.to_bits() & !(1 << 31);
    (magnitude.wrapping_sub(least) <= greatest - least) | (x.to_bits() == 0)
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::simd::V4;

    const ONE: u64 = 1 << 23;

    /// The inverse of an odd number modulo 2⁶⁴.
    fn inverse(odd: u64) -> u64 {
        (0..6).fold(1, |inverse: u64, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)))
        })
    }

    /// Calls a function with all dividends between 1 and 2, in units of 2⁻²³, whose quotient by `b` is near the middle between two floats.
    ///
    /// The middle is `middle` units of 2⁻²⁴, or of 2⁻²⁵ if the quotient is below one, and `middle` is odd. So the dividend is
    /// `(middle * b + distance) / 2^bits` for a small `distance`, and that must be an integer.
    fn near_middles(b: u64, mut found: impl FnMut(u64)) {
        let zeros = b.trailing_zeros();
        let inverse = inverse(b >> zeros);
        for bits in [24, 25] {
            for distance in (-8..=8_i64).filter(|distance| *distance != 0) {
                // `middle` is odd, so the product has as many factors of two as `b`.
                if distance.trailing_zeros() != zeros {
                    continue;
                }
                let step = 1 << (bits - zeros);
                let least = (-(distance >> zeros)).cast_unsigned().wrapping_mul(inverse) % step;
                for middle in (least..2 * (2 * ONE)).step_by(step.try_into().unwrap()) {
                    let product = i64::try_from(middle * b).unwrap() + distance;
                    let a = (product >> bits).cast_unsigned();
                    let is_integer = product % (1 << bits) == 0;
                    let is_of_bits = (bits == 24) == (a >= b);
                    if middle >= 2 * ONE && is_integer && is_of_bits && (ONE..2 * ONE).contains(&a)
                    {
                        found(a);
                    }
                }
            }
        }
    }

    /// Tries the divisors between 1 and 2 that are `step` units of 2⁻²³ apart.
    fn check(step: usize) -> usize {
        let float = |units: u64| {
            f32::from_bits(1_f32.to_bits() - (1 << 23) + u32::try_from(units).unwrap())
        };
        let mut tried = 0;
        for b in (ONE..2 * ONE).step_by(step) {
            let divisor = float(b);
            near_middles(b, |a| {
                let a = float(a);
                let quotient = as_product::<V4>(a, divisor, 1.0 / divisor);
                assert!(
                    quotient.to_bits() == (a / divisor).to_bits(),
                    "{a:e} / {divisor:e}"
                );
                tried += 1;
            });
        }
        tried
    }

    #[test]
    fn products_round_as_quotients_near_the_middle() {
        assert!(check(1_009) > 40_000);
    }

    #[test]
    #[ignore = "every divisor: seconds in release, minutes in debug"]
    fn products_round_as_quotients_near_every_middle() {
        assert_eq!(check(1), 46_517_418);
    }
}
