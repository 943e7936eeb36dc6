//! Reductions: over all elements, along one axis or along several, with or without keeping the
//! reduced axes as axes of size one. Positions of extremes, and scans along an axis.

use crate::array::{Array, OpResult, PerAxis};
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{ArgOp, ReduceOp, ScanOp};
use crate::op::{each_position, each_reduction, each_scan};
use crate::rank::{Axes, Axis, Rank, Rank0, RemoveAxes, RemoveAxis};
use crate::rules::Rules;
use crate::rules::operations::{
    AnyAll, ArgMinMax, CumulativeSum, Mean, MinMaxReduce, Sum, Variance,
};
use crate::tensor::positions::{axis_of, repeated_axis};
use crate::tensor::{Tensor, or_panic};

/// Converts axes as users give them (negative ones count from the end) to those that the kernels take: sorted and
/// distinct.
pub(crate) fn axes_of(
    operation: &'static str,
    named: &[isize],
    rank: usize,
) -> Result<PerAxis<usize>, Error> {
    let mut is_named = PerAxis::filled(false, rank)?;
    for (position, number) in named.iter().enumerate() {
        let axis = axis_of(operation, *number, rank)?;
        if core::mem::replace(&mut is_named[axis], true) {
            return Err(repeated_axis(operation, axis, &named[..=position], rank));
        }
    }
    let mut axes = PerAxis::filled(0, named.len())?;
    let found = (0..rank).filter(|axis| is_named[*axis]);
    for (to, axis) in axes.iter_mut().zip(found) {
        *to = axis;
    }
    Ok(axes)
}

/// [`axes_of`] of axes that are `None` for all of them.
#[inline]
pub(crate) fn some_axes_of(
    operation: &'static str,
    named: Option<&[isize]>,
    rank: usize,
) -> Result<Option<PerAxis<usize>>, Error> {
    named.map(|axes| axes_of(operation, axes, rank)).transpose()
}

/// [`exec::reduce`] along axes as users give them.
pub(crate) fn reduced(
    op: ReduceOp,
    operation: &'static str,
    x: &Array,
    axes: Option<&[isize]>,
    keep_dims: bool,
    out: DType,
) -> OpResult {
    match some_axes_of(operation, axes, x.rank()) {
        Ok(axes) => exec::reduce(op, x, axes.as_deref(), keep_dims, out).named(operation),
        Err(error) => error.into(),
    }
}

impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    #[inline]
    fn reduced<Out: StaticDType, M: Rank>(
        &self,
        op: ReduceOp,
        operation: &'static str,
        axes: Option<&[isize]>,
        keep_dims: bool,
    ) -> Result<Tensor<Out, M, R>, Error> {
        let made = reduced(op, operation, self.array(), axes, keep_dims, Out::DTYPE);
        made.array().map(Tensor::from_array)
    }
}

// The dtype of the result is a type parameter of the methods, as for functions (`unary.rs`), and so is its rank where an axis is
// removed: rustc then reports failed bounds with their own messages. For the same reason the methods state
// that `D` is a dtype, and not the impls.
macro_rules! inferred {
    ($table:ident) => {
        concat!(
            "`Out` is inferred: it is what [`",
            stringify!($table),
            "`](crate::operations::",
            stringify!($table),
            ") gives for `D`; so is the rank `M` of the forms that remove an axis."
        )
    };
}

/// Writes the forms of each reduction, and the `try_` form of each.
macro_rules! reductions {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $table:ident $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Reductions
        ///
        /// Each has three forms: `sum` over all elements, `sum_axis` along one axis, several, or all, which are removed, and
        /// `sum_keepdims`, which keeps these axes with size one. Each form has a fallible `try_` form.
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {$(
            #[doc = concat!($what, " over all elements.")]
            ///
            $(#[doc = $doc])+
            ///
            #[doc = inferred!($table)]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_all), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $all<Out>(&self) -> Tensor<Out, Rank0, R>
            where
                D: StaticDType + $table<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                or_panic(self.$try_all())
            }

            #[doc = concat!("[`Self::", stringify!($all), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::EmptyReduction`] for the minimum or maximum of no elements; [`Error::OutOfMemory`].
            pub fn $try_all<Out>(&self) -> Result<Tensor<Out, Rank0, R>, Error>
            where
                D: StaticDType + $table<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                self.reduced($op, stringify!($all), None, false)
            }

            #[doc = concat!($what, " along one axis, several, or all (`..`), which are removed (negative ones count from the end); see [`Self::", stringify!($all), "`].")]
            /// The rank of the result is known if the type states how many axes there are: `[0, 2]`, but not `&[0, 2]`.
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axis), "`]'s error.")]
            #[track_caller]
            pub fn $axis<Out, A>(&self, axes: A) -> Tensor<Out, A::Output, R>
            where
                D: StaticDType + $table<R::Operations, Output = Out>,
                Out: StaticDType,
                A: RemoveAxes<N>,
            {
                or_panic(self.$try_axis(axes))
            }

            #[doc = concat!("[`Self::", stringify!($axis), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`], [`Error::EmptyReduction`],
            /// [`Error::OutOfMemory`].
            pub fn $try_axis<Out, A>(&self, axes: A) -> Result<Tensor<Out, A::Output, R>, Error>
            where
                D: StaticDType + $table<R::Operations, Output = Out>,
                Out: StaticDType,
                A: RemoveAxes<N>,
            {
                self.reduced($op, stringify!($axis), axes.numbers().as_slice(), false)
            }

            #[doc = concat!($what, " along one axis or several, which the result keeps with size one; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_keepdims), "`]'s error.")]
            #[track_caller]
            pub fn $keepdims<Out>(&self, axes: impl Axes) -> Tensor<Out, N, R>
            where
                D: StaticDType + $table<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                or_panic(self.$try_keepdims(axes))
            }

            #[doc = concat!("[`Self::", stringify!($keepdims), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`], [`Error::EmptyReduction`],
            /// [`Error::OutOfMemory`].
            pub fn $try_keepdims<Out>(&self, axes: impl Axes) -> Result<Tensor<Out, N, R>, Error>
            where
                D: StaticDType + $table<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                self.reduced($op, stringify!($keepdims), axes.numbers().as_slice(), true)
            }
        )*}
    }};
}

