//! Rules for powers whose integer exponent does not promote with the base.

use super::promote::{Defines, Rules, all_but_promotions, binary_group_items};
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
impl<Base, Exponent, R> Defines<Base, Exponent> for PowKeepsBase<R>
where
    Base: StaticDType,
    Exponent: StaticDType,
    <Base::Strong as StrongDType>::Group:
        PowerRules<<Exponent::Strong as StrongDType>::Group, Base, Exponent, R>,
{
    type Output = <<Base::Strong as StrongDType>::Group as PowerRules<
        <Exponent::Strong as StrongDType>::Group,
        Base,
        Exponent,
        R,
    >>::Output;
    type Verdict = <<Base::Strong as StrongDType>::Group as PowerRules<
        <Exponent::Strong as StrongDType>::Group,
        Base,
        Exponent,
        R,
    >>::Verdict;
}

/// Selects the promotion of a power by the kind groups of the base (`Self`) and the exponent.
#[doc(hidden)]
pub trait PowerRules<ExponentGroup, Base, Exponent, R> {
    type Output: StaticDType;
    type Verdict;
}

impl<Base, Exponent, R> PowerRules<AsInteger, Base, Exponent, R> for AsInexact
where
    Base: StaticDType,
    Exponent: StaticDType,
{
    type Output = Exponent::Weaken<Base>;
    type Verdict = Lossless;
}

macro_rules! promoted {
    ($($base:ident ^ $exponent:ident,)*) => {$(
        impl<Base, Exponent, R> PowerRules<$exponent, Base, Exponent, R> for $base
        where
            R: Defines<Base, Exponent>,
        {
            type Output = R::Output;
            type Verdict = R::Verdict;
        }
    )*};
}

promoted! {
    AsBoolean ^ AsBoolean, AsBoolean ^ AsInteger, AsBoolean ^ AsInexact,
    AsInteger ^ AsBoolean, AsInteger ^ AsInteger, AsInteger ^ AsInexact,
    AsInexact ^ AsBoolean, AsInexact ^ AsInexact,
}
