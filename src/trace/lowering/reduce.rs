//! Lowering of reductions, scans and matrix products.

use crate::array::{Dims, ScalarBits};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::facts::{
    Finish, FoldOp, MatmulShapes, casts_first, column_matrix, product_dtype, row_matrix,
};
use crate::kernel::{ArgOp, BinaryOp, CompareOp, ReduceOp, ScanOp, UnaryOp};
use crate::trace::graph::{Graph, Node, Region, array_of};

/// The elements of a reduction.
struct Groups<'a> {
    x: Node,
    /// The axes to reduce.
    axes: &'a [usize],
    /// The shape of the result.
    shape: Dims,
    /// The dtype in which elements are combined.
    dtype: DType,
    /// The number of elements that are reduced to each one of the result.
    count: usize,
}

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
        let x = match casts_first(op, self.dtype(x), out) {
            true => self.cast(x, out),
            false => x,
        };
        let fold = op.fold().of(self.dtype(x));
        let groups = Groups {
            x,
            axes,
            shape,
            dtype: op.accumulate().dtype(self.dtype(x), out),
            count: axes.iter().map(|axis| self.shape(x)[*axis]).product(),
        };
        if !fold.is_defined(groups.dtype) {
            return Err(Error::UnsupportedDType {
                operation: op.name(),
                dtype: groups.dtype,
            });
        }
        let result = match op.finish() {
            Finish::Itself => self.folded(fold, &groups, None),
            Finish::Mean if fold == FoldOp::AddNumbers => {
                let sums = self.folded(fold, &groups, None);
                let counts = self.counts_of_numbers(&groups);
                self.binary(BinaryOp::Div, groups.dtype, [sums, counts])?
            }
            Finish::Mean => {
                let sums = self.folded(fold, &groups, None);
                self.divided(sums, groups.count)?
            }
            Finish::Variance { ddof } => self.variance(fold, &groups, ddof)?,
            Finish::Deviation { ddof } => {
                let variance = self.variance(fold, &groups, ddof)?;
                self.unary(UnaryOp::Sqrt, self.dtype(variance), variance)
            }
        };
        Ok(self.cast(result, out))
    }

    /// The mean squared deviation from the mean. With [`FoldOp::AddNumbers`] it skips elements that are NaN.
    fn variance(&mut self, fold: FoldOp, groups: &Groups, ddof: usize) -> Result<Node, Error> {
        let sums = self.folded(fold, groups, None);
        let squares = Groups {
            dtype: match groups.dtype {
                DType::C128 => DType::F64,
                dtype => dtype,
            },
            ..*groups
        };
        if fold != FoldOp::AddNumbers {
            let means = self.divided(sums, groups.count)?;
            let sums = self.folded(fold, &squares, Some(means));
            return self.divided(sums, groups.count.saturating_sub(ddof));
        }
        let counts = self.counts_of_numbers(groups);
        let means = self.binary(BinaryOp::Div, groups.dtype, [sums, counts])?;
        let sums = self.folded(fold, &squares, Some(means));
        let ddof = ScalarBits::of(DType::U64, u64::try_from(ddof).unwrap_or(u64::MAX));
        let ddof = self.splat(ddof, Dims::default());
        let above = self.binary(BinaryOp::Max, DType::U64, [counts, ddof])?;
        let counts = self.binary(BinaryOp::Sub, DType::U64, [above, ddof])?;
        self.binary(BinaryOp::Div, squares.dtype, [sums, counts])
    }

    /// The number of elements of each group that are not NaN.
    fn counts_of_numbers(&mut self, groups: &Groups) -> Node {
        let counts = Groups {
            dtype: DType::U64,
            ..*groups
        };
        self.folded(FoldOp::CountNumbers, &counts, None)
    }

    /// Divides sums by a number of elements, in their dtype.
    fn divided(&mut self, sums: Node, count: usize) -> Result<Node, Error> {
        let dtype = self.dtype(sums);
        let count = ScalarBits::of(dtype, u64::try_from(count).unwrap_or(u64::MAX));
        let count = self.splat(count, Dims::default());
        self.binary(BinaryOp::Div, dtype, [sums, count])
    }

    /// Combines the elements of each group. With `means`, it sums the squared distances from them.
    fn folded(&mut self, fold: FoldOp, groups: &Groups, means: Option<Node>) -> Node {
        let Groups {
            mut x,
            axes,
            dtype,
            shape: result,
            ..
        } = *groups;
        if matches!(fold, FoldOp::MinimumNumber | FoldOp::MaximumNumber) {
            return self.extreme_of_numbers(fold, groups);
        }
        let mut fold = fold;
        if let Some(means) = means {
            let (shape, mean_dtype) = (*self.shape(x), self.dtype(means));
            x = self.cast(x, mean_dtype);
            let elements = x;
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
            if fold == FoldOp::AddNumbers {
                // Only elements that are NaN are skipped: an infinity deviates from an infinite mean by NaN.
                let (nan, zero) = (self.is_nan(elements), self.constant_like(x, 0.0));
                x = self.select(nan, zero, x);
                fold = FoldOp::Add;
            }
        }
        let x = match fold {
            FoldOp::CountNumbers => {
                let x = self.in_compute_dtype(x, self.dtype(x));
                let is_number = self.compare("EQ", x, x);
                self.cast(is_number, dtype)
            }
            FoldOp::AddNumbers | FoldOp::MultiplyNumbers => {
                let x = self.cast(x, dtype);
                let neutral = f64::from(u8::from(fold == FoldOp::MultiplyNumbers));
                let (nan, neutral) = (self.is_nan(x), self.constant_like(x, neutral));
                self.select(nan, neutral, x)
            }
            _ => self.cast(x, dtype),
        };
        let start = self.start(fold, dtype);
        let mut graph = Self::default();
        let [a, b] = [(); 2].map(|()| graph.parameter(dtype, Dims::default()));
        let combined = graph.combined(fold, a, b);
        let region = Region {
            graph,
            results: vec![combined],
        };
        let folded = self.reduce(&[x], &[start], axes, region);
        self.reshape(folded, result)
    }

    /// The start value of a reduction, which is its result for no elements, and changes no other result.
    fn start(&mut self, fold: FoldOp, dtype: DType) -> Node {
        let [low, high] = extremes(self, dtype);
        match fold {
            FoldOp::Multiply | FoldOp::MultiplyNumbers | FoldOp::And => self.scalar(dtype, 1.0),
            FoldOp::Minimum => high,
            FoldOp::Maximum => low,
            _ => self.scalar(dtype, 0.0),
        }
    }

    fn scalar(&mut self, dtype: DType, number: f64) -> Node {
        let single = ScalarBits::of(dtype, number);
        self.splat(single, Dims::default())
    }

    fn combined(&mut self, fold: FoldOp, a: Node, b: Node) -> Node {
        let kind = self.dtype(a).kind();
        let name = match (fold, kind) {
            (FoldOp::Minimum, Kind::Complex) => return self.complex_extreme(CompareOp::Lt, a, b),
            (FoldOp::Maximum, Kind::Complex) => return self.complex_extreme(CompareOp::Gt, a, b),
            (FoldOp::Minimum | FoldOp::Multiply | FoldOp::And, Kind::Bool) => "and",
            (_, Kind::Bool) => "or",
            (FoldOp::Minimum, _) => "minimum",
            (FoldOp::Maximum, _) => "maximum",
            (FoldOp::Multiply | FoldOp::MultiplyNumbers, _) => "multiply",
            _ => "add",
        };
        self.same(name, &[a, b])
    }

    /// The extreme of the elements that are not NaN; NaN if all are. Two plain reductions, because XLA cannot combine the results
    /// of several devices by a function of its user.
    fn extreme_of_numbers(&mut self, fold: FoldOp, groups: &Groups) -> Node {
        let plain = match fold {
            FoldOp::MinimumNumber => FoldOp::Minimum,
            _ => FoldOp::Maximum,
        };
        let x = self.cast(groups.x, groups.dtype);
        let nan = self.is_nan(x);
        let start = self.start(plain, groups.dtype);
        let start = self.broadcast(start, *self.shape(x));
        let numbers = Groups {
            x: self.select(nan, start, x),
            ..*groups
        };
        let extreme = self.folded(plain, &numbers, None);
        let all = Groups {
            x: nan,
            dtype: DType::Bool,
            ..*groups
        };
        let all_nan = self.folded(FoldOp::And, &all, None);
        let nan = self.constant_like(extreme, f64::NAN);
        self.select(all_nan, nan, extreme)
    }

    /// Lowers `argmin` and `argmax`: the position of the extreme along the axes, counted in row-major order. Of equal
    /// elements it is the first; a NaN comes before every number. `nan_argmin` and `nan_argmax` skip NaN: if there is nothing else, the
    /// position is -1.
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
        let start = if op.is_greatest() { low } else { high };
        let behind = ScalarBits::new(i64::MAX);
        let behind = self.splat(behind, Dims::default());
        let mut graph = Self::default();
        let [a, a_at, b, b_at] = [dtype, DType::I64, dtype, DType::I64]
            .map(|dtype| graph.parameter(dtype, Dims::default()));
        let results = graph.earlier_extreme(op, [a, a_at], [b, b_at]).to_vec();
        let region = Region { graph, results };
        let found = self.reduce(&[x, positions], &[start, behind], &[axis], region);
        if !(op.skips_nan() && dtype.kind().is_inexact()) {
            return found;
        }
        let shape = *self.shape(found);
        let behind = self.broadcast(behind, shape);
        let none = self.compare("EQ", found, behind);
        let missing = self.splat(ScalarBits::new(-1_i64), shape);
        self.select(none, missing, found)
    }

    /// Returns the more extreme of two elements with its position; of equal ones the one with the lower position.
    fn earlier_extreme(&mut self, op: ArgOp, a: [Node; 2], b: [Node; 2]) -> [Node; 2] {
        let ([a, a_at], [b, b_at]) = (a, b);
        let strictly = match op.is_greatest() {
            false => CompareOp::Lt,
            true => CompareOp::Gt,
        };
        let kind = self.dtype(a).kind();
        let mut before = self.ordered(strictly, a, b);
        let mut equal = self.compare("EQ", a, b);
        let earlier = self.compare("LT", a_at, b_at);
        if kind.is_inexact() {
            let [a_nan, b_nan] = [a, b].map(|x| self.is_nan(x));
            let both = self.and(a_nan, b_nan);
            equal = self.or(equal, both);
            // A NaN comes before every number, or behind it if it is skipped.
            let (first_nan, second_nan) = match op.skips_nan() {
                false => (a_nan, b_nan),
                true => (b_nan, a_nan),
            };
            let is_number = self.not(second_nan);
            let beside_number = self.and(before, is_number);
            let beside_nan = self.and(first_nan, is_number);
            before = self.or(beside_number, beside_nan);
        }
        let tied = self.and(equal, earlier);
        let first = self.or(before, tied);
        [self.select(first, a, b), self.select(first, a_at, b_at)]
    }

    /// Lowers a scan by a parallel prefix: each result so far is combined with the one 1, 2, 4, .. positions before it,
    /// and the first ones stay.
    pub(in crate::trace) fn scanned(
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

    /// Lowers [`exec::matmul`](crate::exec::matmul).
    pub(in crate::trace) fn matmul(
        &mut self,
        operands: [Node; 2],
        shapes: &MatmulShapes,
        out: DType,
    ) -> Result<Node, Error> {
        let dtype = product_dtype(out);
        let [a, b] = operands.map(|x| self.dtype(x));
        let (operands, sums) = if a == b && sums_in(a, out) {
            (operands, out)
        } else {
            let cast = operands.map(|x| {
                let x = self.cast(x, out);
                self.cast(x, dtype)
            });
            (cast, dtype)
        };
        let [a, b] = operands;
        let a = self.reshape(a, row_matrix(self.shape(a))?);
        let b = self.reshape(b, column_matrix(self.shape(b))?);
        let a = self.broadcast(a, shapes.lhs);
        let b = self.broadcast(b, shapes.rhs);
        let product = self.products([a, b], sums, shapes.product);
        let product = self.cast(product, out);
        Ok(self.reshape(product, shapes.result))
    }

    /// Multiplies stacks of matrices with the same leading axes, and adds in a dtype.
    fn products(&mut self, operands: [Node; 2], sums: DType, shape: Dims) -> Node {
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
        self.operation("dot_general", &operands, attributes, sums, shape)
    }
}

/// Returns whether `dot_general` multiplies elements of a dtype and adds the products in another one.
fn sums_in(dtype: DType, out: DType) -> bool {
    let small = match dtype {
        DType::BF16 | DType::F16 => true,
        _ => matches!(dtype.kind(), Kind::Signed | Kind::Unsigned) && dtype.size() < 4,
    };
    small && out.size() >= 4 && dtype.kind() == out.kind()
}

/// The lowest and the highest element of a dtype.
fn extremes(graph: &mut Graph, dtype: DType) -> [Node; 2] {
    ScalarBits::extremes(dtype).map(|single| graph.splat(single, Dims::default()))
}
