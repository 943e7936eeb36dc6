mod elementwise;
mod functions;
mod layouts;
// There are so many that an optimising compiler takes a quarter of an hour for them.
#[cfg(debug_assertions)]
mod loops;
mod oracle;
mod program;
mod reductions;
mod smoke;
mod streams;

use std::borrow::Cow;

use super::{BinaryOp, CompareOp};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;

fn binary<'a>(
    op: BinaryOp,
    compute: DType,
    lhs: Cow<'a, Array>,
    rhs: Cow<'a, Array>,
) -> Result<Array, Error> {
    super::binary(op, compute, compute, lhs.into(), rhs.into()).array(compute)
}

fn compare<'a>(
    op: CompareOp,
    compute: DType,
    lhs: Cow<'a, Array>,
    rhs: Cow<'a, Array>,
) -> Result<Array, Error> {
    super::compare(op, compute, lhs.into(), rhs.into()).array(DType::Bool)
}
