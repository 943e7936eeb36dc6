//! Operations on single elements, where they differ from Rust's operators.
#![expect(clippy::as_conversions, reason = "shift counts and exponents")]

use core::ops::{Add, Div, Mul, Neg, Sub};

use bytemuck::Zeroable;
use num_complex::Complex;

use super::remainder::Remainder;

/// The lesser and the greater of two elements.
pub(crate) trait Order: Copy {
    /// `true` if elements that are neither less nor greater than one another are the same, or NaN.
    const TIES_IDENTICAL: bool;
    /// `true` if an element may be NaN.
    const HAS_NAN: bool;
    fn lesser(self, other: Self) -> Self;
    fn greater(self, other: Self) -> Self;
}

/// Division that rounds towards negative infinity.
pub(crate) trait Divide: Copy {
    fn floor_div(self, divisor: Self) -> Self;
    fn floor_rem(self, divisor: Self) -> Self;
}

macro_rules! integers {
    ($($integer:ident $kind:ident),*) => {$(
        impl Order for $integer {
            const TIES_IDENTICAL: bool = true;
            const HAS_NAN: bool = false;
            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                if self < other { self } else { other }
            }
            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                if self > other { self } else { other }
            }
        }
        impl Shift for $integer {
            #[inline(always)]
            fn shl(self, count: Self) -> Self {
                // Counts that are negative are larger than any width.
                let count = count as u64;
                if count < u64::from(Self::BITS) { self.wrapping_shl(count as u32) } else { 0 }
            }
            #[inline(always)]
            fn shr(self, count: Self) -> Self {
                let count = count as u64;
                let last = u64::from(Self::BITS - 1);
                if count <= last {
                    self.wrapping_shr(count as u32)
                } else {
                    // The sign, or zero: in two steps, as no shift is as wide as the type.
                    self.wrapping_shr(last as u32).wrapping_shr(1)
                }
            }
        }
        impl WrappingPower for $integer {
            #[inline(always)]
            fn is_short_exponent(self) -> bool {
                // Negative exponents are larger.
                (self as u64) < 1 << SHORT_EXPONENT_BITS
            }
            #[inline(always)]
            fn power(self, exponent: Self) -> Self {
                let (mut base, mut left, mut result) = (self, exponent, 1);
                if exponent.is_short_exponent() {
                    // The same number of steps for all exponents, so that the loop vectorises.
                    for _ in 0..SHORT_EXPONENT_BITS {
                        let factor = if left & 1 == 1 { base } else { 1 };
                        result = Self::wrapping_mul(result, factor);
                        base = base.wrapping_mul(base);
                        left >>= 1;
                    }
                    return result;
                }
                let mut left = exponent as u64;
                while left != 0 {
                    if left & 1 == 1 {
                        result = Self::wrapping_mul(result, base);
                    }
                    base = base.wrapping_mul(base);
                    left >>= 1;
                }
                result
            }
        }
    )*};
    (@divide $integer:ident $kind:ident) => {
        impl Truncate for $integer {
            #[inline(always)]
            fn truncated_div(self, divisor: Self) -> Self {
                self.checked_div(divisor).unwrap_or(if divisor == 0 { 0 } else { self })
            }
        }
        integers!(@floor $integer $kind);
    };
    (@floor $integer:ident unsigned) => {
        impl Divide for $integer {
            #[inline(always)]
            fn floor_div(self, divisor: Self) -> Self {
                self.checked_div(divisor).unwrap_or(0)
            }
            #[inline(always)]
            fn floor_rem(self, divisor: Self) -> Self {
                self.checked_rem(divisor).unwrap_or(0)
            }
        }
    };
    (@floor $integer:ident signed) => {
        impl Divide for $integer {
            #[inline(always)]
            fn floor_div(self, divisor: Self) -> Self {
                if divisor == 0 {
                    return 0;
                }
                let (quotient, rest) = (self.wrapping_div(divisor), self.wrapping_rem(divisor));
                if rest != 0 && (rest < 0) != (divisor < 0) { quotient - 1 } else { quotient }
            }
            #[inline(always)]
            fn floor_rem(self, divisor: Self) -> Self {
                if divisor == 0 {
                    return 0;
                }
                let rest = self.wrapping_rem(divisor);
                if rest != 0 && (rest < 0) != (divisor < 0) { rest + divisor } else { rest }
            }
        }
    };
}

