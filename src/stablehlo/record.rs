//! Records operations on traced arrays. The kernels and the views of arrays call these functions instead of computing
//! if an operand stands for a traced value.
//!
//! Each function records the kernel function of the same name. The caller has checked the shapes, except those of
//! operands that broadcast.

use super::graph::{Graph, Node};
use super::lowering::{Positions, not_in_f64};
use super::tracing::{array, value_of, with_graph};
use crate::array::{Array, Dims};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::{ArgOp, BinaryOp, CompareOp, FoldOp, ScanOp, UnaryOp};

/// Records an operation. An array that stands for a traced value is an operand; any other array becomes a constant.
fn recorded<const N: usize>(
    operation: &'static str,
    arrays: [&Array; N],
    record: impl FnOnce(&mut Graph, [Node; N]) -> Result<Node, Error>,
) -> Result<Array, Error> {
    let mut known = [None; N];
    for (known, array) in known.iter_mut().zip(arrays) {
        *known = value_of(operation, array)?;
    }
    let node = with_graph(operation, |graph| {
        let mut number = 0;
        let nodes = known.map(|known| {
            number += 1;
            known.unwrap_or_else(|| graph.constant(arrays[number - 1]))
        });
        record(graph, nodes)
    })?;
    array(operation, node)
}

/// Records a binary operation in the compute dtype.
pub(crate) fn binary(
    op: BinaryOp,
    compute: DType,
    lhs: &Array,
    rhs: &Array,
) -> Result<Array, Error> {
    recorded(op.name(), [lhs, rhs], |graph, operands| {
        graph.binary(op, compute, operands)
    })
}

pub(crate) fn compare(
    op: CompareOp,
    compute: [DType; 2],
    lhs: &Array,
    rhs: &Array,
) -> Result<Array, Error> {
    recorded(op.name(), [lhs, rhs], |graph, operands| {
        graph.compared(op, compute, operands)
    })
}

pub(crate) fn unary(op: UnaryOp, compute: DType, x: &Array) -> Result<Array, Error> {
    if let (DType::F64, Some(operation)) = (compute, not_in_f64(op)) {
        return Err(Error::UnsupportedDType {
            operation,
            dtype: compute,
        });
    }
    recorded(op.name(), [x], |graph, [x]| Ok(graph.unary(op, compute, x)))
}

pub(crate) fn cast(x: &Array, to: DType) -> Result<Array, Error> {
    recorded("cast", [x], |graph, [x]| Ok(graph.cast(x, to)))
}

pub(crate) fn select(condition: &Array, out: DType, a: &Array, b: &Array) -> Result<Array, Error> {
    recorded("select", [condition, a, b], |graph, [condition, a, b]| {
        graph.selected(condition, out, [a, b])
    })
}

pub(crate) fn concat(
    arrays: &[&Array],
    axis: usize,
    out: DType,
    shape: Dims,
) -> Result<Array, Error> {
    let known = arrays.iter().map(|array| value_of("concat", array));
    let known: Vec<Option<Node>> = known.collect::<Result<_, _>>()?;
    let node = with_graph("concat", |graph| {
        let parts = known.into_iter().zip(arrays);
        let parts: Vec<Node> = parts
            .map(|(known, array)| known.unwrap_or_else(|| graph.constant(array)))
            .collect();
        Ok(graph.joined(&parts, axis, out, shape))
    })?;
    array("concat", node)
}

/// Records products of stacks of matrices with the same leading axes.
pub(crate) fn products(a: &Array, b: &Array, shape: Dims) -> Result<Array, Error> {
    recorded("matmul", [a, b], |graph, [a, b]| {
        Ok(graph.products(a, b, shape))
    })
}

/// Records a reduction in a dtype; with `means`, of the squared distances from them. See [`Graph::folded`].
pub(crate) fn folded(
    operation: &'static str,
    fold: FoldOp,
    x: &Array,
    axes: &[usize],
    dtype: DType,
    means: Option<&Array>,
    shape: Dims,
) -> Result<Array, Error> {
    // `recorded` takes a fixed number of operands: without means, `x` stands in for them and is not read.
    let second = means.unwrap_or(x);
    recorded(operation, [x, second], |graph, [x, second]| {
        let folded = graph.folded(fold, x, axes, dtype, means.map(|_| second));
        Ok(graph.reshape(folded, shape))
    })
}

pub(crate) fn arg_reduce(
    op: ArgOp,
    x: &Array,
    axes: &[usize],
    shape: Dims,
    out: DType,
) -> Result<Array, Error> {
    recorded(op.name(), [x], |graph, [x]| {
        let positions = graph.extreme_positions(op, x, axes);
        let positions = graph.reshape(positions, shape);
        Ok(graph.cast(positions, out))
    })
}

/// Records a scan in the dtype of the array.
pub(crate) fn scan(op: ScanOp, x: &Array, axis: usize) -> Result<Array, Error> {
    recorded(op.name(), [x], |graph, [x]| graph.scanned(op, x, axis))
}

pub(crate) fn reshape(x: &Array, shape: Dims) -> Result<Array, Error> {
    recorded("reshape", [x], |graph, [x]| Ok(graph.reshape(x, shape)))
}

pub(crate) fn permute(x: &Array, order: &[usize]) -> Result<Array, Error> {
    recorded("permute", [x], |graph, [x]| Ok(graph.permuted(x, order)))
}

pub(crate) fn slice(x: &Array, positions: Positions) -> Result<Array, Error> {
    recorded("slice", [x], |graph, [x]| Ok(graph.sliced(x, positions)))
}

pub(crate) fn broadcast_to(x: &Array, shape: Dims) -> Result<Array, Error> {
    recorded("broadcast_to", [x], |graph, [x]| {
        Ok(graph.broadcast(x, shape))
    })
}

/// Returns the values of results; arrays with elements become constants.
pub(super) fn results(arrays: &[Array]) -> Result<Vec<Node>, Error> {
    let nodes = arrays.iter().map(|array| {
        let known = value_of("result of the traced function", array)?;
        with_graph("trace", |graph| {
            Ok(known.unwrap_or_else(|| graph.constant(array)))
        })
    });
    nodes.collect()
}
