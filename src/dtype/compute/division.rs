//! Division of integers of up to 32 bits.
//!
//! Processors divide integers one by one, but floats in vectors. An `f64` has 53 bits. So the rounding error of a quotient of two
//! such integers is less than half of its distance to the next integer, unless the quotient is an integer. The integer nearest to
//! the rounded quotient is therefore one of the two next to the exact quotient, and the sign of the remainder tells which. (32
//! divisions of `i32` take 56 instructions of AVX-512, and a third of the time of the processor's own.) Of integers of up to 16 bits an `f32`,
//! which has 24 bits, is enough: the error of a/b is at most 2^-24 a/b, and the distance is at least 1/b.
#![expect(clippy::as_conversions, reason = "the low bits of integers")]

use super::arithmetic::{Divide, Truncate};

/// A float which, added to a number of less than a sixth of it, rounds that to an integer, which is in the low bits then.
trait Round {
    const ROUND: Self;
}

impl Round for f32 {
    const ROUND: Self = 12_582_912.0; // 3 * 2^22
}

impl Round for f64 {
    const ROUND: Self = 6_755_399_441_055_744.0; // 3 * 2^51
}

macro_rules! short {
    ($($integer:ident $signed:ident $float:ident $parts:ident),*) => {$(
        /// Returns the integer nearest to a quotient, the signed rest, and the divisor, with one in place of zero.
        #[inline(always)]
        fn $parts(dividend: $integer, divisor: $integer) -> ($integer, $signed, $integer) {
            let divisor = if divisor == 0 { 1 } else { divisor };
            let quotient = $float::from(dividend) / $float::from(divisor);
            let nearest = (quotient + $float::ROUND).to_bits() as $integer;
            // At most half of the divisor: it fits, and wraps on the way only.
            let rest = dividend.wrapping_sub(nearest.wrapping_mul(divisor)) as $signed;
            (nearest, rest, divisor)
        }

        impl Divide for $integer {
            #[inline(always)]
            fn floor_div(self, divisor: Self) -> Self {
                let (nearest, rest, by) = $parts(self, divisor);
                let is_above = (rest != 0) & ((rest < 0) != short!(@is_negative $integer $signed by));
                let quotient = if is_above { nearest.wrapping_sub(1) } else { nearest };
                if divisor == 0 { 0 } else { quotient }
            }
            #[inline(always)]
            fn floor_rem(self, divisor: Self) -> Self {
                let (_, rest, by) = $parts(self, divisor);
                let is_above = (rest != 0) & ((rest < 0) != short!(@is_negative $integer $signed by));
                let rest = (rest as Self).wrapping_add(if is_above { by } else { 0 });
                if divisor == 0 { 0 } else { rest }
            }
        }

        impl Truncate for $integer {
            #[inline(always)]
            fn truncated_div(self, divisor: Self) -> Self {
                let (nearest, rest, by) = $parts(self, divisor);
                let is_negative = short!(@is_negative $integer $signed self);
                // Away from zero, the rest has another sign than the dividend.
                let is_beyond = (rest != 0) & ((rest < 0) != is_negative);
                let is_same_sign = is_negative == short!(@is_negative $integer $signed by);
                let back: Self = if is_same_sign { 1 } else { Self::wrapping_sub(0, 1) };
                let quotient = nearest.wrapping_sub(if is_beyond { back } else { 0 });
                if divisor == 0 { 0 } else { quotient }
            }
        }
    )*};
    (@is_negative $integer:ident $signed:ident $number:ident) => {
        <$integer>::MIN != 0 && ($number as $signed) < 0
    };
}

short!(
    u8 i8 f32 parts_u8, u16 i16 f32 parts_u16, u32 i32 f64 parts_u32,
    i8 i8 f32 parts_i8, i16 i16 f32 parts_i16, i32 i32 f64 parts_i32
);

#[cfg(test)]
mod tests {
    use super::*;

    /// The quotients rounded down and towards zero, and the rest of the former, in integers that hold them all.
    fn exact(a: i128, b: i128) -> (i128, i128, i128) {
        let (quotient, rest) = (a / b, a % b);
        let is_above = rest != 0 && (rest < 0) != (b < 0);
        let floor = quotient - i128::from(is_above);
        (floor, quotient, a - floor * b)
    }

    macro_rules! agrees {
        ($integer:ident, $numbers:expr) => {
            for a in $numbers {
                for b in $numbers {
                    let found = (a.floor_div(b), a.truncated_div(b), a.floor_rem(b));
                    if b == 0 {
                        assert_eq!(found, (0, 0, 0));
                        continue;
                    }
                    let (floor, quotient, rest) = exact(i128::from(a), i128::from(b));
                    let expected = (floor as $integer, quotient as $integer, rest as $integer);
                    assert_eq!(found, expected, "{a} by {b}");
                }
            }
        };
    }

    /// Numbers near powers of two and their multiples, where quotients are near integers.
    macro_rules! numbers {
        ($integer:ident) => {{
            let mut numbers: Vec<$integer> = Vec::new();
            for bit in 0..$integer::BITS {
                for factor in [1, 3, 7, $integer::MAX] {
                    for offset in [0, 1, 2, $integer::MAX, $integer::MAX - 1] {
                        let number = factor.wrapping_shl(bit);
                        numbers.push(number.wrapping_add(offset));
                        numbers.push($integer::wrapping_sub(0, number).wrapping_sub(offset));
                    }
                }
            }
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        }};
    }

    #[test]
    fn short_integers_divide_exactly() {
        agrees!(u8, u8::MIN..=u8::MAX);
        agrees!(i8, i8::MIN..=i8::MAX);
        let numbers = numbers!(u16);
        agrees!(u16, numbers.iter().copied());
        let numbers = numbers!(i16);
        agrees!(i16, numbers.iter().copied());
        let numbers = numbers!(u32);
        agrees!(u32, numbers.iter().copied());
        let numbers = numbers!(i32);
        agrees!(i32, numbers.iter().copied());
    }
}
