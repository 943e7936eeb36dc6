//! The promotion traits: the common dtype of two operands, and whether the rules accept it.

use core::marker::PhantomData;

use super::verdict::{KnowsRank, SafeIn, Waived};
use super::{Jax, OperandType, Operation, Promotion, RuleSet};
use crate::dtype::StaticDType;
use crate::dtype::implied_bound::ImpliedBound;
use crate::error::Error;
use crate::literals::Unbounded;
use crate::rank::Rank;
use crate::rule_set::CommonTypeRule;
use crate::rule_set::bytecode::{OperationTable, PromotionTable};
use crate::rule_set::operations::each_binary_group;
use crate::rule_set::{Literals, OverflowPolicy, RuleSource};

/// The dtype that `Self` and `Rhs` promote to under the rules `R`.
///
/// [`promotion_rules!`](crate::promotion_rules) defines it for every pair that the rules define,
/// accepted or not; [`SafePromote`] is the bound for the accepted ones.
///
/// ```
/// use supremum::{BF16, F16, F32, Promoted};
/// use supremum::static_assertions::assert_type_eq_all;
/// assert_type_eq_all!(Promoted<F16, BF16>, F32);
/// ```
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules no common dtype of `{Self}` and `{Rhs}` is known",
    label = "the rules give no promotion here",
    note = "the rules leave this pair open, if both dtypes are known, or need a dtype that is not here, such as `complex32`: cast both sides to one dtype, e.g. `.cast::<F32>()`, or move both to rules that promote the pair: `.with_rules::<..>()`; a literal has the dtype of `Tensor::<F32, Rank0, _>::scalar(2.0)` if written so, and rules of your own take literals if they have rows for `Weak<I64>` and `Weak<F64>`",
    note = "generic code states a bound (not the one that `help` proposes): `D: Floating`, or `D: Arithmetic` for `+`, `-`, `*`, `equal`, `select` and `concat` alone; of two `A: SafePromote<B, Output: Floating>`, whose result has the dtype `Promoted<A, B>`; of two or more by `promote` `(A, B, C): SafeCommon<Output: Floating>`; with other rules than `Jax`, or a rank parameter, `D: Floating<R, N>`, such as `D: Floating<Torch, Rank1>`, and of two `(A, B): SafeCommon<R, Output: Floating<R, N>>`, which first become one by `promote((a, b))`"
)]
pub trait Promote<Rhs, R = Jax> {
    /// The common dtype.
    type Output: StaticDType;
    /// The effect of the promotion on values: a [`StaticVerdict`](super::StaticVerdict), or
    /// [`RankDecides`](super::RankDecides) if the result depends on a rank that the compiler does not know
    /// ([`Unranked`](crate::Unranked)).
    type Verdict;
}

/// A [`Promote`] whose verdict the rules accept: the bound of every operator. It implies that `Rhs` is a dtype.
///
/// ```
/// use supremum::{Promoted, SafePromote, Tensor};
///
/// fn total<A, B>(a: &Tensor<A>, b: &Tensor<B>) -> Tensor<Promoted<A, B>>
/// where
///     A: SafePromote<B>,
/// {
///     a + b
/// }
/// ```
// For an undefined pair rustc reports this bound and not the missing `Promote`, because both are on
// the same type; the text is the same.
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules no common dtype of `{Self}` and `{Rhs}` is known",
    label = "the rules give no promotion here",
    note = "the rules leave this pair open, if both dtypes are known, or need a dtype that is not here, such as `complex32`: cast both sides to one dtype, e.g. `.cast::<F32>()`, or move both to rules that promote the pair: `.with_rules::<..>()`; a literal has the dtype of `Tensor::<F32, Rank0, _>::scalar(2.0)` if written so, and rules of your own take literals if they have rows for `Weak<I64>` and `Weak<F64>`",
    note = "generic code states a bound (not the one that `help` proposes): `D: Floating`, or `D: Arithmetic` for `+`, `-`, `*`, `equal`, `select` and `concat` alone; of two `A: SafePromote<B, Output: Floating>`, whose result has the dtype `Promoted<A, B>`; of two or more by `promote` `(A, B, C): SafeCommon<Output: Floating>`; with other rules than `Jax`, or a rank parameter, `D: Floating<R, N>`, such as `D: Floating<Torch, Rank1>`, and of two `(A, B): SafeCommon<R, Output: Floating<R, N>>`, which first become one by `promote((a, b))`"
)]
pub trait SafePromote<Rhs, R = Jax>:
    StaticDType + Promote<Rhs, R> + ImpliedBound<Rhs, Is: StaticDType>
{
}

