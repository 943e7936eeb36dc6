//! What the expansions of [`promotion_rules!`](crate::promotion_rules) need: the proof of verdicts.

use super::Promote;
use crate::dtype::{
    Conversion, LosesPrecision, LosesRange, Lossless, StaticDType, StrongDType, Weak, ZeroDim,
};

/// Compiles if the verdict that the macro wrote for a pair is the one that the type system finds
/// from the operands' `typenum` widths.
///
/// ```compile_fail,E0271
/// use supremum::{F32, I64, Lossless, __private::{Defines, assert_verdict}};
/// #[derive(Debug)]
/// struct Wrong;
/// impl Defines<I64, F32> for Wrong {
///     type Output = F32;
///     type Verdict = Lossless; // 2^53 + 1 would beg to differ
/// }
/// assert_verdict::<I64, F32, Wrong>();
/// ```
pub const fn assert_verdict<Lhs, Rhs, R>()
where
    Lhs: Promote<Rhs, R> + JudgeCast<Lhs::Output>,
    Rhs: JudgeCast<Lhs::Output>,
    Lhs::Loss: FirstLoss<Rhs::Loss, First = Lhs::Verdict>,
{
}

/// An operand and what its conversion to `To` loses; a weak one is not judged.
pub trait JudgeCast<To> {
    /// The loss, as the verdict on this operand alone.
    type Loss;
}

impl<From, To> JudgeCast<To> for From
where
    From: StrongDType,
    To: StaticDType,
    From: Conversion<To::Strong>,
{
    type Loss = From::Loss;
}

impl<From, To> JudgeCast<To> for ZeroDim<From>
where
    From: JudgeCast<To>,
{
    type Loss = From::Loss;
}

impl<D, To> JudgeCast<To> for Weak<D> {
    type Loss = Lossless;
}

/// Two losses, of the left operand and of the right, to the verdict: range comes before precision,
/// then left before right.
pub trait FirstLoss<Right> {
    /// The one that is reported.
    type First;
}

impl<Right> FirstLoss<Right> for Lossless {
    type First = Right;
}
impl<L, Right> FirstLoss<Right> for LosesRange<L> {
    type First = Self;
}
impl<L> FirstLoss<Lossless> for LosesPrecision<L> {
    type First = Self;
}
impl<L, R> FirstLoss<LosesPrecision<R>> for LosesPrecision<L> {
    type First = Self;
}
impl<L, R> FirstLoss<LosesRange<R>> for LosesPrecision<L> {
    type First = LosesRange<R>;
}
