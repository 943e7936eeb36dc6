//! Lowering of the inverses of hyperbolic functions of real numbers, as `dtype/compute/functions.rs` computes them for `f32`.

use core::f64::consts::LN_2;

use crate::kernel::UnaryOp;
use crate::trace::graph::{Graph, Node};

impl Graph {
    /// Lowers `asinh`, `acosh` and `atanh` of `f32` in `f64`, of `f64` and of small floats.
    pub(super) fn inverse_hyperbolic(&mut self, op: UnaryOp, x: Node) -> Node {
        let one = self.constant_like(x, 1.0);
        if op == UnaryOp::Acosh {
            // ln(1 + t + sqrt(t (t + 2))) of the distance t from one
            let distance = self.subtract(x, one);
            let two = self.constant_like(x, 2.0);
            let more = self.add(distance, two);
            let square = self.multiply(distance, more);
            let root = self.same("sqrt", &[square]);
            let sum = self.add(distance, root);
            let result = self.same("log_plus_one", &[sum]);
            return self.or_logarithm_of_double(x, result);
        }
        let size = self.same("abs", &[x]);
        let result = if op == UnaryOp::Asinh {
            // ln(1 + |x| + x^2 / (1 + sqrt(x^2 + 1)))
            let square = self.multiply(size, size);
            let next = self.add(square, one);
            let root = self.same("sqrt", &[next]);
            let under = self.add(one, root);
            let ratio = self.divide(square, under);
            let sum = self.add(size, ratio);
            let result = self.same("log_plus_one", &[sum]);
            self.or_logarithm_of_double(size, result)
        } else {
            // ln(1 + 2 |x| / (1 - |x|)) / 2
            let double = self.add(size, size);
            let rest = self.subtract(one, size);
            let ratio = self.divide(double, rest);
            let result = self.same("log_plus_one", &[ratio]);
            let half = self.constant_like(x, 0.5);
            self.multiply(result, half)
        };
        let negative = self.same("negate", &[result]);
        let signed = self.has_sign(x);
        self.select(signed, negative, result)
    }

    /// ln(2 x) where x is so large that its square could overflow, and the result there is nothing else.
    fn or_logarithm_of_double(&mut self, x: Node, result: Node) -> Node {
        let log = self.same("log", &[x]);
        let log_of_two = self.constant_like(x, LN_2);
        let sum = self.add(log, log_of_two);
        let bound = self.constant_like(x, 1e9);
        let is_large = self.compare("GT", x, bound);
        self.select(is_large, sum, result)
    }
}