each_reduction!(methods reductions! here);

impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    fn positions<Out: StaticDType, M: Rank>(
        &self,
        op: ArgOp,
        operation: &'static str,
        axis: impl Axis,
        keep_dims: bool,
    ) -> Result<Tensor<Out, M, R>, Error> {
        let axis = axis_of(operation, axis, self.ndim())?;
        let made = exec::arg_reduce(op, self.array(), Some(axis), keep_dims, Out::DTYPE);
        named(operation, made).map(Tensor::from_array)
    }
}

macro_rules! positions {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here
        /// # Positions of extremes
        ///
        /// Positions count in row-major order, or along the axis.
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {$(
            #[doc = concat!("The position of ", $what, " among all elements in row-major order.")]
            ///
            $(#[doc = $doc])+
            ///
            #[doc = inferred!(ArgMinMax)]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_all), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $all<Out>(&self) -> Tensor<Out, Rank0, R>
            where
                D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                or_panic(self.$try_all())
            }

            #[doc = concat!("[`Self::", stringify!($all), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::EmptyReduction`].
            pub fn $try_all<Out>(&self) -> Result<Tensor<Out, Rank0, R>, Error>
            where
                D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                exec::arg_reduce($op, self.array(), None, false, Out::DTYPE).map(Tensor::from_array)
            }

            #[doc = concat!("The position of ", $what, " along an axis, which is removed; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_axis), "`]'s error.")]
            #[track_caller]
            pub fn $axis<Out, M>(&self, axis: impl Axis) -> Tensor<Out, M, R>
            where
                D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
                Out: StaticDType,
                N: RemoveAxis<Output = M>,
                M: Rank,
            {
                or_panic(self.$try_axis(axis))
            }

            #[doc = concat!("[`Self::", stringify!($axis), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::EmptyReduction`], [`Error::OutOfMemory`].
            pub fn $try_axis<Out, M>(
                &self,
                axis: impl Axis,
            ) -> Result<Tensor<Out, M, R>, Error>
            where
                D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
                Out: StaticDType,
                N: RemoveAxis<Output = M>,
                M: Rank,
            {
                self.positions($op, stringify!($axis), axis, false)
            }

            #[doc = concat!("The position of ", $what, " along an axis, kept with size one; see [`Self::", stringify!($all), "`].")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_keepdims), "`]'s error.")]
            #[track_caller]
            pub fn $keepdims<Out>(&self, axis: impl Axis) -> Tensor<Out, N, R>
            where
                D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                or_panic(self.$try_keepdims(axis))
            }

            #[doc = concat!("[`Self::", stringify!($keepdims), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::EmptyReduction`], [`Error::OutOfMemory`].
            pub fn $try_keepdims<Out>(
                &self,
                axis: impl Axis,
            ) -> Result<Tensor<Out, N, R>, Error>
            where
                D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                self.positions($op, stringify!($keepdims), axis, true)
            }
        )*}
    }};
}

each_position!(methods positions! here);

macro_rules! scans {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $name:ident $try_name:ident: $Op:ident $group:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here
        /// # Cumulative reductions
        impl<D, N: Rank, R: Rules> Tensor<D, N, R> {$(
            #[doc = concat!("The cumulative ", $what, " along an axis: at each position, the ", $what, " of all elements up to and including that one.")]
            ///
            $(#[doc = $doc])+
            ///
            #[doc = concat!("`Out` is inferred: it is the result of [`", stringify!($group), "`] for `D`.")]
            ///
            /// # Panics
            #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
            ///
            $(#[doc = $example])*
            #[track_caller]
            pub fn $name<Out>(&self, axis: impl Axis) -> Tensor<Out, N, R>
            where
                D: StaticDType + $group<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                or_panic(self.$try_name(axis))
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], fallible.")]
            ///
            /// # Errors
            /// [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
            pub fn $try_name<Out>(&self, axis: impl Axis) -> Result<Tensor<Out, N, R>, Error>
            where
                D: StaticDType + $group<R::Operations, Output = Out>,
                Out: StaticDType,
            {
                let axis = axis_of(stringify!($name), axis, self.ndim())?;
                exec::scan(ScanOp::$Op, self.array(), axis, Out::DTYPE).map(Tensor::from_array)
            }
        )*}
    }};
}

each_scan!(methods scans! here);
