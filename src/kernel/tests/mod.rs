mod elementwise;
mod functions;
mod layouts;
// There are so many that an optimising compiler takes a quarter of an hour for them.
#[cfg(debug_assertions)]
mod loops;
mod oracle;
mod program;
mod reductions;
mod remains;
mod smoke;
mod streams;

use std::borrow::Cow;

use super::{BinaryOp, CompareOp, ReduceOp, UnaryOp};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;

fn binary<'a>(
    op: BinaryOp,
    compute: DType,
    lhs: Cow<'a, Array>,
    rhs: Cow<'a, Array>,
) -> Result<Array, Error> {
    super::binary(op, compute, compute, lhs.into(), rhs.into()).array()
}

fn compare<'a>(
    op: CompareOp,
    compute: DType,
    lhs: Cow<'a, Array>,
    rhs: Cow<'a, Array>,
) -> Result<Array, Error> {
    super::compare(op, [compute; 2], lhs.into(), rhs.into()).array()
}

/// Without a conversion of what it gives.
fn try_unary(op: UnaryOp, compute: DType, x: Cow<'_, Array>) -> Result<Array, Error> {
    super::unary(op, compute, op.result(compute).unwrap_or(compute), x).array()
}

fn unary(op: UnaryOp, compute: DType, x: Cow<'_, Array>) -> Array {
    try_unary(op, compute, x).expect("the dtype has the function")
}

fn select<'a>(
    condition: Cow<'a, Array>,
    out: DType,
    a: Cow<'a, Array>,
    b: Cow<'a, Array>,
) -> Result<Array, Error> {
    super::select(condition, out, out, a.into(), b.into()).array()
}

fn reduce(
    op: ReduceOp,
    x: &Array,
    axes: &[usize],
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    super::reduce(op, x, Some(axes), keep_dims, out).array()
}
