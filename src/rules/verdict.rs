//! Verdicts as types, and the trait by which rules accept them.

use super::Verdict;
use crate::dtype::{LosesPrecision, LosesRange, Lossless, StrongDType};

/// A [`Verdict`] as a type: [`Lossless`], [`LosesPrecision`], [`LosesRange`], [`Accepted`], a reason such as
/// [`WidensBoth`], or [`Waived`] around one of these.
///
/// A reason of your own, which `marks` of [`promotion_rules!`](crate::promotion_rules) can name, is a type that
/// implements this trait with [`Verdict::Refused`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a verdict",
    label = "not a reason why rules refuse a promotion",
    note = "`impl supremum::StaticVerdict for {Self}` with `const VERDICT: supremum::Verdict = supremum::Verdict::Refused(\"..\");`"
)]
pub trait StaticVerdict {
    /// The verdict at run time.
    const VERDICT: Verdict;
}
#[diagnostic::do_not_recommend]
impl StaticVerdict for Lossless {
    const VERDICT: Verdict = Verdict::Lossless;
}
#[diagnostic::do_not_recommend]
impl<D: StrongDType> StaticVerdict for LosesPrecision<D> {
    const VERDICT: Verdict = Verdict::LosesPrecision(D::DTYPE);
}
#[diagnostic::do_not_recommend]
impl<D: StrongDType> StaticVerdict for LosesRange<D> {
    const VERDICT: Verdict = Verdict::LosesRange(D::DTYPE);
}

/// The verdict on a promotion that can lose values and that the rules accept: a `safe` cell, or rules with `safety:
/// marks;`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accepted;

#[diagnostic::do_not_recommend]
impl StaticVerdict for Accepted {
    const VERDICT: Verdict = Verdict::Accepted;
}

/// The verdict on a promotion that loses no values and that the rules refuse: an `unsafe` cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkedUnsafe;

#[diagnostic::do_not_recommend]
impl StaticVerdict for MarkedUnsafe {
    const VERDICT: Verdict = Verdict::MARKED_UNSAFE;
}

/// The verdict on a promotion whose result is the dtype of neither operand, under rules with `deny widening`.
#[derive(Clone, Copy, Debug, Default)]
pub struct WidensBoth;

#[diagnostic::do_not_recommend]
impl StaticVerdict for WidensBoth {
    const VERDICT: Verdict = Verdict::WIDENS_BOTH;
}

/// The verdict `V`, accepted by [`AllowUnsafe`](crate::AllowUnsafe).
#[derive(Clone, Copy, Debug, Default)]
pub struct Waived<V>(core::marker::PhantomData<V>);

#[diagnostic::do_not_recommend]
impl<V: StaticVerdict> StaticVerdict for Waived<V> {
    const VERDICT: Verdict = V::VERDICT;
}

/// The verdict on a promotion whose result depends on a rank that the compiler does not know.
///
/// It is no [`StaticVerdict`], because at run time every tensor has a rank.
#[derive(Clone, Copy, Debug, Default)]
pub struct RankDecides;

/// Implemented for every verdict but [`RankDecides`].
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules the rank decides what `{Lhs}` and `{Rhs}` promote to",
    label = "the compiler does not know the rank here",
    note = "say which rank the tensor has: `.rank::<Rank2>()?`"
)]
pub trait KnowsRank<Lhs, Rhs, R> {}
#[diagnostic::do_not_recommend]
impl<V: StaticVerdict, Lhs, Rhs, R> KnowsRank<Lhs, Rhs, R> for V {}

/// Implemented by the verdicts that rules accept.
///
/// The parameters serve the message only: `Lhs` and `Rhs` promote to `Out` under the rules `R`; `To` is the strong
/// dtype of `Out`, to which a user would cast. `R` are the rules that a user names: [`Numpy`](crate::Numpy), where
/// [`NumpyUfunc`](crate::NumpyUfunc) promotes.
#[diagnostic::on_unimplemented(
    message = "unsafe promotion: under `{R}` rules `{Lhs}` and `{Rhs}` promote to `{Out}`, which `{Self}`",
    label = "this conversion must be explicit",
    note = "convert each tensor to the dtype that the result is to have, such as `.cast::<{To}>()`, before the operation; or accept this promotion: `promote_unsafe!(..)` around operators and methods without `try_` or in place of `fuse!(..)`; outside of `fuse!`, `.promote_unsafe()` on one side of an operator or before a method; or `.with_rules::<AllowUnsafe<{R}>>()` on every tensor of any function or macro; generic code states a bound, `A: SafePromote<B>`"
)]
pub trait SafeIn<Lhs, Rhs, Out, To, R> {}
#[diagnostic::do_not_recommend]
impl<V: AcceptedVerdict, Lhs, Rhs, Out, To, R> SafeIn<Lhs, Rhs, Out, To, R> for V {}

/// The verdicts of [`SafeIn`].
// [`SafeIn`] has one impl, because the compiler would list several if an operand is not inferred.
pub trait AcceptedVerdict {}
impl AcceptedVerdict for Lossless {}
impl AcceptedVerdict for Accepted {}
// `KnowsRank` refuses this verdict. With this impl, its message is the only one.
impl AcceptedVerdict for RankDecides {}
impl<V> AcceptedVerdict for Waived<V> {}
