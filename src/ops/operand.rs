//! The operands of operations: tensors, references to them, and literals.

use std::borrow::Cow;

use crate::array::Datum;
use crate::dtype::{self, DType, StaticDType, c128};
use crate::error::Error;
use crate::literals::Scalar;
use crate::rank::{Rank, Rank0};
use crate::rule_set::LiteralPolicy;
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::{PromoteUnsafe, Tensor};

/// Gives a trait the message for types that are not operands. The left side of operators has a trait of its own.
macro_rules! with_operand_message {
    ($item:item) => {
        #[diagnostic::on_unimplemented(
            message = "`{Self}` is not an operand under `{R}` rules",
            label = "neither a tensor of a dtype under `{R}` rules nor a literal without a suffix",
            note = "a tensor under other rules moves by `.with_rules::<{R}>()`, also where `help` proposes a bound; a number in a variable is not a literal: it yields to the tensor's dtype as `f64::from(x)` of a float, `n as i64` of an integer, `c128::new(re, im)` or `*x` of an `x: &f64`, and keeps its own as `Tensor::<F32, Rank0, _>::scalar(x)` of an `x: f32` (in generic code `D` for `F32`, of an `x: D::Element`; a number for any `D` is a literal or an `f64`); a tensor behind `&mut` is read as `&*x`, and in generic code its dtype needs a bound, `B: StaticDType`; a `Result` is taken out by `?`, as `t.sum().item()?`; a `Vec`, array or slice becomes a tensor by `Tensor::<F32, Rank1>::from(v)`, an array of `ndarray` by `Tensor::<F32, Rank1>::from_ndarray(a)?`; for `?` write `.unwrap()` where the function returns no `Result`"
        )]
        $item
    };
}

pub(super) use with_operand_message;

with_operand_message! {
    /// An operand of an operation under the rules `R`: a tensor or a reference to one, one wrapped by
    /// [`Tensor::promote_unsafe`], or a literal (`i64`, `f64`, `bool`, `Complex<f64>`).
    pub trait Operand<R: Rules>: StaticOperand {
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
        fn lower<'a>(
            self,
            operation: &'static str,
            promoted: DType,
            literal_policy: fn() -> LiteralPolicy,
        ) -> Result<LoweredOperand<'a>, Error>
        where
            Self: 'a;
    }
}

/// The properties of an [`Operand`] that do not depend on the rules.
///
/// Operators have one impl for all operands and a few for dynamic tensors. The compiler accepts both because no other crate can
/// implement this trait for a [`DynTensor`](crate::DynTensor), as it could implement `Operand<Its>` for rules of its own.
///
/// The types are those of `Operand`, once more and without bounds: the compiler would check each bound at every operator
/// ([what that takes](../docs/decisions/operators.md)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand",
    label = "neither a tensor nor a literal without a suffix",
    note = "a number in a variable yields to the tensor's dtype as `f64::from(x)` of a float, `n as i64` of an integer"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait StaticOperand {
    /// The dtype of its elements. Operators have a bound on it, so that a missing one is not reported of the operand.
    type Elements;
    /// Its rank.
    type Axes;
    /// The rules that judge a promotion under the rules `P`: `P`, or `AllowUnsafe<P>`.
    type Judging<P>;
}

#[diagnostic::do_not_recommend]
impl<D, N, R> StaticOperand for &Tensor<D, N, R> {
    type Elements = D;
    type Axes = N;
    type Judging<P> = P;
}
// A closure gets such references from an iterator: `pairs.iter().map(|(x, y)| x * y)`.
#[diagnostic::do_not_recommend]
impl<D, N, R> StaticOperand for &&Tensor<D, N, R> {
    type Elements = D;
    type Axes = N;
    type Judging<P> = P;
}
#[diagnostic::do_not_recommend]
impl<D, N, R> StaticOperand for Tensor<D, N, R> {
    type Elements = D;
    type Axes = N;
    type Judging<P> = P;
}
#[diagnostic::do_not_recommend]
impl<D, N, R> StaticOperand for PromoteUnsafe<D, N, R> {
    type Elements = D;
    type Axes = N;
    type Judging<P> = AllowUnsafe<P>;
}
#[diagnostic::do_not_recommend]
impl<D, N, R> StaticOperand for &PromoteUnsafe<D, N, R> {
    type Elements = D;
    type Axes = N;
    type Judging<P> = AllowUnsafe<P>;
}

