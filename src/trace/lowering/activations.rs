//! Lowering of activation functions, which compute as those of `dtype/compute/activations.rs`.

use core::f64::consts::FRAC_1_SQRT_2;

use crate::dtype::DType;
use crate::dtype::compute::activations::{GELU_CUBIC, GELU_LINEAR};
use crate::trace::graph::{Graph, Node};

impl Graph {
    pub(super) fn gelu(&mut self, x: Node) -> Node {
        let x = self.bounded(x, -20.0);
        let scale = self.constant_like(x, -FRAC_1_SQRT_2);
        let scaled = self.multiply(x, scale);
        let share = self.erfc(scaled);
        let half = self.constant_like(x, 0.5);
        let halved = self.multiply(x, half);
        self.multiply(halved, share)
    }

    pub(super) fn gelu_tanh(&mut self, x: Node) -> Node {
        let x = self.bounded(x, -40.0);
        let [linear, cubic] = [GELU_LINEAR, GELU_CUBIC].map(|c| self.constant_like(x, c));
        let square = self.multiply(x, x);
        let slope = self.multiply(square, cubic);
        let slope = self.add(slope, linear);
        let inner = self.multiply(x, slope);
        self.times_logistic(x, inner)
    }

    pub(super) fn silu(&mut self, x: Node) -> Node {
        let x = self.bounded(x, -800.0);
        self.times_logistic(x, x)
    }

    /// Lowers `softplus`: max(x, 0) + ln(1 + exp(-|x|)).
    pub(super) fn softplus(&mut self, x: Node) -> Node {
        let zero = self.constant_like(x, 0.0);
        let greater = self.same("maximum", &[x, zero]);
        let size = self.same("abs", &[x]);
        let negative = self.same("negate", &[size]);
        let power = self.same("exponential", &[negative]);
        let rest = self.same("log_plus_one", &[power]);
        self.add(greater, rest)
    }

    /// The greater of a float and a bound, so that -inf times zero does not occur.
    pub(super) fn bounded(&mut self, x: Node, bound: f64) -> Node {
        debug_assert!(matches!(self.dtype(x), DType::F32 | DType::F64));
        let bound = self.constant_like(x, bound);
        self.same("maximum", &[x, bound])
    }

    fn times_logistic(&mut self, x: Node, inner: Node) -> Node {
        let share = self.same("logistic", &[inner]);
        self.multiply(x, share)
    }
}
