//! The methods that panic, under the names that they have on [`Tensor`](crate::Tensor).

use core::ops::RangeInclusive;

use super::{DynOperand, DynTensor};
use crate::dtype::{DType, IntegerDType};
use crate::exec::or_panic;
use crate::literals::Scalar;
use crate::op::{each_binary, each_comparison, each_position, each_reduction, each_scan};
use crate::ops::corrected::each_corrected;
use crate::ops::quantile::each_quantile;
use crate::ops::{ConvOptions, IntoPoolPadding, PoolOptions, WindowPadding};
use crate::ops::{QuantileMethod, Quantiles};
use crate::rank::{AnyRank, Axes, Axis, AxisOrder, Extent, Offset, Shape, SizeList};
use crate::tensor::arrange::{Padding, each_split};
use crate::tensor::pad_mode::PadMode;
use crate::tensor::positions::{NewShape, Positions};
use crate::tensor::slice_axes::AxisSlices;
use crate::tensor::view::each_view;
use crate::tensor::{FitsF64, Indices};

/// Writes methods that panic with the text of the error of their `try_` form. The first token is one of the file that invokes the list of
/// operations, so that rustc quotes the row of the list alone.
macro_rules! plain {
    ($here:ident $(
        $try_name:ident as fn $name:ident $(<$($generic:tt $(: $bound:path)?),+>)?
        ($(&$lifetime:lifetime)? $self:ident $(, $argument:ident: $type:ty)*) -> $output:ty;
    )*) => {supremum_macros::signatures! {
        $here
        $(
            #[doc = concat!("[`Self::", stringify!($try_name), "`] for a tensor that the operation is defined on.")]
            ///
            /// # Panics
            /// With the text of its error.
            #[track_caller]
            #[must_use]
            pub fn $name $(<$($generic $(: $bound)?),+>)? (&$($lifetime)? $self $(, $argument: $type)*) -> $output {
                or_panic($self.$try_name($($argument),*))
            }
        )*
    }};
}

/// Writes functions that make tensors, as `plain!` writes methods.
macro_rules! plain_functions {
    ($(
        $try_name:ident as fn $name:ident $(<$($generic:ident $(: $bound:path)? $(, ?$unsized:ident)?);+>)? ($($argument:ident: $type:ty),*);
    )*) => {$(
        #[doc = concat!("[`Self::", stringify!($try_name), "`] for a dtype and a shape that have such elements.")]
        ///
        /// # Panics
        /// With the text of its error.
        #[track_caller]
        #[must_use]
        pub fn $name $(<$($generic: $($bound)? $(+ ?$unsized)?),+>)? ($($argument: $type),*) -> Self {
            $crate::exec::or_panic(Self::$try_name($($argument),*))
        }
    )*};
}

#[cfg(feature = "rand")]
pub(crate) use plain_functions;

