//! What the expansions of this library's macros name; nothing here is for use by hand.
//!
//! An expansion takes every path from here, so that it compiles whatever the caller has in scope and
//! whatever name the caller gives this library.

pub use ::core;
pub use supremum_macros::{
    dispatch_impl, fuse_impl, literal_impl, promotion_rules_impl, tensor_impl,
};

pub use crate::dtype::*;
pub use crate::dynamic::dispatch::{chosen, entered, lent, listed, run, run_both};
pub use crate::fuse;
pub use crate::literals::{
    BoolLiteral, DecimalLiteral, FloatLiteral, IntLiteral, Judged, LandsIn, ScientificLiteral,
};
pub use crate::rank::Rank;
pub use crate::rules::common::{AroundHighest, CommonBy, Folded, Meeting};
pub use crate::rules::encoded::{OperationTable, PromotionTable};
pub use crate::rules::expansion::*;
pub use crate::rules::operations;
pub use crate::rules::table::{Defined, Lookup, Row, To, Undefined};
pub use crate::rules::{
    Accepted, Defines, Jax, KeepsBase, MarkedUnsafe, Promote, RuleSet, Rules, StaticVerdict,
    WidensBoth,
};
pub use crate::tensor::Scalar;
pub use crate::tensor::literal::{TensorLiteral, faulty, tensor_literal};