#[rustfmt::skip] // The compiler quotes the bounds: on one line.
impl<Lhs: StaticDType + Promote<Rhs, R>, Rhs: StaticDType, R: Rules> SafePromote<Rhs, R> for Lhs where Lhs::Verdict: SafeIn<Lhs, Rhs, Lhs::Output, <Lhs::Output as StaticDType>::Strong, R::System> + KnowsRank<Lhs, Rhs, R> {}

/// The common dtype of two dtypes.
pub type Promoted<Lhs, Rhs, R = Jax> = <Lhs as Promote<Rhs, R>>::Output;

/// Items for each group of binary operations; `each_binary_group!` calls it.
macro_rules! binary_group_items {
    (declare $($group:ident)*) => {
        $(
            #[doc = concat!("The rules that promote the operands of [`", stringify!($group), "`](crate::operations::", stringify!($group), "); these rules themselves unless the system names others.")]
            type $group: Rules;
        )*
    };
    (these $($group:ident)*) => { $(type $group = Self;)* };
    (admitting [$rules:ident] $($group:ident)*) => { $(type $group = AllowUnsafe<$rules::$group>;)* };
    (tables [$rules:ident] $($group:ident)*) => {
        [$((<$rules::$group as Rules>::NAME, <$rules::$group as Rules>::PROMOTIONS)),*]
    };
}

/// Copies all items of [`Rules`] that do not concern promotions from other rules.
macro_rules! all_but_promotions {
    ($rules:ident) => {
        fn only_the_macro_promotion_rules_implements_this_trait() {}
        const NAME: &'static str = $rules::NAME;
        const OPERATIONS: OperationTable = $rules::OPERATIONS;
        const SOURCE: Option<crate::rule_set::RuleSource> = $rules::SOURCE;
        const COMMON_TYPE_RULE: CommonTypeRule = $rules::COMMON_TYPE_RULE;
        const OVERFLOW_POLICY: OverflowPolicy = $rules::OVERFLOW_POLICY;
        type CommonTypeRule = $rules::CommonTypeRule;
        type Operations = $rules::Operations;
        type System = $rules::System;
        type Operand<D: StaticDType, N: Rank> = $rules::Operand<D, N>;
        type Bool = $rules::Bool;
        type Int = $rules::Int;
        type Float = $rules::Float;
        type Complex = $rules::Complex;
        type PowerRules<S: Rules> = $rules::PowerRules<S>;
    };
}

pub(super) use {all_but_promotions, binary_group_items};

/// Implemented by [`promotion_rules!`](crate::promotion_rules), so that an impl of [`Rules`] by hand gets its message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a rule set is defined by `promotion_rules!`, not by an impl of `Rules`",
    label = "not defined by the macro",
    note = "the macro writes the type and its impls: `promotion_rules! {{ pub struct Mine = \"mine\"; like Jax; }}`, with the differences from `Jax` behind `like Jax;`"
)]
pub trait DefinedRules: Copy + Default + core::fmt::Debug + Send + Sync + 'static {}

