//! Literals in expressions. They are weak, and convert to the dtype that they and the other operand promote to.

use core::marker::PhantomData;
use std::borrow::Cow;

use super::groups::Group;
use super::{Compile, Context, Expression, Fused, GraphBuilder, GraphValue, LoopInputs, Record};
use crate::dtype::{DType, Element, StaticDType};
use crate::error::Error;
use crate::kernel::fused::Splat;
use crate::literals::Scalar;
use crate::literals::{
    BoolLiteral, ComplexLiteral, DecimalLiteral, FloatLiteral, IntLiteral, Judged,
    ScientificLiteral,
};
use crate::rank::Rank0;
use crate::rules::{Promote, Promoted, Rules};

/// The type of a literal, which encodes its value.
pub trait Literal {
    /// Its operand type under the rules `R`.
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
    ComplexLiteral [] Complex;
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

/// The dtype to which a literal converts, or `()` if the type of the literal does not say it.
pub trait LiteralTarget {
    /// The elements of that dtype. For `()`, the elements as which a loop holds the literal before it converts it.
    type Element: Element;

    /// Returns whether a literal keeps its value if it is converted to these elements first, and then to `dtype`. The literal must be
    /// one that converts to `dtype`.
    fn is_exact(value: Scalar, dtype: DType) -> bool;
}

impl<D: StaticDType> LiteralTarget for D {
    type Element = D::Element;

    #[inline]
    fn is_exact(_: Scalar, _: DType) -> bool {
        true
    }
}

impl LiteralTarget for () {
    type Element = f64;

    /// Returns whether a literal is a small number. Every dtype that literals of its kind convert to has it, and it is a valid exponent.
    #[inline]
    fn is_exact(value: Scalar, dtype: DType) -> bool {
        match value {
            Scalar::Bool(_) => true,
            Scalar::Int(value) => (0..=16).contains(&value),
            Scalar::Float(value) => value.abs() <= 16.0 && dtype.kind().is_inexact(),
            Scalar::Complex(_) => false,
        }
    }
}

impl<L: Literal, P: LiteralTarget, R: Rules> Expression for Constant<L, P, R> {
    type DType = L::Operand<R>;
    type Operand = L::Operand<R>;
    type Rank = Rank0;
    type Rules = R;
}

impl<L, P: LiteralTarget, R: Rules> Compile for Constant<L, P, R> {
    type Loop = Splat<P::Element>;
    const COMPILABLE: bool = true;

    #[inline]
    fn compile<'a>(&'a self, _: &mut LoopInputs<'a>, literals: DType) -> Option<Self::Loop> {
        if !P::is_exact(self.value, literals) {
            return None;
        }
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

/// The promotion of a part of an expression and a literal on its right.
type OnRight<E, L, G> = Promoted<
    <E as Expression>::Operand,
    <L as Literal>::Operand<<E as Expression>::Rules>,
    <G as Group>::Promoting<<E as Expression>::Rules>,
>;

/// The promotion of a literal and a part of an expression on its right.
type OnLeft<E, L, G> = Promoted<
    <L as Literal>::Operand<<E as Expression>::Rules>,
    <E as Expression>::Operand,
    <G as Group>::Promoting<<E as Expression>::Rules>,
>;

macro_rules! beside {
    ($($(#[doc = $doc:literal])+ $name:ident: $promoted:ident, $lhs:ty, $rhs:ty;)*) => {$(
        $(#[doc = $doc])+
        ///
        /// The compiler checks the literal's range, except under rules that admit out-of-range literals: those are
        /// checked when they convert.
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
    /// Makes a literal to the right of a part.
    right: OnRight, E::Operand, L::Operand<E::Rules>;
    /// Makes a literal to the left of a part.
    left: OnLeft, L::Operand<E::Rules>, E::Operand;
}

/// Makes a literal base or exponent of a power. Its range is checked when it converts to the dtype in which the power
/// is computed.
pub fn exponent<E: Expression, L: Literal, G>(
    _: &Fused<E>,
    value: Scalar,
    _: G,
) -> Fused<Constant<L, (), E::Rules>> {
    constant(value)
}

/// Makes a literal beside another literal; it has the dtype of its operand type.
pub fn alone<L: Literal, R: Rules>(value: Scalar) -> Fused<Constant<L, (), R>> {
    constant(value)
}
