//! Division of many integers of 64 bits by one divisor, as products.
//!
//! The multiplier is the reciprocal of the divisor, scaled by a power of two and rounded up to an integer of 65 bits. The product with a
//! dividend, divided by that power and rounded down, is the quotient, for every dividend. (Granlund and Montgomery, "Division by
//! invariant integers using multiplication", 1994, figure 4.1. The highest bit of the multiplier is always set; it is not stored, but
//! its product is added.)
//!
//! Signed integers are divided by their magnitudes. If the quotient is negative and rounds down, it is `-1 - (-1 - a) / b` with `a`
//! negative and `b` positive, which divides an integer that is not negative.
#![expect(clippy::as_conversions, reason = "halves and bits of integers")]

use super::arithmetic::{Divide, Truncate};

/// An integer of 64 bits, by which others can be divided as products.
pub(crate) trait WideInteger: Divide + Truncate + Eq + 'static {
    type Reciprocal: Reciprocal<Self>;
}

/// A divisor that is prepared for many dividends. The methods give the integers of [`Divide`] and [`Truncate`].
pub(crate) trait Reciprocal<T>: Sized {
    /// Prepares a divisor; `None` for zero.
    fn of(divisor: T) -> Option<Self>;
    /// Rounds the quotient towards negative infinity.
    fn floor_div(&self, dividend: T) -> T;
    /// The remainder of [`Self::floor_div`].
    fn floor_rem(&self, dividend: T) -> T;
    /// Rounds the quotient towards zero.
    fn truncated_div(&self, dividend: T) -> T;
}

/// The reciprocal of an unsigned integer.
pub(crate) struct Unsigned {
    divisor: u64,
    /// The multiplier without its highest bit, 2^64.
    multiplier: u64,
    /// Two shifts that add up to the exponent of the scale, less 64. The first one is 0 or 1.
    shifts: [u32; 2],
}

impl Unsigned {
    #[inline(always)]
    fn quotient(&self, dividend: u64) -> u64 {
        let product = u128::from(self.multiplier) * u128::from(dividend);
        let high = (product >> 64) as u64;
        // `(high + dividend) >> (shifts[0] + shifts[1])`, but that sum may have 65 bits.
        (high + ((dividend - high) >> self.shifts[0])) >> self.shifts[1]
    }
}

impl Reciprocal<u64> for Unsigned {
    fn of(divisor: u64) -> Option<Self> {
        // The bits of the divisor minus one: 2^bits is the least power of two that is not below the divisor.
        let bits = u64::BITS - divisor.checked_sub(1)?.leading_zeros();
        let rest = (1_u128 << bits) - u128::from(divisor);
        Some(Self {
            divisor,
            // Below 2^64, because the rest is less than the divisor.
            multiplier: ((rest << 64) / u128::from(divisor)) as u64 + 1,
            shifts: [bits.min(1), bits.saturating_sub(1)],
        })
    }
    #[inline(always)]
    fn floor_div(&self, dividend: u64) -> u64 {
        self.quotient(dividend)
    }
    #[inline(always)]
    fn floor_rem(&self, dividend: u64) -> u64 {
        dividend - self.quotient(dividend) * self.divisor
    }
    #[inline(always)]
    fn truncated_div(&self, dividend: u64) -> u64 {
        self.quotient(dividend)
    }
}

/// The reciprocal of a signed integer.
pub(crate) struct Signed {
    divisor: i64,
    magnitude: Unsigned,
    /// All bits if the divisor is negative, or none.
    sign: i64,
}