trait Shift: Copy {
    fn shl(self, count: Self) -> Self;
    fn shr(self, count: Self) -> Self;
}

/// Division that rounds towards zero.
pub(crate) trait Truncate: Copy {
    fn truncated_div(self, divisor: Self) -> Self;
}

/// The number of bits of exponents for which loops of powers are vectorised.
const SHORT_EXPONENT_BITS: u32 = 4;

trait WrappingPower: Copy {
    fn is_short_exponent(self) -> bool;
    fn power(self, exponent: Self) -> Self;
}

integers!(
    u8 unsigned, u16 unsigned, u32 unsigned, u64 unsigned, i8 signed, i16 signed, i32 signed, i64 signed
);
// `division.rs` has the division of narrower integers.
integers!(@divide u64 unsigned);
integers!(@divide i64 signed);

#[inline(always)]
#[expect(private_bounds, reason = "implemented for the integers only")]
pub(crate) fn shl<T: Shift>(value: T, count: T) -> T {
    value.shl(count)
}

#[inline(always)]
#[expect(private_bounds, reason = "implemented for the integers only")]
pub(crate) fn shr<T: Shift>(value: T, count: T) -> T {
    value.shr(count)
}

/// Division that rounds towards zero. Divisors of zero are refused before; they give zero. The least number divided by
/// -1 wraps.
#[inline(always)]
pub(crate) fn truncated_div<T: Truncate>(a: T, b: T) -> T {
    a.truncated_div(b)
}

/// Wraps; negative exponents are refused before.
#[inline(always)]
#[expect(private_bounds, reason = "implemented for the integers only")]
pub(crate) fn integer_pow<T: WrappingPower>(base: T, exponent: T) -> T {
    base.power(exponent)
}

/// Returns whether [`integer_pow`] by this exponent vectorises.
#[inline(always)]
#[expect(private_bounds, reason = "implemented for the integers only")]
pub(crate) fn is_short_exponent<T: WrappingPower>(exponent: T) -> bool {
    exponent.is_short_exponent()
}

/// The operations that `f32` and `f64` share.
pub(crate) trait Float:
    Order
    + Divide
    + Copy
    + Zeroable
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    const ZERO: Self;
    const ONE: Self;
    fn magnitude(self) -> Self;
    fn sign(self) -> Self;
    fn next_after(self, towards: Self) -> Self;
}

macro_rules! floats {
    ($($float:ident),*) => {$(
        impl Order for $float {
            const TIES_IDENTICAL: bool = true;
            const HAS_NAN: bool = true;
            // A bound that is made of `other` alone takes the place of `other` in the comparison. It differs from it for NaN, and for
            // the zero that the comparison would take for equal to the other zero. So if `self` is the result of a step before, a
            // step waits for a comparison and a choice only.
            /// IEEE 754-2019 `minimum`: NaN if either is, and -0 before +0.
            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                // The bits of +0 are the least of all: +0 becomes the float above it.
                let bound = Self::from_bits(other.to_bits().max(1));
                if self >= bound.max(Self::NEG_INFINITY) { other } else { self }
            }
            /// IEEE 754-2019 `maximum`: NaN if either is, and -0 before +0.
            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                // The bits of -0 are the least of all integers with a sign: -0 becomes the float below it.
                let below_zero = (-Self::from_bits(1)).to_bits().cast_signed();
                let bound = Self::from_bits(other.to_bits().cast_signed().max(below_zero).cast_unsigned());
                if self <= bound.min(Self::INFINITY) { other } else { self }
            }
        }

        /// Divides as Python and NumPy do: the remainder is exact, and the quotient fits it.
        impl Divide for $float {
            #[inline(always)]
            fn floor_div(self, divisor: Self) -> Self {
                let rest = self.remainder(divisor);
                let is_below = (rest != 0.0) & ((rest < 0.0) != (divisor < 0.0));
                let quotient = (self - rest) / divisor - if is_below { 1.0 } else { 0.0 };
                let floor = quotient.floor();
                let nearest = if quotient - floor > 0.5 { floor + 1.0 } else { floor };
                let rounded = self / divisor;
                let zero = (0.0 as Self).copysign(rounded);
                let result = if quotient == 0.0 { zero } else { nearest };
                if divisor == 0.0 { rounded } else { result }
            }
            #[inline(always)]
            fn floor_rem(self, divisor: Self) -> Self {
                let rest = self.remainder(divisor);
                let is_below = (rest < 0.0) != (divisor < 0.0);
                let floor = if is_below { rest + divisor } else { rest };
                let zero = (0.0 as Self).copysign(divisor);
                if rest == 0.0 { zero } else { floor }
            }
        }

        impl Float for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[inline(always)]
            fn magnitude(self) -> Self {
                self.abs()
            }
            /// Returns the second number if both are equal, as C does.
            #[inline(always)]
            fn next_after(self, towards: Self) -> Self {
                let least = Self::from_bits(1).copysign(towards);
                let away = (self < towards) == (self > 0.0);
                let bits = self.to_bits();
                let stepped = Self::from_bits(if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) });
                let next = if self == 0.0 { least } else { stepped };
                let next = if self == towards { towards } else { next };
                if self.is_nan() | towards.is_nan() { self + towards } else { next }
            }
            #[inline(always)]
            fn sign(self) -> Self {
                let one = (1.0 as Self).copysign(self);
                if self == 0.0 || self != self { self } else { one }
            }
        }
    )*};
}

