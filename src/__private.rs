//! The items that expansions of this library's macros name; nothing here is for use by hand.
//!
//! An expansion takes every path from here, so that it compiles whatever the caller has in scope and
//! whatever name the caller gives this library.

pub use ::core;
pub use supremum_macros::with_markers;

pub use crate::dtype::*;
pub use crate::dynamic::dispatch::{borrowed, enter_arm, given, run, run_both, select_arms};
// In braces the module alone, without the macro of its name.
pub use crate::fuse::{self, KnownRules, WORDS as FUSE_WORDS};
pub use crate::interop::load::{LoadCursor, ShapedField};
pub use crate::literals::Scalar;
pub use crate::literals::{
    BoolLiteral, ComplexLiteral, DecimalLiteral, FitsLiteral, FloatLiteral, IntLiteral, Judged,
    ScientificLiteral, complex_scalar,
};
pub use crate::rank::{
    AnyRank, IntoShape, MayBe, Rank, Rank0, Rank1, Rank2, Rank3, Rank4, Rank5, Rank6,
};
pub use crate::rule_set::CommonTypeRule;
pub use crate::rule_set::OverflowPolicy;
pub use crate::rule_set::RuleSource;
pub use crate::rule_set::bytecode::{OperationTable, PromotionTable};
pub use crate::rules::assertions::{NoOutcome, Probe, Several, UnsafeOutcome};
pub use crate::rules::operations;
pub use crate::rules::result_type::{AroundHighest, CommonBy, Folded};
pub use crate::rules::table::{Defined, Lookup, Row, To, Undefined};
pub use crate::rules::{
    Accepted, AllowUnsafe, DefinedRules, Defines, DefinesFor, Jax, MarkedUnsafe, PartOf,
    PowKeepsBase, Promote, RuleSet, Rules, StaticVerdict, WidensBoth,
};
pub use crate::tensor::inferred::{Inferred, InferredTensor, IsElement, never};
pub use crate::tensor::literal::{TensorLiteral, faulty};

pub use crate::dynamic::rows::{FUNCTIONS, Function, ROWS};

/// The source files of the library's rule sets, for tools that read rule sets.
pub const SYSTEM_SOURCES: &[&str] = crate::rules::SYSTEM_SOURCES;

/// The items that an expansion names once for each literal, under names that no user has, for a block to import.
pub mod literal_names {
    /// The dtype, for it to have more than one token.
    pub type __SupremumDType<D> = D;
    pub use super::Scalar::{
        Bool as __SupremumBool, Float as __SupremumFloat, Int as __SupremumInt,
    };
    pub use super::TensorLiteral::{Element as __SupremumElement, Literal as __SupremumLiteral};
    pub use super::{
        AnyRank as __SupremumAnyRank, Rank0 as __SupremumRank0, Rank1 as __SupremumRank1,
        Rank2 as __SupremumRank2, Rank3 as __SupremumRank3, Rank4 as __SupremumRank4,
        Rank5 as __SupremumRank5, Rank6 as __SupremumRank6,
    };
    pub use super::{
        ComplexLiteral as __SupremumComplexLiteral, DecimalLiteral as __SupremumDecimalLiteral,
        FitsLiteral as __SupremumFitsLiteral, FloatLiteral as __SupremumFloatLiteral,
        Inferred as __SupremumInferred, InferredTensor as __SupremumInferredTensor,
        IntLiteral as __SupremumIntLiteral, IsElement as __SupremumIsElement,
        KnownRules as __SupremumKnownRules, MayBe as __SupremumMayBe,
        ScientificLiteral as __SupremumScientificLiteral, complex_scalar as __SupremumComplex,
        never as __supremum_never,
    };
}
