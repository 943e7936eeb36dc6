//! The proof of verdicts, which the expansion of [`promotion_rules!`](crate::promotion_rules) demands for every pair.

use super::Promote;
use crate::dtype::{
    Conversion, LosesPrecision, LosesRange, Lossless, StaticDType, StrongDType, Weak, ZeroDim,
};

/// Compiles only if the verdict that the macro wrote for a pair is the verdict that the type system computes from the
/// operands' `typenum` widths.
///
/// ```compile_fail,E0271
/// use supremum::{F32, I64, Lossless, __private::{Defines, assert_verdicts}};
/// #[derive(Debug)]
/// struct Wrong;
/// impl Defines<I64, F32> for Wrong {
///     type Output = F32;
///     type Verdict = Lossless; // false: `f32` does not have 2^24 + 1
/// }
/// assert_verdicts::<I64, (F32, ()), Wrong>();
/// ```
pub const fn assert_verdicts<Lhs, List: Judged<Lhs, R>, R>() {}

/// A list of right operands, of which each has the verdict that the widths give it.
pub trait Judged<Lhs, R> {}

impl<Lhs, R> Judged<Lhs, R> for () {}

impl<Lhs, Rhs, Rest, R> Judged<Lhs, R> for (Rhs, Rest)
where
    Lhs: Promote<Rhs, R> + JudgeCast<Lhs::Output>,
    Rhs: JudgeCast<Lhs::Output>,
    Lhs::Loss: FirstLoss<Rhs::Loss, First = Lhs::Verdict>,
    Rest: Judged<Lhs, R>,
{
}

/// Computes the loss of converting an operand to `To`. A weak operand counts as lossless.
pub trait JudgeCast<To> {
    /// The verdict on this operand alone.
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

/// Joins the loss of the left operand (`Self`) and that of the right one into the verdict: a loss of range comes before
/// a loss of precision, then left before right.
pub trait FirstLoss<Right> {
    /// The loss that is reported.
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
