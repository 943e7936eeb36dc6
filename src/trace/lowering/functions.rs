//! Lowering of functions of one operand.
//!
//! XLA's functions of `f32` may be several units in the last place off: on its CPU backend 4.1 for `tanh`, 4.8 for
//! `expm1`, 2.4 for `log1p`, 2.2 for `logistic` (measured). For `f32`, these functions and those that StableHLO does
//! not have are computed in `f64`. Small floats use XLA's functions of `f32`, because the result is rounded further;
//! `f64` uses XLA's as well.

use core::f64::consts::{LN_2, LN_10};

use crate::dtype::{DType, Kind};
use crate::kernel::UnaryOp;
use crate::trace::graph::{Graph, Node};

use super::part_of;

impl Graph {
    /// Lowers [`exec::unary`](crate::exec::unary). The compute dtype must have the function.
    pub(in crate::trace) fn unary(&mut self, op: UnaryOp, compute: DType, x: Node) -> Node {
        let x = self.in_compute_dtype(x, compute);
        let result = match compute.kind() {
            Kind::Bool | Kind::Unsigned | Kind::Signed => self.of_integer(op, x),
            Kind::Float if compute == DType::F32 && is_inaccurate(op) => {
                let wide = self.convert(x, DType::F64);
                let wide = self.of_float(op, wide);
                self.convert(wide, DType::F32)
            }
            Kind::Float if compute == DType::F64 => match op {
                UnaryOp::Erf => self.double_erf(x),
                UnaryOp::Erfc => self.double_erfc(x),
                UnaryOp::Gelu => self.double_gelu(x),
                _ => self.of_float(op, x),
            },
            Kind::Float => self.of_float(op, x),
            Kind::Complex => self.of_complex_number(op, x),
        };
        self.cast(result, op.result(compute).unwrap_or(compute))
    }

    fn truth(&mut self, like: Node, truth: bool) -> Node {
        self.number(like, DType::Bool, truth)
    }

    fn of_integer(&mut self, op: UnaryOp, x: Node) -> Node {
        let is_signed = self.dtype(x).kind() == Kind::Signed;
        match op {
            UnaryOp::Neg => self.same("negate", &[x]),
            UnaryOp::Abs if is_signed => self.same("abs", &[x]),
            UnaryOp::Sign if is_signed => self.same("sign", &[x]),
            UnaryOp::Sign => {
                let dtype = self.dtype(x);
                let one = self.constant_like(x, 1.0);
                match dtype {
                    DType::Bool => x,
                    _ => self.same("minimum", &[x, one]),
                }
            }
            UnaryOp::Not => self.not(x),
            UnaryOp::Relu if is_signed => {
                let zero = self.constant_like(x, 0.0);
                self.same("maximum", &[x, zero])
            }
            UnaryOp::SignBit if is_signed => self.is_below_zero(x),
            UnaryOp::IsNan | UnaryOp::IsInf | UnaryOp::SignBit => self.truth(x, false),
            UnaryOp::IsFinite => self.truth(x, true),
            UnaryOp::Imag => self.constant_like(x, 0.0),
            // Every other function is the identity on integers and booleans.
            _ => x,
        }
    }

