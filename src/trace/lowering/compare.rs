//! Lowering of comparisons and `select`.

use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::CompareOp;
use crate::trace::graph::{Graph, Node};

impl Graph {
    /// Lowers [`exec::compare`](crate::exec::compare).
    pub(in crate::trace) fn compared(
        &mut self,
        op: CompareOp,
        compute: [DType; 2],
        [lhs, rhs]: [Node; 2],
    ) -> Result<Node, Error> {
        let operands = [
            self.in_compute_dtype(lhs, compute[0]),
            self.in_compute_dtype(rhs, compute[1]),
        ];
        let [lhs, rhs] = self.broadcast_together(op.name(), operands)?;
        if compute[0] == compute[1] {
            return Ok(self.ordered(op, lhs, rhs));
        }
        Ok(self.by_value(op, lhs, rhs))
    }

    /// Compares `u64` with `i64` by value. If the signed operand is not negative, comparing the bits as `u64` is right;
    /// if it is negative, it is the smaller one.
    fn by_value(&mut self, op: CompareOp, lhs: Node, rhs: Node) -> Node {
        let signed_left = self.dtype(lhs) == DType::I64;
        let signed = if signed_left { lhs } else { rhs };
        let zero = self.constant_like(signed, 0.0);
        let negative = self.compare("LT", signed, zero);
        let [lhs, rhs] = match signed_left {
            true => [self.bits(lhs, DType::U64), rhs],
            false => [lhs, self.bits(rhs, DType::U64)],
        };
        let of_bits = self.ordered(op, lhs, rhs);
        let holds_if_negative = match op {
            CompareOp::Eq => false,
            CompareOp::Ne => true,
            CompareOp::Lt | CompareOp::Le => signed_left,
            CompareOp::Gt | CompareOp::Ge => !signed_left,
        };
        if holds_if_negative {
            self.or(negative, of_bits)
        } else {
            let not_negative = self.not(negative);
            self.and(not_negative, of_bits)
        }
    }

    pub(super) fn ordered(&mut self, op: CompareOp, lhs: Node, rhs: Node) -> Node {
        // `strictly` is the direction for the real parts of complex numbers.
        let (direction, strictly) = match op {
            CompareOp::Eq => ("EQ", None),
            CompareOp::Ne => ("NE", None),
            CompareOp::Lt => ("LT", Some("LT")),
            CompareOp::Le => ("LE", Some("LT")),
            CompareOp::Gt => ("GT", Some("GT")),
            CompareOp::Ge => ("GE", Some("GT")),
        };
        let (Kind::Complex, Some(strictly)) = (self.dtype(lhs).kind(), strictly) else {
            return self.compare(direction, lhs, rhs);
        };
        // Lexicographic order: by the real part, then by the imaginary part.
        let ([a, a_im], [b, b_im]) = (self.parts(lhs), self.parts(rhs));
        let decided = self.compare(strictly, a, b);
        let equal = self.compare("EQ", a, b);
        let then = self.compare(direction, a_im, b_im);
        let then = self.and(equal, then);
        self.or(decided, then)
    }

    /// Lowers [`exec::select`](crate::exec::select).
    pub(in crate::trace) fn selected(
        &mut self,
        condition: Node,
        out: DType,
        operands: [Node; 2],
    ) -> Result<Node, Error> {
        let [a, b] = operands.map(|x| self.cast(x, out));
        let [condition, a, b] = self.broadcast_together("select", [condition, a, b])?;
        Ok(self.select(condition, a, b))
    }

    /// Returns the smaller (or greater) of two complex numbers in lexicographic order, or the one with a NaN part.
    pub(super) fn complex_extreme(&mut self, op: CompareOp, a: Node, b: Node) -> Node {
        let before = self.ordered(op, a, b);
        let [a_nan, b_nan] = [a, b].map(|z| {
            let [re, im] = self.parts(z).map(|part| self.is_nan(part));
            self.or(re, im)
        });
        let b_counts = self.not(b_nan);
        let before = self.and(before, b_counts);
        let first = self.or(a_nan, before);
        self.select(first, a, b)
    }
}
