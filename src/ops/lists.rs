//! The lists of operations. The methods of typed, fused and dynamic tensors are all generated from them. Operations by element have
//! their rows in `op/`.
//!
//! A list is a macro that calls `$consumer!` with its own arguments, then all entries. An entry has the documentation,
//! the names, the kernel and the group of operations, and in braces an example for [`Tensor`](crate::Tensor).

/// Reductions: a noun for the result, group, kernel, then the names of the forms: over all elements, along one axis,
/// along several, and the last two with the axes kept, each followed by its fallible form.
macro_rules! each_reduction {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// The result is wide: `I8` sums to `I64` under JAX's rules. Small floats are added in `f32` and
            /// `f32` in `f64`, pairwise, and rounded once. Zero over no elements; integers wrap.
            "The sum" Sum ReduceOp::Sum,
            sum try_sum sum_axis try_sum_axis sum_axes try_sum_axes
            sum_keepdims try_sum_keepdims {
                /// ```
                /// use supremum::{I64, I8, Rank2, Tensor, tensor};
                /// let t: Tensor<I8, Rank2> = tensor![[100, 100], [-1, 2]];
                /// let total: Tensor<I64, _> = t.sum();
                /// assert_eq!(total.item(), Ok(201));
                /// assert_eq!(t.sum_axis(0).to_vec(), [99, 102]);
                /// assert_eq!(t.sum_keepdims(-1).shape(), [2, 1]);
                /// ```
            }
            /// As wide as [`Self::try_sum`]. One over no elements.
            "The product" Sum ReduceOp::Prod,
            prod try_prod prod_axis try_prod_axis prod_axes try_prod_axes
            prod_keepdims try_prod_keepdims {}
            /// Inexact also for integers. NaN over no elements.
            "The mean" Mean ReduceOp::Mean,
            mean try_mean mean_axis try_mean_axis mean_axes try_mean_axes
            mean_keepdims try_mean_keepdims {
                /// ```
                /// use supremum::{F32, Tensor, U8, tensor};
                /// let t: Tensor<U8> = tensor![1, 2];
                /// let mean: Tensor<F32, _> = t.mean();
                /// assert_eq!(mean.item(), Ok(1.5));
                /// ```
            }
            /// The mean squared distance from the mean (no correction for the degree of freedom), computed
            /// in two passes; real for complex numbers.
            "The variance" Variance ReduceOp::Var { ddof: 0 },
            var try_var var_axis try_var_axis var_axes try_var_axes
            var_keepdims try_var_keepdims {}
            /// The square root of the variance.
            "The standard deviation" Variance ReduceOp::Std { ddof: 0 },
            std try_std std_axis try_std_axis std_axes try_std_axes
            std_keepdims try_std_keepdims {}
            /// NaN if there is one. For the smaller of two tensors by element see [`Self::try_minimum`].
            "The smallest element" MinMaxReduce ReduceOp::Min,
            min try_min min_axis try_min_axis min_axes try_min_axes
            min_keepdims try_min_keepdims {}
            /// NaN if there is one. For the greater of two tensors by element see [`Self::try_maximum`].
            "The greatest element" MinMaxReduce ReduceOp::Max,
            max try_max max_axis try_max_axis max_axes try_max_axes
            max_keepdims try_max_keepdims {}
            /// Zero is false, all else is true. False over no elements.
            "Whether any element is true," AnyAll ReduceOp::Any,
            any try_any any_axis try_any_axis any_axes try_any_axes
            any_keepdims try_any_keepdims {}
            /// Zero is false, all else is true. True over no elements.
            "Whether all elements are true," AnyAll ReduceOp::All,
            all try_all all_axis try_all_axis all_axes try_all_axes
            all_keepdims try_all_keepdims {}
        }
    };
}

/// Positions of extremes, of the group `ArgMinMax`: a noun for the extreme, kernel, then the names of the forms.
macro_rules! each_position {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// The first of equal ones; a NaN counts as smallest.
            "the smallest element" ArgOp::Min,
            argmin try_argmin argmin_axis try_argmin_axis argmin_keepdims try_argmin_keepdims {}
            /// The first of equal ones; a NaN counts as greatest.
            "the greatest element" ArgOp::Max,
            argmax try_argmax argmax_axis try_argmax_axis argmax_keepdims try_argmax_keepdims {
                /// ```
                /// use supremum::{F32, I64, Rank2, Tensor, tensor};
                /// let scores: Tensor<F32, Rank2> = tensor![[0.1, 0.9], [0.7, 0.2]];
                /// let best: Tensor<I64, _> = scores.argmax_axis(1);
                /// assert_eq!(best.to_vec(), [1, 0]);
                /// assert_eq!(scores.argmax_keepdims(1).shape(), [2, 1]);
                /// ```
            }
        }
    };
}

pub(crate) use {each_position, each_reduction};
