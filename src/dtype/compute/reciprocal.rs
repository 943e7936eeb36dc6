//! Division of many integers by one divisor, as products.
//!
//! The multiplier is the reciprocal of the divisor, scaled by a power of two and rounded up to an integer of one bit more than the
//! elements have. The product with a dividend, divided by that power and rounded down, is the quotient, for every dividend. (Granlund and
//! Montgomery, "Division by invariant integers using multiplication", 1994, figure 4.1. The highest bit of the multiplier is always set;
//! it is not stored, but its product is added.)
//!
//! Signed integers are divided by their magnitudes. If the quotient is negative and rounds down, it is `-1 - (-1 - a) / b` with `a`
//! negative and `b` positive, which divides an integer that is not negative.
#![expect(clippy::as_conversions, reason = "halves and bits of integers")]

use super::arithmetic::{Divide, Truncate};

/// An integer by which others can be divided as products.
pub(crate) trait Integer: Divide + Truncate + Eq + 'static {
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
pub(crate) struct Unsigned<T> {
    divisor: T,
    /// The multiplier without its highest bit, which is beyond the bits of `T`.
    multiplier: T,
    /// Two shifts that add up to the exponent of the scale, less the bits of `T`. The first one is 0 or 1.
    shifts: [u32; 2],
}

/// The reciprocal of a signed integer.
pub(crate) struct Signed<T, U> {
    divisor: T,
    magnitude: Unsigned<U>,
    /// All bits if the divisor is negative, or none.
    sign: T,
}

/// `unsigned signed double;` for integers of one size, and those of twice the size.
macro_rules! reciprocals {
    ($($unsigned:ident $signed:ident $double:ident;)*) => {$(
        impl Unsigned<$unsigned> {
            #[inline(always)]
            fn quotient(&self, dividend: $unsigned) -> $unsigned {
                let wide = $double::from(dividend);
                let high = ($double::from(self.multiplier) * wide) >> $unsigned::BITS;
                let [first, second] = self.shifts;
                if $unsigned::BITS < 64 {
                    return ((high + wide) >> (first + second)) as $unsigned;
                }
                // The same for integers that processors do not shift at once. That sum may have 65 bits.
                let high = high as $unsigned;
                (high + ((dividend - high) >> first)) >> second
            }
        }

        impl Reciprocal<$unsigned> for Unsigned<$unsigned> {
            #[inline]
            fn of(divisor: $unsigned) -> Option<Self> {
                // The bits of the divisor minus one: 2^bits is the least power of two that is not below the divisor.
                let bits = $unsigned::BITS - divisor.checked_sub(1)?.leading_zeros();
                let rest = (1 << bits) - $double::from(divisor);
                let scaled = rest << $unsigned::BITS;
                Some(Self {
                    divisor,
                    // It fits, because the rest is less than the divisor.
                    multiplier: (scaled / $double::from(divisor)) as $unsigned + 1,
                    shifts: [bits.min(1), bits.saturating_sub(1)],
                })
            }
            #[inline(always)]
            fn floor_div(&self, dividend: $unsigned) -> $unsigned {
                self.quotient(dividend)
            }
            #[inline(always)]
            fn floor_rem(&self, dividend: $unsigned) -> $unsigned {
                dividend - self.quotient(dividend) * self.divisor
            }
            #[inline(always)]
            fn truncated_div(&self, dividend: $unsigned) -> $unsigned {
                self.quotient(dividend)
            }
        }

        impl Reciprocal<$signed> for Signed<$signed, $unsigned> {
            #[inline]
            fn of(divisor: $signed) -> Option<Self> {
                Some(Self {
                    divisor,
                    magnitude: Unsigned::<$unsigned>::of(divisor.unsigned_abs())?,
                    sign: divisor >> ($signed::BITS - 1),
                })
            }
            #[inline(always)]
            fn floor_div(&self, dividend: $signed) -> $signed {
                // The dividend whose quotient by the magnitude is the same. The least integer by a negative divisor wraps to itself, which
                // is right as an unsigned integer.
                let numerator = (dividend ^ self.sign).wrapping_sub(self.sign);
                // All bits if the quotient is negative: the numerator is, other than by that wrap.
                let below = (numerator & !(dividend & self.sign)) >> ($signed::BITS - 1);
                let quotient = self.magnitude.quotient((numerator ^ below) as $unsigned);
                quotient as $signed ^ below
            }
            #[inline(always)]
            fn floor_rem(&self, dividend: $signed) -> $signed {
                dividend.wrapping_sub(self.floor_div(dividend).wrapping_mul(self.divisor))
            }
            #[inline(always)]
            fn truncated_div(&self, dividend: $signed) -> $signed {
                let sign = (dividend >> ($signed::BITS - 1)) ^ self.sign;
                let quotient = self.magnitude.quotient(dividend.unsigned_abs());
                // The least integer divided by -1 wraps.
                (quotient as $signed ^ sign).wrapping_sub(sign)
            }
        }

        impl Integer for $unsigned {
            type Reciprocal = Unsigned<$unsigned>;
        }

        impl Integer for $signed {
            type Reciprocal = Signed<$signed, $unsigned>;
        }
    )*};
}

reciprocals! {
    u8 i8 u16;
    u16 i16 u32;
    u32 i32 u64;
    u64 i64 u128;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees<T: Integer + core::fmt::Debug>(dividends: &[T], divisors: &[T]) {
        for divisor in divisors {
            let Some(by) = T::Reciprocal::of(*divisor) else {
                assert_eq!(divisor.truncated_div(*divisor), divisor.floor_div(*divisor));
                continue;
            };
            for dividend in dividends {
                // Not as two arrays, whose comparison takes long in a debug build.
                let is_same = by.floor_div(*dividend) == dividend.floor_div(*divisor)
                    && by.floor_rem(*dividend) == dividend.floor_rem(*divisor)
                    && by.truncated_div(*dividend) == dividend.truncated_div(*divisor);
                assert!(is_same, "{dividend:?} by {divisor:?}");
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

    #[test]
    fn all_quotients_of_8_bits() {
        let unsigned: Vec<u8> = (0..=u8::MAX).collect();
        agrees(&unsigned, &unsigned);
        let signed: Vec<i8> = (i8::MIN..=i8::MAX).collect();
        agrees(&signed, &signed);
    }

    /// All dividends of 16 bits, and those of 32 that are the low half of [`near_powers`].
    #[test]
    fn quotients_of_16_and_32_bits() {
        let step = if cfg!(debug_assertions) { 3001 } else { 1 };
        let unsigned: Vec<u16> = (0..=u16::MAX).collect();
        let signed: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        for divisor in (0..=u16::MAX).step_by(step) {
            agrees(&unsigned, &[divisor, !divisor]);
            agrees(&signed, &[divisor.cast_signed(), (!divisor).cast_signed()]);
        }
        let mut numbers: Vec<u32> = near_powers().iter().map(|number| *number as u32).collect();
        numbers.sort_unstable();
        numbers.dedup();
        agrees(&numbers, &numbers);
        let signed: Vec<i32> = numbers.iter().map(|number| number.cast_signed()).collect();
        agrees(&signed, &signed);
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
