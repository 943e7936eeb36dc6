//! Functions of one part, comparisons, conversions and choices.

use core::marker::PhantomData;

use super::operators::{Binary, Op, binary_node, result_of};
use super::{Context, Expression, Fused, Lower, Lowered, Lowering};
use crate::dtype::{Bool, StaticDType, WidensTo};
use crate::error::Error;
use crate::kernel::{CompareOp, UnaryOp};
use crate::ops::compute::Compute;
use crate::ops::lists::{each_comparison, each_function, each_prefix_operator};
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::{
    Absolute, Classify, Equality, FloatFunction, Floor, Invert, Join, Negate, Ordering, Reciprocal,
    Round, Sign,
};
use crate::rules::{Promoted, Rules, SafePromote, SameRules};

/// A function of one part, or nothing; then a conversion to `Out`.
#[derive(Clone, Copy)]
pub struct Unary<A, Out> {
    function: Option<(UnaryOp, Compute)>,
    x: A,
    types: PhantomData<Out>,
}

impl<A: Expression, Out: StaticDType> Expression for Unary<A, Out> {
    type DType = Out;
    type Operand = <A::Rules as Rules>::Operand<Out, A::Rank>;
    type Rank = A::Rank;
    type Rules = A::Rules;
}

impl<A: Expression, Out: StaticDType> Lower for Unary<A, Out> {
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, _: Context) -> Result<Lowered, Error> {
        let Lowered(x) = self.x.lower(to, Context::alone::<A::DType>())?;
        let value = match self.function {
            None => x,
            Some((op, compute)) => {
                let compute = compute.dtype(A::DType::DTYPE, Out::DTYPE);
                to.program.unary(op, compute, x)?
            }
        };
        Ok(Lowered(to.program.cast(value, Out::DTYPE)))
    }
}

fn unary<A, Out>(x: Fused<A>, function: Option<(UnaryOp, Compute)>) -> Fused<Unary<A, Out>> {
    Fused(Unary {
        function,
        x: x.0,
        types: PhantomData,
    })
}

macro_rules! functions {
    ($($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident, $compute:ident { $(#[doc = $example:literal])* })*) => {
        impl<A: Expression> Fused<A> {$(
            $(#[doc = $doc])+
            // The result is a parameter, so that a missing bound is reported with its own text.
            pub fn $name<Out>(self) -> Fused<Unary<A, Out>>
            where
                A::DType: $group<<A::Rules as Rules>::Operations, Output = Out>,
            {
                unary(self, Some((UnaryOp::$kernel, Compute::$compute)))
            }
        )*}
    };
}

each_function!(functions!);

// Functions, because the operand of Rust's own is expected to have the type that the whole has, if it is a block.
macro_rules! prefix_operators {
    ($($(#[doc = $doc:literal])+ $trait:ident::$method:ident $try_name:ident: $kernel:ident, $group:ident {})*) => {$(
        $(#[doc = $doc])+
        pub fn $method<A, Out>(x: Fused<A>) -> Fused<Unary<A, Out>>
        where
            A: Expression<DType: $group<<A::Rules as Rules>::Operations, Output = Out>>,
        {
            unary(x, Some((UnaryOp::$kernel, Compute::Result)))
        }
    )*};
}

each_prefix_operator!(prefix_operators!);

impl<A: Expression> Fused<A> {
    /// The complex conjugate; real numbers are their own.
    pub fn conj(self) -> Fused<Unary<A, A::DType>> {
        unary(self, Some((UnaryOp::Conj, Compute::Operand)))
    }

    /// Every value in another dtype, as Rust's `as`.
    pub fn cast<To: StaticDType>(self) -> Fused<Unary<A, To>> {
        unary(self, None)
    }

    /// Every value in a dtype that has all values of this one.
    pub fn widen<To: StaticDType>(self) -> Fused<Unary<A, To>>
    where
        A::DType: WidensTo<To>,
    {
        self.cast()
    }
}

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])+ $name:ident, $try_name:ident: $kernel:ident, $group:ident { $(#[doc = $example:literal])* })*) => {
        impl<A: Expression> Fused<A> {$(
            $(#[doc = $doc])+
            pub fn $name<B, S>(
                self,
                rhs: Fused<B>,
            ) -> binary_node!(A, B, $group)
            where
                B: Expression<Rules = S>,
                A::Rules: SameRules<S>,
                A::Operand: SafePromote<B::Operand, <A::Rules as Rules>::$group>,
                A::Rank: Broadcast<B::Rank>,
                Promoted<A::Operand, B::Operand, <A::Rules as Rules>::$group>:
                    $group<<A::Rules as Rules>::Operations>,
            {
                Fused(Binary {
                    op: Op::Compare(CompareOp::$kernel),
                    lhs: self.0,
                    rhs: rhs.0,
                    types: PhantomData,
                })
            }
        )*}
    };
}

each_comparison!(comparisons!);

/// A choice between two parts, which promote to `P`.
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

impl<C, A, B, P, Out, N> Lower for Choice<C, A, B, P, Out, N>
where
    C: Expression,
    A: Lower,
    B: Lower,
    P: StaticDType,
    Out: StaticDType,
{
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, _: Context) -> Result<Lowered, Error> {
        let Lowered(condition) = self.condition.lower(to, Context::alone::<C::DType>())?;
        let context = Context {
            operation: "select",
            dtype: P::DTYPE,
        };
        let Lowered(then) = self.then.lower(to, context)?;
        let Lowered(otherwise) = self.otherwise.lower(to, context)?;
        let chosen = to.program.select(P::DTYPE, condition, then, otherwise)?;
        Ok(Lowered(to.program.cast(chosen, Out::DTYPE)))
    }
}

/// A condition of a choice.
#[diagnostic::on_unimplemented(
    message = "a condition has dtype `Bool`, this one has `{Self}`",
    label = "chooses by an expression of `{Self}`",
    note = "compare it, as in `if x != 0 {{ .. }} else {{ .. }}`"
)]
pub trait Condition: StaticDType {}
#[diagnostic::do_not_recommend]
impl<D: StaticDType<Strong = Bool>> Condition for D {}

/// Where `condition` is true the element of `then`, elsewhere that of `otherwise`.
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