impl Reciprocal<i64> for Signed {
    fn of(divisor: i64) -> Option<Self> {
        Some(Self {
            divisor,
            magnitude: Unsigned::of(divisor.unsigned_abs())?,
            sign: divisor >> 63,
        })
    }
    #[inline(always)]
    fn floor_div(&self, dividend: i64) -> i64 {
        // The dividend whose quotient by the magnitude is the same. The least integer by a negative divisor wraps to itself, which is
        // right as an unsigned integer.
        let numerator = (dividend ^ self.sign).wrapping_sub(self.sign);
        // All bits if the quotient is negative: the numerator is, other than by that wrap.
        let below = (numerator & !(dividend & self.sign)) >> 63;
        let quotient = self.magnitude.quotient((numerator ^ below) as u64);
        quotient as i64 ^ below
    }
    #[inline(always)]
    fn floor_rem(&self, dividend: i64) -> i64 {
        dividend.wrapping_sub(self.floor_div(dividend).wrapping_mul(self.divisor))
    }
    #[inline(always)]
    fn truncated_div(&self, dividend: i64) -> i64 {
        let sign = (dividend >> 63) ^ self.sign;
        let quotient = self.magnitude.quotient(dividend.unsigned_abs());
        // The least integer divided by -1 wraps.
        (quotient as i64 ^ sign).wrapping_sub(sign)
    }
}

impl WideInteger for u64 {
    type Reciprocal = Unsigned;
}

impl WideInteger for i64 {
    type Reciprocal = Signed;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees<T: WideInteger + core::fmt::Debug>(dividends: &[T], divisors: &[T]) {
        for divisor in divisors {
            let Some(by) = T::Reciprocal::of(*divisor) else {
                assert_eq!(divisor.truncated_div(*divisor), divisor.floor_div(*divisor));
                continue;
            };
            for dividend in dividends {
                let found = [
                    by.floor_div(*dividend),
                    by.floor_rem(*dividend),
                    by.truncated_div(*dividend),
                ];
                let expected = [
                    dividend.floor_div(*divisor),
                    dividend.floor_rem(*divisor),
                    dividend.truncated_div(*divisor),
                ];
                assert_eq!(found, expected, "{dividend:?} by {divisor:?}");
            }
        }
    }

    /// Integers near powers of two, their multiples and their quotients, where rounded reciprocals are least exact.
    fn near_powers() -> Vec<u64> {
        let mut numbers: Vec<u64> = (0..300).collect();
        for bit in 0..64 {
            for factor in [1, 3, 7, 641, 6_700_417] {
                let number = 1_u64 << bit;
                for number in [number.wrapping_mul(factor), number / factor] {
                    numbers.extend([number, number.wrapping_sub(1), number.wrapping_add(1)]);
                    numbers.extend([number.wrapping_neg(), !number, (!number).wrapping_sub(1)]);
                }
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    #[test]
    fn quotients_near_powers_of_two() {
        let numbers = near_powers();
        agrees(&numbers, &numbers);
        let signed: Vec<i64> = numbers.iter().map(|number| number.cast_signed()).collect();
        agrees(&signed, &signed);
    }

    /// The dividends next to multiples of a divisor, where a wrong quotient shows.
    #[test]
    fn quotients_near_multiples() {
        let rng = &mut fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let divisor = (rng.u64(..) >> rng.u32(..64)).max(1);
            let mut dividends = vec![u64::MAX, rng.u64(..)];
            for _ in 0..8 {
                let multiple = divisor * (rng.u64(..=u64::MAX / divisor) >> rng.u32(..64));
                dividends.extend([-1, 0, 1].map(|offset| multiple.wrapping_add_signed(offset)));
            }
            agrees(&dividends, &[divisor]);
            let signed: Vec<i64> = dividends
                .iter()
                .flat_map(|it| [it.cast_signed(), it.cast_signed().wrapping_neg()])
                .collect();
            let divisor = divisor.cast_signed();
            agrees(&signed, &[divisor, divisor.wrapping_neg()]);
        }
    }

    /// All pairs of integers of 16 bits, at the low and at the high end of 64.
    #[test]
    fn all_short_quotients() {
        let step = if cfg!(debug_assertions) { 1009 } else { 1 };
        let low: Vec<i64> = (i64::from(i16::MIN)..=i64::from(i16::MAX)).collect();
        let high: Vec<u64> = (0..=u64::from(u16::MAX)).map(|number| !number).collect();
        for divisor in (i16::MIN..=i16::MAX).step_by(step) {
            agrees(&low, &[i64::from(divisor)]);
            agrees(&high, &[i64::from(divisor).cast_unsigned()]);
        }
    }
}
