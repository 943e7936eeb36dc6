//! Reductions, to values and to positions of extremes: a row for each.
//!
//! Everything that the library has for a reduction comes from its row: the variant of `ReduceOp` with its name in
//! messages, how it is computed (`kernel/reduce/`, and in StableHLO), the names that `fuse!` knows, its type in
//! compiled expressions, and the methods of `Tensor`, `DynTensor` and `fuse!`.
//!
//! # A row
//!
//! ```text
//! /// Documentation of the methods.
//! the name of each form and that of its fallible form, on a line with what the compiler is to quote:
//! Variant "noun for documentation", Group, Accumulate, FoldOp => Finish { /// Example. }
//! ```
//!
//! The forms are: over all elements (the name of the reduction in messages), along axes, and with the axes kept. By the
//! trait `Axes`, one form takes one axis, several, or all. `Group` is the group of operations whose rules give the
//! result's dtype. The other columns are variants:
//!
//! - of `Accumulate` in `kernel/reduce/`: the dtype in which elements are combined;
//! - of `FoldOp` in `kernel/accumulate/`: how two elements are combined;
//! - of `Finish` in `kernel/reduce/`: what is computed of all elements combined.
//!
//! If a variant has a parameter, the value that the methods use follows it.

/// Calls `$consumer!` with the tokens behind it and then a row for each reduction, of one of these forms.
///
/// - `kernels`: `name: Variant, Accumulate, FoldOp => Finish;`
/// - `methods`: documentation, `"noun" Group ReduceOp::Variant, names of the forms { example }`
macro_rules! each_reduction {
    (kernels $consumer:ident! $($more:tt)*) => {
        each_reduction! { @rows each_reduction! @kernels [$consumer! $($more)*] }
    };
    (methods $consumer:ident! $($more:tt)*) => {
        each_reduction! { @rows each_reduction! @methods [$consumer! $($more)*] }
    };
    (@rows $consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Small integers widen: `I8` sums to `I64` under JAX's rules. Small floats are added in `f32` and `f32` in `f64`, pairwise, and
            /// rounded once. Integers wrap. The sum of no elements is zero.
            sum try_sum // along axes `sum_axis(0)`, `sum_axis([0, 1])` or `sum_keepdims(0)`, not as `help` says
            sum_axis try_sum_axis // several axes `sum_axis([0, 1])`; kept with size 1 `sum_keepdims(0)`; not as `help` says
            sum_keepdims try_sum_keepdims: // several axes `sum_keepdims([0, 1])`, not as `help` says
            Sum "The sum", Sum, Wide, Add => Itself {
                /// ```
                /// use supremum::{I64, I8, Rank2, Tensor, tensor};
                /// let t: Tensor<I8, Rank2> = tensor![[100, 100], [-1, 2]];
                /// let total: Tensor<I64, _> = t.sum();
                /// assert_eq!(total.item(), Ok(201));
                /// assert_eq!(t.sum_axis(0).to_vec(), [99, 102]);
                /// assert_eq!(t.sum_axis([0, 1]), total);
                /// assert_eq!(t.sum_keepdims(-1).shape(), [2, 1]);
                /// ```
            }
            /// The dtype is that of [`Self::try_sum`]. The product of no elements is one.
            prod try_prod // along axes `prod_axis(0)`, `prod_axis([0, 1])` or `prod_keepdims(0)`, not as `help` says
            prod_axis try_prod_axis // several axes `prod_axis([0, 1])`; kept with size 1 `prod_keepdims(0)`; not as `help` says
            prod_keepdims try_prod_keepdims: // several axes `prod_keepdims([0, 1])`, not as `help` says
            Prod "The product", Sum, Wide, Multiply => Itself {}
            /// Under most rules the mean of integers is a float. The mean of no elements is NaN.
            mean try_mean // along axes `mean_axis(0)`, `mean_axis([0, 1])` or `mean_keepdims(0)`, not as `help` says
            mean_axis try_mean_axis // several axes `mean_axis([0, 1])`; kept with size 1 `mean_keepdims(0)`; not as `help` says
            mean_keepdims try_mean_keepdims: // several axes `mean_keepdims([0, 1])`, not as `help` says
            Mean "The mean", Mean, Inexact, Add => Mean {
                /// ```
                /// use supremum::{F32, Tensor, U8, tensor};
                /// let t: Tensor<U8> = tensor![1, 2];
                /// let mean: Tensor<F32, _> = t.mean();
                /// assert_eq!(mean.item(), Ok(1.5));
                /// ```
            }
            /// The mean squared distance from the mean (divided by n, not by n - 1), computed
            /// in two passes; real for complex numbers.
            var try_var // n - 1: `var_corrected(1, ..)`; along axes `var_axis(0)`, `var_keepdims(0)`, not as `help` says
            var_axis try_var_axis // n - 1: `var_corrected(1, 0)`; axes `var_axis([0, 1])`; kept `var_keepdims(0)`; not as `help` says
            var_keepdims try_var_keepdims: // several axes `var_keepdims([0, 1])`, not as `help` says
            Var { ddof: 0 } "The variance", Variance, Inexact, Add => Variance {
                /// ```
                /// use supremum::{F32, Rank1, Rank3, Tensor};
                /// let images = Tensor::<F32, Rank3>::from_fn([2, 3, 4], |[i, channel, _]| (i * channel) as f32);
                /// let of_channels: Tensor<F32, Rank1> = images.var_axis([0, 2]); // along several axes
                /// assert_eq!(of_channels.to_vec(), [0.0, 0.25, 1.0]);
                /// ```
            }
            /// The square root of the variance.
            std try_std // n - 1: `std_corrected(1, ..)`; along axes `std_axis(0)`, `std_keepdims(0)`, not as `help` says
            std_axis try_std_axis // n - 1: `std_corrected(1, 0)`; axes `std_axis([0, 1])`; kept `std_keepdims(0)`; not as `help` says
            std_keepdims try_std_keepdims: // several axes `std_keepdims([0, 1])`, not as `help` says
            Std { ddof: 0 } "The standard deviation", Variance, Inexact, Add => Deviation {}
            /// NaN if there is one. For the smaller of two tensors by element see [`Self::try_minimum`].
            min try_min // of two `minimum`; along axes `min_axis(0)`, `min_axis([0, 1])` or `min_keepdims(0)`, not as `help` says
            min_axis try_min_axis // several axes `min_axis([0, 1])`; kept with size 1 `min_keepdims(0)`; not as `help` says
            min_keepdims try_min_keepdims: // several axes `min_keepdims([0, 1])`, not as `help` says
            Min "The smallest element", MinMaxReduce, Element, Minimum => Itself {}
            /// NaN if there is one. For the greater of two tensors by element see [`Self::try_maximum`].
            max try_max // of two `maximum`; along axes `max_axis(0)`, `max_axis([0, 1])` or `max_keepdims(0)`, not as `help` says
            max_axis try_max_axis // several axes `max_axis([0, 1])`; kept with size 1 `max_keepdims(0)`; not as `help` says
            max_keepdims try_max_keepdims: // several axes `max_keepdims([0, 1])`, not as `help` says
            Max "The greatest element", MinMaxReduce, Element, Maximum => Itself {}
            /// Zero is false, and every other number is true. The result over no elements is false.
            any try_any // along axes `any_axis(0)`, `any_axis([0, 1])` or `any_keepdims(0)`, not as `help` says
            any_axis try_any_axis // several axes `any_axis([0, 1])`; kept with size 1 `any_keepdims(0)`; not as `help` says
            any_keepdims try_any_keepdims: // several axes `any_keepdims([0, 1])`, not as `help` says
            Any "Whether any element is true,", AnyAll, Truth, Or => Itself {}
            /// Zero is false, and every other number is true. The result over no elements is true.
            all try_all // along axes `all_axis(0)`, `all_axis([0, 1])` or `all_keepdims(0)`, not as `help` says
            all_axis try_all_axis // several axes `all_axis([0, 1])`; kept with size 1 `all_keepdims(0)`; not as `help` says
            all_keepdims try_all_keepdims: // several axes `all_keepdims([0, 1])`, not as `help` says
            All "Whether all elements are true,", AnyAll, Truth, And => Itself {}
            /// Sums as [`Self::try_sum`] does, with zero in place of NaN. If all elements are NaN, it is zero.
            nan_sum try_nan_sum // along axes `nan_sum_axis(0)`, `nan_sum_axis([0, 1])`, not as `help` says
            nan_sum_axis try_nan_sum_axis // several axes `nan_sum_axis([0, 1])`; kept `nan_sum_keepdims(0)`; not as `help` says
            nan_sum_keepdims try_nan_sum_keepdims: // several axes `nan_sum_keepdims([0, 1])`, not as `help` says
            NanSum "The sum of the elements that are not NaN,", Sum, Wide, AddNumbers => Itself {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![1.5, f32::NAN, 2.0];
                /// assert_eq!(t.nan_sum().item(), Ok(3.5));
                /// ```
            }
            /// Multiplies as [`Self::try_prod`] does, with one in place of NaN. If all elements are NaN, it is one.
            nan_prod try_nan_prod // along axes `nan_prod_axis(0)`, `nan_prod_axis([0, 1])`, not as `help` says
            nan_prod_axis try_nan_prod_axis // several axes `nan_prod_axis([0, 1])`; kept `nan_prod_keepdims(0)`; not as `help` says
            nan_prod_keepdims try_nan_prod_keepdims: // several axes `nan_prod_keepdims([0, 1])`, not as `help` says
            NanProd "The product of the elements that are not NaN,", Sum, Wide, MultiplyNumbers => Itself {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![1.5, f32::NAN, 2.0];
                /// assert_eq!(t.nan_prod().item(), Ok(3.0));
                /// ```
            }
            /// NaN if all elements are NaN.
            nan_min try_nan_min // along axes `nan_min_axis(0)`, `nan_min_axis([0, 1])`, not as `help` says
            nan_min_axis try_nan_min_axis // several axes `nan_min_axis([0, 1])`; kept `nan_min_keepdims(0)`; not as `help` says
            nan_min_keepdims try_nan_min_keepdims: // several axes `nan_min_keepdims([0, 1])`, not as `help` says
            NanMin "The smallest element that is not NaN,", MinMaxReduce, Element, MinimumNumber => Itself {}
            /// NaN if all elements are NaN.
            nan_max try_nan_max // along axes `nan_max_axis(0)`, `nan_max_axis([0, 1])`, not as `help` says
            nan_max_axis try_nan_max_axis // several axes `nan_max_axis([0, 1])`; kept `nan_max_keepdims(0)`; not as `help` says
            nan_max_keepdims try_nan_max_keepdims: // several axes `nan_max_keepdims([0, 1])`, not as `help` says
            NanMax "The greatest element that is not NaN,", MinMaxReduce, Element, MaximumNumber => Itself {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![1.5, f32::NAN, 2.0];
                /// assert_eq!((t.nan_min().item(), t.nan_max().item()), (Ok(1.5), Ok(2.0)));
                /// ```
            }
            /// [`Self::try_nan_sum`] divided by the number of elements that are not NaN; NaN if there are none. Inexact also for
            /// integers.
            nan_mean try_nan_mean // along axes `nan_mean_axis(0)`, `nan_mean_axis([0, 1])`, not as `help` says
            nan_mean_axis try_nan_mean_axis // several axes `nan_mean_axis([0, 1])`; kept `nan_mean_keepdims(0)`; not as `help` says
            nan_mean_keepdims try_nan_mean_keepdims: // several axes `nan_mean_keepdims([0, 1])`, not as `help` says
            NanMean "The mean of the elements that are not NaN,", Mean, Inexact, AddNumbers => Mean {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![1.5, f32::NAN, 2.0];
                /// assert_eq!(t.nan_mean().item(), Ok(1.75));
                /// ```
            }
            /// The mean squared distance of these elements from their mean, computed in two passes; NaN if there are none. Real for
            /// complex numbers.
            nan_var try_nan_var // along axes `nan_var_axis(0)`, `nan_var_axis([0, 1])`, not as `help` says
            nan_var_axis try_nan_var_axis // several axes `nan_var_axis([0, 1])`; kept `nan_var_keepdims(0)`; not as `help` says
            nan_var_keepdims try_nan_var_keepdims: // several axes `nan_var_keepdims([0, 1])`, not as `help` says
            NanVar { ddof: 0 } "The variance of the elements that are not NaN,", Variance, Inexact, AddNumbers => Variance {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![1.0, f32::NAN, 5.0];
                /// assert_eq!((t.nan_var().item(), t.nan_std().item()), (Ok(4.0), Ok(2.0)));
                /// ```
            }
            /// The square root of [`Self::try_nan_var`].
            nan_std try_nan_std // along axes `nan_std_axis(0)`, `nan_std_axis([0, 1])`, not as `help` says
            nan_std_axis try_nan_std_axis // several axes `nan_std_axis([0, 1])`; kept `nan_std_keepdims(0)`; not as `help` says
            nan_std_keepdims try_nan_std_keepdims: // several axes `nan_std_keepdims([0, 1])`, not as `help` says
            NanStd { ddof: 0 } "The standard deviation of the elements that are not NaN,", Variance, Inexact, AddNumbers => Deviation {}
        }
    };
    (@kernels [$consumer:ident! $($more:tt)*] $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident:
        $Op:ident $({ $field:ident: $value:literal })? $what:literal, $group:ident, $accumulate:ident, $fold:ident => $Result:ident $example:tt
    )*) => {
        $consumer! { $($more)* $($name: $Op $({ $field: $value })?, $accumulate, $fold => $Result;)* }
    };
    (@methods [$consumer:ident! $($more:tt)*] $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident:
        $Op:ident $({ $field:ident: $value:literal })? $what:literal, $group:ident, $accumulate:ident, $fold:ident => $Result:ident $example:tt
    )*) => {
        $consumer! { $($more)* $(
            $(#[doc = $doc])+
            $what $group ReduceOp::$Op $({ $field: $value })?,
            $name $try_name $axis $try_axis $keepdims $try_keepdims $example
        )* }
    };
}

