//! Binary operations, comparisons and their operators in expressions.

use core::marker::PhantomData;
use core::ops;

use super::{
    Compile, Context, ElementOf, Expression, Fused, GraphBuilder, GraphValue, In, LoopInputs,
    Record, compile_in,
};
use crate::dtype::compute::PowerBase;
use crate::dtype::{DType, Element, RealDType, StaticDType, Unnamed};
use crate::error::{Error, named};
use crate::kernel::fused::operations::{self, BinaryOperation, Comparison};
use crate::kernel::fused::{self, Cast, Node};
use crate::kernel::{BinaryOp, CompareOp};
use crate::op::each_binary;
use crate::ops::compute::{BinaryDTypes, compared};
use crate::rank::{Broadcast, Rank};
use crate::rules::operations::*; // the groups that the rows of `op/binary.rs` name
use crate::rules::{Promoted, Rules, SafePromote, SameRules};

/// A binary operation or a comparison, as a run-time tag.
#[derive(Clone, Copy)]
pub enum Op {
    /// An operation, computed in the dtype of the result, except for powers.
    Binary(BinaryOp),
    /// A comparison, computed in the dtype that the operands promote to; under rules with `exact_integers`, integers
    /// are compared by value.
    Compare { op: CompareOp, exact_integers: bool },
}

impl Op {
    const fn name(self) -> &'static str {
        match self {
            Self::Binary(op) => op.name(),
            Self::Compare { op, .. } => op.name(),
        }
    }
}

/// A binary operation or a comparison, as a type.
pub trait Operation: 'static {
    /// Its run-time tag.
    const OP: Op;
    /// The method that its errors name.
    const NAME: &'static str = Self::OP.name();
    /// The elements in which it is computed, for operands that promote to `P`, of which the second one has elements `Rhs`, and a
    /// result of type `Out`.
    type In<P: Element, Rhs: Element, Out: Element>: Element;
    /// Its loop node.
    type Loop<A: Node, B: Node<Format = A::Format>>: Node;

    /// Makes the loop node.
    fn compile<A: Node, B: Node<Format = A::Format>>(
        a: A,
        b: B,
        base: PowerBase,
    ) -> Self::Loop<A, B>;
}

/// The binary operation `O`, which may be one of the two that `clamp` consists of.
pub struct Arithmetic<O, const OF_CLAMP: bool = false>(PhantomData<O>);

impl<O: BinaryOperation, const OF_CLAMP: bool> Operation for Arithmetic<O, OF_CLAMP> {
    const OP: Op = Op::Binary(O::OP);
    const NAME: &'static str = if OF_CLAMP { "clamp" } else { O::OP.name() };
    type In<P: Element, Rhs: Element, Out: Element> = O::In<Rhs, Out>;
    type Loop<A: Node, B: Node<Format = A::Format>> = fused::Binary<O, A, B>;

    #[inline]
    fn compile<A: Node, B: Node<Format = A::Format>>(
        a: A,
        b: B,
        base: PowerBase,
    ) -> Self::Loop<A, B> {
        fused::Binary::with_base(a, b, base)
    }
}

/// The comparison `O`, whose operands the rules `R` promote.
pub struct Comparing<O, R>(PhantomData<(O, R)>);

impl<O: Comparison, R: Rules> Operation for Comparing<O, R> {
    const OP: Op = Op::Compare {
        op: O::OP,
        exact_integers: R::PROMOTIONS.exact_integers,
    };
    type In<P: Element, Rhs: Element, Out: Element> = P;
    type Loop<A: Node, B: Node<Format = A::Format>> = fused::Compare<O, A, B>;

    #[inline]
    fn compile<A: Node, B: Node<Format = A::Format>>(a: A, b: B, _: PowerBase) -> Self::Loop<A, B> {
        fused::Compare::new(a, b)
    }
}

/// An operation on two parts that promote to `P`, with a result of dtype `Out`.
pub struct Binary<O, A, B, P, Out, N> {
    lhs: A,
    rhs: B,
    types: PhantomData<fn() -> (O, P, Out, N)>,
}

impl<O, A, B, P, Out, N> Binary<O, A, B, P, Out, N> {
    pub(super) fn new(lhs: A, rhs: B) -> Fused<Self> {
        Fused(Self {
            lhs,
            rhs,
            types: PhantomData,
        })
    }
}

impl<O, A: Copy, B: Copy, P, Out, N> Clone for Binary<O, A, B, P, Out, N> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<O, A: Copy, B: Copy, P, Out, N> Copy for Binary<O, A, B, P, Out, N> {}

