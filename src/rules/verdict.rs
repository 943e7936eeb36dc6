//! What a promotion does to values, and the gate that accepts it.

use core::fmt;

use super::promote::RankDecides;
use crate::dtype::{DType, LosesPrecision, LosesRange, Loss, Lossless, StrongDType};

/// What a promotion does to the values of its operands.
///
/// Weak operands are not judged: yielding is what weak means, and a literal is judged by its value.
/// Range is reported before precision, the left operand before the right.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// Every value of both operands is exactly a value of the result.
    Lossless,
    /// Some values of this operand's dtype round.
    LosesPrecision(DType),
    /// Some finite values of this operand's dtype overflow or lose their sign.
    LosesRange(DType),
    /// Values can be lost, and the system's own safety rule accepts that.
    Accepted,
    /// No values are lost; the system's own rule refuses the promotion, for this reason.
    Refused(&'static str),
}

impl Verdict {
    /// Whether rules that do not allow unsafe promotions accept it.
    pub const fn is_safe(self) -> bool {
        matches!(self, Self::Lossless | Self::Accepted)
    }

    /// The verdict on converting values of all `operands` to `to`: the first loss of range, else
    /// the first loss of precision.
    pub(crate) fn of_conversions(operands: impl Iterator<Item = DType> + Clone, to: DType) -> Self {
        let first = |loss| operands.clone().find(|operand| operand.loss_to(to) == loss);
        match (first(Loss::Range), first(Loss::Precision)) {
            (Some(dtype), _) => Self::LosesRange(dtype),
            (None, Some(dtype)) => Self::LosesPrecision(dtype),
            (None, None) => Self::Lossless,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lossless => f.write_str("is lossless"),
            Self::LosesPrecision(dtype) => write!(f, "loses precision of {dtype}"),
            Self::LosesRange(dtype) => write!(f, "loses range of {dtype}"),
            Self::Accepted => f.write_str("is accepted"),
            Self::Refused(reason) => write!(f, "is refused: {reason}"),
        }
    }
}

/// A [`Verdict`] as a type: [`Lossless`], [`LosesPrecision`], [`LosesRange`], [`Accepted`], a reason such
/// as [`WidensBoth`], or one of them [`Waived`].
///
/// A reason of your own, to which `marks` of [`promotion_rules!`](crate::promotion_rules) refer, is a type
/// with this trait and [`Verdict::Refused`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no verdict",
    label = "not a reason why rules refuse a promotion",
    note = "`impl StaticVerdict for {Self}` with `const VERDICT: Verdict = Verdict::Refused(\"..\");`"
)]
pub trait StaticVerdict {
    /// The same at run time.
    const VERDICT: Verdict;
}
impl StaticVerdict for Lossless {
    const VERDICT: Verdict = Verdict::Lossless;
}
impl<D: StrongDType> StaticVerdict for LosesPrecision<D> {
    const VERDICT: Verdict = Verdict::LosesPrecision(D::DTYPE);
}
impl<D: StrongDType> StaticVerdict for LosesRange<D> {
    const VERDICT: Verdict = Verdict::LosesRange(D::DTYPE);
}

/// Values can be lost, and the rules accept that: a `safe` cell, or rules whose `safety` is `marks`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Accepted;

impl StaticVerdict for Accepted {
    const VERDICT: Verdict = Verdict::Accepted;
}

/// No values are lost, and the rules do not accept the promotion: an `unsafe` cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkedUnsafe;

impl StaticVerdict for MarkedUnsafe {
    const VERDICT: Verdict = Verdict::Refused("marked as unsafe");
}

/// The result is the dtype of neither operand, under rules with `deny widening`.
#[derive(Clone, Copy, Debug, Default)]
pub struct WidensBoth;

impl StaticVerdict for WidensBoth {
    const VERDICT: Verdict = Verdict::Refused("the result is the dtype of neither operand");
}

/// A verdict that was accepted beforehand, by [`AllowUnsafe`](crate::AllowUnsafe).
#[derive(Clone, Copy, Debug, Default)]
pub struct Waived<V>(core::marker::PhantomData<V>);

impl<V: StaticVerdict> StaticVerdict for Waived<V> {
    const VERDICT: Verdict = V::VERDICT;
}

/// The gate: implemented by the verdicts that the rules `R` accept for `Lhs` with `Rhs`; `Out` is the
/// result, `To` its strong dtype, to which a user would cast.
#[diagnostic::on_unimplemented(
    message = "unsafe promotion: under `{R}` rules `{Lhs}` and `{Rhs}` promote to `{Out}`, which `{Self}`",
    label = "these rules do not accept this unasked",
    note = "convert one side yourself with `.cast::<{To}>()`, or accept this promotion: `.promote_unsafe()` on one side, or `promote_unsafe!(..)` around an expression"
)]
pub trait SafeIn<Lhs, Rhs, Out, To, R> {}
#[diagnostic::do_not_recommend]
impl<Lhs, Rhs, Out, To, R> SafeIn<Lhs, Rhs, Out, To, R> for Lossless {}
#[diagnostic::do_not_recommend]
impl<Lhs, Rhs, Out, To, R> SafeIn<Lhs, Rhs, Out, To, R> for Accepted {}
// Refused by `KnowsRank`, whose message is the only one then.
#[diagnostic::do_not_recommend]
impl<Lhs, Rhs, Out, To, R> SafeIn<Lhs, Rhs, Out, To, R> for RankDecides {}
#[diagnostic::do_not_recommend]
impl<V, Lhs, Rhs, Out, To, R> SafeIn<Lhs, Rhs, Out, To, R> for Waived<V> {}
