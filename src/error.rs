//! The one error type.

use crate::dtype::DType;
use crate::rules::{OperandType, Operation, Promotion, RuleSet};

/// What can go wrong at run time. Every message is one line: operation, expected, found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A dtype's name that is none of [`DType::ALL`].
    #[error("unknown dtype `{name}`; the dtypes are {}", names(DType::ALL.iter().map(|dtype| dtype.name())))]
    UnknownDType {
        /// What was to be parsed.
        name: String,
    },
    /// A rule set's name that is none of [`RuleSet::builtin`].
    #[error("unknown rules `{name}`; the rule sets are {}", names(RuleSet::builtin().iter().map(|rules| rules.name())))]
    UnknownRules {
        /// What was asked for.
        name: String,
    },
    /// The rules give these operands no common dtype.
    #[error("no promotion: under `{rules}` rules {lhs} and {rhs} have no common dtype")]
    NoPromotion {
        /// The left operand.
        lhs: OperandType,
        /// The right operand.
        rhs: OperandType,
        /// The rule set's name.
        rules: &'static str,
    },
    /// The promotion can lose values, and the rules do not allow that.
    #[error(
        "unsafe promotion: under `{rules}` rules {lhs} and {rhs} promote to {}, which {}; convert one side, or allow \
         unsafe promotions", .promotion.operand(), .promotion.verdict
    )]
    UnsafePromotion {
        /// The left operand.
        lhs: OperandType,
        /// The right operand.
        rhs: OperandType,
        /// What they would promote to.
        promotion: Promotion,
        /// The rule set's name.
        rules: &'static str,
    },
    /// A common dtype of no operands at all.
    #[error("no operands: a common dtype under `{rules}` rules needs at least one")]
    NoOperands {
        /// The rule set's name.
        rules: &'static str,
    },
    /// The rules do not define the operation on this operand.
    #[error("undefined: {} on {operand} under `{rules}` rules", .operation.name())]
    UndefinedOperation {
        /// The group of operations.
        operation: Operation,
        /// The operand, or the promotion of the two operands.
        operand: OperandType,
        /// The rule set's name.
        rules: &'static str,
    },
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
