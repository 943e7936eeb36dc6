//! Reductions: over everything, over one axis, over several, with and without the reduced axes
//! kept as axes of size one.

use crate::dtype::StaticDType;
use crate::error::Error;
use crate::kernel::{self, ArgOp, ReduceOp};
use crate::rank::{AnyRank, Rank, Rank0, RemoveAxis};
use crate::rules::Rules;
use crate::rules::operations::{
    AnyAll, CumulativeSum, Extremum, ExtremumIndex, Mean, Sum, Variance,
};
use crate::tensor::view::axis_of;
use crate::tensor::{Tensor, or_panic};

/// The axes as the kernels take them: sorted and distinct.
fn axes_of(operation: &'static str, axes: &[isize], rank: usize) -> Result<Vec<usize>, Error> {
    let mut found = axes
        .iter()
        .map(|axis| axis_of(operation, *axis, rank))
        .collect::<Result<Vec<_>, _>>()?;
    found.sort_unstable();
    match found.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Error::RepeatedAxis {
            operation,
            axis: pair[0],
        }),
        None => Ok(found),
    }
}

impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    fn reduced<Out: StaticDType, M: Rank>(
        &self,
        op: ReduceOp,
        axes: Result<Vec<usize>, Error>,
        keep: bool,
    ) -> Result<Tensor<Out, M, R>, Error> {
        kernel::reduce(op, self.array(), &axes?, keep, Out::DTYPE).map(Tensor::from_array)
    }
}

/// The six forms of each reduction and the `try_` form of each.
macro_rules! reductions {
    ($(
        $(#[doc = $doc:literal])+
        $what:literal $table:ident $op:expr;
        $all:ident $try_all:ident $axis:ident $try_axis:ident $axes:ident $try_axes:ident
        $axis_keep:ident $try_axis_keep:ident $axes_keep:ident $try_axes_keep:ident;
    )*) => {$(
        impl<D: StaticDType + $table<R::Operations>, N: Rank, R: Rules> Tensor<D, N, R> {
            #[doc = concat!($what, " over all elements.")]
            ///
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_all), "`]'s error.")]
            #[track_caller]
            pub fn $all(&self) -> Tensor<<D as $table<R::Operations>>::Output, Rank0, R> {
                or_panic(self.$try_all())
            }

            #[doc = concat!("[`Self::", stringify!($all), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::EmptyReduction`] where no elements have no result (extrema).
            pub fn $try_all(&self) -> Result<Tensor<<D as $table<R::Operations>>::Output, Rank0, R>, Error> {
                self.reduced($op, Ok((0..self.ndim()).collect()), false)
            }

            #[doc = concat!($what, " along one axis (from the end, if negative), which the result does not have; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axis), "`]'s error.")]
            #[track_caller]
            pub fn $axis(&self, axis: isize) -> Tensor<<D as $table<R::Operations>>::Output, N::Output, R>
            where
                N: RemoveAxis,
            {
                or_panic(self.$try_axis(axis))
            }

            #[doc = concat!("[`Self::", stringify!($axis), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::EmptyReduction`].
            pub fn $try_axis(
                &self,
                axis: isize,
            ) -> Result<Tensor<<D as $table<R::Operations>>::Output, N::Output, R>, Error>
            where
                N: RemoveAxis,
            {
                self.reduced($op, axes_of(stringify!($all), &[axis], self.ndim()), false)
            }

            #[doc = concat!($what, " along several axes, which the result does not have; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axes), "`]'s error.")]
            #[track_caller]
            pub fn $axes(&self, axes: &[isize]) -> Tensor<<D as $table<R::Operations>>::Output, AnyRank, R> {
                or_panic(self.$try_axes(axes))
            }

            #[doc = concat!("[`Self::", stringify!($axes), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`], [`Error::EmptyReduction`].
            pub fn $try_axes(
                &self,
                axes: &[isize],
            ) -> Result<Tensor<<D as $table<R::Operations>>::Output, AnyRank, R>, Error> {
                self.reduced($op, axes_of(stringify!($all), axes, self.ndim()), false)
            }

            #[doc = concat!($what, " along one axis, kept with size one; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axis_keep), "`]'s error.")]
            #[track_caller]
            pub fn $axis_keep(&self, axis: isize) -> Tensor<<D as $table<R::Operations>>::Output, N, R> {
                or_panic(self.$try_axis_keep(axis))
            }

            #[doc = concat!("[`Self::", stringify!($axis_keep), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::EmptyReduction`].
            pub fn $try_axis_keep(
                &self,
                axis: isize,
            ) -> Result<Tensor<<D as $table<R::Operations>>::Output, N, R>, Error> {
                self.reduced($op, axes_of(stringify!($all), &[axis], self.ndim()), true)
            }

            #[doc = concat!($what, " along several axes, kept with size one; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axes_keep), "`]'s error.")]
            #[track_caller]
            pub fn $axes_keep(&self, axes: &[isize]) -> Tensor<<D as $table<R::Operations>>::Output, N, R> {
                or_panic(self.$try_axes_keep(axes))
            }

            #[doc = concat!("[`Self::", stringify!($axes_keep), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`], [`Error::EmptyReduction`].
            pub fn $try_axes_keep(
                &self,
                axes: &[isize],
            ) -> Result<Tensor<<D as $table<R::Operations>>::Output, N, R>, Error> {
                self.reduced($op, axes_of(stringify!($all), axes, self.ndim()), true)
            }
        }
    )*};
}

