//! Promotion systems: each a table, written once, read by the compiler and at run time.

pub mod anvil;
pub mod array_api;
mod bounds;
pub(crate) mod bytecode;
mod define;
mod diff;
mod exact_integers;
pub mod jax;
pub mod numpy;
pub mod openvino;
pub mod operations;
mod pow;
pub(crate) mod promote;
pub(crate) mod proof;
pub(crate) mod result_type;
pub(crate) mod rule_set;
pub(crate) mod table;
pub mod tensorflow;
pub mod torch;
mod verdict;

use define::builtin_rules;

pub use anvil::Anvil;
pub use array_api::ArrayApi;
pub use bounds::{Arithmetic, Floating};
pub use diff::{DiffOperand, RuleDiff, RuleSetDiff};
pub use exact_integers::ExactIntegers;
pub use jax::{Jax, JaxStrict, JaxX32};
pub use numpy::{Numpy, NumpyArctan2, NumpyUfunc};
pub use openvino::{ConvertPromoteTypes, OpenVino, OpenVinoScalar};
pub use operations::Operation;
pub use pow::PowKeepsBase;
pub use promote::{
    AllowUnsafe, Defines, KnowsRank, Promote, Promoted, RankDecides, Rules, SafePromote, SameRules,
};
pub use result_type::{Common, CommonDType, SafeCommon};
pub use rule_set::{Class, OperandType, OutOfRangeLiteral, Promotion, RuleSet};
pub use tensorflow::{TensorFlow, TensorFlowLegacy, TensorFlowMultiply, TensorFlowOperators};
pub use torch::{Torch, TorchEqual, TorchSubtract};
pub use verdict::{Accepted, MarkedUnsafe, SafeIn, StaticVerdict, Verdict, Waived, WidensBoth};
