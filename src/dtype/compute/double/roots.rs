//! The cube root of `f64`, and the root of a sum of squares.

use super::super::functions::polynomial;
use super::exponential::{at_least, at_most};
use super::{leading, ordered_sum, rest_of_root, square};

/// A power of two and its cube, by which numbers that are too large or too small for the steps are scaled.
const SCALE: f64 = 1.532_495_540_865_889e54; // 2¹⁸⁰
const CUBED_SCALE: f64 = 3.599_131_035_634_557e162; // 2⁵⁴⁰

/// A rough inverse root from a third of the exponent, a polynomial that makes it exact to 32 bits, and a step of Newton's method.
///
/// There is no division: the root is the argument times the square of its inverse root. The remainder of the last step is exact.
#[inline(always)]
pub(in super::super) fn cbrt(x: f64) -> f64 {
    // 4/3 of the bias, less what makes the largest error least; of the upper half of the bits.
    const BIAS: u64 = 0x553e_e940;
    // 2³² / 3, rounded up
    const THIRD: u64 = 0x5555_5556;
    let size = x.abs();
    let (is_large, is_small) = (size > CUBED_SCALE, size < 1.0 / CUBED_SCALE);
    let down = if is_large { 1.0 / CUBED_SCALE } else { 1.0 };
    let cubed = size * if is_small { CUBED_SCALE } else { down };

    let third = ((cubed.to_bits() >> 32) * THIRD) >> 32;
    let inverse = f64::from_bits(BIAS.wrapping_sub(third) << 32);
    let error = 1.0 - cubed * inverse * inverse * inverse;
    // (1 - x)^(-1/3) for |x| <= 0.1021, within 2⁻³²·³
    let inverse = inverse
        * polynomial!(
            error;
            0.999_999_999_988_236_1,
            0.333_333_345_960_219_46,
            0.222_222_254_565_661_64,
            0.172_829_827_787_042_76,
            0.144_018_619_581_730_7,
            0.126_679_657_951_322_55,
            0.113_010_474_101_757_98
        );

    let square = inverse * inverse;
    let root = leading(cubed * square);
    let root_square = root * root;
    let upper = leading(root_square);
    let rest = (cubed - upper * root) - (root_square - upper) * root;
    let step = rest * (square * (1.0 / 3.0));
    // The derivative is that of the root itself, so the next term has the other sign.
    let root = root + (step + step * step * inverse);

    let up = if is_large { SCALE } else { 1.0 };
    let root = root * if is_small { 1.0 / SCALE } else { up };
    // Zeros keep their sign, and infinities and NaN are their own.
    if x != 0.0 && size < f64::INFINITY {
        root.copysign(x)
    } else {
        x
    }
}

/// Both numbers are divided by the power of two of the greater one, so that no square overflows and only negligible ones underflow. The root of
/// the sum of the squares, each the sum of two floats, is corrected by its rest.
#[inline(always)]
pub(in super::super) fn hypot(x: f64, y: f64) -> f64 {
    /// The bits of the exponent
    const EXPONENT: u64 = f64::INFINITY.to_bits();
    /// 2¹⁰²²: from there on, inverse powers of two are subnormal.
    const LARGE: f64 = 1.0 / f64::MIN_POSITIVE;
    let (x_size, y_size) = (x.abs(), y.abs());
    let is_x = x_size > y_size;
    let greater = if is_x { x_size } else { y_size };
    let less = if is_x { y_size } else { x_size };
    let power = at_most(at_least(greater, f64::MIN_POSITIVE), LARGE).to_bits() & EXPONENT;
    let inverse = f64::from_bits((2.0 * LARGE).to_bits().wrapping_sub(power));
    let (greater_high, greater_low) = square(greater * inverse);
    let (less_high, less_low) = square(less * inverse);
    let (sum, lost) = ordered_sum(greater_high, less_high);
    let root = sum.sqrt();
    let rest = rest_of_root(root, sum, lost + (greater_low + less_low));
    let result = (root + rest) * f64::from_bits(power);
    let is_infinite = (x_size == f64::INFINITY) | (y_size == f64::INFINITY);
    if is_infinite { f64::INFINITY } else { result }
}
