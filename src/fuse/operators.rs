//! Operators.

use core::marker::PhantomData;
use core::ops;

use super::{Context, Expression, Fused, Lower, Lowered, Lowering};
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::kernel::{BinaryOp, UnaryOp};
use crate::ops::compute::BinaryDTypes;
use crate::ops::lists::{each_binary, each_prefix_operator};
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::{
    Add, Arctangent, Bitwise, Divide, FloorDivide, Invert, Minimum, Multiply, Negate, Power, Shift,
    Subtract,
};
use crate::rules::{Promoted, Rules, SafePromote, SameRules};

/// An operation on two parts, which promote to `P` and give `Out`.
pub struct Binary<A, B, P, Out, N> {
    op: BinaryOp,
    lhs: A,
    rhs: B,
    types: PhantomData<fn() -> (P, Out, N)>,
}

impl<A: Copy, B: Copy, P, Out, N> Clone for Binary<A, B, P, Out, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Copy, B: Copy, P, Out, N> Copy for Binary<A, B, P, Out, N> {}

impl<A, B, P, Out, N> Expression for Binary<A, B, P, Out, N>
where
    A: Expression,
    B: Expression,
    P: StaticDType,
    Out: StaticDType,
    N: Rank,
{
    type DType = Out;
    type Operand = <A::Rules as Rules>::Operand<Out, N>;
    type Rank = N;
    type Rules = A::Rules;
}

impl<A, B, P, Out, N> Lower for Binary<A, B, P, Out, N>
where
    A: Lower,
    B: Expression,
    P: StaticDType,
    Out: StaticDType,
{
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, _: Context) -> Result<Lowered, Error> {
        let BinaryDTypes { literals, compute } =
            BinaryDTypes::new(self.op, P::DTYPE, B::Operand::DTYPE, Out::DTYPE);
        let context = Context {
            operation: self.op.name(),
            dtype: literals,
        };
        let Lowered(lhs) = self.lhs.lower(to, context)?;
        let Lowered(rhs) = self.rhs.lower(to, context)?;
        let value = to.program.binary(self.op, compute, lhs, rhs)?;
        Ok(Lowered(to.program.cast(value, Out::DTYPE)))
    }
}

/// The dtype that a group of operations makes of two parts.
macro_rules! result_of {
    ($lhs:ident, $rhs:ident, $group:ident) => {
        <Promoted<$lhs::Operand, $rhs::Operand, <$lhs::Rules as Rules>::$group> as $group<
            <$lhs::Rules as Rules>::Operations,
        >>::Output
    };
}
pub(super) use result_of;

/// An operation on two parts; what two tensors need for it.
macro_rules! binary_node {
    ($lhs:ident, $rhs:ident, $group:ident) => {
        Fused<
            Binary<
                $lhs,
                $rhs,
                Promoted<$lhs::Operand, $rhs::Operand, <$lhs::Rules as Rules>::$group>,
                result_of!($lhs, $rhs, $group),
                <$lhs::Rank as Broadcast<$rhs::Rank>>::Output,
            >,
        >
    };
}

macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $try_name:ident: $kernel:ident, $group:ident, [$($form:tt)+] { $(#[doc = $example:literal])* })*) => {
        $(operations!([$($doc)+] @$($form)+ => $kernel, $group);)*
    };
    ([$($doc:literal)+] @method $name:ident => $kernel:ident, $group:ident) => {
        impl<A: Expression> Fused<A> {
            $(#[doc = $doc])+
            pub fn $name<B, S>(self, rhs: Fused<B>) -> binary_node!(A, B, $group)
            where
                B: Expression<Rules = S>,
                A::Rules: SameRules<S>,
                A::Operand: SafePromote<B::Operand, <A::Rules as Rules>::$group>,
                A::Rank: Broadcast<B::Rank>,
                Promoted<A::Operand, B::Operand, <A::Rules as Rules>::$group>:
                    $group<<A::Rules as Rules>::Operations>,
            {
                Fused(Binary {
                    op: BinaryOp::$kernel,
                    lhs: self.0,
                    rhs: rhs.0,
                    types: PhantomData,
                })
            }
        }
    };
    (
        [$($doc:literal)+] @operator $trait:ident::$method:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal
        => $kernel:ident, $group:ident
    ) => {
        impl<A, B, S> ops::$trait<Fused<B>> for Fused<A>
        where
            A: Expression,
            B: Expression<Rules = S>,
            A::Rules: SameRules<S>,
            A::Operand: SafePromote<B::Operand, <A::Rules as Rules>::$group>,
            A::Rank: Broadcast<B::Rank>,
            Promoted<A::Operand, B::Operand, <A::Rules as Rules>::$group>:
                $group<<A::Rules as Rules>::Operations>,
        {
            type Output = binary_node!(A, B, $group);

            fn $method(self, rhs: Fused<B>) -> Self::Output {
                Fused(Binary {
                    op: BinaryOp::$kernel,
                    lhs: self.0,
                    rhs: rhs.0,
                    types: PhantomData,
                })
            }
        }
    };
}

each_binary!(operations!);

/// A function of one part, in the dtype of its result.
#[derive(Clone, Copy)]
pub struct Prefixed<A, Out> {
    op: UnaryOp,
    x: A,
    types: PhantomData<Out>,
}

impl<A: Expression, Out: StaticDType> Expression for Prefixed<A, Out> {
    type DType = Out;
    type Operand = <A::Rules as Rules>::Operand<Out, A::Rank>;
    type Rank = A::Rank;
    type Rules = A::Rules;
}

impl<A: Expression, Out: StaticDType> Lower for Prefixed<A, Out> {
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, _: Context) -> Result<Lowered, Error> {
        let Lowered(x) = self.x.lower(to, Context::alone::<A::DType>())?;
        to.program.unary(self.op, Out::DTYPE, x).map(Lowered)
    }
}

// Functions, because the operand of Rust's own is expected to have the type that the whole has, if it is a block.
macro_rules! prefix_operators {
    ($($(#[doc = $doc:literal])+ $trait:ident::$method:ident $try_name:ident: $kernel:ident, $group:ident {})*) => {$(
        $(#[doc = $doc])+
        pub fn $method<A, Out>(x: Fused<A>) -> Fused<Prefixed<A, Out>>
        where
            A: Expression<DType: $group<<A::Rules as Rules>::Operations, Output = Out>>,
        {
            Fused(Prefixed { op: UnaryOp::$kernel, x: x.0, types: PhantomData })
        }
    )*};
}

each_prefix_operator!(prefix_operators!);
