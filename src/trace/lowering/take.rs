//! Lowering of takes to `gather`.

use crate::array::{Dims, ScalarBits};
use crate::dtype::{DType, Kind};
use crate::trace::graph::{Graph, Node, array_of};

impl Graph {
    /// Lowers [`exec::take`](crate::exec::take). A result of no elements is a constant: `gather` slices one position of the
    /// axis, which may not exist.
    pub(in crate::trace) fn taken(
        &mut self,
        x: Node,
        indices: Node,
        axis: usize,
        shape: Dims,
    ) -> Node {
        let (dtype, from, rank) = (self.dtype(x), *self.shape(x), self.shape(indices).len());
        if shape.contains(&0) {
            return self.splat(ScalarBits::of(dtype, 0.0), shape);
        }
        let indices = self.counted_from_start(indices, from[axis]);
        let mut sizes = from;
        sizes[axis] = 1;
        let kept: Vec<usize> = (0..axis).chain(axis + rank..shape.len()).collect();
        let attributes = format!(
            "dimension_numbers = #stablehlo.gather<offset_dims = {kept:?}, collapsed_slice_dims = [{axis}], \
             start_index_map = [{axis}], index_vector_dim = {rank}>, indices_are_sorted = false, slice_sizes = {}",
            array_of(&sizes)
        );
        self.operation("gather", &[x, indices], attributes, dtype, shape)
    }

    /// Lowers [`exec::take_along_axis`](crate::exec::take_along_axis): all axes but one are those of a batch.
    pub(in crate::trace) fn taken_along_axis(
        &mut self,
        x: Node,
        indices: Node,
        axis: usize,
        shape: Dims,
    ) -> Node {
        let (dtype, size) = (self.dtype(x), self.shape(x)[axis]);
        if shape.contains(&0) {
            return self.splat(ScalarBits::of(dtype, 0.0), shape);
        }
        let mut from = shape;
        from[axis] = size;
        let x = self.broadcast(x, from);
        let indices = self.broadcast(indices, shape);
        let indices = self.counted_from_start(indices, size);
        let batch: Vec<usize> = (0..shape.len()).filter(|at| *at != axis).collect();
        let attributes = format!(
            "dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [{axis}], operand_batching_dims = {batch:?}, \
             start_indices_batching_dims = {batch:?}, start_index_map = [{axis}], index_vector_dim = {}>, \
             indices_are_sorted = false, slice_sizes = {}",
            shape.len(),
            array_of(&shape.map(|_| 1))
        );
        self.operation("gather", &[x, indices], attributes, dtype, shape)
    }

    /// Counts negative indices from the start of an axis. Constants were counted so before.
    pub(super) fn counted_from_start(&mut self, indices: Node, size: usize) -> Node {
        let is_signed = self.dtype(indices).kind() == Kind::Signed;
        let indices = self.convert(indices, DType::I64);
        if !is_signed || self.is_constant(indices) {
            return indices;
        }
        let negative = self.is_below_zero(indices);
        let size = self.number(indices, DType::I64, u64::try_from(size).unwrap_or(u64::MAX));
        let from_end = self.add(indices, size);
        self.select(negative, from_end, indices)
    }
}
