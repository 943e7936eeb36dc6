//! Promotion systems: each a table, written once, read by the compiler and at run time.

pub mod anvil;
pub mod array_api;
pub(crate) mod common;
mod define;
mod diff;
pub(crate) mod encoded;
mod exact_integers;
pub(crate) mod expansion;
pub mod jax;
pub mod numpy;
pub mod openvino;
pub mod operations;
mod power;
pub(crate) mod promote;
pub(crate) mod rule_set;
mod shorthand;
pub(crate) mod table;
pub mod tensorflow;
pub mod torch;
mod verdict;

use define::builtin_rules;

pub use anvil::Anvil;
pub use array_api::ArrayApi;
pub use common::{Common, CommonDType, SafeCommon};
pub use diff::{Argument, Difference, RuleSetDiff};
pub use exact_integers::ExactIntegers;
pub use jax::{Jax, JaxStrict, JaxX32};
pub use numpy::{Numpy, NumpyArctan2, NumpyUfunc};
pub use openvino::{ConvertPromoteTypes, OpenVino, OpenVinoScalar};
pub use operations::Operation;
pub use power::KeepsBase;
pub use promote::{
    AllowUnsafe, Defines, KnowsRank, Promote, Promoted, RankDecides, Rules, SafePromote, SameRules,
};
pub use rule_set::{BeyondRange, Class, OperandType, Promotion, RuleSet};
pub use shorthand::{Arithmetic, Floating};
pub use tensorflow::{TensorFlow, TensorFlowLegacy, TensorFlowMultiply, TensorFlowOperators};
pub use torch::{Torch, TorchEqual, TorchSubtract};
pub use verdict::{Accepted, MarkedUnsafe, SafeIn, StaticVerdict, Verdict, Waived, WidensBoth};
