//! Lowering of reductions, cumulative sums and matrix products.

use crate::array::{Dims, ScalarBits};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::facts::{
    MatmulShapes, accumulator, casts_first, column_matrix, product_dtype, row_matrix,
};
use crate::kernel::{ArgOp, BinaryOp, CompareOp, ReduceOp, UnaryOp};
use crate::trace::graph::{Graph, Node, Region, array_of};

impl Graph {
    /// Lowers [`exec::reduce`](crate::exec::reduce) along axes, to a result of this shape.
    pub(in crate::trace) fn reduced(
        &mut self,
        op: ReduceOp,
        x: Node,
        axes: &[usize],
        shape: Dims,
        out: DType,
    ) -> Result<Node, Error> {
        let count: usize = axes.iter().map(|axis| self.shape(x)[*axis]).product();
        let from = self.dtype(x);
        let x = if casts_first(op, from, out) {
            self.cast(x, out)
        } else {
            x
        };
        let dtype = accumulator(op, self.dtype(x), out);
        let result = match op {
            ReduceOp::Mean => self.mean(x, axes, dtype, shape, count)?,
            ReduceOp::Var { ddof } | ReduceOp::Std { ddof } => {
                let means = self.mean(x, axes, dtype, shape, count)?;
                let squares = match dtype {
                    DType::C128 => DType::F64,
                    _ => dtype,
                };
                let sums = self.folded(ReduceOp::Sum, x, axes, squares, Some(means));
                let sums = self.reshape(sums, shape);
                let variance = self.divided(sums, count.saturating_sub(ddof))?;
                match op {
                    ReduceOp::Std { .. } => self.unary(UnaryOp::Sqrt, squares, variance),
                    _ => variance,
                }
            }
            _ => {
                let folded = self.folded(op, x, axes, dtype, None);
                self.reshape(folded, shape)
            }
        };
        Ok(self.cast(result, out))
    }

    fn mean(
        &mut self,
        x: Node,
        axes: &[usize],
        dtype: DType,
        shape: Dims,
        count: usize,
    ) -> Result<Node, Error> {
        let sums = self.folded(ReduceOp::Sum, x, axes, dtype, None);
        let sums = self.reshape(sums, shape);
        self.divided(sums, count)
    }

    /// Divides sums by a number of elements, in their dtype.
    fn divided(&mut self, sums: Node, count: usize) -> Result<Node, Error> {
        let count = ScalarBits::new(u64::try_from(count).unwrap_or(u64::MAX));
        let count = self.splat(count, Dims::default());
        self.binary(BinaryOp::Div, self.dtype(sums), [sums, count])
    }

    /// Reduces along axes in a dtype. With `means`, it sums the squared distances from them.
    fn folded(
        &mut self,
        op: ReduceOp,
        x: Node,
        axes: &[usize],
        dtype: DType,
        means: Option<Node>,
    ) -> Node {
        let mut x = x;
        if let Some(means) = means {
            let (shape, mean_dtype) = (*self.shape(x), self.dtype(means));
            x = self.cast(x, mean_dtype);
            // Keep the reduced axes as axes of size one, so that the means broadcast.
            let kept = (0..shape.len()).map(|axis| match axes.contains(&axis) {
                true => 1,
                false => shape[axis],
            });
            let kept: Vec<usize> = kept.collect();
            let means = self.reshape(means, Dims::new(&kept).unwrap_or_default());
            let means = self.broadcast(means, shape);
            let distance = self.subtract(x, means);
            x = if mean_dtype.kind() == Kind::Complex {
                let [re, im] = self.parts(distance).map(|part| self.multiply(part, part));
                self.add(re, im)
            } else {
                self.multiply(distance, distance)
            };
        }
        let x = self.cast(x, dtype);
        let start = self.start(op, dtype);
        let mut graph = Self::default();
        let [a, b] = [(); 2].map(|()| graph.parameter(dtype, Dims::default()));
        let result = graph.combined(op, a, b);
        let region = Region {
            graph,
            results: vec![result],
        };
        self.reduce(&[x], &[start], axes, region)
    }

