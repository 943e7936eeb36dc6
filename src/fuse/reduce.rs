//! Reductions of an expression. The expression is evaluated block by block, and each block is reduced at once.

use core::marker::PhantomData;

use super::observer::Observer;
use super::run::{Evaluate, is_tracing};
use super::{
    Bindings, CallSite, Compilation, DynExpr, ElementOf, Expression, FuseBackend, Fused,
    InterpretedReason, LoopInputs,
};
use crate::array::{Array, Dims, OpResult};
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::fused::reduce::{self as compiled, ReduceLoop, Reduction};
use crate::kernel::{ArgOp, ReduceOp};
use crate::op::{each_position, each_reduction};
use crate::ops::reduce::{axes_of, some_axes_of};
use crate::rank::{Axes, Axis, AxisNumbers, Rank, Rank0, RemoveAxes, RemoveAxis};
use crate::rules::Rules;
use crate::rules::operations::{AnyAll, ArgMinMax, Mean, MinMaxReduce, Sum, Variance};
use crate::tensor::Tensor;
use crate::tensor::positions::axis_of;

/// A reduction to a value or to a position.
#[derive(Clone, Copy)]
enum Op {
    Reduce(ReduceOp),
    Position(ArgOp),
}

/// Calls `reduce` with the shape of an expression and these axes of it, sorted and distinct; `failed` with the error if an axis does
/// not exist. `None` if the loops do not reduce the expression, or if `reduce` returns it.
fn reduce_along<T>(
    axes: &AxisNumbers,
    code: &ReduceLoop<'_>,
    operation: &'static str,
    failed: impl FnOnce(Error) -> T,
    reduce: impl FnOnce(&Dims, Option<&[usize]>) -> Option<T>,
) -> Option<T> {
    code.with_shape(|shape| match axes.as_slice() {
        None => reduce(shape, None),
        // A single axis needs no memory of its own.
        Some([axis]) => match axis_of(operation, *axis, shape.len()) {
            Ok(axis) => reduce(shape, Some(&[axis])),
            Err(error) => Some(failed(error)),
        },
        Some(axes) => match axes_of(operation, axes, shape.len()) {
            Ok(axes) => reduce(shape, Some(&*axes)),
            Err(error) => Some(failed(error)),
        },
    })
}

/// A reduction of an expression, `O` as a type.
///
/// `ALONG_AXES` is false if all elements are reduced to one: then fewer loops are compiled.
pub struct Reduced<E, O, Out, N, const ALONG_AXES: bool> {
    x: Fused<E>,
    op: Op,
    /// The name of the form in messages.
    operation: &'static str,
    axes: AxisNumbers,
    keep_dims: bool,
    types: PhantomData<fn() -> (O, Out, N)>,
}

impl<E, O, Out, N, const ALONG_AXES: bool> Evaluate for Reduced<E, O, Out, N, ALONG_AXES>
where
    E: Expression,
    O: Compiles,
    Out: StaticDType,
    N: Rank,
{
    type DType = Out;
    type Rank = N;
    type Rules = E::Rules;

    fn evaluate_observed<S: CallSite, B: Bindings>(
        &self,
        bindings: &B,
        observer: impl Observer,
    ) -> OpResult {
        let axes = &self.axes;
        let compiled = S::Compilation::choose(
            || {
                if const { !Fused::<E>::has_loop::<B>() } || is_tracing() {
                    return None;
                }
                O::with_loops::<S, B, E, Out, _, ALONG_AXES>(&self.x, bindings, |code| {
                    reduce_along(axes, code, self.operation, OpResult::from, |shape, axes| {
                        observer.reduce(code, (shape.len(), axes), None, Out::DTYPE);
                        match code.of_array() {
                            Some((op, array)) => {
                                Some(exec::reduce(op, array, axes, self.keep_dims, Out::DTYPE))
                            }
                            None => code.reduce(shape, axes, self.keep_dims, Out::DTYPE),
                        }
                    })
                })
            },
            || None,
        );
        if let Some(reduced) = compiled {
            return reduced.named(self.operation);
        }
        let expression = self.x.erased();
        let axes = axes.as_slice();
        let reduced = expression.reduced(self.op, self.operation, axes, self.keep_dims, Out::DTYPE);
        reduced.into()
    }

    fn backend<S: CallSite, B: Bindings>(&self, bindings: &B) -> Result<FuseBackend, Error> {
        if is_tracing() {
            return Ok(FuseBackend::Traced);
        }
        // The graph has the errors.
        let (graph, value) = self.x.erased().graph()?;
        let rank = graph.shape(value).len();
        let axes = some_axes_of(self.operation, self.axes.as_slice(), rank)?;
        let reduces = S::Compilation::choose(
            || {
                if const { !Fused::<E>::has_loop::<B>() } {
                    return None;
                }
                O::with_loops::<S, B, E, Out, _, ALONG_AXES>(&self.x, bindings, |code| {
                    code.with_shape(|shape| Some(code.reduces(shape, axes.as_deref())))
                })
            },
            || None,
        );
        if reduces == Some(true) {
            return Ok(FuseBackend::Compiled);
        }
        // If the expression has no loop either, its own reason is the one to report.
        Ok(match self.x.backend_of::<S, B>(bindings)? {
            FuseBackend::Compiled => FuseBackend::Interpreted(InterpretedReason::Reduction),
            other => other,
        })
    }

    fn zeros(&self) -> Result<Tensor<Out, N, E::Rules>, Error> {
        let (graph, value) = self.x.erased().graph()?;
        let shape = graph.shape(value);
        let axes = some_axes_of(self.operation, self.axes.as_slice(), shape.len())?;
        let is_reduced = |axis| axes.as_deref().is_none_or(|axes| axes.contains(&axis));
        let mut sizes = Dims::single(shape.len());
        let mut rank = 0;
        for (axis, size) in shape.iter().enumerate() {
            match is_reduced(axis) {
                true if !self.keep_dims => continue,
                true => {}
                false => sizes[rank] = *size,
            }
            rank += 1;
        }
        sizes.truncate(rank);
        Array::full(ElementOf::<Out>::default(), &sizes).map(Tensor::from_array)
    }
}