/// Returns the literal policy of an operation on these operands: the policy of the more permissive operand's rules.
pub(super) fn literal_policy<L: Operand<R>, M: Operand<R>, R: Rules>() -> LiteralPolicy {
    let (lhs, rhs) = (L::Under::RULE_SET, M::Under::RULE_SET);
    let judging = if lhs.allows_unsafe() { lhs } else { rhs };
    judging.literal_policy()
}

/// An operand without its type; opaque.
#[doc(hidden)]
pub struct LoweredOperand<'a>(pub(crate) Datum<'a>);

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> Operand<R> for &Tensor<D, N, R> {
    type DType = R::Operand<D, N>;
    type Rank = N;
    type Under = R;

    fn lower<'a>(
        self,
        _: &'static str,
        _: DType,
        _: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error>
    where
        Self: 'a,
    {
        Ok(LoweredOperand(Datum::Array(Cow::Borrowed(self.array()))))
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> Operand<R> for &&Tensor<D, N, R> {
    type DType = R::Operand<D, N>;
    type Rank = N;
    type Under = R;

    fn lower<'a>(
        self,
        operation: &'static str,
        dtype: DType,
        policy: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error>
    where
        Self: 'a,
    {
        Operand::<R>::lower(*self, operation, dtype, policy)
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> Operand<R> for Tensor<D, N, R> {
    type DType = R::Operand<D, N>;
    type Rank = N;
    type Under = R;

    fn lower<'a>(
        self,
        _: &'static str,
        _: DType,
        _: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error>
    where
        Self: 'a,
    {
        Ok(LoweredOperand(Datum::owned(self.into_array())))
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> Operand<R> for PromoteUnsafe<D, N, R> {
    type DType = R::Operand<D, N>;
    type Rank = N;
    type Under = AllowUnsafe<R>;

    fn lower<'a>(
        self,
        _: &'static str,
        _: DType,
        _: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error>
    where
        Self: 'a,
    {
        Ok(LoweredOperand(Datum::Array(Cow::Owned(
            self.tensor.into_array(),
        ))))
    }
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> Operand<R> for &PromoteUnsafe<D, N, R> {
    type DType = R::Operand<D, N>;
    type Rank = N;
    type Under = AllowUnsafe<R>;

    fn lower<'a>(
        self,
        _: &'static str,
        _: DType,
        _: fn() -> LiteralPolicy,
    ) -> Result<LoweredOperand<'a>, Error>
    where
        Self: 'a,
    {
        Ok(LoweredOperand(Datum::Array(Cow::Borrowed(
            self.tensor.array(),
        ))))
    }
}

/// The items of [`Operand`] for a literal, whose operand type is the given one of the rules: weak, as Python scalars, except
/// that booleans are strong under most rules, as `True` is in JAX. A boolean never changes the dtype of the other
/// operand.
///
/// The `impl` lines stand outside of the macro, because rustc quotes one of them beside a similar type (`Complex<f32>`),
/// and would quote the macro and its invocation too.
macro_rules! operand_of_literal {
    ($dtype:ident) => {
        type DType = R::$dtype;
        type Rank = Rank0;
        type Under = R;

        fn lower<'a>(
            self,
            operation: &'static str,
            promoted: DType,
            literal_policy: fn() -> LiteralPolicy,
        ) -> Result<LoweredOperand<'a>, Error>
        where
            Self: 'a,
        {
            let literal = Scalar::from(self).to_scalar_bits(operation, promoted, literal_policy());
            literal.map(|single| LoweredOperand(Datum::ScalarBits(single)))
        }
    };
}

#[diagnostic::do_not_recommend]
impl<R: Rules> Operand<R> for i64 {
    operand_of_literal!(Int);
}

#[diagnostic::do_not_recommend]
impl<R: Rules> Operand<R> for f64 {
    operand_of_literal!(Float);
}

#[diagnostic::do_not_recommend]
impl<R: Rules> Operand<R> for c128 {
    operand_of_literal!(Complex);
}

#[diagnostic::do_not_recommend]
impl<R: Rules> Operand<R> for bool {
    operand_of_literal!(Bool);
}

macro_rules! static_operands {
    ($($literal:ty: $D:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl StaticOperand for $literal {
            type Elements = dtype::$D;
            type Axes = Rank0;
            type Judging<P> = P;
        }
    )*};
}

static_operands!(i64: I64, f64: F64, c128: C128, bool: Bool);
