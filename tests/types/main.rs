//! The compiler's answers: dtypes of results, verdicts, and for which operands an operation exists.

#[path = "../rules/common/mod.rs"]
mod common;
#[path = "../exact/mod.rs"]
mod exact;
mod generic;
mod result_types;
mod rows;
mod rules_operations_static;
mod rules_static;
mod rules_verdicts;

use supremum as library;
