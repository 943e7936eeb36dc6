//! Lowering of reductions, scans and matrix products.

use crate::array::Dims;
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::{ArgOp, CompareOp, FoldOp, ScanOp};
use crate::stablehlo::graph::{Graph, Node, Region, array_of};

impl Graph {
    /// Lowers a reduction along axes in a dtype. With `means`, it sums the squared distances from them. Callers record
    /// the division by the number of elements and the conversion of the result themselves.
    pub(in crate::stablehlo) fn folded(
        &mut self,
        fold: FoldOp,
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
        let x = match fold {
            FoldOp::CountNumbers => {
                let x = self.in_compute_dtype(x, self.dtype(x));
                let is_number = self.compare("EQ", x, x);
                self.cast(is_number, dtype)
            }
            FoldOp::AddNumbers => {
                let x = self.cast(x, dtype);
                let (nan, zero) = (self.is_nan(x), self.constant_like(x, 0.0));
                self.select(nan, zero, x)
            }
            _ => self.cast(x, dtype),
        };
        let start = self.start(fold, dtype);
        let mut graph = Self::default();
        let [a, b] = [(); 2].map(|()| graph.parameter(dtype, Dims::default()));
        let result = graph.combined(fold, a, b);
        let region = Region {
            graph,
            results: vec![result],
        };
        self.reduce(&[x], &[start], axes, region)
    }

    /// The start value of a reduction, which is its result for no elements, and changes no other result.
    fn start(&mut self, fold: FoldOp, dtype: DType) -> Node {
        let [low, high] = extremes(self, dtype);
        match fold {
            FoldOp::Multiply | FoldOp::And => self.scalar(dtype, 1.0),
            FoldOp::Minimum => high,
            FoldOp::Maximum => low,
            FoldOp::MinimumNumber | FoldOp::MaximumNumber => self.scalar(dtype, f64::NAN),
            _ => self.scalar(dtype, 0.0),
        }
    }

    fn scalar(&mut self, dtype: DType, number: f64) -> Node {
        let single = crate::array::ScalarBits::of(dtype, number);
        self.splat(single, Dims::default())
    }

    fn combined(&mut self, fold: FoldOp, a: Node, b: Node) -> Node {
        let kind = self.dtype(a).kind();
        let name = match (fold, kind) {
            (FoldOp::Minimum, Kind::Complex) => return self.complex_extreme(CompareOp::Lt, a, b),
            (FoldOp::Maximum, Kind::Complex) => return self.complex_extreme(CompareOp::Gt, a, b),
            (FoldOp::Minimum | FoldOp::Multiply | FoldOp::And, Kind::Bool) => "and",
            (_, Kind::Bool) => "or",
            (FoldOp::MinimumNumber, _) => return self.extreme_number("minimum", a, b),
            (FoldOp::MaximumNumber, _) => return self.extreme_number("maximum", a, b),
            (FoldOp::Minimum, _) => "minimum",
            (FoldOp::Maximum, _) => "maximum",
            (FoldOp::Multiply, _) => "multiply",
            _ => "add",
        };
        self.same(name, &[a, b])
    }

    /// The extreme of two numbers; NaN if both are NaN.
    fn extreme_number(&mut self, name: &'static str, a: Node, b: Node) -> Node {
        let extreme = self.same(name, &[a, b]);
        let [a_nan, b_nan] = [a, b].map(|x| self.is_nan(x));
        let number = self.select(b_nan, a, extreme);
        self.select(a_nan, b, number)
    }

    /// Lowers `argmin` and `argmax`: the position of the extreme along the axes, counted in row-major order. Of equal
    /// elements it is the first; a NaN comes before every number.
    pub(in crate::stablehlo) fn extreme_positions(
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
        let behind = crate::array::ScalarBits::new(i64::MAX);
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

    /// Lowers a scan by a parallel prefix: each result so far is combined with the one 1, 2, 4, .. positions before it,
    /// and the first ones stay.
    pub(in crate::stablehlo) fn scanned(
        &mut self,
        op: ScanOp,
        x: Node,
        axis: usize,
    ) -> Result<Node, Error> {
        let (dtype, shape) = (self.dtype(x), *self.shape(x));
        let (mut results, mut step) = (x, 1);
        while step < shape[axis] {
            let [first, earlier, later] =
                [0..step, 0..shape[axis] - step, step..shape[axis]].map(|range| {
                    let mut size = shape;
                    size[axis] = range.len();
                    let (mut starts, mut limits) = (shape.map(|_| 0), shape);
                    (starts[axis], limits[axis]) = (range.start, range.end);
                    let attributes = format!(
                        "start_indices = {}, limit_indices = {}, strides = {}",
                        array_of(&starts),
                        array_of(&limits),
                        array_of(&shape.map(|_| 1))
                    );
                    self.operation("slice", &[results], attributes, dtype, size)
                });
            let combined = self.binary(op.combine(), dtype, [earlier, later])?;
            results = self.joined(&[first, combined], axis, dtype, shape);
            step *= 2;
        }
        Ok(results)
    }

    /// Lowers products of stacks of matrices with the same leading axes; both operands have the compute dtype.
    pub(in crate::stablehlo) fn products(&mut self, a: Node, b: Node, shape: Dims) -> Node {
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
    crate::array::ScalarBits::extremes(dtype).map(|single| graph.splat(single, Dims::default()))
}
