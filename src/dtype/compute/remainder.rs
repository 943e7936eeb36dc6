//! The remainder of two floats, as C's `fmod` has it, as code that vectorises.
//!
//! Processors have no instruction for it, and a library's `fmod` works bit by bit. But if the quotient is short, its product with the
//! divisor is exact, and so is the difference:
//!
//! ```text
//! quotient = round(a / b)                                an error of the division changes it at a half only
//! nearest  = a - quotient * b                            exact, between -b/2 and b/2
//! rest     = nearest, or one divisor farther from zero   exact, with the sign of a
//! ```
//!
//! Both are multiples of the unit of `b` in the last place (or `a` itself, if the quotient is zero) and not greater than `b`, so they are
//! floats. Loops test packs of operands for short quotients (`simd/by_case.rs`), and call the library for others.
#![expect(clippy::as_conversions, reason = "an exact conversion to `f32`")]

use super::double::leading;
use super::functions::ROUND;

/// A float that can be divided by another one.
pub(super) trait Remainder: Copy {
    /// Returns whether [`Self::remainder`] takes the short way: the quotient has at most 28 bits (24 in `f64`), or an operand is NaN.
    fn has_short_quotient(a: Self, b: Self) -> bool;
    /// The remainder of the quotient rounded towards zero: exact, with the sign of `a`. NaN if `b` is zero or `a` infinite.
    fn remainder(self, b: Self) -> Self;
}

impl Remainder for f32 {
    #[inline(always)]
    fn has_short_quotient(a: Self, b: Self) -> bool {
        const LIMIT: f32 = 268_435_456.0; // 2²⁸
        is_less_or_nan(a.abs(), b.abs() * LIMIT)
    }
    /// Computes in `f64`, which holds the products.
    #[inline(always)]
    fn remainder(self, b: Self) -> Self {
        if !Self::has_short_quotient(self, b) {
            return self % b;
        }
        let (a, b) = (f64::from(self), f64::from(b));
        with_sign_of(a, b, |quotient| a - quotient * b) as f32
    }
}

impl Remainder for f64 {
    #[inline(always)]
    fn has_short_quotient(a: Self, b: Self) -> bool {
        const LIMIT: f64 = 16_777_216.0; // 2²⁴
        // Products with greater numbers may overflow.
        const LARGEST: f64 = 1e300;
        is_less_or_nan(a.abs(), b.abs() * LIMIT) & is_less_or_nan(a.abs(), LARGEST)
    }
    /// The divisor is a sum of two short floats, whose products with the quotient are exact.
    #[inline(always)]
    fn remainder(self, b: Self) -> Self {
        if !Self::has_short_quotient(self, b) {
            return self % b;
        }
        let high = leading(b);
        with_sign_of(self, b, |quotient| {
            (self - quotient * high) - quotient * (b - high)
        })
    }
}

#[inline(always)]
#[expect(clippy::neg_cmp_op_on_partial_ord, reason = "NaN counts as less")]
fn is_less_or_nan<T: PartialOrd>(a: T, b: T) -> bool {
    !(a >= b)
}

/// The remainder with the sign of `a`, from the one that `rest_of` computes of the nearest quotient.
#[inline(always)]
fn with_sign_of(a: f64, b: f64, rest_of: impl Fn(f64) -> f64) -> f64 {
    let quotient = (a / b + ROUND) - ROUND;
    // A divisor may be infinite.
    let rest = if quotient == 0.0 {
        a
    } else {
        rest_of(quotient)
    };
    let is_beyond = (rest < 0.0) != (a < 0.0);
    let farther = rest + b.abs().copysign(a);
    // Also of a zero.
    (if is_beyond & (rest != 0.0) {
        farther
    } else {
        rest
    })
    .copysign(a)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Remainder;

    /// Compares with Rust's operator, which is C's `fmod`, in all pairs of numbers.
    macro_rules! agrees {
        ($float:ident, $a:expr, $b:expr) => {{
            let (a, b): ($float, $float) = ($a, $b);
            let (found, expected) = (a.remainder(b), a % b);
            assert!(
                found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
                "{a:e} by {b:e} gives {found:e}, not {expected:e}"
            );
        }};
    }

    macro_rules! limits {
        ($test:ident $float:ident) => {
            #[test]
            fn $test() {
                let mut numbers = vec![
                    0.0,
                    $float::INFINITY,
                    $float::NAN,
                    $float::MAX,
                    $float::MIN_POSITIVE,
                ];
                for exponent in [
                    -1_000, -140, -30, -3, -2, -1, 0, 1, 2, 3, 23, 24, 25, 27, 28, 29, 52, 53, 100,
                    120, 996, 1_000,
                ] {
                    let power = (2.0 as $float).powi(exponent);
                    for factor in [1.0, 1.0 / 3.0, 0.1, 3.0, 7.0, 10.0, 100.5] {
                        let number = power * factor;
                        // Neighbours, where quotients are near integers.
                        for steps in 0..4 {
                            numbers.push($float::from_bits(
                                (number.to_bits() + 2).saturating_sub(steps),
                            ));
                        }
                    }
                }
                for &a in &numbers {
                    for &b in &numbers {
                        for (a, b) in [(a, b), (-a, b), (a, -b), (-a, -b)] {
                            agrees!($float, a, b);
                        }
                    }
                }
            }
        };
    }

    limits!(f32_agrees_at_limits f32);
    limits!(f64_agrees_at_limits f64);

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn all_bits(a in any::<u32>(), b in any::<u32>(), wide in any::<[u64; 2]>()) {
            agrees!(f32, f32::from_bits(a), f32::from_bits(b));
            agrees!(f64, f64::from_bits(wide[0]), f64::from_bits(wide[1]));
        }

        /// Multiples of the divisor, and numbers beside them.
        #[test]
        fn multiples(b in 1.0..2.0_f64, scale in -60..60, count in 0..1_u32 << 30, steps in 0..4_u64) {
            let b = b * f64::from(scale).exp2();
            let near = f64::from(count) * b;
            agrees!(f64, f64::from_bits((near.to_bits() + 2).saturating_sub(steps)), b);
            let (b, near) = (b as f32, (f64::from(count) * f64::from(b as f32)) as f32);
            agrees!(f32, f32::from_bits((near.to_bits() + 2).saturating_sub(steps as u32)), b);
            agrees!(f32, near * 0.5, -b);
        }
    }
}
