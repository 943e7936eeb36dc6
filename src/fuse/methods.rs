//! Methods in expressions: functions of one part, comparisons, conversions and choices.

use core::marker::PhantomData;

use super::operators::{Binary, Comparing, binary_node, result_of};
use super::{
    Compile, Context, ElementOf, Expression, Fused, GraphBuilder, GraphValue, In, LoopInputs,
    Record, compile_in,
};
use crate::dtype::{Condition, DType, Element, RealDType, StaticDType, WidensTo};
use crate::error::Error;
use crate::kernel::UnaryOp;
use crate::kernel::fused::operations::{self as functions, UnaryOperation};
use crate::kernel::fused::{self, Cast, Node};
use crate::op::{each_comparison, each_unary};
use crate::ops::compute::Compute;
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::{
    Absolute, Activation, Equality, FloatClass, Floor, Invert, Join, MinMax, Negate, Ordering,
    Reciprocal, Round, Sign, UnaryFloat,
};
use crate::rules::{Promoted, Rules, SafePromote, SameRules};

/// The elements in which a function is computed: [`Compute`] as types.
pub trait ComputedIn: 'static {
    /// The same choice at run time.
    const COMPUTE: Compute;
    /// The compute elements of an operand with elements `A` and a result with elements `Out`.
    type Element<A: Element, Out: Element>: Element;
}

macro_rules! computed_in {
    ($($name:ident |$A:ident, $Out:ident| $element:ty;)*) => {$(
        #[doc = concat!("[`Compute::", stringify!($name), "`].")]
        pub struct $name;

        impl ComputedIn for $name {
            const COMPUTE: Compute = Compute::$name;
            type Element<$A: Element, $Out: Element> = $element;
        }
    )*};
}

computed_in! {
    Operand |A, Out| A;
    Result |A, Out| Out;
    Float |A, Out| Out::Inexact;
}

/// A [`Function`] at run time.
#[derive(Clone, Copy)]
pub enum FunctionTag {
    /// No function.
    Nothing,
    /// A conversion that saturates.
    Saturate,
    /// A function, and the dtype in which it is computed.
    Function(UnaryOp, Compute),
}

/// A function of one part as a type, a conversion that [`Saturate`]s, or [`Nothing`].
pub trait Function: 'static {
    /// Its run-time tag.
    const TAG: FunctionTag;
    /// Its loop for results of type `Out`.
    type Loop<A: Node, Out: Element>: Node;

    /// Makes the loop.
    fn compile<A: Node, Out: Element>(x: A) -> Self::Loop<A, Out>;
}

/// The function `O`, computed in the elements that `C` selects.
pub struct Apply<O, C>(PhantomData<(O, C)>);

impl<O: UnaryOperation, C: ComputedIn> Function for Apply<O, C> {
    const TAG: FunctionTag = FunctionTag::Function(O::OP, C::COMPUTE);
    type Loop<A: Node, Out: Element> = fused::Unary<O, Cast<A, C::Element<A::Format, Out>>>;

    #[inline]
    fn compile<A: Node, Out: Element>(x: A) -> Self::Loop<A, Out> {
        fused::Unary::new(Cast::new(x))
    }
}

/// No function: the node only converts.
pub struct Nothing;

impl Function for Nothing {
    const TAG: FunctionTag = FunctionTag::Nothing;
    type Loop<A: Node, Out: Element> = A;

    #[inline]
    fn compile<A: Node, Out: Element>(x: A) -> A {
        x
    }
}

/// A conversion to `Out` that saturates.
pub struct Saturate;

impl Function for Saturate {
    const TAG: FunctionTag = FunctionTag::Saturate;
    type Loop<A: Node, Out: Element> = fused::Saturate<A, Out>;

    #[inline]
    fn compile<A: Node, Out: Element>(x: A) -> fused::Saturate<A, Out> {
        fused::Saturate::new(x)
    }
}

/// A function of one part, followed by a conversion to `Out`.
pub struct Unary<F, A, Out> {
    x: A,
    types: PhantomData<fn() -> (F, Out)>,
}

impl<F, A: Copy, Out> Clone for Unary<F, A, Out> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F, A: Copy, Out> Copy for Unary<F, A, Out> {}

impl<F: Function, A: Expression, Out: StaticDType> Expression for Unary<F, A, Out> {
    type DType = Out;
    type Operand = <A::Rules as Rules>::Operand<Out, A::Rank>;
    type Rank = A::Rank;
    type Rules = A::Rules;
}

