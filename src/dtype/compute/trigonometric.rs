//! Sine, cosine and tangent of `f32`, as code that vectorises.
//!
//! Like the functions of [`functions`](super::functions), they have no branches, no calls and no table in memory, compute in `f64`, and round
//! each operation by itself. Results are within 0.51 ulp.
//!
//! 1. The argument is divided by π, as the sum of a large part, which is exact, and a small one ([`half_turns`]).
//! 2. The large part is rounded to an integer. Where that is odd, the sine has the other sign.
//! 3. The rest, between -1/2 and 1/2, goes to a polynomial.
//!
//! The cosine is the sine of the distance from a right angle. The tangent counts quarter turns: where their number is odd, it is the
//! cotangent with the other sign, so that one quotient of polynomials serves both.
//!
//! Numbers that are not near zero ([`is_near`]) need more bits of 1 / π, and with them twice as many operations. Loops leave these operations
//! out for packs in which all numbers are near (the kind `near` in `op/unary.rs`).
#![expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]

use super::functions::{ROUND, polynomial};

/// Returns whether two products are enough to divide the argument by π.
#[inline(always)]
pub(super) fn is_near(x: f32) -> bool {
    x.abs() < 4_194_304.0 // 2²²
}

/// Added to a number below 2⁵², rounds it to an even integer.
const ROUND_TO_EVEN: f64 = 2.0 * ROUND;

/// Added to a number below 2²⁴, rounds it to a multiple of 2⁻²⁸.
const ROUND_TO_PART: f64 = ROUND / 268_435_456.0;

/// `x / π` less an even number, as the sum of two floats.
///
/// `x` is a `f32`, or twice a `f32`. The first float is exact: the nearest halves and integers can be subtracted from it without loss. The
/// magnitude of the second is below 2⁻⁷, and its error below 2⁻⁶⁰.
#[inline(always)]
fn half_turns(x: f64, is_near: bool) -> (f64, f64) {
    // 29 bits of 1 / π, whose product with a `f32` is exact, and the rest. Both are positive, so that the sum of the products has
    // the sign of zeros.
    const HIGH: f64 = 0.318_309_885_449_707_5;
    const LOW: f64 = 7.340_831_634_506_093e-10;
    let (far_high, far_low) = half_turns_far(x);
    let high = if is_near { x * HIGH } else { far_high };
    let low = if is_near { x * LOW } else { far_low };
    (high, low)
}

/// [`half_turns`] of numbers that are not near (M. Payne and R. Hanek, "Radian reduction for trigonometric functions", 1983).
///
/// `x` is an integer times 2ⁿ, so even multiples of 2⁻ⁿ in 1 / π add even numbers to the quotient, and are left out. There are four ranges
/// of `x`, with `n` as 0, 29, 58 and 87. For each, three pieces are what is left of 1 / π: two of 29 bits, whose products with `x`
/// are exact and below 2⁵² and 2²³, and the rest.
#[inline(always)]
fn half_turns_far(x: f64) -> (f64, f64) {
    /// The least numbers of the second, third and fourth range: 2⁵², 2⁸¹, 2¹¹⁰.
    const RANGES: [f64; 3] = [
        4_503_599_627_370_496.0,
        2.417_851_639_229_258_3e24,
        1.298_074_214_633_707e33,
    ];
    let size = x.abs();
    // Constants as arguments, because LLVM turns a selection among elements of an array into loads of single elements.
    let of_range = |pieces: (f64, f64, f64, f64)| {
        let piece = if size >= RANGES[0] {
            pieces.1
        } else {
            pieces.0
        };
        let piece = if size >= RANGES[1] { pieces.2 } else { piece };
        if size >= RANGES[2] { pieces.3 } else { piece }
    };
    let first = x * of_range((
        0.318_309_886_381_030_1,
        1.665_405_736_928_082_8e-9,
        1.138_005_036_829_765e-18,
        -2.905_668_923_802_116e-28,
    ));
    let second = x * of_range((
        -1.972_394_105_681_507_5e-10,
        1.138_005_036_829_765e-18,
        -2.905_668_923_802_116e-28,
        -8.450_967_257_920_047e-37,
    ));
    let third = x * of_range((
        -5.967_184_394_376_089e-19,
        -2.905_668_932_253_083_3e-28,
        -8.450_967_239_003_765e-37,
        1.891_628_194_148_033_8e-45,
    ));
    let first = first - ((first + ROUND_TO_EVEN) - ROUND_TO_EVEN);
    let part = (second + ROUND_TO_PART) - ROUND_TO_PART;
    (first + part, (second - part) + third)
}

/// The distance of a sum from the integer nearest to its first number, and bits of which the lowest is that of the integer.
#[inline(always)]
fn split_turns(high: f64, low: f64) -> (f64, u64) {
    let shifted = high + ROUND;
    ((high - (shifted - ROUND)) + low, shifted.to_bits())
}

/// The sine of π times a sum.
#[inline(always)]
fn sine_of_half_turns(high: f64, low: f64) -> f64 {
    let (part, turns) = split_turns(high, low);
    let square = part * part;
    // sin(πx) / x for |x| <= 1/2 + 2⁻⁸, within 2⁻³⁵·³
    let slope = polynomial!(
        square;
        3.141_592_653_516_617_4,
        -5.167_712_760_626_174,
        2.550_163_187_937_377,
        -0.599_250_690_441_871,
        0.082_043_313_277_286_66,
        -0.007_016_715_588_040_989
    );
    f64::from_bits((part * slope).to_bits() ^ (turns << 63))
}

#[inline(always)]
pub(super) fn sin(x: f32) -> f32 {
    let (high, low) = half_turns(x.into(), is_near(x));
    sine_of_half_turns(high, low) as f32
}

#[inline(always)]
pub(super) fn cos(x: f32) -> f32 {
    let (high, low) = half_turns(x.abs().into(), is_near(x));
    sine_of_half_turns(0.5 - high, -low) as f32
}

/// Sine and cosine before they are rounded, within 2⁻³⁵ of themselves.
#[inline(always)]
pub(super) fn sin_cos_wide(x: f32) -> (f64, f64) {
    let (high, low) = half_turns(x.abs().into(), is_near(x));
    let sine = sine_of_half_turns(high, low);
    let sign = f64::from(x).to_bits() & (1 << 63);
    let sine = f64::from_bits(sine.to_bits() ^ sign);
    (sine, sine_of_half_turns(0.5 - high, -low))
}

#[inline(always)]
pub(super) fn tan(x: f32) -> f32 {
    let twice = 2.0 * f64::from(x);
    let (high, low) = half_turns(twice, is_near(x));
    let (part, turns) = split_turns(high, low);
    let square = part * part;
    // The quotient of these polynomials is tan(πx / 2) / x for |x| <= 1/2 + 2⁻⁷, within 2⁻³⁵·²
    let over = polynomial!(
        square;
        1.570_796_326_835_712_1,
        -0.431_643_955_474_172_67,
        0.010_287_094_186_276_295
    );
    let under = polynomial!(
        square;
        1.0,
        -1.097_260_105_437_149_1,
        0.097_266_672_500_974_44
    );
    let over = part * over;
    let is_odd = turns & 1 != 0;
    let quotient = if is_odd { -under } else { over } / if is_odd { over } else { under };
    quotient as f32
}
