//! Operators.

use core::marker::PhantomData;
use core::ops;

use super::{Context, Expression, Fused, Lower, Lowered, Lowering};
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::kernel::{BinaryOp, CompareOp};
use crate::ops::compute::BinaryDTypes;
use crate::ops::lists::each_binary;
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::{
    Add, Arctangent, Bitwise, Divide, FloorDivide, Minimum, Multiply, Power, Shift, Subtract,
};
use crate::rules::{Promoted, Rules, SafePromote, SameRules};

/// An operation or a comparison.
#[derive(Clone, Copy)]
pub(super) enum Op {
    Binary(BinaryOp),
    Compare(CompareOp),
}

/// An operation on two parts, which promote to `P` and give `Out`.
pub struct Binary<A, B, P, Out, N> {
    pub(super) op: Op,
    pub(super) lhs: A,
    pub(super) rhs: B,
    pub(super) types: PhantomData<fn() -> (P, Out, N)>,
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
        let (operation, literals) = match self.op {
            Op::Binary(op) => (op.name(), self.dtypes(op).literals),
            Op::Compare(op) => (op.name(), P::DTYPE),
        };
        let context = Context {
            operation,
            dtype: literals,
        };
        let Lowered(lhs) = self.lhs.lower(to, context)?;
        let Lowered(rhs) = self.rhs.lower(to, context)?;
        let value = match self.op {
            Op::Binary(op) => to.program.binary(op, self.dtypes(op).compute, lhs, rhs)?,
            Op::Compare(op) => to.program.compare(op, P::DTYPE, lhs, rhs)?,
        };
        Ok(Lowered(to.program.cast(value, Out::DTYPE)))
    }
}

impl<A, B, P, Out, N> Binary<A, B, P, Out, N>
where
    B: Expression,
    P: StaticDType,
    Out: StaticDType,
{
    fn dtypes(&self, op: BinaryOp) -> BinaryDTypes {
        BinaryDTypes::new(op, P::DTYPE, B::Operand::DTYPE, Out::DTYPE)
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

/// The node of an operation on two parts.
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

pub(super) use {binary_node, result_of};

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
                    op: Op::Binary(BinaryOp::$kernel),
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
                    op: Op::Binary(BinaryOp::$kernel),
                    lhs: self.0,
                    rhs: rhs.0,
                    types: PhantomData,
                })
            }
        }
    };
}

each_binary!(operations!);