impl<O, A, B, P, Out, N> Expression for Binary<O, A, B, P, Out, N>
where
    O: Operation,
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

/// The elements in which an operation is computed.
type Within<O, P, B, Out> =
    <O as Operation>::In<ElementOf<P>, ElementOf<<B as Expression>::Operand>, ElementOf<Out>>;

impl<O, A, B, P, Out, N> Compile for Binary<O, A, B, P, Out, N>
where
    O: Operation,
    A: Expression + Compile,
    B: Expression + Compile,
    P: StaticDType,
    Out: StaticDType,
{
    type Loop =
        Cast<O::Loop<In<A, Within<O, P, B, Out>>, In<B, Within<O, P, B, Out>>>, ElementOf<Out>>;
    const COMPILABLE: bool = A::COMPILABLE
        && B::COMPILABLE
        && match O::OP {
            Op::Binary(op) => {
                let compute =
                    BinaryDTypes::new(op, P::DTYPE, B::Operand::DTYPE, Out::DTYPE).compute;
                op.is_defined(compute)
                    && compute.index() == <Within<O, P, B, Out> as Element>::DTYPE.index()
            }
            Op::Compare { exact_integers, .. } => {
                let operands = [A::Operand::DTYPE, B::Operand::DTYPE];
                let [lhs, rhs] = compared(P::DTYPE, operands, exact_integers);
                lhs.index() == rhs.index()
            }
        };

    #[inline]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, _: DType) -> Option<Self::Loop> {
        let literals = literals_of(O::OP, P::DTYPE, B::Operand::DTYPE, Out::DTYPE);
        let lhs = compile_in(&self.lhs, sources, literals)?;
        let rhs = compile_in(&self.rhs, sources, literals)?;
        let compute = <Within<O, P, B, Out> as Element>::DTYPE;
        let base = PowerBase::of([A::Operand::DTYPE, compute, Out::DTYPE]);
        Some(Cast::new(O::compile(lhs, rhs, base)))
    }
}

impl<O, A, B, P, Out, N> Record for Binary<O, A, B, P, Out, N>
where
    O: Operation,
    A: Expression,
    B: Expression,
    P: StaticDType,
    Out: StaticDType,
{
    fn record<'a>(&'a self, to: &mut GraphBuilder<'a>, _: Context) -> Result<GraphValue, Error> {
        let untyped = ErasedOperation {
            op: O::OP,
            name: O::NAME,
            lhs: &self.lhs,
            rhs: &self.rhs,
            promoted: P::DTYPE,
            operands: [A::Operand::DTYPE, B::Operand::DTYPE],
            result: Out::DTYPE,
        };
        untyped.record(to)
    }
}

/// Returns the dtype to which literal operands convert.
const fn literals_of(op: Op, promoted: DType, rhs: DType, result: DType) -> DType {
    match op {
        Op::Binary(op) => BinaryDTypes::new(op, promoted, rhs, result).literals,
        Op::Compare { .. } => promoted,
    }
}

/// A [`Binary`] without its types, so that the code that records it is compiled once.
struct ErasedOperation<'a> {
    op: Op,
    name: &'static str,
    lhs: &'a (dyn Record + 'a),
    rhs: &'a (dyn Record + 'a),
    promoted: DType,
    operands: [DType; 2],
    result: DType,
}

impl<'a> ErasedOperation<'a> {
    fn record(&self, to: &mut GraphBuilder<'a>) -> Result<GraphValue, Error> {
        let dtypes = |op| BinaryDTypes::new(op, self.promoted, self.operands[1], self.result);
        let context = Context {
            operation: self.name,
            dtype: literals_of(self.op, self.promoted, self.operands[1], self.result),
        };
        let GraphValue(lhs) = self.lhs.record(to, context)?;
        let GraphValue(rhs) = self.rhs.record(to, context)?;
        let value = match self.op {
            Op::Binary(op) => {
                let dtypes = [dtypes(op).compute, self.result];
                named(self.name, to.graph.binary(op, dtypes, lhs, rhs))?
            }
            Op::Compare { op, exact_integers } => {
                let compute = compared(self.promoted, self.operands, exact_integers);
                to.graph.compare(op, compute, lhs, rhs)?
            }
        };
        Ok(GraphValue(to.graph.cast(value, self.result)))
    }
}

