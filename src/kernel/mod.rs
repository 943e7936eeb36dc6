//! Loops over elements and strides. The kernels know dtypes as tags, never rules or tensors.
//!
//! The functions of this module are safe entry points: they check shapes and dtypes, and pass erased arrays to loops
//! that see contiguous memory only. `drive/` runs these loops over arrays. `simd/`, which is not part of this folder,
//! makes loops from operations and selects among the instruction sets they are compiled for.

mod accumulate;
mod binary;
mod cast;
mod checked_cast;
mod compare;
mod concat;
pub(crate) mod drive;
mod elementwise;
pub(crate) mod fused;
mod gemm;
mod graph;
mod matmul;
mod mixed_precision;
mod reduce;
mod row_major;
mod scan;
mod select;
mod unary;

#[cfg(feature = "stablehlo")]
pub(crate) use accumulate::FoldOp;
pub(crate) use binary::{BinaryOp, binary};
pub(crate) use cast::cast;
#[cfg(any(test, feature = "dlpack"))]
pub(crate) use cast::copied;
#[cfg(feature = "stablehlo")]
pub(crate) use cast::{compute_dtype, is_small_float};
pub(crate) use checked_cast::try_cast;
pub(crate) use compare::{CompareOp, compare};
pub(crate) use concat::concat;
pub(crate) use graph::{Graph, Value};
pub(crate) use matmul::matmul;
pub(crate) use reduce::{ArgOp, ReduceOp, arg_reduce, reduce};
pub(crate) use scan::{ScanOp, scan};
pub(crate) use select::select;
pub(crate) use unary::{UnaryOp, unary};

#[cfg(test)]
mod tests;