reductions! {
    /// The result is wide: `I8` sums to `I64` under JAX's rules. Small floats are added in `f32` and
    /// `f32` in `f64`, pairwise, and rounded once. Zero over no elements; integers wrap.
    ///
    /// ```
    /// use supremum::{I64, I8, Rank2, Tensor, tensor};
    /// let t: Tensor<I8, Rank2> = tensor![[100, 100], [-1, 2]];
    /// let total: Tensor<I64, _> = t.sum();
    /// assert_eq!(total.item(), Ok(201));
    /// assert_eq!(t.sum_axis(0).to_vec(), [99, 102]);
    /// assert_eq!(t.sum_axis_keep(-1).shape(), [2, 1]);
    /// ```
    "The sum" Sum ReduceOp::Sum;
    sum try_sum sum_axis try_sum_axis sum_axes try_sum_axes
    sum_axis_keep try_sum_axis_keep sum_axes_keep try_sum_axes_keep;

    /// As wide as [`Self::sum`]. One over no elements.
    "The product" Sum ReduceOp::Prod;
    prod try_prod prod_axis try_prod_axis prod_axes try_prod_axes
    prod_axis_keep try_prod_axis_keep prod_axes_keep try_prod_axes_keep;

    /// Inexact also for integers. NaN over no elements.
    ///
    /// ```
    /// use supremum::{F32, Tensor, U8, tensor};
    /// let t: Tensor<U8> = tensor![1, 2];
    /// let mean: Tensor<F32, _> = t.mean();
    /// assert_eq!(mean.item(), Ok(1.5));
    /// ```
    "The mean" Mean ReduceOp::Mean;
    mean try_mean mean_axis try_mean_axis mean_axes try_mean_axes
    mean_axis_keep try_mean_axis_keep mean_axes_keep try_mean_axes_keep;

    /// The mean squared distance from the mean (no correction for the degree of freedom), computed
    /// in two passes; real for complex numbers.
    "The variance" Variance ReduceOp::Var { ddof: 0 };
    var try_var var_axis try_var_axis var_axes try_var_axes
    var_axis_keep try_var_axis_keep var_axes_keep try_var_axes_keep;

    /// The square root of the variance.
    "The standard deviation" Variance ReduceOp::Std { ddof: 0 };
    std try_std std_axis try_std_axis std_axes try_std_axes
    std_axis_keep try_std_axis_keep std_axes_keep try_std_axes_keep;

    /// NaN if there is one. For the smaller of two tensors by element see [`Self::minimum`].
    "The smallest element" Extremum ReduceOp::Min;
    min try_min min_axis try_min_axis min_axes try_min_axes
    min_axis_keep try_min_axis_keep min_axes_keep try_min_axes_keep;

    /// NaN if there is one. For the greater of two tensors by element see [`Self::maximum`].
    "The greatest element" Extremum ReduceOp::Max;
    max try_max max_axis try_max_axis max_axes try_max_axes
    max_axis_keep try_max_axis_keep max_axes_keep try_max_axes_keep;

    /// Zero is false, all else is true. False over no elements.
    "Whether any element is true," AnyAll ReduceOp::Any;
    any try_any any_axis try_any_axis any_axes try_any_axes
    any_axis_keep try_any_axis_keep any_axes_keep try_any_axes_keep;

    /// Zero is false, all else is true. True over no elements.
    "Whether all elements are true," AnyAll ReduceOp::All;
    all try_all all_axis try_all_axis all_axes try_all_axes
    all_axis_keep try_all_axis_keep all_axes_keep try_all_axes_keep;
}

impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    fn positions<Out: StaticDType, M: Rank>(
        &self,
        op: ArgOp,
        axis: Result<usize, Error>,
        keep: bool,
    ) -> Result<Tensor<Out, M, R>, Error> {
        kernel::arg_reduce(op, self.array(), Some(axis?), keep, Out::DTYPE).map(Tensor::from_array)
    }
}

