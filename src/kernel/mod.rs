//! Loops over elements and strides. Knows dtypes as tags, never rules or tensors.
//!
//! The functions here are safe doors: they check shapes and dtypes, and hand erased arrays to loops
//! that see contiguous memory only. `strip` drives them along arrays, `lanes` makes loops of operations, `isa`
//! chooses among the instruction sets they are compiled for.

mod apply;
mod arithmetic;
mod binary;
mod cast;
pub(crate) mod chunk;
mod compare;
mod contiguous;
mod fold;
mod functions;
mod isa;
mod join;
mod lanes;
mod matmul;
mod mixed;
mod multiply;
mod parallel;
mod program;
mod reduce;
mod scan;
mod select;
mod side;
mod stream;
mod strip;
mod survive;
mod tile;
mod unary;
mod walk;

pub(crate) use binary::{BinaryOp, binary};
#[cfg(feature = "stablehlo")]
pub(crate) use cast::{carrier, is_small_float};
pub(crate) use cast::{cast, copied};
pub(crate) use compare::{CompareOp, compare};
pub(crate) use join::concat;
pub(crate) use matmul::matmul;
pub(crate) use program::{Program, Value};
pub(crate) use reduce::{ArgOp, ReduceOp, arg_reduce, reduce};
pub(crate) use scan::cumsum;
pub(crate) use select::select;
pub(crate) use side::{Side, Single};
pub(crate) use survive::try_cast;
pub(crate) use unary::{UnaryOp, unary};

#[cfg(test)]
mod tests;