    /// The start value of a reduction, which is its result for no elements.
    fn start(&mut self, op: ReduceOp, dtype: DType) -> Node {
        let [low, high] = extremes(self, dtype);
        match op {
            ReduceOp::Prod | ReduceOp::All => self.scalar(dtype, 1.0),
            ReduceOp::Min => high,
            ReduceOp::Max => low,
            _ => self.scalar(dtype, 0.0),
        }
    }

    fn scalar(&mut self, dtype: DType, number: f64) -> Node {
        let single = ScalarBits::of(dtype, number);
        self.splat(single, Dims::default())
    }

    fn combined(&mut self, op: ReduceOp, a: Node, b: Node) -> Node {
        let kind = self.dtype(a).kind();
        let name = match (op, kind) {
            (ReduceOp::Min, Kind::Complex) => return self.complex_extreme(CompareOp::Lt, a, b),
            (ReduceOp::Max, Kind::Complex) => return self.complex_extreme(CompareOp::Gt, a, b),
            (ReduceOp::Min | ReduceOp::Prod | ReduceOp::All, Kind::Bool) => "and",
            (_, Kind::Bool) => "or",
            (ReduceOp::Min, _) => "minimum",
            (ReduceOp::Max, _) => "maximum",
            (ReduceOp::Prod, _) => "multiply",
            _ => "add",
        };
        self.same(name, &[a, b])
    }

    /// Lowers `argmin` and `argmax`: the position of the extreme along the axes, counted in row-major order. Of equal
    /// elements it is the first; a NaN comes before every number.
    pub(in crate::trace) fn extreme_positions(
        &mut self,
        op: ArgOp,
        x: Node,
        axes: &[usize],
    ) -> Node {
        let x = self.in_compute_dtype(x, self.dtype(x));
        let (x, axis) = match axes {
            [axis] => (x, *axis),
            _ => {
                let count = self.shape(x).iter().product();
                (self.reshape(x, Dims::new(&[count]).unwrap_or_default()), 0)
            }
        };
        let (dtype, shape) = (self.dtype(x), *self.shape(x));
        let positions = self.positions(axis, DType::I64, shape);
        let [low, high] = extremes(self, dtype);
        let start = match op {
            ArgOp::Min => high,
            ArgOp::Max => low,
        };
        let behind = ScalarBits::new(i64::MAX);
        let behind = self.splat(behind, Dims::default());
        let mut graph = Self::default();
        let [a, a_at, b, b_at] = [dtype, DType::I64, dtype, DType::I64]
            .map(|dtype| graph.parameter(dtype, Dims::default()));
        let results = graph.earlier_extreme(op, [a, a_at], [b, b_at]).to_vec();
        let region = Region { graph, results };
        self.reduce(&[x, positions], &[start, behind], &[axis], region)
    }

    /// Returns the more extreme of two elements with its position; of equal ones the one with the lower position.
    fn earlier_extreme(&mut self, op: ArgOp, a: [Node; 2], b: [Node; 2]) -> [Node; 2] {
        let ([a, a_at], [b, b_at]) = (a, b);
        let strictly = match op {
            ArgOp::Min => CompareOp::Lt,
            ArgOp::Max => CompareOp::Gt,
        };
        let kind = self.dtype(a).kind();
        let mut before = self.ordered(strictly, a, b);
        let mut equal = self.compare("EQ", a, b);
        let earlier = self.compare("LT", a_at, b_at);
        if kind.is_inexact() {
            let [a_nan, b_nan] = [a, b].map(|x| self.is_nan(x));
            let b_number = self.not(b_nan);
            let both = self.and(a_nan, b_nan);
            equal = self.or(equal, both);
            let less_nan = self.and(before, b_number);
            let more_nan = self.and(a_nan, b_number);
            before = self.or(less_nan, more_nan);
        }
        let tied = self.and(equal, earlier);
        let first = self.or(before, tied);
        [self.select(first, a, b), self.select(first, a_at, b_at)]
    }

