//! The promotion traits: what two dtypes meet in, and whether that is accepted.

use core::marker::PhantomData;

use super::verdict::{SafeIn, StaticVerdict, Waived};
use super::{Jax, RuleSet};
use crate::dtype::StaticDType;

/// The dtype that `Self` and `Rhs` promote to under the rules `R`.
///
/// Implemented by [`promotion_rules!`](crate::promotion_rules) for every pair that the rules
/// define, accepted or not; [`SafePromote`] is the bound for the accepted ones.
///
/// ```
/// use supremum::{BF16, F16, F32, Promoted};
/// use supremum::static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(Promoted<F16, BF16>, F32);
/// ```
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules `{Self}` and `{Rhs}` have no common dtype",
    label = "the rules give no promotion here",
    note = "convert to a dtype that holds both, e.g. with `.cast::<F64>()`",
    note = "generic code states that dtypes promote as a bound: `Lhs: SafePromote<Rhs>`"
)]
pub trait Promote<Rhs, R = Jax> {
    /// The common dtype.
    type Output: StaticDType;
    /// What the promotion does to values.
    type Verdict: StaticVerdict;
}

/// [`Promote`] whose verdict the rules accept: the bound of every operator.
///
/// ```
/// use supremum::{Error, Promoted, SafePromote, StaticDType, Tensor};
///
/// fn total<A, B>(a: &Tensor<A>, b: &Tensor<B>) -> Tensor<Promoted<A, B>>
/// where
///     A: SafePromote<B>,
///     B: StaticDType,
/// {
///     a + b
/// }
/// ```
// For an undefined pair rustc reports this bound and not the missing `Promote`, because both are on
// the same type; the text is the same.
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules `{Self}` and `{Rhs}` have no common dtype",
    label = "the rules give no promotion here",
    note = "convert to a dtype that holds both, e.g. with `.cast::<F64>()`",
    note = "generic code states that dtypes promote as a bound: `Lhs: SafePromote<Rhs>`"
)]
pub trait SafePromote<Rhs, R = Jax>: StaticDType + Promote<Rhs, R> {}

impl<Lhs, Rhs, R> SafePromote<Rhs, R> for Lhs
where
    Lhs: StaticDType + Promote<Rhs, R>,
    Lhs::Verdict: SafeIn<Lhs, Rhs, Lhs::Output, <Lhs::Output as StaticDType>::Strong, R>,
{
}

/// The dtype that two dtypes promote to.
pub type Promoted<Lhs, Rhs, R = Jax> = <Lhs as Promote<Rhs, R>>::Output;

/// The dtype that any number of dtypes promote to under [`Jax`], from the left: `common!(A, B, C)`
/// is `Promoted<Promoted<A, B>, C>`.
///
/// ```
/// use supremum::static_assertions::assert_type_eq_all;
/// use supremum::{BF16, F16, F32, I8, U8, common};
/// assert_type_eq_all!(common!(U8, I8, BF16), BF16);
/// assert_type_eq_all!(common!(U8, F16, BF16), F32);
/// ```
#[macro_export]
macro_rules! common {
    ($dtype:ty $(,)?) => { $dtype };
    ($lhs:ty, $rhs:ty $(, $more:ty)* $(,)?) => {
        $crate::common!($crate::Promoted<$lhs, $rhs> $(, $more)*)
    };
}

/// A rule set as a type; define one with [`promotion_rules!`](crate::promotion_rules).
pub trait Rules: Copy + Default + core::fmt::Debug + Send + Sync + 'static {
    /// The name, as [`RuleSet::named`] takes it.
    const NAME: &'static str;
    /// The same rules at run time.
    const RULE_SET: &'static RuleSet;
    /// The rules whose table of [operations](super::operations) these follow.
    type Operations: 'static;

    /// The same rules at run time.
    fn rule_set() -> &'static RuleSet {
        Self::RULE_SET
    }
}

/// The rules `R` with unsafe promotions admitted; results stay under `AllowUnsafe<R>`.
///
/// ```
/// use supremum::{AllowUnsafe, F32, I64, Jax, Tensor, tensor};
/// let counts = tensor![I64; 1, 2].under::<AllowUnsafe<Jax>>();
/// let scale = tensor![F32; 0.5, 0.5].under::<AllowUnsafe<Jax>>();
/// let scaled: Tensor<F32, _, _> = counts * scale;
/// assert_eq!(scaled.to_vec(), [0.5_f32, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowUnsafe<R>(PhantomData<R>);

impl<R: Rules> Rules for AllowUnsafe<R> {
    const NAME: &'static str = R::NAME;
    const RULE_SET: &'static RuleSet = &R::RULE_SET.allowing_unsafe();
    type Operations = R::Operations;
}

impl<Lhs, Rhs, R> Promote<Rhs, AllowUnsafe<R>> for Lhs
where
    R: Defines<Lhs, Rhs>,
{
    type Output = R::Output;
    type Verdict = Waived<R::Verdict>;
}

/// [`Promote`] with the rules as `Self`.
///
/// An impl for `AllowUnsafe<R>` that asked for `Promote<_, R>` itself would, while `R` is not yet
/// inferred, match itself without end (`2 * x` would overflow the compiler's recursion limit). A
/// bound on an uninferred `Self` stops there.
#[doc(hidden)]
pub trait Defines<Lhs, Rhs> {
    type Output: StaticDType;
    type Verdict: StaticVerdict;
}

impl<Lhs, Rhs, R> Defines<Lhs, Rhs> for R
where
    Lhs: Promote<Rhs, R>,
{
    type Output = Lhs::Output;
    type Verdict = Lhs::Verdict;
}

/// Holds for equal rules only: both operands of an operation follow one system.
#[diagnostic::on_unimplemented(
    message = "operands under different rules: the left follows `{Self}`, the right `{Other}`",
    label = "one operation follows one rule set",
    note = "move one side, free of cost: `.under::<{Self}>()`"
)]
pub trait SameRules<Other> {}
impl<R> SameRules<R> for R {}
