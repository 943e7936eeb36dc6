//! Reductions of an expression. The expression is evaluated block by block, and each block is reduced at once.

use core::marker::PhantomData;

use super::run::Evaluate;
use super::{Bindings, CallSite, DynExpr, Expression, FuseBackend, Fused, InterpretedReason};
use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::Error;
use crate::kernel::{ArgOp, ReduceOp};
use crate::op::{each_position, each_reduction};
use crate::ops::reduce::axes_of;
use crate::rank::{AnyRank, Axes, Rank, Rank0, RemoveAxis};
use crate::rules::Rules;
use crate::rules::operations::{AnyAll, ArgMinMax, Mean, MinMaxReduce, Sum, Variance};
use crate::tensor::Tensor;

/// A reduction to a value or to a position.
#[derive(Clone, Copy)]
enum Op {
    Reduce(ReduceOp),
    Position(ArgOp),
}

impl Op {
    const fn name(self) -> &'static str {
        match self {
            Self::Reduce(op) => op.name(),
            Self::Position(op) => op.name(),
        }
    }
}

/// A reduction of an expression.
pub struct Reduced<E, Out, N> {
    x: Fused<E>,
    op: Op,
    /// The axes; all if `None`.
    axes: Option<Vec<isize>>,
    keep: bool,
    types: PhantomData<fn() -> (Out, N)>,
}

impl<E: Expression, Out: StaticDType, N: Rank> Evaluate for Reduced<E, Out, N> {
    type DType = Out;
    type Rank = N;
    type Rules = E::Rules;

    fn evaluate<S: CallSite, B: Bindings>(&self, _: &B) -> Result<Tensor<Out, N, E::Rules>, Error> {
        let (x, axes) = (self.x.erased(), self.axes.as_deref());
        let reduced = x.reduced(self.op, axes, self.keep, Out::DTYPE);
        reduced.map(Tensor::from_array)
    }

    fn backend<S: CallSite, B: Bindings>(&self, bindings: &B) -> Result<FuseBackend, Error> {
        Ok(match self.x.backend_of::<S, B>(bindings)? {
            FuseBackend::Traced => FuseBackend::Traced,
            _ => FuseBackend::Interpreted(InterpretedReason::Reduction),
        })
    }
}

impl DynExpr<'_> {
    /// Evaluates the expression, reduced along `axes`, or along all if `None`.
    fn reduced(
        self,
        op: Op,
        axes: Option<&[isize]>,
        keep: bool,
        out: DType,
    ) -> Result<Array, Error> {
        let (graph, value) = self.graph()?;
        let rank = graph.shape(value).len();
        let axes = axes
            .map(|axes| axes_of(op.name(), axes, rank))
            .transpose()?;
        match op {
            Op::Reduce(op) => graph.reduce(op, value, axes.as_deref(), keep, out),
            Op::Position(op) => graph.arg_reduce(op, value, axes.map(|axes| axes[0]), keep, out),
        }
    }
}

macro_rules! reductions {
    ($(
        $(#[doc = $doc:literal])+
        $what:literal $table:ident $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $axes:ident $try_axes:ident
        $keepdims:ident $try_keepdims:ident
        { $(#[doc = $example:literal])* }
    )*) => {
        impl<E: Expression> Fused<E> {$(
            #[doc = concat!($what, " over all elements.")]
            pub fn $all<Out>(self) -> Reduced<E, Out, Rank0>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Reduce($op), None, false)
            }

            #[doc = concat!($what, " along one axis.")]
            pub fn $axis<Out, N>(self, axis: isize) -> Reduced<E, Out, N>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
                E::Rank: RemoveAxis<Output = N>,
            {
                self.reduced(Op::Reduce($op), Some(vec![axis]), false)
            }

            #[doc = concat!($what, " along several axes.")]
            pub fn $axes<Out>(self, axes: &[isize]) -> Reduced<E, Out, AnyRank>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Reduce($op), Some(axes.to_vec()), false)
            }

            #[doc = concat!($what, " along one axis or several, kept with size one.")]
            pub fn $keepdims<Out>(self, axes: impl Axes) -> Reduced<E, Out, E::Rank>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Reduce($op), Some(axes.as_axes().to_vec()), true)
            }
        )*}
    };
}

each_reduction!(methods reductions!);

macro_rules! positions {
    ($(
        $(#[doc = $doc:literal])+
        $what:literal $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident
        { $(#[doc = $example:literal])* }
    )*) => {
        impl<E: Expression> Fused<E> {$(
            #[doc = concat!("The position of ", $what, " among all elements in row-major order.")]
            pub fn $all<Out>(self) -> Reduced<E, Out, Rank0>
            where
                E::DType: ArgMinMax<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Position($op), None, false)
            }

            #[doc = concat!("The position of ", $what, " along an axis.")]
            pub fn $axis<Out, N>(self, axis: isize) -> Reduced<E, Out, N>
            where
                E::DType: ArgMinMax<<E::Rules as Rules>::Operations, Output = Out>,
                E::Rank: RemoveAxis<Output = N>,
            {
                self.reduced(Op::Position($op), Some(vec![axis]), false)
            }

            #[doc = concat!("The position of ", $what, " along an axis, kept with size one.")]
            pub fn $keepdims<Out>(self, axis: isize) -> Reduced<E, Out, E::Rank>
            where
                E::DType: ArgMinMax<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Position($op), Some(vec![axis]), true)
            }
        )*}
    };
}

each_position!(methods positions!);

impl<E> Fused<E> {
    fn reduced<Out, N>(self, op: Op, axes: Option<Vec<isize>>, keep: bool) -> Reduced<E, Out, N> {
        Reduced {
            x: self,
            op,
            axes,
            keep,
            types: PhantomData,
        }
    }
}
