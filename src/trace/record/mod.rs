//! Records operations on traced arrays: `exec/` calls these functions instead of the kernel's if an operand stands for a
//! traced value.
//!
//! Each function has the name and the arguments of the kernel's function, checks the same things before it records, and
//! returns the same errors. `record/order.rs` has those of sorts, scatters and counts.

mod order;

use std::borrow::Cow;

use super::current::{array, value_of, with_graph};
use super::graph::{Graph, Node};
use super::lowering::Positions;
use crate::array::{Array, Datum, PerAxis, Region, ScalarBits};
use crate::dtype::{DType, Kind};
use crate::error::{Error, check_axes};
use crate::kernel::facts::{self, MatmulShapes};
use crate::kernel::{
    ArgOp, AxisSplit, BinaryOp, CompareOp, ConvShapes, ReduceOp, ScanOp, SoftmaxOp,
    TransposedShapes, Triangle, UnaryOp,
};

pub(crate) use order::{
    argsort, histogram, one_hot, order_statistics, scatter, searchsorted, searchsorted_rows, sort,
};

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

pub(crate) fn binary(
    op: BinaryOp,
    compute: DType,
    out: DType,
    lhs: Datum<'_>,
    rhs: Datum<'_>,
) -> Result<Array, Error> {
    let (lhs, rhs) = (lhs.into_array()?, rhs.into_array()?);
    facts::supported(op, compute)?;
    // Elements of a traced operand are not known.
    if !rhs.has_handle() {
        facts::check_rhs(op, compute, &lhs, &rhs)?;
    }
    recorded(op.name(), [&lhs, &rhs], |graph, operands| {
        let result = graph.binary(op, compute, operands)?;
        Ok(graph.cast(result, out))
    })
}

pub(crate) fn compare(
    op: CompareOp,
    compute: [DType; 2],
    lhs: Datum<'_>,
    rhs: Datum<'_>,
) -> Result<Array, Error> {
    let (lhs, rhs) = (lhs.into_array()?, rhs.into_array()?);
    recorded(op.name(), [&lhs, &rhs], |graph, operands| {
        graph.compared(op, compute, operands)
    })
}

pub(crate) fn unary(op: UnaryOp, compute: DType, out: DType, x: &Array) -> Result<Array, Error> {
    if op.result(compute).is_none() {
        return Err(Error::UnsupportedDType {
            operation: op.name(),
            dtype: compute,
        });
    }
    recorded(op.name(), [x], |graph, [x]| {
        let result = graph.unary(op, compute, x);
        Ok(graph.cast(result, out))
    })
}

pub(crate) fn cast(x: &Array, to: DType) -> Result<Array, Error> {
    recorded("cast", [x], |graph, [x]| Ok(graph.cast(x, to)))
}

pub(crate) fn cast_saturating(x: &Array, to: DType) -> Result<Array, Error> {
    let clamps = facts::saturates(x.dtype(), to)?;
    recorded("cast_saturating", [x], |graph, [x]| {
        Ok(match clamps {
            true => graph.saturated(x, to),
            false => graph.cast(x, to),
        })
    })
}

pub(crate) fn select(
    condition: &Array,
    dtype: DType,
    out: DType,
    a: Datum<'_>,
    b: Datum<'_>,
) -> Result<Array, Error> {
    let (a, b) = (a.into_array()?, b.into_array()?);
    facts::select_shape(condition, &a, &b)?;
    recorded("select", [condition, &a, &b], |graph, [condition, a, b]| {
        let selected = graph.selected(condition, dtype, [a, b])?;
        Ok(graph.cast(selected, out))
    })
}