floats!(f32, f64);

/// By real part, then by imaginary part; NaN in either part makes a number NaN.
impl<T: Float> Order for Complex<T> {
    /// Parts may be zeros of either sign.
    const TIES_IDENTICAL: bool = false;
    const HAS_NAN: bool = true;
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        if is_nan(self) || (complex_less(self, other) && !is_nan(other)) {
            self
        } else {
            other
        }
    }
    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        if is_nan(self) || (complex_less(other, self) && !is_nan(other)) {
            self
        } else {
            other
        }
    }
}

#[inline(always)]
#[expect(clippy::eq_op, reason = "only NaN differs from itself")]
fn is_nan<T: Float>(z: Complex<T>) -> bool {
    z.re != z.re || z.im != z.im
}

/// By real part, then by imaginary part.
#[inline(always)]
pub(crate) fn complex_less<T: Float>(a: Complex<T>, b: Complex<T>) -> bool {
    a.re < b.re || (a.re == b.re && a.im < b.im)
}

/// By real part, then by imaginary part.
#[inline(always)]
pub(crate) fn complex_less_or_equal<T: Float>(a: Complex<T>, b: Complex<T>) -> bool {
    a.re < b.re || (a.re == b.re && a.im <= b.im)
}

#[inline(always)]
pub(crate) fn complex_mul<T: Float>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    Complex::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
}

/// Smith's method: dividing by the larger part first keeps the squares from overflowing. Parts are exchanged rather than branched on, so that
/// loops vectorise. If the real part of `b` is the larger one, the quotient is
///
/// ```text
/// ((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale)    with ratio = b.im / b.re, scale = 1 / (b.re + b.im * ratio)
/// ((a.im + a.re * ratio) * scale, (a.im * ratio - a.re) * scale)    with ratio = b.re / b.im, scale = 1 / (b.im + b.re * ratio) otherwise
/// ```
#[inline(always)]
pub(crate) fn complex_div<T: Float>(a: Complex<T>, b: Complex<T>) -> Complex<T> {
    let Divisor {
        ratio,
        sum,
        is_real_larger,
        is_zero,
    } = Divisor::of(b);
    let (first, second) = by_size(is_real_larger, a);
    let product = first * ratio;
    let real = first + second * ratio;
    let minuend = if is_real_larger { second } else { product };
    let subtrahend = if is_real_larger { product } else { second };
    let imaginary = minuend - subtrahend;
    // The parts divided by zero are infinite or NaN, as their products with infinity are.
    let scale = T::ONE / if is_zero { T::ZERO } else { sum };
    let real = if is_zero { a.re } else { real };
    let imaginary = if is_zero { a.im } else { imaginary };
    Complex::new(real * scale, imaginary * scale)
}

/// What [`complex_div`] and [`complex_recip`] compute from a divisor.
struct Divisor<T> {
    /// The smaller part divided by the larger one.
    ratio: T,
    /// The larger part, plus the smaller one times the ratio.
    sum: T,
    is_real_larger: bool,
    is_zero: bool,
}

