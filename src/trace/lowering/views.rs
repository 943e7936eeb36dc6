//! Lowering of slices and `concat`.

use crate::array::Dims;
use crate::dtype::DType;
use crate::trace::graph::{Graph, Node, array_of};

/// `count` positions of an axis: `start`, `start + step` and so on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Positions {
    pub(crate) axis: usize,
    pub(crate) start: isize,
    pub(crate) step: isize,
    pub(crate) count: usize,
}

impl Graph {
    pub(in crate::trace) fn permuted(&mut self, x: Node, order: &[usize]) -> Node {
        let from = *self.shape(x);
        let mut shape = from;
        for (to, axis) in shape.iter_mut().zip(order) {
            *to = from[*axis];
        }
        let attributes = format!("permutation = {}", array_of(order));
        let dtype = self.dtype(x);
        self.operation("transpose", &[x], attributes, dtype, shape)
    }

    /// Lowers a slice along an axis. For a negative step it slices forwards, then reverses.
    pub(in crate::trace) fn sliced(&mut self, x: Node, positions: Positions) -> Node {
        let Positions {
            axis,
            start,
            step,
            count,
        } = positions;
        let (dtype, from) = (self.dtype(x), *self.shape(x));
        let stride = step.unsigned_abs();
        let extent = count.saturating_sub(1) * stride;
        let first = match (count, step > 0) {
            (0, _) => 0,
            (_, true) => start.unsigned_abs(),
            (_, false) => start.unsigned_abs() - extent,
        };
        let (mut starts, mut limits, mut strides) = (from.map(|_| 0), from, from.map(|_| 1));
        starts[axis] = first;
        limits[axis] = if count == 0 { 0 } else { first + extent + 1 };
        strides[axis] = if count < 2 { 1 } else { stride };
        let mut shape = from;
        shape[axis] = count;
        let attributes = format!(
            "start_indices = {}, limit_indices = {}, strides = {}",
            array_of(&starts),
            array_of(&limits),
            array_of(&strides)
        );
        let sliced = self.operation("slice", &[x], attributes, dtype, shape);
        if step > 0 {
            return sliced;
        }
        let attributes = format!("dimensions = {}", array_of(&[axis]));
        self.operation("reverse", &[sliced], attributes, dtype, shape)
    }

    pub(in crate::trace) fn joined(
        &mut self,
        parts: &[Node],
        axis: usize,
        out: DType,
        shape: Dims,
    ) -> Node {
        let parts: Vec<Node> = parts.iter().map(|part| self.cast(*part, out)).collect();
        let attributes = format!("dimension = {axis} : i64");
        self.operation("concatenate", &parts, attributes, out, shape)
    }
}