    /// Lowers the cumulative sum by a parallel prefix sum: the partial sums are shifted by 1, 2, 4, .. and added. The
    /// padding is -0.0 for floats, so that it changes nothing, not even the sign of a zero.
    pub(in crate::trace) fn running_sums(&mut self, x: Node, axis: usize) -> Node {
        let (mut sums, dtype, shape) = (x, self.dtype(x), *self.shape(x));
        let nothing = match dtype.kind() {
            Kind::Complex => ScalarBits::new(crate::dtype::c128::new(-0.0, -0.0)),
            Kind::Float => ScalarBits::of(dtype, -0.0),
            _ => ScalarBits::of(dtype, 0.0),
        };
        let nothing = self.splat(nothing, Dims::default());
        let mut step = 1;
        while step < shape[axis] {
            let mut low = shape.map(|_| 0);
            low[axis] = step;
            let mut end = shape;
            end[axis] -= step;
            let zeros = array_of(&shape.map(|_| 0));
            let ones = array_of(&shape.map(|_| 1));
            let attributes = format!(
                "start_indices = {zeros}, limit_indices = {}, strides = {ones}",
                array_of(&end)
            );
            let earlier = self.operation("slice", &[sums], attributes, dtype, end);
            let attributes = format!(
                "edge_padding_low = {}, edge_padding_high = {zeros}, interior_padding = {zeros}",
                array_of(&low)
            );
            let earlier = self.operation("pad", &[earlier, nothing], attributes, dtype, shape);
            sums = match dtype {
                DType::Bool => self.or(sums, earlier),
                _ => self.add(earlier, sums),
            };
            step *= 2;
        }
        sums
    }

    /// Lowers [`exec::matmul`](crate::exec::matmul).
    pub(in crate::trace) fn matmul(
        &mut self,
        operands: [Node; 2],
        shapes: &MatmulShapes,
        out: DType,
    ) -> Result<Node, Error> {
        let ranks = operands.map(|x| self.shape(x).len());
        let [a, b] = operands.map(|x| {
            let x = self.cast(x, out);
            self.cast(x, product_dtype(out))
        });
        let a = self.reshape(a, row_matrix(self.shape(a))?);
        let b = self.reshape(b, column_matrix(self.shape(b))?);
        let a = self.broadcast(a, shapes.lhs);
        let b = self.broadcast(b, shapes.rhs);
        let product = self.products(a, b, shapes.product);
        let mut product = self.cast(product, out);
        // Remove the axes that were added to operands of rank one, that of the column first.
        for (rank, from_end) in [(ranks[1], 1), (ranks[0], ranks[1].min(2))] {
            if rank == 1 {
                let shape = self.shape(product);
                let shape = shape.removed(shape.len() - from_end);
                product = self.reshape(product, shape);
            }
        }
        Ok(product)
    }

    /// Multiplies stacks of matrices with the same leading axes; both operands have the compute dtype.
    fn products(&mut self, a: Node, b: Node, shape: Dims) -> Node {
        let rank = shape.len();
        let batch: Vec<String> = (0..rank - 2).map(|axis| axis.to_string()).collect();
        let batch = batch.join(", ");
        let attributes = format!(
            "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [{batch}], rhs_batching_dimensions = [{batch}], \
             lhs_contracting_dimensions = [{}], rhs_contracting_dimensions = [{}]>, \
             precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]",
            rank - 1,
            rank - 2
        );
        let dtype = self.dtype(a);
        self.operation("dot_general", &[a, b], attributes, dtype, shape)
    }
}

/// The lowest and the highest element of a dtype.
fn extremes(graph: &mut Graph, dtype: DType) -> [Node; 2] {
    ScalarBits::extremes(dtype).map(|single| graph.splat(single, Dims::default()))
}
