//! Reductions: over everything, over one axis, over several, with and without the reduced axes
//! kept as axes of size one.

use super::lists::{each_position, each_reduction};
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
pub(crate) fn axes_of(
    operation: &'static str,
    axes: &[isize],
    rank: usize,
) -> Result<Vec<usize>, Error> {
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
        $what:literal $table:ident $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $axes:ident $try_axes:ident
        $axis_keep:ident $try_axis_keep:ident $axes_keep:ident $try_axes_keep:ident { $(#[doc = $example:literal])* }
    )*) => {$(
        impl<D: StaticDType + $table<R::Operations>, N: Rank, R: Rules> Tensor<D, N, R> {
            #[doc = concat!($what, " over all elements.")]
            ///
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_all), "`]'s error.")]
            ///
            $(#[doc = $example])*
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

each_reduction!(reductions!);

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
        $what:literal $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $axis_keep:ident $try_axis_keep:ident { $(#[doc = $example:literal])* }
    )*) => {$(
        impl<D: StaticDType + ExtremumIndex<R::Operations>, N: Rank, R: Rules> Tensor<D, N, R> {
            #[doc = concat!("The position of ", $what, " among all elements in row-major order.")]
            ///
            $(#[doc = $doc])+
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_all), "`]'s error.")]
            ///
            $(#[doc = $example])*
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

each_position!(positions!);

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
