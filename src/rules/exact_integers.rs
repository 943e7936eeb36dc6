//! Rules for comparisons that compare integers by value, without converting them.

use super::promote::{Defines, DefinesFor, PartOf, Rules, all_but_promotions, binary_group_items};
use crate::dtype::{AsBoolean, AsInexact, AsInteger, Lossless, StaticDType, StrongDType};
use crate::rank::Rank;
use crate::rule_set::CommonTypeRule;
use crate::rule_set::OverflowPolicy;
use crate::rule_set::bytecode::{OperationTable, PromotionTable};
use crate::rule_set::operations::each_binary_group;

/// The rules `R` for comparisons of integers by value: neither operand is converted, so no value is lost.
///
/// It matters where no integer dtype holds both operands. NumPy promotes `u64` and `i64` to `f64`, in which 2^53 and
/// 2^53 + 1 are equal, but its comparisons have loops for that very pair. The promoted dtype stays that of `R`, because
/// the table of operations is indexed by it; the verdict is [`Lossless`].
///
/// No other system that was observed compares this pair by value. JAX converts both to a float, and so does
/// TensorFlow's `==`. PyTorch, array_api_strict and TensorFlow's `<` refuse the pair.
///
/// ```
/// use supremum::{ExactIntegers, F64, I64, LosesPrecision, Lossless, NumpyUfunc, Promote, U64};
/// use supremum::static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(<U64 as Promote<I64, NumpyUfunc>>::Verdict, LosesPrecision<U64>);
/// assert_type_eq_all!(<U64 as Promote<I64, ExactIntegers<NumpyUfunc>>>::Verdict, Lossless);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactIntegers<R>(core::marker::PhantomData<R>);

#[diagnostic::do_not_recommend]
impl<R: Rules> super::promote::DefinedRules for ExactIntegers<R> {}

/// Operations give the results of `R`'s operations; their operands promote by `ExactIntegers<R>`.
#[diagnostic::do_not_recommend]
impl<R: Rules> Rules for ExactIntegers<R> {
    const PROMOTIONS: PromotionTable = R::PROMOTIONS.with_exact_integers();
    type LiteralRange<D> = R::LiteralRange<D>;
    each_binary_group!(binary_group_items! these);
    all_but_promotions!(R);
}

// Messages about comparisons then name the system beside these rules.
#[diagnostic::do_not_recommend]
impl<R: Rules> PartOf for ExactIntegers<R> {
    type System = R::System;
}

#[diagnostic::do_not_recommend]
impl<System, Lhs, Rhs, R> DefinesFor<Lhs, Rhs, ExactIntegers<R>> for System
where
    Lhs: StaticDType,
    Rhs: StaticDType,
    R: Defines<Lhs, Rhs>,
    <Lhs::Strong as StrongDType>::Group: Exactly<<Rhs::Strong as StrongDType>::Group, R::Verdict>,
{
    type Output = R::Output;
    type Verdict = <<Lhs::Strong as StrongDType>::Group as Exactly<
        <Rhs::Strong as StrongDType>::Group,
        R::Verdict,
    >>::Verdict;
}

/// Selects the verdict by the kind groups of the left operand (`Self`) and the right one: lossless between two
/// integers, else `Verdict`.
#[doc(hidden)]
pub trait Exactly<RhsGroup, Verdict> {
    type Verdict;
}

impl<V> Exactly<AsInteger, V> for AsInteger {
    type Verdict = Lossless;
}

macro_rules! converted {
    ($($lhs:ident $rhs:ident,)*) => {$(
        impl<V> Exactly<$rhs, V> for $lhs {
            type Verdict = V;
        }
    )*};
}

converted! {
    AsBoolean AsBoolean, AsBoolean AsInteger, AsBoolean AsInexact,
    AsInteger AsBoolean, AsInteger AsInexact,
    AsInexact AsBoolean, AsInexact AsInteger, AsInexact AsInexact,
}