pub(crate) fn concat(arrays: &[&Array], axis: usize, out: DType) -> Result<Array, Error> {
    let shape = facts::concat_shape(arrays, axis)?;
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

pub(crate) fn matmul(lhs: &Array, rhs: &Array, out: DType) -> Result<Array, Error> {
    let shapes = MatmulShapes::new(lhs.dims(), rhs.dims())?;
    recorded("matmul", [lhs, rhs], |graph, operands| {
        graph.matmul(operands, &shapes, out)
    })
}

pub(crate) fn conv(
    x: &Array,
    filters: &Array,
    shapes: &ConvShapes<'_>,
    out: DType,
) -> Result<Array, Error> {
    recorded("conv", [x, filters], |graph, operands| {
        Ok(graph.convolved(operands, shapes, out))
    })
}

pub(crate) fn conv_transpose(
    x: &Array,
    filters: &Array,
    shapes: &TransposedShapes<'_>,
    out: DType,
) -> Result<Array, Error> {
    recorded("conv_transpose", [x, filters], |graph, operands| {
        Ok(graph.transposed_convolution(operands, shapes, out))
    })
}

pub(crate) fn reduce(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let axes = axes_of(x, axes)?;
    let split = AxisSplit::new(op.name(), x.dims(), &axes, keep_dims)?;
    if !op.fold().has_start() {
        check_not_empty(op.name(), x, &split)?;
    }
    recorded(op.name(), [x], |graph, [x]| {
        graph.reduced(op, x, &axes, split.result, out)
    })
}

pub(crate) fn softmax(
    op: SoftmaxOp,
    x: &Array,
    axes: &[usize],
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    op.check(out)?;
    let axes = PerAxis::new(axes)?;
    let split = AxisSplit::new(op.name(), x.dims(), &axes, keep_dims)?;
    recorded(op.name(), [x], |graph, [x]| {
        graph.softmax(op, x, &axes, split.result, out)
    })
}

pub(crate) fn arg_reduce(
    op: ArgOp,
    x: &Array,
    axis: Option<usize>,
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    let axes = axes_of(x, axis.as_ref().map(core::slice::from_ref))?;
    let split = AxisSplit::new(op.name(), x.dims(), &axes, keep_dims)?;
    check_not_empty(op.name(), x, &split)?;
    if op.skips_nan() && x.dtype().kind() == Kind::Complex {
        return Err(Error::UnsupportedDType {
            operation: op.name(),
            dtype: x.dtype(),
        });
    }
    recorded(op.name(), [x], |graph, [x]| {
        let positions = graph.extreme_positions(op, x, &axes);
        let positions = graph.reshape(positions, split.result);
        Ok(graph.cast(positions, out))
    })
}

/// Returns the axes of a reduction: all, if none are given.
fn axes_of(x: &Array, axes: Option<&[usize]>) -> Result<PerAxis<usize>, Error> {
    match axes {
        Some(axes) => PerAxis::new(axes),
        None => PerAxis::numbers(x.rank()),
    }
}

/// Returns an error if the reduced axes have no elements.
fn check_not_empty(operation: &'static str, x: &Array, split: &AxisSplit) -> Result<(), Error> {
    match split.reduces_nothing() {
        true => Err(Error::EmptyReduction {
            operation,
            shape: x.shape().to_vec(),
        }),
        false => Ok(()),
    }
}

pub(crate) fn scan(op: ScanOp, x: &Array, axis: usize, out: DType) -> Result<Array, Error> {
    let [before, dtype] = facts::scan_dtypes(op, x, axis, out)?;
    recorded(op.name(), [x], |graph, [x]| {
        let x = graph.cast(x, before);
        let x = graph.cast(x, dtype);
        let results = graph.scanned(op, x, axis)?;
        Ok(graph.cast(results, out))
    })
}

/// Records the take of elements. Indices with elements are checked, and become a constant of numbers from the start; of
/// traced ones nothing is known.
pub(crate) fn take(x: &Array, indices: &Array, axis: usize) -> Result<Array, Error> {
    let shape = facts::take_shape(x, indices, axis)?;
    let indices = known_indices("take", x, indices, axis)?;
    recorded("take", [x, &indices], |graph, [x, indices]| {
        Ok(graph.taken(x, indices, axis, shape))
    })
}

pub(crate) fn take_along_axis(x: &Array, indices: &Array, axis: usize) -> Result<Array, Error> {
    let shape = facts::take_along_axis_shape(x, indices, axis)?;
    let indices = known_indices("take_along_axis", x, indices, axis)?;
    recorded("take_along_axis", [x, &indices], |graph, [x, indices]| {
        Ok(graph.taken_along_axis(x, indices, axis, shape))
    })
}

/// Returns indices from the start of an axis, if they have elements.
///
/// # Errors
/// [`Error::IndexOutOfRange`], also if there are indices into an axis of no elements, whatever they are.
fn known_indices<'a>(
    operation: &'static str,
    x: &Array,
    indices: &'a Array,
    axis: usize,
) -> Result<Cow<'a, Array>, Error> {
    let size = x.shape()[axis];
    if !indices.has_handle() {
        return facts::from_start(operation, indices, axis, size).map(Cow::Owned);
    }
    if size == 0 && !indices.is_empty() {
        return Err(Error::IndexOutOfRange {
            operation,
            index: 0,
            axis: axis.cast_signed(),
            size,
        });
    }
    Ok(Cow::Borrowed(indices))
}

pub(crate) fn pad(x: &Array, padding: &[[usize; 2]], value: ScalarBits) -> Result<Array, Error> {
    let shape = facts::pad_shape(x, padding)?;
    recorded("pad", [x], |graph, [x]| {
        Ok(graph.padded(x, padding, value, shape))
    })
}

pub(crate) fn triangle(kept: Triangle, x: &Array, offset: isize) -> Result<Array, Error> {
    check_axes(kept.name(), 2, x.shape())?;
    recorded(kept.name(), [x], |graph, [x]| {
        Ok(graph.triangle(kept, x, offset))
    })
}

