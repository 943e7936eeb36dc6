//! Literals in expressions. They are weak, and convert in the dtype that they and what they meet promote to.

use core::marker::PhantomData;
use std::borrow::Cow;

use super::groups::Group;
use super::{Compile, Context, Expression, Fused, GraphBuilder, GraphValue, LoopInputs, Record};
use crate::dtype::{Element, StaticDType};
use crate::error::Error;
use crate::kernel::fused::Splat;
use crate::literals::Scalar;
use crate::literals::{
    BoolLiteral, DecimalLiteral, FloatLiteral, IntLiteral, Judged, ScientificLiteral,
};
use crate::rank::Rank0;
use crate::rules::{Promote, Promoted, Rules};

/// The type of a literal.
pub trait Literal {
    /// What it is in promotions.
    type Operand<R: Rules>: StaticDType;
}

macro_rules! operands {
    ($($literal:ident [$($number:ident)*] $operand:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$(const $number: i128,)* const LEVEL: i8> Literal for $literal<$($number,)* LEVEL> {
            type Operand<R: Rules> = R::$operand;
        }
    )*};
}

operands! {
    IntLiteral [VALUE] Int;
    DecimalLiteral [WHOLE FRACTION] Float;
    ScientificLiteral [MANTISSA EXPONENT] Float;
    FloatLiteral [WHOLE FRACTION EXPONENT] Float;
}

impl<const VALUE: bool> Literal for BoolLiteral<VALUE> {
    type Operand<R: Rules> = R::Bool;
}

/// A literal of the type `L`, in an operation whose operands promote to `P`.
pub struct Constant<L, P, R> {
    value: Scalar,
    types: PhantomData<fn() -> (L, P, R)>,
}

impl<L, P, R> Clone for Constant<L, P, R> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L, P, R> Copy for Constant<L, P, R> {}

/// Where a literal lands: a dtype, or `()` where that is known only when it does.
pub trait LiteralTarget {
    /// The elements there.
    type Element: Element;
    /// Whether they are known.
    const KNOWN: bool;
}

impl<D: StaticDType> LiteralTarget for D {
    type Element = D::Element;
    const KNOWN: bool = true;
}

impl LiteralTarget for () {
    type Element = f64;
    const KNOWN: bool = false;
}

impl<L: Literal, P: LiteralTarget, R: Rules> Expression for Constant<L, P, R> {
    type DType = L::Operand<R>;
    type Operand = L::Operand<R>;
    type Rank = Rank0;
    type Rules = R;
}

impl<L, P: LiteralTarget, R: Rules> Compile for Constant<L, P, R> {
    type Loop = Splat<P::Element>;
    const COMPILABLE: bool = P::KNOWN;

    #[inline]
    fn compile<'a>(&'a self, _: &mut LoopInputs<'a>) -> Option<Self::Loop> {
        let element = self
            .value
            .convert_literal(R::RULE_SET.literal_policy())
            .ok()?;
        Some(Splat::new(element))
    }
}

impl<L, P, R: Rules> Record for Constant<L, P, R> {
    fn record<'a>(
        &'a self,
        to: &mut GraphBuilder<'a>,
        context: Context,
    ) -> Result<GraphValue, Error> {
        let Context { operation, dtype } = context;
        let array = self
            .value
            .to_array(operation, dtype, &[], R::RULE_SET.literal_policy())?;
        Ok(GraphValue(to.graph.operand(Cow::Owned(array))))
    }
}

fn constant<L, P, R>(value: Scalar) -> Fused<Constant<L, P, R>> {
    Fused(Constant {
        value,
        types: PhantomData,
    })
}

/// What a part of an expression and a literal on its right promote to.
type OnRight<E, L, G> = Promoted<
    <E as Expression>::Operand,
    <L as Literal>::Operand<<E as Expression>::Rules>,
    <G as Group>::Promoting<<E as Expression>::Rules>,
>;

/// What a literal and a part of an expression on its right promote to.
type OnLeft<E, L, G> = Promoted<
    <L as Literal>::Operand<<E as Expression>::Rules>,
    <E as Expression>::Operand,
    <G as Group>::Promoting<<E as Expression>::Rules>,
>;

macro_rules! beside {
    ($($(#[doc = $doc:literal])+ $name:ident: $promoted:ident, $lhs:ty, $rhs:ty;)*) => {$(
        $(#[doc = $doc])+
        ///
        /// The compiler judges it, but under rules that admit literals out of range: those are judged when they convert.
        pub fn $name<E, L, G>(
            _: &Fused<E>,
            value: Scalar,
            _: G,
            _: Judged<<E::Rules as Rules>::LiteralRange<$promoted<E, L, G>>>,
        ) -> Fused<Constant<L, $promoted<E, L, G>, E::Rules>>
        where
            E: Expression,
            G: Group,
            L: Literal,
            $lhs: Promote<$rhs, G::Promoting<E::Rules>>,
        {
            constant(value)
        }
    )*};
}

beside! {
    /// A literal to the right of a part.
    right: OnRight, E::Operand, L::Operand<E::Rules>;
    /// A literal to the left of a part.
    left: OnLeft, L::Operand<E::Rules>, E::Operand;
}

/// A literal to which something is raised, or that is raised to something. It is judged when it lands, in the dtype
/// in which the power is computed.
pub fn exponent<E: Expression, L: Literal, G>(
    _: &Fused<E>,
    value: Scalar,
    _: G,
) -> Fused<Constant<L, (), E::Rules>> {
    constant(value)
}

/// A literal beside another one: of the dtype that it is in promotions.
pub fn alone<L: Literal, R: Rules>(value: Scalar) -> Fused<Constant<L, (), R>> {
    constant(value)
}