impl<F: Function, A: Expression, Out: StaticDType> Compile for Unary<F, A, Out> {
    type Loop = Cast<F::Loop<In<A, ElementOf<A::DType>>, ElementOf<Out>>, ElementOf<Out>>;
    const COMPILABLE: bool = A::COMPILABLE
        && match F::TAG {
            FunctionTag::Nothing | FunctionTag::Saturate => true,
            FunctionTag::Function(op, compute) => {
                op.is_defined(compute.dtype(A::DType::DTYPE, Out::DTYPE))
            }
        };

    #[inline]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, _: DType) -> Option<Self::Loop> {
        let x = compile_in(&self.x, sources, A::DType::DTYPE)?;
        Some(Cast::new(F::compile::<_, ElementOf<Out>>(x)))
    }
}

impl<F: Function, A: Expression, Out: StaticDType> Record for Unary<F, A, Out> {
    fn record<'a>(
        &'a self,
        to: &mut GraphBuilder<'a>,
        _: Context,
    ) -> core::result::Result<GraphValue, Error> {
        F::TAG.record(&self.x, A::DType::DTYPE, Out::DTYPE, to)
    }
}

impl FunctionTag {
    /// Adds the function of a part of dtype `from` to a graph. (Compiled once, for parts of all types.)
    fn record<'a>(
        self,
        x: &'a dyn Record,
        from: DType,
        out: DType,
        to: &mut GraphBuilder<'a>,
    ) -> core::result::Result<GraphValue, Error> {
        let GraphValue(x) = x.record(to, Context::alone(from))?;
        let value = match self {
            Self::Nothing => x,
            Self::Saturate => to.graph.cast_saturating(x, out)?,
            Self::Function(op, compute) => to.graph.unary(op, compute.dtype(from, out), x)?,
        };
        Ok(GraphValue(to.graph.cast(value, out)))
    }
}

fn unary<F, A, Out>(x: Fused<A>) -> Fused<Unary<F, A, Out>> {
    Fused(Unary {
        x: x.0,
        types: PhantomData,
    })
}

