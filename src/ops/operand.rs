//! The operands of operations: tensors, references to them, and literals.

use std::borrow::Cow;

use crate::array::Datum;
use crate::dtype::{DType, StaticDType, c128};
use crate::error::Error;
use crate::literals::Scalar;
use crate::rank::{Rank, Rank0};
use crate::rule_set::LiteralPolicy;
use crate::rules::{AllowUnsafe, Rules, SameRules};
use crate::tensor::{PromoteUnsafe, Tensor};

/// The promotion of two operands for a group of operations.
macro_rules! promoted {
    ($lhs:ty, $rhs:ty, $under:ty, $group:ident) => {
        $crate::rules::Promoted<$lhs, $rhs, <$under as $crate::rules::Rules>::$group>
    };
}

/// The result dtype of a group of operations on two operands.
macro_rules! result {
    ($lhs:ty, $rhs:ty, $under:ty, $group:ident) => {
        <$crate::ops::operand::promoted!($lhs, $rhs, $under, $group) as $crate::rules::operations::$group<
            <$under as $crate::rules::Rules>::Operations,
        >>::Output
    };
}

pub(super) use {promoted, result};

/// An operand of an operation under the rules `R`: a tensor or a reference to one, one wrapped by
/// [`Tensor::promote_unsafe`], or a literal (`i64`, `f64`, `bool`, `Complex<f64>`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand under `{R}` rules",
    label = "neither a tensor under `{R}` rules nor a literal",
    note = "operands are tensors, references to them, and literals: `true`, `2`, `1.5` without a suffix, or a `Complex<f64>`",
    note = "a tensor under other rules moves, free of cost: `.with_rules::<{R}>()`"
)]
pub trait Operand<'a, R: Rules> {
    /// Its operand type: [`Rules::Operand`] of a tensor; [`Rules::Bool`], [`Rules::Int`], [`Rules::Float`] or
    /// [`Rules::Complex`] of a literal.
    type DType: StaticDType;
    /// Its rank; 0 for literals.
    type Rank: Rank;
    /// The rules that judge its promotion: `R`, or [`AllowUnsafe<R>`](AllowUnsafe).
    type Under: Rules;

    /// Erases the type of the operand; a literal converts to an element of the dtype `promoted`.
    ///
    /// # Errors
    /// [`Error::LiteralOutOfRange`] for a literal that the dtype does not have.
    #[doc(hidden)]
    fn lower(
        self,
        operation: &'static str,
        promoted: DType,
        literal_policy: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error>;
}

/// Returns the literal policy of an operation on these operands: that of the more permissive operand's rules.
pub(super) fn literal_policy<'a, L: Operand<'a, R>, M: Operand<'a, R>, R: Rules>() -> LiteralPolicy
{
    let (lhs, rhs) = (L::Under::RULE_SET, M::Under::RULE_SET);
    let judging = if lhs.allows_unsafe() { lhs } else { rhs };
    judging.literal_policy()
}

/// An operand without its type; opaque.
#[doc(hidden)]
pub struct LoweredOperand<'a>(pub(crate) Datum<'a>);

#[diagnostic::do_not_recommend]
impl<'a, D: StaticDType, N: Rank, R: Rules + SameRules<S>, S: Rules> Operand<'a, R>
    for &'a Tensor<D, N, S>
{
    type DType = R::Operand<D, N>;
    type Rank = N;
    type Under = R;

    fn lower(
        self,
        _: &'static str,
        _: DType,
        _: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error> {
        Ok(LoweredOperand(Datum::Array(Cow::Borrowed(self.array()))))
    }
}

#[diagnostic::do_not_recommend]
impl<'a, D: StaticDType, N: Rank, R: Rules + SameRules<S>, S: Rules> Operand<'a, R>
    for Tensor<D, N, S>
{
    type DType = R::Operand<D, N>;
    type Rank = N;
    type Under = R;

    fn lower(
        self,
        _: &'static str,
        _: DType,
        _: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error> {
        Ok(LoweredOperand(Datum::Array(Cow::Owned(self.into_array()))))
    }
}

#[diagnostic::do_not_recommend]
impl<'a, D: StaticDType, N: Rank, R: Rules + SameRules<S>, S: Rules> Operand<'a, R>
    for PromoteUnsafe<D, N, S>
{
    type DType = R::Operand<D, N>;
    type Rank = N;
    type Under = AllowUnsafe<R>;

    fn lower(
        self,
        _: &'static str,
        _: DType,
        _: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error> {
        Ok(LoweredOperand(Datum::Array(Cow::Owned(
            self.tensor.into_array(),
        ))))
    }
}

/// Implements [`Operand`] for literals. Their operand types are those of the rules: weak, as Python scalars, except
/// that booleans are strong under most rules, as `True` is in JAX. A boolean never changes the dtype of the other
/// operand.
macro_rules! literals {
    ($($literal:ty: $dtype:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, R: Rules> Operand<'a, R> for $literal {
            type DType = R::$dtype;
            type Rank = Rank0;
            type Under = R;

            fn lower(self, operation: &'static str, promoted: DType, literal_policy: fn() -> LiteralPolicy) -> Result<LoweredOperand<'a>, Error> {
                let literal = Scalar::from(self).to_scalar_bits(operation, promoted, literal_policy());
                literal.map(|single| LoweredOperand(Datum::ScalarBits(single)))
            }
        }
    )*};
}

literals! {
    i64: Int;
    f64: Float;
    c128: Complex;
    bool: Bool;
}
