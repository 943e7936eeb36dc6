//! Lowering of scatters.

use crate::array::Dims;
use crate::dtype::Kind;
use crate::error::Error;
use crate::kernel::{BinaryOp, ScatterOp};
use crate::trace::graph::{Graph, Node, Region};

impl Graph {
    /// Lowers [`exec::scatter`](crate::exec::scatter): all axes but one are those of a batch. XLA leaves out updates whose index is out
    /// of range.
    pub(in crate::trace) fn scattered(
        &mut self,
        op: ScatterOp,
        x: Node,
        [indices, updates]: [Node; 2],
        axis: usize,
        shape: Dims,
    ) -> Result<Node, Error> {
        let size = self.shape(x)[axis];
        if shape.contains(&0) {
            return Ok(x);
        }
        let dtype = self.dtype(x);
        let indices = self.broadcast(indices, shape);
        let indices = self.counted_from_start(indices, size);
        let updates = self.broadcast(updates, shape);
        // Sums are rounded once.
        let [x, updates] = match op {
            ScatterOp::Replace => [x, updates],
            _ => [x, updates].map(|operand| self.in_compute_dtype(operand, dtype)),
        };
        let mut graph = Self::default();
        let element = self.dtype(x);
        let [own, update] = [(); 2].map(|()| graph.parameter(element, Dims::default()));
        let combined = match (op, element.kind()) {
            (ScatterOp::Replace, _) => update,
            (ScatterOp::Add, Kind::Bool) => graph.same("or", &[own, update]),
            (ScatterOp::Add, _) => graph.same("add", &[own, update]),
            (ScatterOp::Max, _) => graph.binary(BinaryOp::Max, element, [own, update])?,
            (ScatterOp::Min, _) => graph.binary(BinaryOp::Min, element, [own, update])?,
        };
        let region = Region {
            graph,
            results: vec![combined],
        };
        let batch: Vec<usize> = (0..shape.len()).filter(|at| *at != axis).collect();
        let attributes = format!(
            "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [{axis}], input_batching_dims = {batch:?}, \
             scatter_indices_batching_dims = {batch:?}, scatter_dims_to_operand_dims = [{axis}], index_vector_dim = {}>, \
             indices_are_sorted = false, unique_indices = false",
            shape.len()
        );
        let scattered = self.with_region("scatter", &[x], &[indices, updates], attributes, region);
        Ok(self.cast(scattered, dtype))
    }
}
