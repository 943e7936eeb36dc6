//! Records sorts, scatters and counts.

use super::{cast, compare, concat, index_axis, known_indices, recorded, reduce, reshape, slice};
use crate::array::{Array, Datum};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::facts;
use crate::kernel::{BinaryOp, CompareOp, ReduceOp, ScatterOp, SearchSide, SortOrder};

pub(crate) fn sort(x: &Array, axis: usize, order: SortOrder) -> Result<Array, Error> {
    facts::check_order("sort", x, axis)?;
    recorded("sort", [x], |graph, [x]| Ok(graph.sorted(x, axis, order)))
}

/// Records the sort of all positions, and the slice of the first.
pub(crate) fn argsort(
    operation: &'static str,
    x: &Array,
    axis: usize,
    order: SortOrder,
    count: usize,
    out: DType,
) -> Result<Array, Error> {
    facts::check_count(operation, x, axis, count)?;
    let positions = recorded(operation, [x], |graph, [x]| {
        let positions = graph.sorted_positions(x, axis, order);
        Ok(graph.cast(positions, out))
    })?;
    match count == x.shape()[axis] {
        true => Ok(positions),
        false => slice(&positions, axis, 0, count.cast_signed(), 1),
    }
}

pub(crate) fn order_statistics(
    operation: &'static str,
    x: &Array,
    axis: usize,
    positions: &[usize],
) -> Result<Vec<Array>, Error> {
    facts::check_order(operation, x, axis)?;
    let sorted = sort(x, axis, SortOrder::Ascending)?;
    let found = positions
        .iter()
        .map(|position| index_axis(&sorted, axis, *position));
    if !x.dtype().kind().is_inexact() {
        return found.collect();
    }
    // If there is a NaN, the last element is one.
    let last = index_axis(&sorted, axis, x.shape()[axis] - 1)?;
    let or_nan = |element: Result<Array, Error>| {
        recorded(operation, [&last, &element?], |graph, [last, element]| {
            Ok(graph.or_nan(last, element))
        })
    };
    found.map(or_nan).collect()
}

/// Records the comparison of each value with all sorted elements, of which it counts those that come before it.
pub(crate) fn searchsorted(
    sorted: &Array,
    values: &Array,
    side: SearchSide,
    out: DType,
) -> Result<Array, Error> {
    facts::check_search(sorted, values)?;
    let column = reshape_any(values, &[values.len(), 1])?;
    let before = recorded("searchsorted", [sorted, &column], |graph, operands| {
        graph.sorted_before(operands, side)
    })?;
    let counts = reduce(ReduceOp::Sum, &before, Some(&[1]), false, out)?;
    reshape(&counts, values.shape())
}

/// Records the comparison of each value with all elements of its sorted row, of which it counts those that come before it.
pub(crate) fn searchsorted_rows(
    sorted: &Array,
    values: &Array,
    side: SearchSide,
    out: DType,
) -> Result<Array, Error> {
    let [row, each] = facts::check_row_search(sorted, values)?;
    let rows = values.shape()[..values.rank() - 1].iter().product();
    let (sorted, column) = (
        reshape_any(sorted, &[rows, 1, row])?,
        reshape_any(values, &[rows, each, 1])?,
    );
    let before = recorded(
        "searchsorted_rows",
        [&sorted, &column],
        |graph, operands| graph.sorted_before(operands, side),
    )?;
    let counts = reduce(ReduceOp::Sum, &before, Some(&[2]), false, out)?;
    reshape(&counts, values.shape())
}

/// Records how many elements lie below each edge; the elements of a bin are those below its upper edge and not below its lower one. The
/// last bin has its upper edge too.
pub(crate) fn histogram(
    x: &Array,
    bins: usize,
    [low, high]: [f64; 2],
    out: DType,
) -> Result<Array, Error> {
    facts::check_real("histogram", x)?;
    let edges = facts::bin_edges(bins, low, high)?;
    let split = bins.cast_signed();
    let column = reshape(&cast(x, DType::F64)?, &[x.len(), 1])?;
    let datum = |array| Datum::Array(std::borrow::Cow::Owned(array));
    let count = |op, edges| {
        let before = compare(op, [DType::F64; 2], datum(column.clone()), datum(edges))?;
        let before = cast(&before, DType::I64)?;
        reduce(ReduceOp::Sum, &before, Some(&[0]), false, DType::I64)
    };
    let starts = count(CompareOp::Lt, edges.slice(0, 0, split, 1)?)?;
    let end = count(CompareOp::Le, edges.slice(0, split, split + 1, 1)?)?;
    let ends = slice(&starts, 0, 1, split, 1)?;
    let ends = concat(&[&ends, &end], 0, DType::I64)?;
    let counts = super::binary(
        BinaryOp::Sub,
        DType::I64,
        DType::I64,
        datum(ends),
        datum(starts),
    )?;
    cast(&counts, out)
}

/// Records the comparison of the numbers with all positions, so that a number out of range has zeros.
pub(crate) fn one_hot(x: &Array, classes: usize, to: DType) -> Result<Array, Error> {
    let shape = facts::one_hot_shape(x, classes)?;
    let mut column = shape;
    column[x.rank()] = 1;
    let column = reshape(&cast(x, DType::I64)?, &column)?;
    let positions = Array::from_positions(&[classes], |at| i64::try_from(at).unwrap_or(i64::MAX))?;
    let datum = |array| Datum::Array(std::borrow::Cow::Owned(array));
    let equal = compare(
        CompareOp::Eq,
        [DType::I64; 2],
        datum(column),
        datum(positions),
    )?;
    cast(&equal, to)
}

/// Records the scatter of updates. Indices with elements are checked, and become a constant of numbers from the start; of traced ones
/// nothing is known.
pub(crate) fn scatter(
    op: ScatterOp,
    x: &Array,
    indices: &Array,
    updates: &Array,
    axis: usize,
) -> Result<Array, Error> {
    let shape = facts::scatter_shape(op, x, indices, updates, axis)?;
    let indices = known_indices(op.name(), x, indices, axis)?;
    recorded(
        op.name(),
        [x, &indices, updates],
        |graph, [x, indices, updates]| graph.scattered(op, x, [indices, updates], axis, shape),
    )
}

/// Gives an array, traced or not, another shape.
fn reshape_any(x: &Array, shape: &[usize]) -> Result<Array, Error> {
    match x.has_handle() {
        true => reshape(x, shape),
        false => x.reshape(shape),
    }
}
