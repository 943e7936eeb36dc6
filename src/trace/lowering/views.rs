//! Lowering of slices, diagonals, `concat`, `pad` and triangles.

use crate::array::{Dims, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::Triangle;
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

    /// Lowers [`exec::diagonal`](crate::exec::diagonal): the part of the matrices from the diagonal's first element on, in
    /// which each element of the diagonal lies a row and a column after the one before it.
    pub(in crate::trace) fn diagonal(
        &mut self,
        x: Node,
        offset: isize,
        [first, second]: [usize; 2],
        shape: Dims,
    ) -> Result<Node, Error> {
        let (rank, count) = (self.shape(x).len(), shape[shape.len() - 1]);
        if shape.contains(&0) {
            return Ok(self.splat(ScalarBits::of(self.dtype(x), 0.0), shape));
        }
        let others = (0..rank).filter(|axis| *axis != first && *axis != second);
        let order: Vec<usize> = others.chain([first, second]).collect();
        let mut square = self.permuted(x, &order);
        for (axis, start) in [
            (rank - 2, offset.min(0).wrapping_neg()),
            (rank - 1, offset.max(0)),
        ] {
            let positions = Positions {
                axis,
                start,
                step: 1,
                count,
            };
            square = self.sliced(square, positions);
        }
        let mut flat = self.shape(square).removed(rank - 1);
        flat[rank - 2] = count * count;
        let positions = Positions {
            axis: rank - 2,
            start: 0,
            step: count.cast_signed() + 1,
            count,
        };
        let flat = self.reshape(square, flat);
        Ok(self.sliced(flat, positions))
    }

    /// Lowers [`exec::pad`](crate::exec::pad).
    pub(in crate::trace) fn padded(
        &mut self,
        x: Node,
        padding: &[[usize; 2]],
        value: ScalarBits,
        shape: Dims,
    ) -> Node {
        let value = self.splat(value, Dims::default());
        let [low, high] = [0, 1].map(|side| {
            let sizes: Vec<usize> = padding.iter().map(|sizes| sizes[side]).collect();
            array_of(&sizes)
        });
        let attributes = format!(
            "edge_padding_low = {low}, edge_padding_high = {high}, interior_padding = {}",
            array_of(&shape.map(|_| 0))
        );
        let dtype = self.dtype(x);
        self.operation("pad", &[x, value], attributes, dtype, shape)
    }

    /// Lowers [`exec::triangle`](crate::exec::triangle): a choice by the numbers of row and column.
    pub(in crate::trace) fn triangle(&mut self, kept: Triangle, x: Node, offset: isize) -> Node {
        let (dtype, shape) = (self.dtype(x), *self.shape(x));
        let [row, column] =
            [2, 1].map(|from_end| self.positions(shape.len() - from_end, DType::I64, shape));
        // Far beyond the matrix all offsets are the same, and sums do not overflow.
        let far = 1 << 48;
        let offset = i64::try_from(offset).unwrap_or(far).clamp(-far, far);
        let offset = self.number(row, DType::I64, offset);
        let diagonal = self.add(row, offset);
        let direction = match kept {
            Triangle::Lower => "LE",
            Triangle::Upper => "GE",
        };
        let is_kept = self.compare(direction, column, diagonal);
        let zero = self.splat(ScalarBits::of(dtype, 0.0), shape);
        self.select(is_kept, x, zero)
    }
}