impl<T: Float> Divisor<T> {
    #[inline(always)]
    fn of(z: Complex<T>) -> Self {
        let is_real_larger = z.re.magnitude() >= z.im.magnitude();
        let (larger, smaller) = by_size(is_real_larger, z);
        let ratio = smaller / larger;
        Self {
            ratio,
            sum: larger + smaller * ratio,
            is_real_larger,
            is_zero: (z.re == T::ZERO) & (z.im == T::ZERO),
        }
    }
}

/// The parts of a number, the imaginary one first if the real one of the divisor is the smaller.
#[inline(always)]
fn by_size<T: Float>(is_real_larger: bool, z: Complex<T>) -> (T, T) {
    let first = if is_real_larger { z.re } else { z.im };
    (first, if is_real_larger { z.im } else { z.re })
}

/// `1 / z`, as [`complex_div`]. The divisor may be so small that its reciprocal overflows, and a part of the result not.
#[inline(always)]
pub(crate) fn complex_recip<T: Float>(z: Complex<T>) -> Complex<T> {
    let Divisor {
        ratio,
        sum,
        is_real_larger,
        is_zero,
    } = Divisor::of(z);
    let real = if is_real_larger { T::ONE } else { ratio };
    let imaginary = if is_real_larger { ratio } else { T::ONE };
    // Of zero the ratio is NaN, and so is the imaginary part.
    let real = real / if is_zero { T::ZERO } else { sum };
    Complex::new(real, (T::ZERO - imaginary) / sum)
}

#[cfg(test)]
mod tests {
    use super::{complex_div, complex_recip, integer_pow};
    use crate::dtype::c64;

    /// Smith's method with a branch for each of the cases.
    fn quotient(a: c64, b: c64) -> c64 {
        if b.re == 0.0 && b.im == 0.0 {
            c64::new(a.re / 0.0, a.im / 0.0)
        } else if b.re.abs() >= b.im.abs() {
            let ratio = b.im / b.re;
            let scale = 1.0 / (b.re + b.im * ratio);
            c64::new((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale)
        } else {
            let ratio = b.re / b.im;
            let scale = 1.0 / (b.im + b.re * ratio);
            c64::new((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale)
        }
    }

    fn reciprocal(z: c64) -> c64 {
        if z.re == 0.0 && z.im == 0.0 {
            c64::new(f32::INFINITY, f32::NAN)
        } else if z.re.abs() >= z.im.abs() {
            let ratio = z.im / z.re;
            let divisor = z.re + z.im * ratio;
            c64::new(1.0 / divisor, (0.0 - ratio) / divisor)
        } else {
            let ratio = z.re / z.im;
            let divisor = z.im + z.re * ratio;
            c64::new(ratio / divisor, -1.0 / divisor)
        }
    }

    #[test]
    fn complex_quotients_exchange_parts_instead_of_branching() {
        let parts = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            2.5,
            -3.75,
            0.1,
            1e-38,
            -3e38,
            1e-45,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        let numbers = parts.map(|re| parts.map(|im| c64::new(re, im)));
        let is_same = |found: f32, expected: f32| {
            found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
        };
        for a in numbers.as_flattened() {
            let (found, expected) = (complex_recip(*a), reciprocal(*a));
            let is_equal = is_same(found.re, expected.re) && is_same(found.im, expected.im);
            assert!(is_equal, "1 / {a} is {found}, not {expected}");
            for b in numbers.as_flattened() {
                let (found, expected) = (complex_div(*a, *b), quotient(*a, *b));
                let is_equal = is_same(found.re, expected.re) && is_same(found.im, expected.im);
                assert!(is_equal, "{a} / {b} is {found}, not {expected}");
            }
        }
    }

    #[test]
    fn powers_of_integers_wrap() {
        macro_rules! check {
            ($($integer:ident)*) => {$(
                for base in [0, 1, 2, 3, 7, 11, 100, $integer::MAX, $integer::MIN, $integer::MAX - 1] {
                    for exponent in 0..100_u8 {
                        let found = integer_pow(base, $integer::try_from(exponent).expect("small"));
                        assert_eq!(found, base.wrapping_pow(exponent.into()), "{base} by {exponent}");
                    }
                }
            )*};
        }
        check!(u8 u16 u32 u64 i8 i16 i32 i64);
    }
}