macro_rules! functions {
    ($here:ident $($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, $compute:ident { $(#[doc = $example:literal])* })*) => {supremum_macros::signatures! {
        $here
        impl<A: Expression> Fused<A> {$(
            $(#[doc = $doc])+
            // The result is a type parameter, so that rustc reports a missing bound with its own message.
            pub fn $name<Out>(self) -> Fused<Unary<Apply<functions::$kernel, $compute>, A, Out>>
            where
                A::DType: $group<<A::Rules as Rules>::Operations, Output = Out> $(+ $Bound)?,
            {
                unary(self)
            }
        )*}
    }};
}

each_unary!(methods functions! here);

// Functions in place of `ops::Neg` and `ops::Not`: if the operand of a Rust prefix operator is a block, rustc expects
// it to have the type of the whole expression.
macro_rules! prefix_operators {
    ($here:ident $($(#[doc = $doc:literal])+ $trait:ident::$method:ident $try_name:ident: $kernel:ident, $group:ident {})*) => {supremum_macros::signatures! {
        $here
        $(
        $(#[doc = $doc])+
        pub fn $method<A, Out>(x: Fused<A>) -> Fused<Unary<Apply<functions::$kernel, Result>, A, Out>>
        where
            A: Expression<DType: $group<<A::Rules as Rules>::Operations, Output = Out>>,
        {
            unary(x)
        }
    )*}};
}

each_unary!(operators prefix_operators! here);

impl<A: Expression> Fused<A> {
    /// Returns the complex conjugate; a real number is its own conjugate.
    pub fn conj(self) -> Fused<Unary<Apply<functions::Conj, Operand>, A, A::DType>> {
        unary(self)
    }

    /// Converts every value to another dtype, as Rust's `as`.
    pub fn cast<To: StaticDType>(self) -> Fused<Unary<Nothing, A, To>> {
        unary(self)
    }

    /// Converts every value to another real dtype. A value beyond the finite numbers of that dtype becomes the nearest bound.
    pub fn cast_saturating<To: RealDType>(self) -> Fused<Unary<Saturate, A, To>>
    where
        A::DType: RealDType,
    {
        unary(self)
    }

    /// Converts every value to a dtype that has all values of this one.
    pub fn widen<To: StaticDType>(self) -> Fused<Unary<Nothing, A, To>>
    where
        A::DType: WidensTo<To>,
    {
        self.cast()
    }
}

macro_rules! comparisons {
    ($here:ident $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; { $(#[doc = $example:literal])* })*) => {supremum_macros::signatures! {
        $here
        impl<A: Expression> Fused<A> {$(
            $(#[doc = $doc])+
            pub fn $name<B, S>(
                self,
                rhs: Fused<B>,
            ) -> binary_node!(
                Comparing<functions::$kernel, <A::Rules as Rules>::$group>, A, B, $group
            )
            where
                B: Expression<Rules = S>,
                A::Rules: SameRules<S>,
                A::Operand: SafePromote<B::Operand, <A::Rules as Rules>::$group>,
                A::Rank: Broadcast<B::Rank>,
                Promoted<A::Operand, B::Operand, <A::Rules as Rules>::$group>:
                    $group<<A::Rules as Rules>::Operations>,
            {
                Binary::new(self.0, rhs.0)
            }
        )*}
    }};
}

each_comparison!(comparisons! here);

/// A choice between two parts that promote to `P`.
pub struct Choice<C, A, B, P, Out, N> {
    condition: C,
    then: A,
    otherwise: B,
    types: PhantomData<fn() -> (P, Out, N)>,
}

impl<C: Copy, A: Copy, B: Copy, P, Out, N> Clone for Choice<C, A, B, P, Out, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<C: Copy, A: Copy, B: Copy, P, Out, N> Copy for Choice<C, A, B, P, Out, N> {}

impl<C, A, B, P, Out, N> Expression for Choice<C, A, B, P, Out, N>
where
    C: Expression,
    A: Expression,
    B: Expression,
    P: StaticDType,
    Out: StaticDType,
    N: Rank,
{
    type DType = Out;
    type Operand = <C::Rules as Rules>::Operand<Out, N>;
    type Rank = N;
    type Rules = C::Rules;
}

impl<C, A, B, P, Out, N> Compile for Choice<C, A, B, P, Out, N>
where
    C: Compile,
    A: Compile,
    B: Compile,
    P: StaticDType,
    Out: StaticDType,
{
    type Loop =
        Cast<fused::Choose<In<C, bool>, In<A, ElementOf<P>>, In<B, ElementOf<P>>>, ElementOf<Out>>;
    const COMPILABLE: bool = C::COMPILABLE && A::COMPILABLE && B::COMPILABLE;

    #[inline]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, _: DType) -> Option<Self::Loop> {
        let condition = compile_in(&self.condition, sources, DType::Bool)?;
        let then = compile_in(&self.then, sources, P::DTYPE)?;
        let otherwise = compile_in(&self.otherwise, sources, P::DTYPE)?;
        Some(Cast::new(fused::Choose::new(condition, then, otherwise)))
    }
}

impl<C, A, B, P, Out, N> Record for Choice<C, A, B, P, Out, N>
where
    C: Expression,
    A: Record,
    B: Record,
    P: StaticDType,
    Out: StaticDType,
{
    fn record<'a>(
        &'a self,
        to: &mut GraphBuilder<'a>,
        _: Context,
    ) -> core::result::Result<GraphValue, Error> {
        let GraphValue(condition) = self.condition.record(to, Context::alone(C::DType::DTYPE))?;
        let context = Context {
            operation: "select",
            dtype: P::DTYPE,
        };
        let GraphValue(then) = self.then.record(to, context)?;
        let GraphValue(otherwise) = self.otherwise.record(to, context)?;
        let chosen = to.graph.select(P::DTYPE, condition, then, otherwise)?;
        Ok(GraphValue(to.graph.cast(chosen, Out::DTYPE)))
    }
}

/// Selects the element of `then` where `condition` is true, else that of `otherwise`.
pub fn select<C, A, B, S, T>(
    condition: Fused<C>,
    then: Fused<A>,
    otherwise: Fused<B>,
) -> Fused<
    Choice<
        C,
        A,
        B,
        Promoted<A::Operand, B::Operand, <C::Rules as Rules>::Join>,
        <Promoted<A::Operand, B::Operand, <C::Rules as Rules>::Join> as Join<
            <C::Rules as Rules>::Operations,
        >>::Output,
        <<C::Rank as Broadcast<A::Rank>>::Output as Broadcast<B::Rank>>::Output,
    >,
>
where
    C: Expression<DType: Condition>,
    A: Expression<Rules = S>,
    B: Expression<Rules = T>,
    C::Rules: SameRules<S> + SameRules<T>,
    A::Operand: SafePromote<B::Operand, <C::Rules as Rules>::Join>,
    Promoted<A::Operand, B::Operand, <C::Rules as Rules>::Join>:
        Join<<C::Rules as Rules>::Operations>,
    C::Rank: Broadcast<A::Rank, Output: Broadcast<B::Rank>>,
{
    Fused(Choice {
        condition: condition.0,
        then: then.0,
        otherwise: otherwise.0,
        types: PhantomData,
    })
}