/// Every value of a program is contiguous, so it stays as it is.
pub(crate) fn contiguous(x: &Array) -> Result<Array, Error> {
    recorded("contiguous", [x], |_, [x]| Ok(x))
}

/// Records the shape of a view. The view of a tracer costs nothing: the recorded views are made first, for their checks and
/// their shape.
fn reshaped(x: &Array, view: &Array) -> Result<Array, Error> {
    recorded("reshape", [x], |graph, [x]| {
        Ok(graph.reshape(x, *view.dims()))
    })
}

pub(crate) fn reshape(x: &Array, shape: &[usize]) -> Result<Array, Error> {
    reshaped(x, &x.reshape(shape)?)
}

pub(crate) fn squeeze(x: &Array, axis: usize) -> Result<Array, Error> {
    reshaped(x, &x.squeeze(axis)?)
}

pub(crate) fn unsqueeze(x: &Array, axis: usize) -> Result<Array, Error> {
    reshaped(x, &x.unsqueeze(axis)?)
}

/// Records that the elements of all windows are taken along the axis, and the order of axes.
pub(crate) fn windows(x: &Array, axis: usize, size: usize, step: usize) -> Result<Array, Error> {
    let count = (x.shape()[axis] - size) / step + 1;
    let positions = Array::from_positions(&[count, size], |at| {
        i64::try_from(at / size * step + at % size).unwrap_or(i64::MAX)
    })?;
    let windows = take(x, &positions, axis)?;
    let rank = windows.rank();
    let order: Vec<usize> = (0..=axis).chain(axis + 2..rank).chain([axis + 1]).collect();
    permute(&windows, &order)
}

pub(crate) fn permute(x: &Array, order: &[usize]) -> Result<Array, Error> {
    x.permute(order)?;
    recorded("permute", [x], |graph, [x]| Ok(graph.permuted(x, order)))
}

pub(crate) fn slice(
    x: &Array,
    axis: usize,
    start: isize,
    end: isize,
    step: isize,
) -> Result<Array, Error> {
    let view = x.slice(axis, start, end, step)?;
    let positions = Positions {
        axis,
        start,
        step,
        count: view.shape()[axis],
    };
    recorded("slice", [x], |graph, [x]| Ok(graph.sliced(x, positions)))
}

/// Records the slice of an axis from its last position down to the first.
pub(crate) fn flip(x: &Array, axis: usize) -> Result<Array, Error> {
    x.flip(axis)?;
    slice(x, axis, x.shape()[axis].cast_signed() - 1, -1, -1)
}

/// Records a slice of one position, without its axis.
pub(crate) fn index_axis(x: &Array, axis: usize, index: usize) -> Result<Array, Error> {
    let view = x.index_axis(axis, index)?;
    let positions = Positions {
        axis,
        start: index.cast_signed(),
        step: 1,
        count: 1,
    };
    recorded("index_axis", [x], |graph, [x]| {
        let slice = graph.sliced(x, positions);
        Ok(graph.reshape(slice, *view.dims()))
    })
}

pub(crate) fn diagonal(x: &Array, offset: isize, axes: [usize; 2]) -> Result<Array, Error> {
    let view = x.diagonal(offset, axes)?;
    recorded("diagonal", [x], |graph, [x]| {
        graph.diagonal(x, offset, axes, *view.dims())
    })
}

pub(crate) fn broadcast_to(x: &Array, shape: &[usize]) -> Result<Array, Error> {
    let view = x.broadcast_to(shape)?;
    recorded("broadcast_to", [x], |graph, [x]| {
        Ok(graph.broadcast(x, *view.dims()))
    })
}

/// Records a read of the elements of a region; the array may have another shape than the whole.
pub(crate) fn part(array: &Array, region: &Region) -> Result<Array, Error> {
    recorded("view", [array], |graph, [array]| {
        let whole = graph.reshape(array, *region.whole());
        Ok(graph.part(whole, region))
    })
}

/// Records an array with other elements in a region: those of `from`, which broadcasts.
pub(crate) fn assign(
    operation: &'static str,
    array: &Array,
    region: &Region,
    from: &Array,
) -> Result<Array, Error> {
    facts::assigned(operation, array.dtype(), region.shape(), from)?;
    let shape = *array.dims();
    recorded(operation, [array, from], |graph, [array, from]| {
        let whole = graph.reshape(array, *region.whole());
        let from = graph.broadcast(from, *region.shape());
        let assigned = graph.with_part(whole, region, from);
        Ok(graph.reshape(assigned, shape))
    })
}

/// Returns the values of results; arrays with elements become constants.
pub(crate) fn results(arrays: &[Array]) -> Result<Vec<Node>, Error> {
    let nodes = arrays.iter().map(|array| {
        let known = value_of("result of the traced function", array)?;
        with_graph("trace", |graph| {
            Ok(known.unwrap_or_else(|| graph.constant(array)))
        })
    });
    nodes.collect()
}