/// A rule set as a type; define one with [`promotion_rules!`](crate::promotion_rules).
///
/// The macro writes the hidden items; do not implement this trait by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rule set",
    label = "not rules by which dtypes promote",
    note = "rule sets are `Jax`, `Numpy`, `Torch` and the like, and types of your own that a macro defines: `supremum::promotion_rules! {{ pub struct Mine = \"mine\"; like Jax; }}`; the parameter of `OpenVino` is a dtype, as in `OpenVino<F64>`; generic code states it as a bound: `R: Rules`"
)]
// The items are not in `DefinedRules`, although an empty impl by hand would then get our message alone: generic code and
// messages name them as `<R as Rules>::Operand<D, N>`, and such a path does not find items of a supertrait.
#[rustfmt::skip] // The compiler quotes the first line, with its comment, where a type that is not a rule set is used as one.
pub trait Rules: DefinedRules { // for a type of your own: `supremum::promotion_rules! { pub struct Mine = "mine"; like Jax; }`
    // rustc lists the missing items of an impl by hand before it reports `DefinedRules`, and this one first.
    #[doc(hidden)]
    fn only_the_macro_promotion_rules_implements_this_trait();
    /// The name by which [`RuleSet::named`] finds the rules.
    const NAME: &'static str;
    #[doc(hidden)]
    const PROMOTIONS: PromotionTable;
    #[doc(hidden)]
    const OPERATIONS: OperationTable;
    /// The publication of the promotions; `None` if the rules do not say.
    const SOURCE: Option<RuleSource> = None;
    #[doc(hidden)]
    const COMMON_TYPE_RULE: CommonTypeRule;
    #[doc(hidden)]
    const OVERFLOW_POLICY: OverflowPolicy;
    #[doc(hidden)]
    type CommonTypeRule;
    /// The same rules at run time.
    const RULE_SET: &'static RuleSet = &RuleSet::new(
        Self::NAME,
        Self::PROMOTIONS,
        Self::OPERATIONS,
        &promoting::<Self>(),
        literals::<Self>(),
        Self::OVERFLOW_POLICY,
        Self::COMMON_TYPE_RULE,
    )
    .published_by(Self::SOURCE);

    /// The rules whose table of [operations](super::operations) these follow.
    type Operations: 'static;
    /// The rules that a user names where these promote: [`Numpy`](crate::Numpy) for [`NumpyUfunc`](crate::NumpyUfunc).
    #[doc(hidden)]
    type System: 'static;
    /// The operand type of a tensor of dtype `D` and rank `N`. It is `D`, unless the rules depend on rank: then it is
    /// [`ZeroDim<D>`](crate::ZeroDim) at rank zero, and [`Unranked<D>`](crate::Unranked) if the rank is not known.
    type Operand<D: StaticDType, N: Rank>: StaticDType;

    /// The dtype against whose range the compiler checks the literals that [`fuse!`](crate::fuse) converts to `D`.
    ///
    /// It is `D` itself, except under [`AllowUnsafe`]: there it is [`Unbounded`](crate::literals::Unbounded), and
    /// literals are checked when they convert. Code that is generic over its rules and writes literals in `fuse!` needs
    /// the bound `R::LiteralRange<D>: FitsLiteral<literal!(0.5)>`.
    type LiteralRange<D>;

    /// The operand type of the literals `true` and `false`.
    type Bool: StaticDType;
    /// The operand type of an integer literal.
    type Int: StaticDType;
    /// The operand type of a float literal.
    type Float: StaticDType;
    /// The operand type of a `Complex<f64>` value beside a tensor.
    type Complex: StaticDType;

    each_binary_group!(binary_group_items! declare);

    /// The rules that promote the operands of powers under rules `R` that use the operations of these rules.
    #[doc(hidden)]
    type PowerRules<R: Rules>: Rules;

    /// Returns the same rules at run time.
    fn rule_set() -> &'static RuleSet {
        Self::RULE_SET
    }

    /// Promotes two operands at run time, as [`RuleSet::promote`].
    ///
    /// # Errors
    /// [`Error::NoPromotion`] if the rules leave the pair undefined.
    ///
    /// ```
    /// use supremum::{DType, Numpy, Rules};
    /// assert_eq!(Numpy::promote(DType::F32, DType::I64)?.dtype, DType::F64);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    // Hidden except from rustdoc, so that rustc shortens the path of the function `promote`.
    #[cfg_attr(not(doc), doc(hidden))]
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    fn promote(lhs: impl Into<OperandType>, rhs: impl Into<OperandType>) -> Result<Promotion, Error> {
        Self::RULE_SET.promote(lhs, rhs)
    }
}