/// Calls `$consumer!` with the tokens behind it and then a row for each position of an extreme, which are all of the group
/// `ArgMinMax`, of one of these forms.
///
/// - `kernels`: `name: Variant;`
/// - `methods`: documentation, `"noun for the extreme" ArgOp::Variant, names of the forms { example }`; the forms are those of
///   reductions, along one axis
macro_rules! each_position {
    (kernels $consumer:ident! $($more:tt)*) => {
        each_position! { @rows each_position! @kernels [$consumer! $($more)*] }
    };
    (methods $consumer:ident! $($more:tt)*) => {
        each_position! { @rows each_position! @methods [$consumer! $($more)*] }
    };
    (@rows $consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// The first of equal ones; a NaN counts as smallest.
            argmin try_argmin // along an axis `argmin_axis(0)`, not as `help` says
            argmin_axis try_argmin_axis // kept with size 1 `argmin_keepdims(0)`; not as `help` says
            argmin_keepdims try_argmin_keepdims:
            Min "the smallest element" {}
            /// The first of equal ones; a NaN counts as greatest.
            argmax try_argmax // along an axis `argmax_axis(0)`, not as `help` says
            argmax_axis try_argmax_axis // kept with size 1 `argmax_keepdims(0)`; not as `help` says
            argmax_keepdims try_argmax_keepdims:
            Max "the greatest element" {
                /// ```
                /// use supremum::{F32, I64, Rank2, Tensor, tensor};
                /// let scores: Tensor<F32, Rank2> = tensor![[0.1, 0.9], [0.7, 0.2]];
                /// let best: Tensor<I64, _> = scores.argmax_axis(1);
                /// assert_eq!(best.to_vec(), [1, 0]);
                /// assert_eq!(scores.argmax_keepdims(1).shape(), [2, 1]);
                /// ```
            }
            /// The first of equal ones. If all elements are NaN, it is -1, as in JAX; see [`Self::try_nan_argmax`].
            nan_argmin try_nan_argmin // along an axis `nan_argmin_axis(0)`, not as `help` says
            nan_argmin_axis try_nan_argmin_axis // kept with size 1 `nan_argmin_keepdims(0)`; not as `help` says
            nan_argmin_keepdims try_nan_argmin_keepdims:
            NanMin "the smallest element that is not NaN" {}
            /// The first of equal ones. If all elements are NaN, it is -1, as in JAX, where NumPy raises an error: a traced program cannot
            /// raise one, and the same operation gives the same result in every form. An infinity is found behind a NaN too, whose
            /// position NumPy and JAX give.
            nan_argmax try_nan_argmax // along an axis `nan_argmax_axis(0)`, not as `help` says
            nan_argmax_axis try_nan_argmax_axis // kept with size 1 `nan_argmax_keepdims(0)`; not as `help` says
            nan_argmax_keepdims try_nan_argmax_keepdims:
            NanMax "the greatest element that is not NaN" {
                /// ```
                /// use supremum::{F32, I64, Rank2, Tensor, tensor};
                /// let gaps: Tensor<F32, Rank2> = tensor![[f32::NAN, 0.5, 2.0], [f32::NAN, f32::NAN, f32::NAN]];
                /// let best: Tensor<I64, _> = gaps.nan_argmax_axis(1);
                /// assert_eq!(best.to_vec(), [2, -1]);
                /// assert_eq!((gaps.nan_argmax().item(), gaps.nan_argmin().item()), (Ok(2), Ok(1)));
                /// ```
            }
        }
    };
    (@kernels [$consumer:ident! $($more:tt)*] $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident: $Op:ident $what:literal $example:tt
    )*) => {
        $consumer! { $($more)* $($name: $Op;)* }
    };
    (@methods [$consumer:ident! $($more:tt)*] $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident: $Op:ident $what:literal $example:tt
    )*) => {
        $consumer! { $($more)* $(
            $(#[doc = $doc])+
            $what ArgOp::$Op, $name $try_name $axis $try_axis $keepdims $try_keepdims $example
        )* }
    };
}

pub(crate) use {each_position, each_reduction};
