//! Rules for powers whose integer exponent does not promote with the base.

use super::promote::{Defines, DefinesFor, PartOf, Rules, all_but_promotions, binary_group_items};
use super::table::Defined;
use crate::dtype::{AsBoolean, AsInexact, AsInteger, Lossless, StaticDType, StrongDType};
use crate::rank::Rank;
use crate::rule_set::CommonTypeRule;
use crate::rule_set::OverflowPolicy;
use crate::rule_set::bytecode::{OperationTable, PromotionTable};
use crate::rule_set::operations::each_binary_group;

/// The rules `R`, except that a float or complex base keeps its dtype beside an integer exponent, as in JAX. The
/// exponent is not converted, so none of its values is lost.
///
/// ```
/// use supremum::static_assertions::assert_type_eq_all;
/// use supremum::{F16, F32, I64, Jax, PowKeepsBase, Promoted};
/// assert_type_eq_all!(Promoted<F16, I64, PowKeepsBase<Jax>>, F16);
/// assert_type_eq_all!(Promoted<F16, F32, PowKeepsBase<Jax>>, F32);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PowKeepsBase<R>(core::marker::PhantomData<R>);

#[diagnostic::do_not_recommend]
impl<R: Rules> super::promote::DefinedRules for PowKeepsBase<R> {}

/// Operations give the results of `R`'s operations; their operands promote by `PowKeepsBase<R>`.
#[diagnostic::do_not_recommend]
impl<R: Rules> Rules for PowKeepsBase<R> {
    const PROMOTIONS: PromotionTable = R::PROMOTIONS.keeping_base();
    type LiteralRange<D> = R::LiteralRange<D>;
    each_binary_group!(binary_group_items! these);
    all_but_promotions!(R);
}

#[diagnostic::do_not_recommend]
impl<R> PartOf for PowKeepsBase<R> {
    type System = R;
}

#[diagnostic::do_not_recommend]
impl<Base, Exponent, R> DefinesFor<Base, Exponent, PowKeepsBase<R>> for R
where
    Base: StaticDType,
    Exponent: StaticDType,
    Group<Base>: PowerGroup,
    Group<Exponent>: PowerGroup,
    Cell<Base, Exponent, R>: Defined,
{
    type Output = <Cell<Base, Exponent, R> as Defined>::Output;
    type Verdict = <Cell<Base, Exponent, R> as Defined>::Verdict;
}

/// The promotion of a power: [`Promotes`], or [`KeepsBase`].
type Cell<Base, Exponent, R> =
    <Group<Exponent> as PowerGroup>::AsExponent<Group<Base>, Base, Exponent, R>;

type Group<D> = <<D as StaticDType>::Strong as StrongDType>::Group;

/// Selects the promotion of a power by the kind groups of the base and the exponent.
// In types and not by a trait with an impl for each pair of groups: the compiler would list these if an exponent is not inferred.
#[doc(hidden)]
pub trait PowerGroup {
    /// The promotion with an exponent of this group.
    type AsExponent<BaseGroup: PowerGroup, Base, Exponent, R>;
    /// The promotion of a base of this group with an integer exponent.
    type ToInteger<Base, Exponent, R>;
}

/// The promotion of both by the rules `R`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Promotes<Base, Exponent, R>(core::marker::PhantomData<(Base, Exponent, R)>);

impl<Base, Exponent, R> Defined for Promotes<Base, Exponent, R>
where
    R: Defines<Base, Exponent>,
{
    type Output = R::Output;
    type Verdict = R::Verdict;
}

/// The dtype of the base.
#[doc(hidden)]
#[derive(Debug)]
pub struct KeepsBase<Base, Exponent>(core::marker::PhantomData<(Base, Exponent)>);

impl<Base: StaticDType, Exponent: StaticDType> Defined for KeepsBase<Base, Exponent> {
    type Output = Exponent::Weaken<Base>;
    type Verdict = Lossless;
}

impl PowerGroup for AsBoolean {
    type AsExponent<BaseGroup: PowerGroup, Base, Exponent, R> = Promotes<Base, Exponent, R>;
    type ToInteger<Base, Exponent, R> = Promotes<Base, Exponent, R>;
}
impl PowerGroup for AsInteger {
    type AsExponent<BaseGroup: PowerGroup, Base, Exponent, R> =
        BaseGroup::ToInteger<Base, Exponent, R>;
    type ToInteger<Base, Exponent, R> = Promotes<Base, Exponent, R>;
}
impl PowerGroup for AsInexact {
    type AsExponent<BaseGroup: PowerGroup, Base, Exponent, R> = Promotes<Base, Exponent, R>;
    type ToInteger<Base, Exponent, R> = KeepsBase<Base, Exponent>;
}
