//! Loops over elements and strides. Knows dtypes as tags, never rules or tensors.
//!
//! The functions here are safe doors: they check shapes and dtypes, and hand erased arrays to loops
//! that see contiguous memory only. `block` drives them along arrays, `lanes` makes loops of operations, `isa`
//! chooses among the instruction sets they are compiled for.

mod accumulate;
mod arithmetic;
mod binary;
mod block;
mod cast;
mod checked_cast;
mod compare;
mod concat;
mod contiguous;
mod cumsum;
mod datum;
mod elementwise;
mod functions;
pub(crate) mod fused;
mod gemm;
mod graph;
mod matmul;
mod mixed_precision;
mod nditer;
mod nontemporal;
mod pack;
mod parallel;
mod reduce;
mod select;
mod simd;
mod tile;
mod unary;

pub(crate) use binary::{BinaryOp, binary};
pub(crate) use cast::{cast, copied};
#[cfg(feature = "stablehlo")]
pub(crate) use cast::{compute_dtype, is_small_float};
pub(crate) use checked_cast::try_cast;
pub(crate) use compare::{CompareOp, compare};
pub(crate) use concat::concat;
pub(crate) use cumsum::cumsum;
pub(crate) use datum::{Datum, ScalarBits};
pub(crate) use graph::{Graph, Value};
pub(crate) use matmul::matmul;
pub(crate) use reduce::{ArgOp, ReduceOp, arg_reduce, reduce};
pub(crate) use select::select;
pub(crate) use unary::{UnaryOp, unary};

#[cfg(test)]
mod tests;
