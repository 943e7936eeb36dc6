//! Loops over elements and strides. The kernels know dtypes as tags, never rules or tensors.
//!
//! The functions of this module are safe entry points: they check shapes and dtypes, and pass erased arrays to loops
//! that see contiguous memory only. `drive/` runs these loops over arrays. `simd/`, which is not part of this folder,
//! makes loops from operations and selects among the instruction sets they are compiled for.

mod accumulate;
mod assign;
mod binary;
mod cast;
mod checked_cast;
mod clamp;
mod compare;
mod concat;
mod conv;
mod conv_direct;
mod conv_shapes;
mod conv_transpose;
mod count_nonzero;
pub(crate) mod drive;
mod elementwise;
pub(crate) mod fused;
mod graph;
mod histogram;
mod integer_product;
mod masked_select;
mod matmul;
mod mixed_precision;
mod nonzero;
mod one_hot;
mod order;
mod pad;
mod reduce;
mod row_major;
mod saturate;
mod scan;
mod scatter;
mod select;
mod sequence;
mod softmax;
mod take;
mod unary;
mod windows;

pub(crate) use accumulate::ArgOp;
pub(crate) use assign::{assign, fill_small};
pub(crate) use binary::op::BinaryOp;
pub(crate) use binary::{binary, binary_small};
pub(crate) use cast::{cast, copied};
pub(crate) use checked_cast::try_cast;
pub(crate) use clamp::clamp;
pub(crate) use compare::{CompareOp, compare, compare_small};
pub(crate) use concat::concat;
pub(crate) use conv::conv;
pub(crate) use conv_shapes::{ConvShapes, TransposedShapes};
pub(crate) use conv_transpose::conv_transpose;
pub(crate) use count_nonzero::count_nonzero;
pub(crate) use fused::reduce::sum_of_squares;
pub(crate) use graph::{Graph, Value};
pub(crate) use histogram::{bincount, check_edges, histogram};
pub(crate) use masked_select::masked_select;
pub(crate) use matmul::matmul;
pub(crate) use nonzero::argwhere;
pub(crate) use one_hot::one_hot;
pub(crate) use order::{
    SearchSide, SortOrder, argsort, is_in_table, order_statistics, searchsorted, searchsorted_rows,
    sort, unique_counts, unique_index, unique_inverse, unique_values,
};
pub(crate) use pad::{Triangle, pad, pad_with, triangle};
pub(crate) use reduce::op::ReduceOp;
pub(crate) use reduce::plan::AxisSplit;
pub(crate) use reduce::{arg_reduce, reduce, reduce_small};
pub(crate) use saturate::cast_saturating;
pub(crate) use scan::{ScanOp, scan};
pub(crate) use scatter::{ScatterOp, scatter};
pub(crate) use select::{select, select_small};
pub(crate) use sequence::{Sequence, sequence};
pub(crate) use softmax::{SoftmaxOp, softmax};
pub(crate) use take::{take, take_along_axis};
pub(crate) use unary::{UnaryOp, unary};
pub(crate) use windows::{SPATIAL, Windows};

/// The facts about an operation that a trace needs: the checks before its loop, and the dtypes in which it computes.
#[allow(unused_imports, reason = "only traces use it")]
pub(crate) mod facts {
    pub(crate) use super::accumulate::FoldOp;
    #[cfg(feature = "stablehlo")]
    pub(crate) use super::assign::assigned;
    pub(crate) use super::binary::{check_rhs, supported};
    pub(crate) use super::concat::concat_shape;
    pub(crate) use super::histogram::bin_edges;
    pub(crate) use super::matmul::product_dtype;
    pub(crate) use super::matmul::shapes::{MatmulShapes, column_matrix, row_matrix};
    pub(crate) use super::one_hot::one_hot_shape;
    pub(crate) use super::order::{
        check_count, check_order, check_real, check_row_search, check_search,
    };
    pub(crate) use super::pad::pad_shape;
    pub(crate) use super::reduce::op::{Finish, casts_first};
    pub(crate) use super::saturate::saturates;
    pub(crate) use super::scan::scan_dtypes;
    pub(crate) use super::scatter::scatter_shape;
    pub(crate) use super::select::select_shape;
    #[cfg(feature = "stablehlo")]
    pub(crate) use super::take::from_start;
    pub(crate) use super::take::{take_along_axis_shape, take_shape};
    pub(crate) use super::windows::SPATIAL;
}

#[cfg(test)]
mod tests;