impl<E, Spread, Out, N, const ALONG_AXES: bool> Reduced<E, Spread, Out, N, ALONG_AXES>
where
    E: Expression,
    Spread: Reduction,
    Out: StaticDType,
    N: Rank,
{
    /// Evaluates this variance or standard deviation, and the mean of the same elements along the same axes, in one loop. Returns
    /// `None` if no loop computes both.
    pub(super) fn with_mean<S: CallSite, B: Bindings, Mean: Reduction, M: StaticDType>(
        &self,
        bindings: &B,
        mean: &Reduced<E, Mean, M, N, ALONG_AXES>,
        operation: &'static str,
        observer: impl Observer,
    ) -> Option<Result<(Array, Array), Error>> {
        debug_assert_eq!(Mean::OP, ReduceOp::Mean, "what the loops give beside");
        debug_assert_eq!(self.keep_dims, mean.keep_dims, "reductions of one form");
        S::Compilation::choose(
            || {
                let has_mean = const {
                    Fused::<E>::has_loop::<B>()
                        && compiled::has_mean::<
                            Spread,
                            ElementOf<E::DType>,
                            ElementOf<M>,
                            ElementOf<Out>,
                        >()
                };
                if !has_mean || is_tracing() {
                    return None;
                }
                Spread::with_loops::<S, B, E, Out, _, ALONG_AXES>(&self.x, bindings, |code| {
                    reduce_along(&self.axes, code, operation, Err, |shape, axes| {
                        observer.reduce(code, (shape.len(), axes), Some(M::DTYPE), Out::DTYPE);
                        code.reduce_with_means(shape, axes, self.keep_dims, (M::DTYPE, Out::DTYPE))
                    })
                })
            },
            || None,
        )
    }

    /// The name of the reduction in messages.
    pub(super) fn name(&self) -> &'static str {
        self.operation
    }
}