macro_rules! views {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        errors $errors:literal
        fn $name:ident, $try_name:ident $(<$($generic:ident: $bound:path),+>)? $([$result:ident: Rank])? (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        $(where $($left:ty: $right:path),+)?
        { $body:expr } { $(#[doc = $example:literal])* }
    )*) => {
        /// # Methods that panic
        ///
        /// They have the names of [`Tensor`](crate::Tensor). The `try_` forms above return the error.
        impl DynTensor {
            plain! { $here $($try_name as fn $name $(<$($generic: $bound),+>)? (self $(, $argument: $type)*) -> Self;)* }
        }
    };
}

each_view!(views! here);

macro_rules! several {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        errors $errors:literal
        fn $name:ident, $try_name:ident $([$result:ident: Rank])? (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        $(where $left:ty: $right:path)?
        { $body:expr } { $(#[doc = $example:literal])* }
    )*) => {
        /// # Methods that panic: splitting
        impl DynTensor {
            plain! { $here $($try_name as fn $name(self $(, $argument: $type)*) -> Vec<Self>;)* }
        }
    };
}

each_split!(several! here);

macro_rules! methods {
    ($here:ident $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        /// # Methods that panic: arithmetic
        impl DynTensor {
            $(methods!(@$form $here $name $try_name);)*
        }
    };
    (@operator $here:ident $name:ident $try_name:ident) => {};
    (@method $here:ident $name:ident $try_name:ident) => {
        plain! { $here $try_name as fn $name<'a>(&'a self, rhs: impl DynOperand<'a>) -> Self; }
    };
}

each_binary!(methods methods! here);

macro_rules! comparisons {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; { $(#[doc = $example:literal])* }
    )*) => {
        /// # Methods that panic: comparisons
        impl DynTensor {
            plain! { $here $($try_name as fn $name<'a>(&'a self, rhs: impl DynOperand<'a>) -> Self;)* }
        }
    };
}

each_comparison!(comparisons! here);

macro_rules! reductions {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $table:ident $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident
        $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
    )*) => {
        /// # Methods that panic: reductions
        impl DynTensor {
            plain! { $here $(
                $try_all as fn $all(self) -> Self;
                $try_axis as fn $axis(self, axes: impl Axes) -> Self;
                $try_keepdims as fn $keepdims(self, axes: impl Axes) -> Self;
            )*}
        }
    };
}

each_reduction!(methods reductions! here);

macro_rules! positions {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
    )*) => {
        /// # Methods that panic: positions of extremes
        impl DynTensor {
            plain! { $here $(
                $try_all as fn $all(self) -> Self;
                $try_axis as fn $axis(self, axis: impl Axis) -> Self;
                $try_keepdims as fn $keepdims(self, axis: impl Axis) -> Self;
            )*}
        }
    };
}

each_position!(methods positions! here);

macro_rules! scans {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $name:ident $try_name:ident: $Op:ident $group:ident { $(#[doc = $example:literal])* }
    )*) => {
        /// # Methods that panic: cumulative reductions
        impl DynTensor {
            plain! { $here $($try_name as fn $name(self, axis: impl Axis) -> Self;)* }
        }
    };
}

each_scan!(methods scans! here);

macro_rules! quantiles {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident
        [$($generic:tt)*] ($($argument:ident: $typed:ty | $type:ty),*) => $quantile:expr, errors $errors:literal
        { $(#[doc = $example:literal])* }
    )*) => {
        /// # Methods that panic: quantiles
        impl DynTensor {
            plain! { $here $(
                $try_all as fn $all(self $(, $argument: $type)*) -> Self;
                $try_axis as fn $axis(self $(, $argument: $type)*, axes: impl Axes) -> Self;
                $try_keepdims as fn $keepdims(self $(, $argument: $type)*, axes: impl Axes) -> Self;
            )*}
        }
    };
}

each_quantile!(quantiles! here);

macro_rules! corrected {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident $keepdims:ident $try_keepdims:ident: $Op:ident { $(#[doc = $example:literal])* }
    )*) => {
        /// # Methods that panic: variances with a correction
        impl DynTensor {
            plain! { $here $(
                $try_name as fn $name(self, correction: usize, axes: impl Axes) -> Self;
                $try_keepdims as fn $keepdims(self, correction: usize, axes: impl Axes) -> Self;
            )*}
        }
    };
}

each_corrected!(corrected! here);

/// # Methods that panic: other operations
impl DynTensor {
    plain_functions! {
        try_linspace as fn linspace( // `DynTensor::linspace(DType::F32, 0.0, 1.0, 5)`, whatever `help` says
            dtype: DType, start: impl FitsF64, end: impl FitsF64, count: usize
        );
        try_logspace as fn logspace( // `DynTensor::logspace(DType::F32, 0.0, 3.0, 4)`, whatever `help` says
            dtype: DType, start: impl FitsF64, end: impl FitsF64, count: usize
        );
    }

    plain! {
        here
        try_full_like as fn full_like(self, value: impl Into<Scalar>) -> Self;
        try_zeros_like as fn zeros_like(self) -> Self;
        try_ones_like as fn ones_like(self) -> Self;
        try_select as fn select<'a>(&'a self, then: impl DynOperand<'a>, otherwise: impl DynOperand<'a>) -> Self;
        try_clamp as fn clamp<'a>(&'a self, low: impl DynOperand<'a>, high: impl DynOperand<'a>) -> Self;
        try_matmul as fn matmul<'a>(&'a self, rhs: impl DynOperand<'a>) -> Self;
        try_matmul_in as fn matmul_in<'a>(&'a self, rhs: impl DynOperand<'a>, dtype: DType) -> Self;
        try_tensordot as fn tensordot<'a>(&'a self, rhs: impl DynOperand<'a>, axes: impl Axes, rhs_axes: impl Axes) -> Self;
        try_outer as fn outer<'a>(&'a self, rhs: impl DynOperand<'a>) -> Self;
        try_kron as fn kron<'a>(&'a self, rhs: impl DynOperand<'a>) -> Self;
        try_cross as fn cross<'a>(&'a self, rhs: impl DynOperand<'a>, axis: impl Axis) -> Self;
        try_concat as fn concat // of two tensors; a list is joined by the function `concat(&parts, 0)`
            <'a>(&'a self, other: impl DynOperand<'a>, axis: impl Axis) -> Self;
        try_dot as fn dot<'a>(&'a self, rhs: impl DynOperand<'a>) -> Self;
        try_take as fn take(self, indices: impl Indices<DType: IntegerDType>, axis: impl Axis) -> Self;
        try_take_along_axis as fn take_along_axis(self, indices: impl Indices<DType: IntegerDType>, axis: impl Axis) -> Self;
        try_masked_select as fn masked_select(self, mask: &Self) -> Self;
        try_compress as fn compress(self, mask: &Self, axis: impl Axis) -> Self;
        try_nonzero as fn nonzero(self) -> Vec<Self>;
        try_argwhere as fn argwhere(self) -> Self;
        try_flatnonzero as fn flatnonzero(self) -> Self;
        try_scatter as fn scatter(self, indices: impl Indices<DType: IntegerDType>, updates: &Self, axis: impl Axis) -> Self;
        try_scatter_add as fn scatter_add(self, indices: impl Indices<DType: IntegerDType>, updates: &Self, axis: impl Axis) -> Self;
        try_scatter_max as fn scatter_max(self, indices: impl Indices<DType: IntegerDType>, updates: &Self, axis: impl Axis) -> Self;
        try_scatter_min as fn scatter_min(self, indices: impl Indices<DType: IntegerDType>, updates: &Self, axis: impl Axis) -> Self;
        try_argsort as fn argsort(self, axis: impl Axis) -> Self; // `argsort_descending(0)` reverses the order; `help` does not
        try_argsort_descending as fn argsort_descending(self, axis: impl Axis) -> Self;
        try_top_k as fn top_k(self, count: usize, axis: impl Axis) -> (Self, Self);
        try_searchsorted as fn searchsorted(self, values: &Self) -> Self;
        try_searchsorted_right as fn searchsorted_right(self, values: &Self) -> Self;
        try_searchsorted_rows as fn searchsorted_rows(self, values: &Self) -> Self;
        try_searchsorted_rows_right as fn searchsorted_rows_right(self, values: &Self) -> Self;
        try_unique as fn unique(self) -> Self;
        try_unique_counts as fn unique_counts(self) -> (Self, Self);
        try_unique_index as fn unique_index(self) -> (Self, Self);
        try_unique_inverse as fn unique_inverse(self) -> (Self, Self);
        try_bincount as fn bincount(self, min_len: usize) -> Self;
        try_bincount_weighted as fn bincount_weighted(self, weights: &Self, min_len: usize) -> Self;
        try_one_hot as fn one_hot(self, classes: usize, dtype: DType) -> Self;
        try_histogram as fn histogram // bins and a range: `histogram(10, 0..=100)`
            (self, bins: usize, range: RangeInclusive<impl Into<f64>>) -> Self;
        try_histogram_edges as fn histogram_edges(self, edges: &Self) -> Self;
        try_histogram_weighted as fn histogram_weighted(self, edges: &Self, weights: &Self) -> Self;
        try_diff as fn diff(self, order: usize, axis: impl Axis) -> Self;
        try_density as fn density(self, edges: &Self) -> Self;
        try_is_close as fn is_close(self, other: &Self, relative: f64, absolute: f64) -> Self;
        try_is_in as fn is_in(self, values: &Self) -> Self;
        try_interp as fn interp(self, points: &Self, values: &Self) -> Self;
        try_cov as fn cov(self, correction: usize) -> Self; // of two vectors: `stack([&x, &y], 0).cov(1)`
        try_corrcoef as fn corrcoef(self) -> Self; // of two vectors: `stack([&x, &y], 0).corrcoef()`, not as `help` says
        try_count_nonzero as fn count_nonzero(self) -> Self; // along axes `count_nonzero_axis(0)`, not as `help` says
        try_count_nonzero_axis as fn count_nonzero_axis(self, axes: impl Axes) -> Self;
        try_count_nonzero_keepdims as fn count_nonzero_keepdims(self, axes: impl Axes) -> Self;
        try_trace as fn trace(self, offset: impl Offset) -> Self;
        try_conv1d as fn conv1d // `x.conv1d(&filters, ConvOptions::new().stride([2]).padding([1]))`
            (self, filters: &Self, options: ConvOptions<1, impl WindowPadding<1>>) -> Self;
        try_conv2d as fn conv2d // `x.conv2d(&filters, ConvOptions::new().stride([2, 2]).padding([1, 1]))`
            (self, filters: &Self, options: ConvOptions<2, impl WindowPadding<2>>) -> Self;
        try_conv_transpose1d as fn conv_transpose1d // `x.conv_transpose1d(&filters, ConvOptions::new().stride([2]).padding([1]))`
            (self, filters: &Self, options: ConvOptions<1, impl WindowPadding<1>>) -> Self;
        try_conv_transpose2d as
            fn conv_transpose2d // `x.conv_transpose2d(&filters, ConvOptions::new().stride([2, 2]).padding([1, 1]))`
            (self, filters: &Self, options: ConvOptions<2, impl WindowPadding<2>>) -> Self;
        try_max_pool1d as fn max_pool1d(self, options: PoolOptions<1, impl IntoPoolPadding<1>>) -> Self;
        try_max_pool2d as fn max_pool2d(self, options: PoolOptions<2, impl IntoPoolPadding<2>>) -> Self;
        try_avg_pool1d as fn avg_pool1d(self, options: PoolOptions<1, impl IntoPoolPadding<1>>) -> Self;
        try_avg_pool2d as fn avg_pool2d(self, options: PoolOptions<2, impl IntoPoolPadding<2>>) -> Self;
        try_softmax as fn softmax(self, axis: impl Axis) -> Self;
        try_log_softmax as fn log_softmax(self, axis: impl Axis) -> Self;
        try_log_sum_exp as fn log_sum_exp(self, axes: impl Axes) -> Self;
        try_log_sum_exp_keepdims as fn log_sum_exp_keepdims(self, axes: impl Axes) -> Self;
        try_norm as fn norm(self, p: f64, axes: impl Axes) -> Self;
        try_norm_keepdims as fn norm_keepdims(self, p: f64, axes: impl Axes) -> Self;
        try_tile as fn tile(self, counts: impl SizeList) -> Self; // `tile([2, 3])`, not as `help` says
        try_slice_axes as fn slice_axes<S: AxisSlices<AnyRank>>(self, slices: S) -> Self;
        try_pad as fn pad(self, padding: impl Padding, value: impl Into<Scalar>) -> Self;
    }
}
