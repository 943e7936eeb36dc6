//! Means, variances and sums of squares of arrays, by the loops of expressions. These combine the elements of many rows in a call, compute a
//! variance while its rows are in the L1 cache, and have a fast path for few elements.
#![allow(
    unsafe_code,
    reason = "its call site has the loops of instruction sets"
)]

use super::{Mean, ReduceLoop, Sum, Var, with_loops};
use crate::array::{Array, OpResult};
use crate::dtype::{DType, Element, Kind, bf16, f16};
use crate::kernel::accumulate::FoldOp;
use crate::kernel::fused::{CallSite, Cast, Compiled, Input, LoopInputs, Squared};
use crate::kernel::reduce::op::{Finish, ReduceOp};

/// The library as the place of expressions.
struct Library;

impl CallSite for Library {
    type Compilation = Compiled<true>;
}

/// Reduces an array along axes, which must be sorted and distinct; along all axes if none are given. `None` if an axis does not
/// exist, which the other loops report, or if there is no loop for it: only means, variances and standard deviations of floats
/// have one.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
pub(in crate::kernel) fn reduce_array(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> Option<OpResult> {
    let is_divided = op.finish() != Finish::Itself && op.fold() == FoldOp::Add;
    let axes_exist = axes.is_none_or(|axes| axes.iter().all(|axis| *axis < x.rank()));
    if !is_divided || !axes_exist || out.kind() != Kind::Float {
        return None;
    }
    let reduce = match (x.dtype(), op.accumulate().dtype(x.dtype(), out)) {
        (DType::F32, DType::F64) => reduce_of::<f32, f64>,
        (DType::F64, DType::F64) => reduce_of::<f64, f64>,
        (DType::F16, DType::F32) => reduce_of::<f16, f32>,
        (DType::BF16, DType::F32) => reduce_of::<bf16, f32>,
        _ => return None,
    };
    reduce(op, x, axes, keep_dims, out)
}

/// [`reduce_array`] of elements `X` that are added as `T`.
fn reduce_of<X: Element, T: Element>(
    op: ReduceOp,
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    out: DType,
) -> Option<OpResult> {
    let mut sources = LoopInputs::default();
    sources.array(0, x);
    let node = Input::<0, X>::NEW;
    let reduce = |code: &ReduceLoop<'_>| {
        let code = ReduceLoop { op, ..*code };
        code.with_shape(|shape| code.reduce(shape, axes, keep_dims, out))
    };
    match op.finish() {
        Finish::Mean => with_loops::<Library, Mean, _, _, T, _, true>(((), node), &sources, reduce),
        _ => with_loops::<Library, Var, _, _, T, _, true>(((), node), &sources, reduce),
    }
}

/// Adds the squares of the elements of an array along axes, which must be sorted, distinct and exist; along all axes if none are given. They
/// are squared and added in a dtype, which the result has. `None` if there is no loop for it: only floats have one.
///
/// # Errors
/// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
pub(crate) fn sum_of_squares(
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
    dtype: DType,
) -> Option<OpResult> {
    let sum = match (x.dtype(), dtype) {
        (DType::F32, DType::F64) => sum_of_squares_of::<f32, f64>,
        (DType::F64, DType::F64) => sum_of_squares_of::<f64, f64>,
        (DType::F16, DType::F32) => sum_of_squares_of::<f16, f32>,
        (DType::BF16, DType::F32) => sum_of_squares_of::<bf16, f32>,
        _ => return None,
    };
    sum(x, axes, keep_dims)
}

/// [`sum_of_squares`] of elements `X` in `T`.
fn sum_of_squares_of<X: Element, T: Element>(
    x: &Array,
    axes: Option<&[usize]>,
    keep_dims: bool,
) -> Option<OpResult> {
    let mut sources = LoopInputs::default();
    sources.array(0, x);
    let node = Squared::new(Cast::<_, T>::new(Input::<0, X>::NEW));
    with_loops::<Library, Sum, _, _, T, _, true>(((), node), &sources, |code| {
        code.with_shape(|shape| code.reduce(shape, axes, keep_dims, T::DTYPE))
    })
}