macro_rules! positions {
    ($(
        $(#[doc = $doc:literal])+
        $what:literal $op:expr;
        $all:ident $try_all:ident $axis:ident $try_axis:ident $axis_keep:ident $try_axis_keep:ident;
    )*) => {$(
        impl<D: StaticDType + ExtremumIndex<R::Operations>, N: Rank, R: Rules> Tensor<D, N, R> {
            #[doc = concat!("The position of ", $what, " among all elements in row-major order.")]
            ///
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_all), "`]'s error.")]
            #[track_caller]
            pub fn $all(&self) -> Tensor<<D as ExtremumIndex<R::Operations>>::Output, Rank0, R> {
                or_panic(self.$try_all())
            }

            #[doc = concat!("[`Self::", stringify!($all), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::EmptyReduction`].
            pub fn $try_all(&self) -> Result<Tensor<<D as ExtremumIndex<R::Operations>>::Output, Rank0, R>, Error> {
                let out = <<D as ExtremumIndex<R::Operations>>::Output as StaticDType>::DTYPE;
                kernel::arg_reduce($op, self.array(), None, false, out).map(Tensor::from_array)
            }

            #[doc = concat!("The position of ", $what, " along an axis, which the result does not have; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axis), "`]'s error.")]
            #[track_caller]
            pub fn $axis(&self, axis: isize) -> Tensor<<D as ExtremumIndex<R::Operations>>::Output, N::Output, R>
            where
                N: RemoveAxis,
            {
                or_panic(self.$try_axis(axis))
            }

            #[doc = concat!("[`Self::", stringify!($axis), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::EmptyReduction`].
            pub fn $try_axis(
                &self,
                axis: isize,
            ) -> Result<Tensor<<D as ExtremumIndex<R::Operations>>::Output, N::Output, R>, Error>
            where
                N: RemoveAxis,
            {
                self.positions($op, axis_of(stringify!($all), axis, self.ndim()), false)
            }

            #[doc = concat!("The position of ", $what, " along an axis, kept with size one; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axis_keep), "`]'s error.")]
            #[track_caller]
            pub fn $axis_keep(&self, axis: isize) -> Tensor<<D as ExtremumIndex<R::Operations>>::Output, N, R> {
                or_panic(self.$try_axis_keep(axis))
            }

            #[doc = concat!("[`Self::", stringify!($axis_keep), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::EmptyReduction`].
            pub fn $try_axis_keep(
                &self,
                axis: isize,
            ) -> Result<Tensor<<D as ExtremumIndex<R::Operations>>::Output, N, R>, Error> {
                self.positions($op, axis_of(stringify!($all), axis, self.ndim()), true)
            }
        }
    )*};
}

positions! {
    /// The first of equal ones; a NaN counts as smallest.
    "the smallest element" ArgOp::Min;
    argmin try_argmin argmin_axis try_argmin_axis argmin_axis_keep try_argmin_axis_keep;

    /// The first of equal ones; a NaN counts as greatest.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank2, Tensor, tensor};
    /// let scores: Tensor<F32, Rank2> = tensor![[0.1, 0.9], [0.7, 0.2]];
    /// let best: Tensor<I64, _> = scores.argmax_axis(1);
    /// assert_eq!(best.to_vec(), [1, 0]);
    /// assert_eq!(scores.argmax_axis_keep(1).shape(), [2, 1]);
    /// ```
    "the greatest element" ArgOp::Max;
    argmax try_argmax argmax_axis try_argmax_axis argmax_axis_keep try_argmax_axis_keep;
}

impl<D: StaticDType + CumulativeSum<R::Operations>, N: Rank, R: Rules> Tensor<D, N, R> {
    /// The sum of all elements up to each one, along an axis. Small floats are added in `f32` and each
    /// result is rounded once; integers wrap.
    ///
    /// # Panics
    /// With the text of [`Self::try_cumsum`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Tensor, tensor};
    /// let t: Tensor<I32> = tensor![1, 2, 3];
    /// assert_eq!(t.cumsum(0).to_vec(), [1, 3, 6]);
    /// ```
    #[track_caller]
    pub fn cumsum(&self, axis: isize) -> Tensor<<D as CumulativeSum<R::Operations>>::Output, N, R> {
        or_panic(self.try_cumsum(axis))
    }

    /// [`Self::cumsum`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`].
    pub fn try_cumsum(
        &self,
        axis: isize,
    ) -> Result<Tensor<<D as CumulativeSum<R::Operations>>::Output, N, R>, Error> {
        let axis = axis_of("cumsum", axis, self.ndim())?;
        let out = <<D as CumulativeSum<R::Operations>>::Output as StaticDType>::DTYPE;
        Ok(Tensor::from_array(kernel::cumsum(self.array(), axis, out)))
    }
}