/// The name and the table of the rules that promote the operands, for each group of binary operations.
const fn promoting<R: Rules>() -> [(&'static str, PromotionTable); Operation::BINARY] {
    each_binary_group!(binary_group_items! tables [R])
}

/// The operand types of literals.
const fn literals<R: Rules>() -> Literals {
    Literals {
        bool: OperandType::of::<R::Bool>(),
        int: OperandType::of::<R::Int>(),
        float: OperandType::of::<R::Float>(),
        complex: OperandType::of::<R::Complex>(),
    }
}

/// The rules `R` with unsafe promotions admitted; results follow `AllowUnsafe<R>` too.
///
/// Out-of-range literals convert as the system converts them ([`RuleSet::out_of_range_literal`]), in operators, in
/// [`fuse!`](crate::fuse) and in `DynTensor`s alike.
///
/// ```
/// use supremum::{AllowUnsafe, F32, I64, Jax, Tensor, tensor};
/// let counts = tensor![I64; 1, 2].with_rules::<AllowUnsafe<Jax>>();
/// let scale = tensor![F32; 0.5, 0.5].with_rules::<AllowUnsafe<Jax>>();
/// let scaled: Tensor<F32, _, _> = counts * scale;
/// assert_eq!(scaled.to_vec(), [0.5_f32, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowUnsafe<R>(PhantomData<R>); // e.g. `AllowUnsafe<Jax>`, not `AllowUnsafe<R>` as `help` says: `R` stands for rules

#[diagnostic::do_not_recommend]
impl<R: Rules> DefinedRules for AllowUnsafe<R> {}

#[diagnostic::do_not_recommend]
impl<R: Rules> Rules for AllowUnsafe<R> {
    const PROMOTIONS: PromotionTable = R::PROMOTIONS;
    const RULE_SET: &'static RuleSet = &R::RULE_SET.allowing_unsafe();
    type LiteralRange<D> = Unbounded;
    each_binary_group!(binary_group_items! admitting [R]);
    all_but_promotions!(R);
}

#[diagnostic::do_not_recommend]
impl<Lhs, Rhs, R> Defines<Lhs, Rhs> for AllowUnsafe<R>
where
    R: Defines<Lhs, Rhs>,
{
    type Output = R::Output;
    type Verdict = Waived<R::Verdict>;
}

/// [`Promote`] with the rules as `Self`; rule sets implement this trait.
// Inference finds the rules of an expression last. While they are unknown, a bound on them is merely ambiguous. An impl
// with the bound `Promote<_, R>`, such as that of `AllowUnsafe` would have, could match itself without end: `2 * x`
// would overflow the compiler's recursion limit. An undefined pair fails at this bound; `Promote` and `SafePromote`
// repeat the message for bounds that users write on them.
#[diagnostic::on_unimplemented(
    message = "under `{Self}` rules no common dtype of `{Lhs}` and `{Rhs}` is known",
    label = "the rules give no promotion here",
    note = "the rules leave this pair open, if both dtypes are known, or need a dtype that is not here, such as `complex32`: cast both sides to one dtype, e.g. `.cast::<F32>()`, or move both to rules that promote the pair: `.with_rules::<..>()`; a literal has the dtype of `Tensor::<F32, Rank0, _>::scalar(2.0)` if written so, and rules of your own take literals if they have rows for `Weak<I64>` and `Weak<F64>`",
    note = "generic code states a bound (not the one that `help` proposes): `D: Floating`, or `D: Arithmetic` for `+`, `-`, `*`, `equal`, `select` and `concat` alone; of two `A: SafePromote<B, Output: Floating>`, whose result has the dtype `Promoted<A, B>`; of two or more by `promote` `(A, B, C): SafeCommon<Output: Floating>`; with other rules than `Jax`, or a rank parameter, `D: Floating<R, N>`, such as `D: Floating<Torch, Rank1>`, and of two `(A, B): SafeCommon<R, Output: Floating<R, N>>`, which first become one by `promote((a, b))`"
)]
pub trait Defines<Lhs, Rhs> {
    /// The common dtype.
    type Output: StaticDType;
    /// The effect of the promotion on values.
    type Verdict;
}