/// The dtype, rank and rules of an operand of an infix operator.
///
/// The macro writes `infix(types_of(&lhs) + types_of(&rhs), lhs, rhs)`. An operator between the operands themselves would have the whole
/// expression in its type, and rustc would name it in each message, and write it to a file where it is long.
pub struct OperandTypes<D, N, R>(PhantomData<(D, N, R)>);

/// The types of an infix operation `O` that the rules accept: its operands promote to `P`, and its result has dtype `Out` and rank `N`.
pub struct InfixTypes<O, P, Out, N>(PhantomData<(O, P, Out, N)>);

/// Returns the types of an operand.
pub fn types_of<A: Expression>(_: &Fused<A>) -> OperandTypes<A::Operand, A::Rank, A::Rules> {
    OperandTypes(PhantomData)
}

/// Makes the node of an infix operation, of the operands whose types an operator has judged.
pub fn infix<O, A: Expression, B: Expression, P, Out, N>(
    _: InfixTypes<O, P, Out, N>,
    lhs: Fused<A>,
    rhs: Fused<B>,
) -> Fused<Binary<Arithmetic<O>, A, B, P, Out, N>> {
    Binary::new(lhs.0, rhs.0)
}

/// Returns one of the two operations of `clamp`, whose errors name that method.
pub fn of_clamp<O, A, B, P, Out, N>(
    Fused(step): Fused<Binary<Arithmetic<O>, A, B, P, Out, N>>,
) -> Fused<Binary<Arithmetic<O, true>, A, B, P, Out, N>> {
    Binary::new(step.lhs, step.rhs)
}

/// The result dtype of a group of operations on two parts.
macro_rules! result_of {
    ($lhs:ident, $rhs:ident, $group:ident) => {
        <Promoted<$lhs::Operand, $rhs::Operand, <$lhs::Rules as Rules>::$group> as $group<
            <$lhs::Rules as Rules>::Operations,
        >>::Output
    };
}

/// The node type of an operation on two parts.
macro_rules! binary_node {
    ($op:ty, $lhs:ident, $rhs:ident, $group:ident) => {
        Fused<
            Binary<
                $op,
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
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        $(operations!([$($doc)+] @$form $name $($operator)* => $kernel, $group $(+ $Bound)?);)*
    };
    ([$($doc:literal)+] @method $name:ident => $kernel:ident, $group:ident $(+ $Bound:ident)?) => {
        impl<A: Expression> Fused<A> {
            $(#[doc = $doc])+
            pub fn $name<B, S>(self, rhs: Fused<B>) -> binary_node!(Arithmetic<operations::$kernel>, A, B, $group)
            where
                B: Expression<Rules = S>,
                A::Rules: SameRules<S>,
                A::Operand: SafePromote<B::Operand, <A::Rules as Rules>::$group>,
                A::Rank: Broadcast<B::Rank>,
                Promoted<A::Operand, B::Operand, <A::Rules as Rules>::$group>:
                    $group<<A::Rules as Rules>::Operations> $(+ $Bound)?,
            {
                Binary::new(self.0, rhs.0)
            }
        }
    };
    (
        [$($doc:literal)+] @operator $method:ident $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal
        => $kernel:ident, $group:ident
    ) => {
        impl<D, E, N, M, R, S> ops::$trait<OperandTypes<E, M, S>> for OperandTypes<D, N, R>
        where
            D: StaticDType + SafePromote<E, R::$group>,
            E: StaticDType,
            N: Broadcast<M>,
            R: Rules + SameRules<S>,
            Promoted<D, E, R::$group>: $group<R::Operations>,
        {
            type Output = InfixTypes<
                operations::$kernel,
                Promoted<D, E, R::$group>,
                <Promoted<D, E, R::$group> as $group<R::Operations>>::Output,
                <N as Broadcast<M>>::Output,
            >;

            fn $method(self, _: OperandTypes<E, M, S>) -> Self::Output {
                InfixTypes(PhantomData)
            }
        }

        operations!(@unnamed $trait::$method Unnamed);
        operations!(@unnamed $trait::$method (Unnamed,));
    };
    // With other impls beside that of all parts, rustc reports the bound that is missing; see the operators of tensors. These have no
    // bounds, so that rustc reports a part of any type.
    (@unnamed $trait:ident::$method:ident $right:ty) => {
        #[diagnostic::do_not_recommend]
        impl<D, N, R> ops::$trait<$right> for OperandTypes<D, N, R> {
            type Output = Self;

            fn $method(self, _: $right) -> Self {
                unreachable!("an operand of an empty type")
            }
        }
    };
}

each_binary!(methods operations!);
