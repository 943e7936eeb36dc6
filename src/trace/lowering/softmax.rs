//! Lowering of `softmax`, `log_softmax` and `log_sum_exp`.

use crate::array::{Dims, ScalarBits};
use crate::dtype::{DType, compute_dtype};
use crate::error::Error;
use crate::kernel::{ReduceOp, SoftmaxOp};
use crate::trace::graph::{Graph, Node};

impl Graph {
    /// Lowers [`exec::softmax`](crate::exec::softmax). `shape` is the shape of the result of a reduction.
    pub(in crate::trace) fn softmax(
        &mut self,
        op: SoftmaxOp,
        x: Node,
        axes: &[usize],
        shape: Dims,
        out: DType,
    ) -> Result<Node, Error> {
        let from = *self.shape(x);
        let result = if op.is_reduction() { shape } else { from };
        if from.contains(&0) {
            return Ok(self.splat(ScalarBits::of(out, f64::NEG_INFINITY), result));
        }
        let x = self.cast(x, out);
        let x = self.cast(x, compute_dtype(out));
        let mut kept = from;
        for axis in axes {
            kept[*axis] = 1;
        }
        let maximum = self.reduced(ReduceOp::Max, x, axes, kept, self.dtype(x))?;
        let maximum = self.finite_or_zero(op, maximum);
        let wide = self.broadcast(maximum, from);
        let distances = self.subtract(x, wide);
        let powers = self.same("exponential", &[distances]);
        let sums = self.reduced(ReduceOp::Sum, powers, axes, kept, self.dtype(x))?;
        let result = match op {
            SoftmaxOp::Softmax => {
                let sums = self.broadcast(sums, from);
                self.divide(powers, sums)
            }
            SoftmaxOp::LogSoftmax => {
                let logs = self.same("log", &[sums]);
                let logs = self.broadcast(logs, from);
                self.subtract(distances, logs)
            }
            SoftmaxOp::LogSumExp => {
                let logs = self.same("log", &[sums]);
                let logs = self.add(logs, maximum);
                self.reshape(logs, shape)
            }
        };
        Ok(self.cast(result, out))
    }

    /// The maxima of a reduction, with zero in place of infinite ones: so that no difference of infinities occurs.
    fn finite_or_zero(&mut self, op: SoftmaxOp, maximum: Node) -> Node {
        if !op.is_reduction() {
            return maximum;
        }
        let is_finite = self.elementwise("is_finite", &[maximum], DType::Bool);
        let zero = self.constant_like(maximum, 0.0);
        self.select(is_finite, maximum, zero)
    }
}
