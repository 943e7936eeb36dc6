//! Reductions, `argmin`, `argmax`, scans and traces of matrices.

use super::DynTensor;
use super::binary::typed;
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{ArgOp, ReduceOp, ScanOp};
use crate::op::{each_position, each_reduction, each_scan};
use crate::ops::reduce::reduced;
use crate::ops::trace::trace;
use crate::rank::{Axes, Axis, Offset};
use crate::rules::Operation;
use crate::tensor::positions::axis_of;

/// # Trace of a matrix
impl DynTensor {
    fn reduced(
        &self,
        op: ReduceOp,
        operation: &'static str,
        group: Operation,
        axes: Option<&[isize]>,
        keep_dims: bool,
    ) -> Result<Self, Error> {
        let result = self.borrowed().result(operation, group, self.rules())?;
        let made = reduced(op, operation, self.array(), axes, keep_dims, result.dtype);
        typed(made, result, self.rules())
    }

    fn positions(
        &self,
        op: ArgOp,
        operation: &'static str,
        axis: Option<isize>,
        keep_dims: bool,
    ) -> Result<Self, Error> {
        self.of_group(operation, Operation::ArgMinMax, |x, out| {
            let axis = axis.map(|axis| axis_of(operation, axis, x.rank()));
            named(
                operation,
                exec::arg_reduce(op, x, axis.transpose()?, keep_dims, out),
            )
        })
    }

    fn scanned(&self, op: ScanOp, group: Operation, axis: isize) -> Result<Self, Error> {
        self.of_group(op.name(), group, |x, out| {
            exec::scan(op, x, axis_of(op.name(), axis, x.rank())?, out)
        })
    }

    /// Sums a diagonal of each matrix; see [`Tensor::trace`](crate::Tensor::trace).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`]; [`Error::TooFewAxes`] below rank 2; [`Error::OutOfMemory`].
    pub fn try_trace(&self, offset: impl Offset) -> Result<Self, Error> {
        let offset = offset.to_signed();
        self.of_group("trace", Operation::Sum, |x, out| trace(x, offset, out))
    }
}

macro_rules! reductions {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $table:ident $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Reductions
        impl DynTensor {$(
            #[doc = concat!($what, " over all elements.")]
            ///
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// [`Error::UndefinedOperation`]; [`Error::EmptyReduction`] for the minimum or maximum of no elements;
            /// [`Error::OutOfMemory`].
            pub fn $try_all(&self) -> Result<Self, Error> {
                self.reduced($op, stringify!($all), Operation::$table, None, false)
            }

            #[doc = concat!($what, " along one axis, several, or all (`..`), which are removed (negative ones count from the end); see [`Self::", stringify!($try_all), "`].")]
            ///
            /// # Errors
            #[doc = concat!("As [`Self::", stringify!($try_all), "`], and [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`].")]
            pub fn $try_axis(&self, axes: impl Axes) -> Result<Self, Error> {
                self.reduced($op, stringify!($axis), Operation::$table, axes.numbers().as_slice(), false)
            }

            #[doc = concat!($what, " along one axis or several, which the result keeps with size one; see [`Self::", stringify!($try_all), "`].")]
            ///
            /// # Errors
            #[doc = concat!("As [`Self::", stringify!($try_axis), "`].")]
            pub fn $try_keepdims(&self, axes: impl Axes) -> Result<Self, Error> {
                self.reduced($op, stringify!($keepdims), Operation::$table, axes.numbers().as_slice(), true)
            }
        )*}
    }};
}

each_reduction!(methods reductions! here);

macro_rules! positions {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Positions of extremes
        impl DynTensor {$(
            #[doc = concat!("The position of ", $what, " among all elements in row-major order.")]
            ///
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// [`Error::UndefinedOperation`], [`Error::EmptyReduction`], [`Error::OutOfMemory`].
            pub fn $try_all(&self) -> Result<Self, Error> {
                self.positions($op, stringify!($all), None, false)
            }

            #[doc = concat!("The position of ", $what, " along an axis, which is removed; see [`Self::", stringify!($try_all), "`].")]
            ///
            /// # Errors
            #[doc = concat!("As [`Self::", stringify!($try_all), "`], and [`Error::AxisOutOfRange`].")]
            pub fn $try_axis(&self, axis: impl Axis) -> Result<Self, Error> {
                self.positions($op, stringify!($axis), Some(axis.to_signed()), false)
            }

            #[doc = concat!("The position of ", $what, " along an axis, kept with size one; see [`Self::", stringify!($try_all), "`].")]
            ///
            /// # Errors
            #[doc = concat!("As [`Self::", stringify!($try_axis), "`].")]
            pub fn $try_keepdims(&self, axis: impl Axis) -> Result<Self, Error> {
                self.positions($op, stringify!($keepdims), Some(axis.to_signed()), true)
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
        impl DynTensor {$(
            #[doc = concat!("The cumulative ", $what, " along an axis; see [`Tensor::", stringify!($name), "`](crate::Tensor::", stringify!($name), ").")]
            ///
            /// # Errors
            /// [`Error::UndefinedOperation`], [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
            pub fn $try_name(&self, axis: impl Axis) -> Result<Self, Error> {
                self.scanned(ScanOp::$Op, Operation::$group, axis.to_signed())
            }
        )*}
    }};
}

each_scan!(methods scans! here);