    /// Lowers a function of floats, and of complex numbers those that are written in the same way.
    fn of_float(&mut self, op: UnaryOp, x: Node) -> Node {
        let one = |graph: &mut Self| graph.constant_like(x, 1.0);
        match op {
            UnaryOp::Neg => self.same("negate", &[x]),
            UnaryOp::Abs => self.same("abs", &[x]),
            UnaryOp::Sign => self.same("sign", &[x]),
            UnaryOp::Sqrt => self.same("sqrt", &[x]),
            UnaryOp::Rsqrt => self.same("rsqrt", &[x]),
            UnaryOp::Cbrt => self.same("cbrt", &[x]),
            UnaryOp::Exp => self.same("exponential", &[x]),
            UnaryOp::Expm1 => self.same("exponential_minus_one", &[x]),
            UnaryOp::Ln => self.same("log", &[x]),
            UnaryOp::Log1p => self.same("log_plus_one", &[x]),
            UnaryOp::Sin => self.same("sine", &[x]),
            UnaryOp::Cos => self.same("cosine", &[x]),
            UnaryOp::Tan => self.same("tan", &[x]),
            UnaryOp::Tanh => self.same("tanh", &[x]),
            UnaryOp::Sigmoid => self.same("logistic", &[x]),
            UnaryOp::Floor => self.same("floor", &[x]),
            UnaryOp::Ceil => self.same("ceil", &[x]),
            UnaryOp::Round => self.same("round_nearest_even", &[x]),
            UnaryOp::Recip => {
                let one = one(self);
                self.divide(one, x)
            }
            UnaryOp::Exp2 => {
                let two = self.constant_like(x, 2.0);
                self.same("power", &[two, x])
            }
            UnaryOp::Log2 => self.log_to_base(x, LN_2),
            UnaryOp::Log10 => self.log_to_base(x, LN_10),
            UnaryOp::Asin => {
                let cosine = self.other_leg(x);
                self.same("atan2", &[x, cosine])
            }
            UnaryOp::Acos => {
                let sine = self.other_leg(x);
                self.same("atan2", &[sine, x])
            }
            UnaryOp::Atan => {
                let one = one(self);
                self.same("atan2", &[x, one])
            }
            UnaryOp::Sinh => self.sinh(x),
            UnaryOp::Cosh => {
                let opposite = self.same("negate", &[x]);
                let [up, down] = [x, opposite].map(|x| self.half_exponential(x));
                self.add(up, down)
            }
            UnaryOp::Asinh | UnaryOp::Acosh | UnaryOp::Atanh => self.inverse_hyperbolic(op, x),
            UnaryOp::Relu => {
                let zero = self.constant_like(x, 0.0);
                self.same("maximum", &[x, zero])
            }
            UnaryOp::Gelu => self.gelu(x),
            UnaryOp::GeluTanh => self.gelu_tanh(x),
            UnaryOp::Silu => self.silu(x),
            UnaryOp::Softplus => self.softplus(x),
            UnaryOp::Erf => self.erf(x),
            UnaryOp::Erfc => self.erfc(x),
            UnaryOp::Trunc => {
                let [up, down] = ["ceil", "floor"].map(|name| self.same(name, &[x]));
                let negative = self.has_sign(x);
                self.select(negative, up, down)
            }
            UnaryOp::SignBit => self.has_sign(x),
            UnaryOp::IsNan => self.is_nan(x),
            UnaryOp::IsInf => {
                let size = self.same("abs", &[x]);
                let infinity = self.constant_like(x, f64::INFINITY);
                self.compare("EQ", size, infinity)
            }
            UnaryOp::IsFinite => self.elementwise("is_finite", &[x], DType::Bool),
            UnaryOp::Imag => self.constant_like(x, 0.0),
            UnaryOp::Real | UnaryOp::Conj => x,
            UnaryOp::Not => unreachable!("floats have no `not`"),
        }
    }

    /// The other leg of a right triangle with the leg `x` and a hypotenuse of one: the root of `(1 - x) * (1 + x)`.
    fn other_leg(&mut self, x: Node) -> Node {
        let one = self.constant_like(x, 1.0);
        let (less, more) = (self.subtract(one, x), self.add(one, x));
        let product = self.multiply(less, more);
        self.same("sqrt", &[product])
    }

    /// Lowers `sinh` of floats: with e = exp(|x|) - 1, sinh |x| = (e + e / (e + 1)) / 2; the sign is that of x.
    fn sinh(&mut self, x: Node) -> Node {
        let size = self.same("abs", &[x]);
        let large = self.half_exponential(size);
        let less = self.same("exponential_minus_one", &[size]);
        let one = self.constant_like(x, 1.0);
        let next = self.add(less, one);
        let ratio = self.divide(less, next);
        let sum = self.add(less, ratio);
        let half = self.constant_like(x, 0.5);
        let small = self.multiply(sum, half);
        let bound = self.constant_like(x, 20.0);
        let is_large = self.compare("GT", size, bound);
        let result = self.select(is_large, large, small);
        let negative = self.same("negate", &[result]);
        let signed = self.has_sign(x);
        self.select(signed, negative, result)
    }

    /// The polynomial with these coefficients, of which that of the highest power comes first.
    pub(super) fn polynomial(&mut self, x: Node, coefficients: &[f64]) -> Node {
        let mut sum = self.constant_like(x, coefficients[0]);
        for &coefficient in &coefficients[1..] {
            let product = self.multiply(sum, x);
            let next = self.constant_like(x, coefficient);
            sum = self.add(product, next);
        }
        sum
    }

    /// Lowers `exp(x) / 2` without computing `exp(x)`, which overflows for some x for which half of it does not.
    fn half_exponential(&mut self, x: Node) -> Node {
        let half = self.constant_like(x, 0.5);
        let exponential = self.same("exponential", &[x]);
        let small = self.multiply(exponential, half);
        let halved = self.multiply(x, half);
        let root = self.same("exponential", &[halved]);
        let half_root = self.multiply(root, half);
        let large = self.multiply(half_root, root);
        let bound = match self.dtype(x) {
            DType::F32 => 88.0,
            _ => 709.0,
        };
        let bound = self.constant_like(x, bound);
        let is_large = self.compare("GT", x, bound);
        self.select(is_large, large, small)
    }

    fn log_to_base(&mut self, x: Node, log_of_base: f64) -> Node {
        let log = self.same("log", &[x]);
        let base = self.constant_like(x, log_of_base);
        match self.dtype(x).kind() {
            Kind::Complex => self.complex_divided(log, base),
            _ => self.divide(log, base),
        }
    }

