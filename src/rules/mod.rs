//! Promotion systems: each a table, written once, read by the compiler and at run time.

pub(crate) mod define;
pub mod jax;
pub mod operations;
mod promote;
mod rule_set;
mod verdict;

pub use jax::{Jax, JaxStrict, JaxX32};
pub use operations::Operation;
pub use promote::{AllowUnsafe, Promote, Promoted, Rules, SafePromote, SameRules};
pub use rule_set::{Class, OperandType, Promotion, RuleSet};
pub use verdict::{SafeIn, StaticVerdict, Waived};

/// What a promotion does to the values of its operands. (An alias for the reason that
/// [`DType`](crate::DType) is one.)
pub type Verdict = verdict::Verdict;

/// Defines rule sets. TODO_DOC
#[macro_export]
macro_rules! promotion_rules {
    ($($rules:tt)*) => {
        $crate::__private::promotion_rules_impl! { [$crate] $($rules)* }
    };
}
