//! The error function and `gelu` of `f32`, as code that vectorises. They compute in `f32`, as [`single`](super::single) does.
//!
//! `gelu` is x times the normal distribution's share below x. The share beyond a number `t >= 0` is
//!
//! ```text
//! exp(-t² / 2) * (MAIN + curve) / (t + SHIFT)
//! ```
//!
//! `MAIN` is a constant, and `curve` less than a tenth of it. So rounding errors of `curve`, a polynomial of t / (t + SCALE), hardly count.
//! Those of the quotient and of the products with it are kept, and added last. The two divisions are apart: with one for both, the
//! argument of the polynomial had too few digits.
//!
//! The exponential of a number far from zero is scaled in the end, because the result can be subnormal. Loops leave that out if all numbers
//! of a pack [are small](is_small).

use super::activations::is_small;
use super::single::{Growth, ROUND, at_most};
use crate::simd::Isa;

const SHIFT: f32 = 0.937_5;
const SCALE: f32 = 5.0;
const MAIN: f32 = 0.468_75 - MARGIN;
/// The least curve, so that the main part of the share beyond zero is less than a half.
const MARGIN: f32 = 1.0 / 65_536.0;

/// The curve, less its margin, divided by t / (t + SCALE), as a polynomial of twice that less one. The share is within 2⁻²⁹.
#[inline(always)]
fn slope<I: Isa>(u: f32) -> f32 {
    let square = u * u;
    let fourth = square * square;
    let first = I::mul_add(u, -1.410_891_1e-1, -2.408_325_5e-2);
    let second = I::mul_add(u, -1.585_263_6e-1, 1.886_414_4e-1);
    let third = I::mul_add(u, -4.773_859_7e-2, 9.973_798e-2);
    let fourth_pair = I::mul_add(u, -2.935_436_6e-3, 1.630_697_2e-2);
    let last = I::mul_add(u, 4.028_899_7e-4, -5.318_934e-4);
    let lower = I::mul_add(square, second, first);
    let upper = I::mul_add(square, fourth_pair, third);
    let upper = I::mul_add(fourth, last, upper);
    I::mul_add(fourth, upper, lower)
}

/// x times the normal distribution's share below x.
#[inline(always)]
pub(super) fn gelu<I: Isa>(x: f32) -> f32 {
    let is_small = is_small(x);
    // Below -14.5 the result rounds to -0; far above zero it is `x`.
    let inside = if is_small { x } else { -at_most(x.abs(), 14.5) };
    let size = inside.abs();
    let half = -0.5 * inside;
    let exponent = inside * half;
    let power = Growth::of_e_to_sum::<I>(exponent, I::mul_add(inside, half, -exponent));

    let divisor = size + SHIFT;
    let cut_off = size - (divisor - SHIFT);
    let quotient = 1.0 / divisor;
    let error = I::mul_add(-quotient, divisor, 1.0);
    let error = I::mul_add(-quotient, cut_off, error);
    let part = size / (size + SCALE);
    let curve = I::mul_add(part, slope::<I>(I::mul_add(2.0, part, -1.0)), MARGIN);

    // The share below a positive number is what the share beyond it leaves of one.
    let scaled = if is_small {
        power.scale(quotient)
    } else {
        quotient
    };
    let signed = scaled.copysign(half);
    // Also of -0: the sum is positive, so that the zero keeps its sign.
    let whole = if inside >= 0.0 { 1.0 } else { 0.0 };

    // The product with the power, and what it lacks.
    let product = I::mul_add(signed, power.main, signed);
    let rest = I::mul_add(signed, power.main, signed - product);
    let rest = I::mul_add(signed, power.rest, rest);
    let rest = I::mul_add(product, error, rest);
    // The share in two parts. The difference is exact: the main part is at least half of `whole`, or that is zero.
    let main = I::mul_add(product, MAIN, whole);
    let small = I::mul_add(product, MAIN, whole - main);
    let small = I::mul_add(product, curve, small);
    let small = I::mul_add(rest, MAIN + curve, small);

    let near = I::mul_add(inside, main, inside * small);
    // Outside of the selection, so that LLVM does not compute everything for both cases.
    let below = -power.scale_down::<I>(near);
    let far = if x < 0.0 { below } else { x };
    if is_small { near } else { far }
}

/// Below one, `erf(x) = x + x (1/8 - 3/8 x² + slope(x²))`. From there on, it is `1 - 2^(curve(x) - 13/8 x)`. What these numbers leave to the
/// polynomials is so small that their rounding errors hardly count.
#[expect(
    clippy::approx_constant,
    reason = "a coefficient that is three units from ln 2"
)]
#[inline(always)]
pub(super) fn erf<I: Isa>(x: f32) -> f32 {
    const LINEAR: f32 = -1.625;
    // The result rounds to one from there on.
    let size = at_most(x.abs(), 3.93);

    // slope(s) + 1/8, within 2⁻²⁹·⁵ of the result. Evaluated in pairs, it would take as long and lose more digits.
    let square = size * size;
    let mut slope = 7.846_824e-5_f32;
    for coefficient in [
        -8.008_029e-4,
        5.188_076e-3,
        -2.685_367_5e-2,
        1.128_358_2e-1,
        -1.126_254_9e-3,
        0.125 + 3.379_165_7e-3,
    ] {
        slope = I::mul_add(slope, square, coefficient);
    }
    let near = I::mul_add(size, I::mul_add(square, -0.375, slope), size);

    // Within 2⁻²⁹·⁷ of the result
    let mut curve = 2.688_942e-4_f32;
    for coefficient in [
        -4.252_605_6e-3,
        3.150_575e-2,
        -1.487_517_2e-1,
        -9.206_483e-1,
        -1.046_046_1e-3,
        -4.926_984e-4,
    ] {
        curve = I::mul_add(curve, size, coefficient);
    }
    let shifted = I::mul_add(size, LINEAR, curve) + ROUND;
    // Less the integer, the sum is small when it is rounded.
    let part = I::mul_add(size, LINEAR, curve - (shifted - ROUND));
    // (2ˣ - 1) / x for |x| <= 1/2, within 2⁻²³ of the power
    let part_square = part * part;
    let upper = I::mul_add(part, 9.671_294e-3, 5.550_711e-2);
    let upper = I::mul_add(part_square, 1.326_957e-3, upper);
    let lower = I::mul_add(part, 2.402_224_7e-1, 6.931_47e-1);
    let slope = I::mul_add(part_square, upper, lower);
    let scale = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    let far = I::mul_add(-scale, part * slope, 1.0 - scale);
    (if size < 1.0 { near } else { far }).copysign(x)
}
