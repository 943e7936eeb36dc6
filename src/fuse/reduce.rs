//! Reductions of an expression, which it is evaluated for strip by strip.

use core::marker::PhantomData;

use super::run::Evaluate;
use super::{Expression, Fused};
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::kernel::{ArgOp, ReduceOp};
use crate::ops::lists::{each_position, each_reduction};
use crate::ops::reduce::axes_of;
use crate::rank::{AnyRank, Rank, Rank0, RemoveAxis};
use crate::rules::Rules;
use crate::rules::operations::{AnyAll, Extremum, ExtremumIndex, Mean, Sum, Variance};
use crate::tensor::Tensor;
use crate::tensor::view::axis_of;

/// The axes of a reduction.
#[derive(Clone, Debug)]
enum Axes {
    All,
    Some(Vec<isize>),
}

/// A reduction of an expression.
pub struct Reduced<E, Out, N> {
    x: Fused<E>,
    op: ReduceOp,
    axes: Axes,
    keep: bool,
    types: PhantomData<fn() -> (Out, N)>,
}

impl<E: Expression, Out: StaticDType, N: Rank> Evaluate for Reduced<E, Out, N> {
    type DType = Out;
    type Rank = N;
    type Rules = E::Rules;

    fn evaluate(&self) -> Result<Tensor<Out, N, E::Rules>, Error> {
        let (program, value) = self.x.program()?;
        let rank = program.shape(value).len();
        let axes = match &self.axes {
            Axes::All => (0..rank).collect(),
            Axes::Some(axes) => axes_of(self.op.name(), axes, rank)?,
        };
        program
            .reduce(self.op, value, &axes, self.keep, Out::DTYPE)
            .map(Tensor::from_array)
    }
}

/// The position of an extreme of an expression.
pub struct Position<E, Out, N> {
    x: Fused<E>,
    op: ArgOp,
    axis: Option<isize>,
    keep: bool,
    types: PhantomData<fn() -> (Out, N)>,
}

impl<E: Expression, Out: StaticDType, N: Rank> Evaluate for Position<E, Out, N> {
    type DType = Out;
    type Rank = N;
    type Rules = E::Rules;

    fn evaluate(&self) -> Result<Tensor<Out, N, E::Rules>, Error> {
        let (program, value) = self.x.program()?;
        let rank = program.shape(value).len();
        let axis = self.axis.map(|axis| axis_of(self.op.name(), axis, rank));
        program
            .arg_reduce(self.op, value, axis.transpose()?, self.keep, Out::DTYPE)
            .map(Tensor::from_array)
    }
}

macro_rules! reductions {
    ($(
        $(#[doc = $doc:literal])+
        $what:literal $table:ident $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $axes:ident $try_axes:ident
        $axis_keep:ident $try_axis_keep:ident $axes_keep:ident $try_axes_keep:ident
        { $(#[doc = $example:literal])* }
    )*) => {
        impl<E: Expression> Fused<E> {$(
            #[doc = concat!($what, " over all elements.")]
            pub fn $all<Out>(self) -> Reduced<E, Out, Rank0>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced($op, Axes::All, false)
            }

            #[doc = concat!($what, " along one axis.")]
            pub fn $axis<Out, N>(self, axis: isize) -> Reduced<E, Out, N>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
                E::Rank: RemoveAxis<Output = N>,
            {
                self.reduced($op, Axes::Some(vec![axis]), false)
            }

            #[doc = concat!($what, " along several axes.")]
            pub fn $axes<Out>(self, axes: &[isize]) -> Reduced<E, Out, AnyRank>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced($op, Axes::Some(axes.to_vec()), false)
            }

            #[doc = concat!($what, " along one axis, kept with size one.")]
            pub fn $axis_keep<Out>(self, axis: isize) -> Reduced<E, Out, E::Rank>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced($op, Axes::Some(vec![axis]), true)
            }

            #[doc = concat!($what, " along several axes, kept with size one.")]
            pub fn $axes_keep<Out>(self, axes: &[isize]) -> Reduced<E, Out, E::Rank>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced($op, Axes::Some(axes.to_vec()), true)
            }
        )*}
    };
}

each_reduction!(reductions!);

macro_rules! positions {
    ($(
        $(#[doc = $doc:literal])+
        $what:literal $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $axis_keep:ident $try_axis_keep:ident
        { $(#[doc = $example:literal])* }
    )*) => {
        impl<E: Expression> Fused<E> {$(
            #[doc = concat!("The position of ", $what, " among all elements in row-major order.")]
            pub fn $all<Out>(self) -> Position<E, Out, Rank0>
            where
                E::DType: ExtremumIndex<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.position($op, None, false)
            }

            #[doc = concat!("The position of ", $what, " along an axis.")]
            pub fn $axis<Out, N>(self, axis: isize) -> Position<E, Out, N>
            where
                E::DType: ExtremumIndex<<E::Rules as Rules>::Operations, Output = Out>,
                E::Rank: RemoveAxis<Output = N>,
            {
                self.position($op, Some(axis), false)
            }

            #[doc = concat!("The position of ", $what, " along an axis, kept with size one.")]
            pub fn $axis_keep<Out>(self, axis: isize) -> Position<E, Out, E::Rank>
            where
                E::DType: ExtremumIndex<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.position($op, Some(axis), true)
            }
        )*}
    };
}

each_position!(positions!);

impl<E> Fused<E> {
    fn reduced<Out, N>(self, op: ReduceOp, axes: Axes, keep: bool) -> Reduced<E, Out, N> {
        Reduced {
            x: self,
            op,
            axes,
            keep,
            types: PhantomData,
        }
    }

    fn position<Out, N>(self, op: ArgOp, axis: Option<isize>, keep: bool) -> Position<E, Out, N> {
        Position {
            x: self,
            op,
            axis,
            keep,
            types: PhantomData,
        }
    }
}
