mod array_reductions;
mod broadcasts;
mod by_rows;
mod clamps;
mod complex_functions;
mod convolutions;
mod copies;
mod counts;
mod divisions;
mod double;
mod elementwise;
mod functions;
mod fused_means;
mod fused_reductions;
mod hoistable;
mod interleaved;
mod layouts;
// There are so many that an optimising compiler takes a quarter of an hour for them.
mod graph;
#[cfg(debug_assertions)]
mod loops;
mod masks;
mod membership;
mod mul_add;
mod nontemporal;
mod oracle;
mod padding;
mod permuted_reductions;
mod powers;
mod reductions;
mod repeated;
mod reversed_copies;
mod roundings;
mod row_programs;
mod scatter;
mod sequences;
mod smoke;
mod softmax;
mod take;

use std::borrow::Cow;

use super::{BinaryOp, CompareOp, ReduceOp, ScanOp, UnaryOp};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;

/// Runs with every new buffer of this thread against a page that cannot be touched, where the system has such.
fn fenced<T>(run: impl FnOnce() -> T) -> T {
    #[cfg(unix)]
    return crate::array::fence::fenced(run);
    #[cfg(not(unix))]
    run()
}

fn cast(x: Cow<'_, Array>, to: DType) -> Array {
    super::cast(x, to).expect("there is memory")
}

/// With the position of what does not survive.
fn try_cast(x: &Array, to: DType) -> Result<Array, usize> {
    let mut found = None;
    let cast = super::try_cast(x, to, |position| {
        found = Some(position);
        Error::NotOneElement { shape: vec![] }
    });
    cast.map_err(|_| found.expect("a position"))
}

fn copied(x: &Array) -> Array {
    super::copied(x).expect("there is memory")
}

fn scan(op: ScanOp, x: &Array, axis: usize, out: DType) -> Array {
    super::scan(op, x, axis, out).expect("the axis exists")
}

fn binary<'a>(
    op: BinaryOp,
    compute: DType,
    lhs: Cow<'a, Array>,
    rhs: Cow<'a, Array>,
) -> Result<Array, Error> {
    super::binary_small(op, compute, compute, lhs.into(), rhs.into(), super::binary).array()
}

fn compare<'a>(
    op: CompareOp,
    compute: DType,
    lhs: Cow<'a, Array>,
    rhs: Cow<'a, Array>,
) -> Result<Array, Error> {
    super::compare_small(op, [compute; 2], lhs.into(), rhs.into(), super::compare).array()
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
    super::select_small(condition, out, out, a.into(), b.into(), super::select).array()
}

fn reduce(
    op: ReduceOp,
    x: &Array,
    axes: &[usize],
    keep_dims: bool,
    out: DType,
) -> Result<Array, Error> {
    super::reduce_small(op, x, Some(axes), keep_dims, out, super::reduce).array()
}
