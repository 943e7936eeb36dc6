//! Lowering of Supremum's operations to StableHLO.
//!
//! Each operation becomes as many StableHLO operations as are needed to give the values that Supremum computes:
//!
//! - small floats (16 and 8 bits) compute in `f32` and are rounded once, with a `convert` each way;
//! - cases that StableHLO leaves undefined are written out by `select`;
//! - functions of which XLA's version is more than a unit in the last place off are computed from other operations.

mod activations;
mod binary;
mod cast;
mod compare;
mod conv;
mod error_function;
mod functions;
mod inverse_hyperbolic;
mod part;
mod reduce;
mod scatter;
mod softmax;
mod sort;
mod take;
mod views;

pub(in crate::trace) use views::Positions;

use super::graph::{Graph, Node};
use crate::dtype::DType;

/// Helpers that the submodules share.
impl Graph {
    /// Returns the real and the imaginary part of a complex number.
    fn parts(&mut self, z: Node) -> [Node; 2] {
        let dtype = part_of(self.dtype(z));
        ["real", "imag"].map(|name| self.elementwise(name, &[z], dtype))
    }

    /// Makes the complex number with these parts.
    fn complex(&mut self, re: Node, im: Node) -> Node {
        let dtype = match self.dtype(re) {
            DType::F32 => DType::C64,
            _ => DType::C128,
        };
        self.elementwise("complex", &[re, im], dtype)
    }

    /// Adds a constant with the dtype and shape of a value.
    fn constant_like(&mut self, like: Node, number: f64) -> Node {
        let dtype = self.dtype(like);
        self.number(like, dtype, number)
    }

    fn is_below_zero(&mut self, x: Node) -> Node {
        let zero = self.constant_like(x, 0.0);
        self.compare("LT", x, zero)
    }

    fn is_zero(&mut self, x: Node) -> Node {
        let zero = self.constant_like(x, 0.0);
        self.compare("EQ", x, zero)
    }

    /// Returns whether the sign bit of a float is set, also for negative zeros.
    fn has_sign(&mut self, x: Node) -> Node {
        let dtype = match self.dtype(x) {
            DType::F32 => DType::I32,
            _ => DType::I64,
        };
        let bits = self.bits(x, dtype);
        self.is_below_zero(bits)
    }

    fn is_nan(&mut self, x: Node) -> Node {
        self.compare("NE", x, x)
    }

    fn and(&mut self, a: Node, b: Node) -> Node {
        self.same("and", &[a, b])
    }

    fn or(&mut self, a: Node, b: Node) -> Node {
        self.same("or", &[a, b])
    }

    fn not(&mut self, x: Node) -> Node {
        self.same("not", &[x])
    }

    fn add(&mut self, a: Node, b: Node) -> Node {
        self.same("add", &[a, b])
    }

    fn subtract(&mut self, a: Node, b: Node) -> Node {
        self.same("subtract", &[a, b])
    }

    fn multiply(&mut self, a: Node, b: Node) -> Node {
        self.same("multiply", &[a, b])
    }

    fn divide(&mut self, a: Node, b: Node) -> Node {
        self.same("divide", &[a, b])
    }
}

/// The dtype of the parts of a complex dtype.
fn part_of(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        _ => DType::F64,
    }
}