    fn of_complex_number(&mut self, op: UnaryOp, z: Node) -> Node {
        let of_parts = |graph: &mut Self, op| {
            let [re, im] = graph.parts(z);
            [re, im].map(|part| graph.of_float(op, part))
        };
        match op {
            UnaryOp::Abs => self.elementwise("abs", &[z], part_of(self.dtype(z))),
            UnaryOp::Real => self.parts(z)[0],
            UnaryOp::Imag => self.parts(z)[1],
            UnaryOp::Conj => {
                let [re, im] = self.parts(z);
                let im = self.same("negate", &[im]);
                self.complex(re, im)
            }
            UnaryOp::Round => {
                let [re, im] = of_parts(self, op);
                self.complex(re, im)
            }
            UnaryOp::IsNan | UnaryOp::IsInf => {
                let [re, im] = of_parts(self, op);
                self.or(re, im)
            }
            UnaryOp::IsFinite => {
                let [re, im] = of_parts(self, op);
                self.and(re, im)
            }
            UnaryOp::Sign => {
                let size = self.elementwise("abs", &[z], part_of(self.dtype(z)));
                let parts = self.parts(z).map(|part| self.divide(part, size));
                let unit = self.complex(parts[0], parts[1]);
                let none = self.is_zero(size);
                let zero = self.constant_like(z, 0.0);
                self.select(none, zero, unit)
            }
            UnaryOp::Recip => self.complex_reciprocal(z),
            UnaryOp::Exp2 => {
                let log = self.constant_like(z, LN_2);
                let scaled = self.multiply(z, log);
                self.same("exponential", &[scaled])
            }
            UnaryOp::Log2 => self.log_to_base(z, LN_2),
            UnaryOp::Log10 => self.log_to_base(z, LN_10),
            // asin z = -i asinh(iz), sinh z = -i sin(iz), cosh z = cos(iz)
            UnaryOp::Sinh => {
                let iz = self.times_i(z);
                let sine = self.same("sine", &[iz]);
                self.times_minus_i(sine)
            }
            UnaryOp::Cosh => {
                let iz = self.times_i(z);
                self.same("cosine", &[iz])
            }
            UnaryOp::Asin => self.complex_asin(z),
            UnaryOp::Acos => {
                let angle = self.complex_asin(z);
                let right = self.constant_like(z, core::f64::consts::FRAC_PI_2);
                self.subtract(right, angle)
            }
            // atan z = -i atanh(iz)
            UnaryOp::Atan => {
                let iz = self.times_i(z);
                let result = self.complex_atanh(iz);
                self.times_minus_i(result)
            }
            UnaryOp::Asinh => {
                let iz = self.times_i(z);
                let angle = self.complex_asin(iz);
                self.times_minus_i(angle)
            }
            // ln(z + sqrt(z + 1) sqrt(z - 1))
            UnaryOp::Acosh => {
                let one = self.constant_like(z, 1.0);
                let sides = [self.add(z, one), self.subtract(z, one)];
                let [more, less] = sides.map(|side| self.same("sqrt", &[side]));
                let root = self.multiply(more, less);
                let sum = self.add(z, root);
                self.same("log", &[sum])
            }
            UnaryOp::Atanh => self.complex_atanh(z),
            _ => self.of_float(op, z),
        }
    }

    /// Lowers `atanh` of complex numbers: (ln(1 + z) - ln(1 - z)) / 2.
    fn complex_atanh(&mut self, z: Node) -> Node {
        let one = self.constant_like(z, 1.0);
        let (more, less) = (self.add(one, z), self.subtract(one, z));
        let [more, less] = [more, less].map(|z| self.same("log", &[z]));
        let difference = self.subtract(more, less);
        let half = self.constant_like(z, 0.5);
        self.multiply(difference, half)
    }

    /// Lowers `asin` of complex numbers: -i ln(iz + sqrt(1 - z²)).
    fn complex_asin(&mut self, z: Node) -> Node {
        let square = self.multiply(z, z);
        let one = self.constant_like(z, 1.0);
        let rest = self.subtract(one, square);
        let root = self.same("sqrt", &[rest]);
        let iz = self.times_i(z);
        let sum = self.add(iz, root);
        let log = self.same("log", &[sum]);
        self.times_minus_i(log)
    }

    fn times_minus_i(&mut self, z: Node) -> Node {
        let turned = self.times_i(z);
        self.same("negate", &[turned])
    }
}

/// Returns whether XLA's result in `f32` may be more than a unit in the last place off.
fn is_inaccurate(op: UnaryOp) -> bool {
    matches!(
        op,
        UnaryOp::Expm1
            | UnaryOp::Log1p
            | UnaryOp::Log2
            | UnaryOp::Log10
            | UnaryOp::Asin
            | UnaryOp::Acos
            | UnaryOp::Atan
            | UnaryOp::Sinh
            | UnaryOp::Cosh
            | UnaryOp::Asinh
            | UnaryOp::Acosh
            | UnaryOp::Atanh
            | UnaryOp::Tanh
            | UnaryOp::Sigmoid
            | UnaryOp::Erf
            | UnaryOp::Erfc
            | UnaryOp::Rsqrt
            | UnaryOp::Cbrt
            | UnaryOp::Gelu
            | UnaryOp::GeluTanh
            | UnaryOp::Silu
            | UnaryOp::Softplus
    )
}