/// [`Defines`] of the rules `Part` by which some operations of these rules promote: messages name both.
#[diagnostic::on_unimplemented(
    message = "under `{Self}` rules no common dtype of `{Lhs}` and `{Rhs}` is known for this operation, which promotes by `{Part}`",
    label = "the rules give no promotion here",
    note = "the rules leave this pair open, if only for this operation: cast both sides to one dtype that has it, e.g. `.cast::<F32>()`, or move both to rules that promote the pair: `.with_rules::<..>()`; generic code states a bound (not the one that `help` proposes): `D: Floating<{Self}>` for one dtype, or `D: Arithmetic<{Self}>` for `+`, `-`, `*`, `equal`, `select` and `concat` alone; `(A, B): SafeCommon<{Self}, Output: Floating<{Self}>>` for two, which first become one by `promote((a, b))`; of tensors with a rank `D: Floating<{Self}, N>`"
)]
pub trait DefinesFor<Lhs, Rhs, Part> {
    /// The common dtype.
    type Output: StaticDType;
    /// The effect of the promotion on values.
    type Verdict;
}

/// Rules that promote for some operations of others, of which they are a part.
// rustc reports this bound where the rules are a type parameter.
#[diagnostic::on_unimplemented(
    message = "under `{Self}` rules no common dtype of the operands is known",
    label = "it is not stated that these rules promote them",
    note = "generic code over rules states a bound (not the one that `help` proposes): `D: Floating<R, N>` for one dtype, or `D: Arithmetic<R, N>` for `+`, `-`, `*`, `equal`, `select` and `concat` alone; `(A, B): SafeCommon<R, Output: Arithmetic<R, N>>` for two, which first become one by `promote((a, b))`; it names the dtype and the rank that are known, `F32: Floating<R, Rank1>`"
)]
#[doc(hidden)]
pub trait PartOf {
    /// The other rules.
    type System;
}

// Of any type, and not of each part: rustc would list the parts below the message of a pair that other rules leave open.
impl<Part, Lhs, Rhs> Defines<Lhs, Rhs> for Part
where
    Part: PartOf<System: DefinesFor<Lhs, Rhs, Part>>,
{
    type Output = <Part::System as DefinesFor<Lhs, Rhs, Part>>::Output;
    type Verdict = <Part::System as DefinesFor<Lhs, Rhs, Part>>::Verdict;
}

#[diagnostic::do_not_recommend]
impl<Lhs, Rhs, R> Promote<Rhs, R> for Lhs
where
    R: Defines<Lhs, Rhs>,
{
    type Output = R::Output;
    type Verdict = R::Verdict;
}

/// Implemented for equal rules only, because both operands of an operation must follow the same rules.
#[diagnostic::on_unimplemented(
    message = "operands under different rules: the left follows `{Self}`, the right `{Other}`",
    label = "one operation follows one rule set",
    note = "move the right side, free of cost: `.with_rules::<{Self}>()`"
)]
pub trait SameRules<Other> {}
impl<R> SameRules<R> for R {}