/// A reduction as a type, which may have loops.
pub trait Compiles {
    /// Calls `run` with the loops of the reduction. Returns `None` if it has no loops, or if `run` returns `None`.
    #[doc(hidden)]
    fn with_loops<S, B, E, Out, T, const ALONG_AXES: bool>(
        x: &Fused<E>,
        bindings: &B,
        run: impl FnOnce(&ReduceLoop<'_>) -> Option<T>,
    ) -> Option<T>
    where
        S: CallSite,
        B: Bindings,
        E: Expression,
        Out: StaticDType,
    {
        let _ = (x, bindings, run);
        None
    }
}

impl<O: Reduction> Compiles for O {
    #[inline]
    fn with_loops<S, B, E, Out, T, const ALONG_AXES: bool>(
        x: &Fused<E>,
        bindings: &B,
        run: impl FnOnce(&ReduceLoop<'_>) -> Option<T>,
    ) -> Option<T>
    where
        S: CallSite,
        B: Bindings,
        E: Expression,
        Out: StaticDType,
    {
        if const { !compiled::compiles::<O, ElementOf<E::DType>, ElementOf<Out>>() } {
            return None;
        }
        let mut sources = LoopInputs::default();
        let compiled = x.compile_all::<S, B>(bindings, &mut sources, None)?;
        compiled::with_loops::<
            S,
            O,
            _,
            _,
            O::Accumulated<ElementOf<E::DType>, ElementOf<Out>>,
            _,
            ALONG_AXES,
        >(compiled, &sources, run)
    }
}

/// The position of an extreme, which has no loops.
#[derive(Clone, Copy, Debug)]
pub struct Position;

impl Compiles for Position {}

impl DynExpr<'_> {
    /// Evaluates the expression, reduced along `axes`, or along all if `None`.
    fn reduced(
        self,
        op: Op,
        operation: &'static str,
        axes: Option<&[isize]>,
        keep_dims: bool,
        out: DType,
    ) -> Result<Array, Error> {
        let (graph, value) = self.graph()?;
        let rank = graph.shape(value).len();
        let axes = some_axes_of(operation, axes, rank)?;
        let reduced = match op {
            Op::Reduce(op) => graph.reduce(op, value, axes.as_deref(), keep_dims, out),
            Op::Position(op) => {
                graph.arg_reduce(op, value, axes.map(|axes| axes[0]), keep_dims, out)
            }
        };
        named(operation, reduced)
    }
}

macro_rules! reductions {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $table:ident ReduceOp::$Op:ident $({ $field:ident: $value:literal })?,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident
        { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here
        impl<E: Expression> Fused<E> {$(
            #[doc = concat!($what, " over all elements.")]
            pub fn $all<Out>(self) -> Reduced<E, compiled::$Op, Out, Rank0, false>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Reduce(ReduceOp::$Op $({ $field: $value })?), stringify!($all), AxisNumbers::All, false)
            }

            #[doc = concat!($what, " along one axis, several, or all.")]
            pub fn $axis<Out, A>(self, axes: A) -> Reduced<E, compiled::$Op, Out, A::Output, true>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
                A: RemoveAxes<E::Rank>,
            {
                self.reduced(Op::Reduce(ReduceOp::$Op $({ $field: $value })?), stringify!($axis), axes.numbers(), false)
            }

            #[doc = concat!($what, " along one axis or several, kept with size one.")]
            pub fn $keepdims<Out>(self, axes: impl Axes) -> Reduced<E, compiled::$Op, Out, E::Rank, true>
            where
                E::DType: $table<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Reduce(ReduceOp::$Op $({ $field: $value })?), stringify!($keepdims), axes.numbers(), true)
            }
        )*}
    }};
}

each_reduction!(methods reductions! here);

macro_rules! positions {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $what:literal $op:expr,
        $all:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident
        { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here
        impl<E: Expression> Fused<E> {$(
            #[doc = concat!("The position of ", $what, " among all elements in row-major order.")]
            pub fn $all<Out>(self) -> Reduced<E, Position, Out, Rank0, false>
            where
                E::DType: ArgMinMax<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Position($op), stringify!($all), AxisNumbers::All, false)
            }

            #[doc = concat!("The position of ", $what, " along an axis.")]
            pub fn $axis<Out, N>(self, axis: impl Axis) -> Reduced<E, Position, Out, N, true>
            where
                E::DType: ArgMinMax<<E::Rules as Rules>::Operations, Output = Out>,
                E::Rank: RemoveAxis<Output = N>,
            {
                self.reduced(Op::Position($op), stringify!($axis), AxisNumbers::one(axis), false)
            }

            #[doc = concat!("The position of ", $what, " along an axis, kept with size one.")]
            pub fn $keepdims<Out>(self, axis: impl Axis) -> Reduced<E, Position, Out, E::Rank, true>
            where
                E::DType: ArgMinMax<<E::Rules as Rules>::Operations, Output = Out>,
            {
                self.reduced(Op::Position($op), stringify!($keepdims), AxisNumbers::one(axis), true)
            }
        )*}
    }};
}

each_position!(methods positions! here);

impl<E> Fused<E> {
    fn reduced<O, Out, N, const ALONG_AXES: bool>(
        self,
        op: Op,
        operation: &'static str,
        axes: AxisNumbers,
        keep_dims: bool,
    ) -> Reduced<E, O, Out, N, ALONG_AXES> {
        Reduced {
            x: self,
            op,
            operation,
            axes,
            keep_dims,
            types: PhantomData,
        }
    }
}
