//! Lowering of the error function and its complement, which StableHLO does not have.
//!
//! Those for `f32` are accurate to that dtype, and are computed in `f64`. (The `erf` of `dtype/compute/gaussian.rs` needs
//! fused multiply-add.) Those of `f64` are a few units in the last place off.

use core::f64::consts::FRAC_1_SQRT_2;

use crate::dtype::compute::error_function::{CURVE, LARGE, SLOPE, SMALL};
use crate::dtype::compute::functions::{ERFC_OVER, ERFC_UNDER};
use crate::trace::graph::{Graph, Node};

/// The quotient of these polynomials of x² is erf(x) / x for x² <= 15.6, within 2⁻²⁸·⁷.
const ERF_OVER: [f64; 6] = [
    6.657_854_821_180_243e-6,
    0.000_407_631_483_511_366_35,
    0.004_205_825_786_496_261,
    0.055_640_634_342_279_324,
    0.192_612_678_910_667_9,
    1.128_379_169_714_858_4,
];
const ERF_UNDER: [f64; 7] = [
    2.529_382_691_458_519e-7,
    7.160_593_448_985_03e-5,
    0.001_412_275_307_906_601_6,
    0.016_241_933_488_657_87,
    0.117_320_285_774_423_62,
    0.504_031_967_671_205_1,
    1.0,
];

impl Graph {
    /// Writes `erf`: x times a rational function of x², within -1 to 1.
    pub(super) fn erf(&mut self, x: Node) -> Node {
        let square = self.multiply(x, x);
        let bound = self.constant_like(x, 15.6);
        let square = self.same("minimum", &[square, bound]);
        let over = self.polynomial(square, &ERF_OVER);
        let under = self.polynomial(square, &ERF_UNDER);
        let product = self.multiply(x, over);
        let result = self.divide(product, under);
        let [least, greatest] = [-1.0, 1.0].map(|bound| self.constant_like(x, bound));
        self.same("clamp", &[least, result, greatest])
    }

    /// Writes `erfc` as `dtype/compute/functions.rs` computes it for `f32`: exp(-x²) times a rational function of |x|.
    pub(super) fn erfc(&mut self, x: Node) -> Node {
        let size = self.same("abs", &[x]);
        let bound = self.constant_like(x, 10.5);
        let size = self.same("minimum", &[size, bound]);
        let over = self.polynomial(size, &ERFC_OVER);
        let under = self.polynomial(size, &ERFC_UNDER);
        let square = self.multiply(size, size);
        let negative = self.same("negate", &[square]);
        let power = self.same("exponential", &[negative]);
        let product = self.multiply(power, over);
        let tail = self.divide(product, under);
        let two = self.constant_like(x, 2.0);
        let other = self.subtract(two, tail);
        let is_negative = self.has_sign(x);
        self.select(is_negative, other, tail)
    }

    /// Writes `erf` as `dtype/compute/double/error_function.rs` computes it, without the second halves of sums.
    pub(super) fn double_erf(&mut self, x: Node) -> Node {
        let size = self.size_below(x);
        let rest = self.slope(size);
        let near = self.add(size, rest);
        let power = self.gaussian(size, 1.0);
        let tail = self.tail(size, power);
        let one = self.constant_like(x, 1.0);
        let far = self.subtract(one, tail);
        let magnitude = self.near_or_far(size, near, far);
        let negative = self.same("negate", &[magnitude]);
        let is_negative = self.has_sign(x);
        self.select(is_negative, negative, magnitude)
    }

    /// The same of `erfc`.
    pub(super) fn double_erfc(&mut self, x: Node) -> Node {
        let size = self.size_below(x);
        let power = self.gaussian(size, 1.0);
        self.complement(x, power)
    }

    /// The same of `gelu`. The exponent is half of x²: that of x / √2, a rounded number, would magnify its error.
    pub(super) fn double_gelu(&mut self, x: Node) -> Node {
        let x = self.bounded(x, -40.0);
        let size = self.same("abs", &[x]);
        let bound = self.constant_like(x, 40.0);
        let size = self.same("minimum", &[size, bound]);
        let power = self.gaussian(size, 0.5);
        let scale = self.constant_like(x, -FRAC_1_SQRT_2);
        let scaled = self.multiply(x, scale);
        let share = self.complement(scaled, power);
        let half = self.constant_like(x, 0.5);
        let halved = self.multiply(x, half);
        self.multiply(halved, share)
    }

    /// `erfc(x)` of a number whose `exp(-x²)` is known.
    fn complement(&mut self, x: Node, power: [Node; 2]) -> Node {
        let size = self.size_below(x);
        let rest = self.slope(x);
        let [one, two] = [1.0, 2.0].map(|number| self.constant_like(x, number));
        let difference = self.subtract(one, x);
        let near = self.subtract(difference, rest);
        let tail = self.tail(size, power);
        let other = self.subtract(two, tail);
        let is_negative = self.has_sign(x);
        let far = self.select(is_negative, other, tail);
        self.near_or_far(size, near, far)
    }

    fn size_below(&mut self, x: Node) -> Node {
        let size = self.same("abs", &[x]);
        let bound = self.constant_like(x, LARGE);
        self.same("minimum", &[size, bound])
    }

    fn near_or_far(&mut self, size: Node, near: Node, far: Node) -> Node {
        let bound = self.constant_like(size, SMALL);
        let is_small = self.compare("LT", size, bound);
        self.select(is_small, near, far)
    }

    /// `erf(t) - t` for small `t`.
    fn slope(&mut self, t: Node) -> Node {
        let square = self.multiply(t, t);
        let slope = self.rising_polynomial(square, &SLOPE);
        self.multiply(t, slope)
    }

    /// `erfc(t)` from 0.65 on, whose `exp(-t²)` is known.
    fn tail(&mut self, t: Node, [power, correction]: [Node; 2]) -> Node {
        let [one, two, three, most] =
            [1.0, 2.0, 3.0, 1.25].map(|number| self.constant_like(t, number));
        let (less, more) = (self.subtract(t, three), self.add(t, three));
        let u = self.divide(less, more);
        let curve = self.rising_polynomial(u, &CURVE);
        let over = self.add(most, curve);
        let doubled = self.multiply(two, t);
        let under = self.add(doubled, one);
        // XLA makes one exponential of a product of two.
        let share = self.divide(over, under);
        let share = self.multiply(correction, share);
        self.multiply(power, share)
    }

    /// `exp(-factor * x²)` of a positive number and a power of two, as two factors: of a multiple of 2⁻²⁰, whose square is exact, and of the
    /// rest, `(x - high) (x + high)`.
    fn gaussian(&mut self, x: Node, factor: f64) -> [Node; 2] {
        let [up, down, factor] =
            [1_048_576.0, 1.0 / 1_048_576.0, -factor].map(|number| self.constant_like(x, number));
        let scaled = self.multiply(x, up);
        let whole = self.same("floor", &[scaled]);
        let high = self.multiply(whole, down);
        let square = self.multiply(high, high);
        let (difference, sum) = (self.subtract(x, high), self.add(x, high));
        let rest = self.multiply(difference, sum);
        [square, rest].map(|square| {
            let exponent = self.multiply(square, factor);
            self.same("exponential", &[exponent])
        })
    }

    /// A polynomial whose coefficients go from the lowest power to the highest.
    fn rising_polynomial<const COUNT: usize>(
        &mut self,
        x: Node,
        coefficients: &[f64; COUNT],
    ) -> Node {
        let mut falling = *coefficients;
        falling.reverse();
        self.polynomial(x, &falling)
    }
}
