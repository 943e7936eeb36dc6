//! Promotion systems: each a table, written once, read by the compiler and at run time.

mod define;
pub(crate) mod expansion;
pub mod jax;
pub mod operations;
mod power;
mod promote;
mod rule_set;
mod verdict;

pub use jax::{Jax, JaxStrict, JaxX32};
pub use operations::Operation;
pub use power::Raise;
pub use promote::{AllowUnsafe, Promote, Promoted, Rules, SafePromote, SameRules};
pub use rule_set::{Class, OperandType, Promotion, RuleSet};
pub use verdict::{SafeIn, StaticVerdict, Verdict, Waived};
