//! Promotion systems as types, and the traits by which the compiler promotes.
//!
//! Each system is a table in `systems/`, written once. `promotion_rules!` (`define.rs`) expands it to trait impls for
//! the compiler and to the [`RuleSet`] of the run-time API, so the two cannot disagree.
//!
//! - `promote.rs`: the promotion traits; `verdict.rs`: verdicts as types;
//! - `table.rs`: tables in the type system; `lookup.rs`: fallible lookups at run time;
//! - `result_type.rs`: the common dtype of more than two operands;
//! - `assertions.rs`: promotions as compile-time assertions;
//! - `pow.rs`, `exact_integers.rs`: modifiers of rules; `bounds.rs`: shorthand bounds; `diff.rs`: comparing rule sets.

pub(crate) mod assertions;
mod bounds;
mod define;
mod diff;
mod exact_integers;
mod into_rule_set;
mod lookup;
mod pow;
pub(crate) mod promote;
pub(crate) mod result_type;
mod systems;
pub(crate) mod table;
mod verdict;

#[cfg_attr(doc, doc(hidden))]
#[doc(hidden)]
pub use assertions::{IsExpected, IsRefused, NoCommonDType, Unsafe, are_dtypes, are_several};
pub use bounds::{Arithmetic, Floating};
pub use diff::{DiffOperand, RuleDiff, RuleSetDiff};
pub use exact_integers::ExactIntegers;
pub use into_rule_set::IntoRuleSet;
pub use pow::PowKeepsBase;
pub use promote::{
    AllowUnsafe, DefinedRules, Defines, DefinesFor, PartOf, Promote, Promoted, Rules, SafePromote,
    SameRules,
};
pub use result_type::{Common, CommonBy, CommonDType, DTypeTuple, PromotionStep, SafeCommon};
pub(crate) use systems::SOURCES as SYSTEM_SOURCES;
pub use systems::anvil::Anvil;
pub use systems::array_api::ArrayApi;
pub use systems::jax::{Jax, JaxStrict, JaxX32};
pub use systems::numpy::{Numpy, NumpyArctan2, NumpyUfunc};
pub use systems::openvino::{ConvertPromoteTypes, OpenVino, OpenVinoScalar};
pub use systems::tensorflow::{
    TensorFlow, TensorFlowLegacy, TensorFlowMultiply, TensorFlowOperators,
};
pub use systems::torch::{Torch, TorchEqual, TorchSubtract};
pub use systems::{anvil, array_api, jax, numpy, openvino, tensorflow, torch};
pub use verdict::{
    Accepted, KnowsRank, MarkedUnsafe, RankDecides, SafeIn, StaticVerdict, Waived, WidensBoth,
};

pub use crate::rule_set::operations;
pub use crate::rule_set::{
    Class, CommonTypeRule, OperandType, Operation, OutOfRangeLiteral, Promotion, RuleSet,
    RuleSource, Verdict,
};
