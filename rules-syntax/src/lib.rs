//! The syntax of rule sets: parses, checks and expands the tokens of `promotion_rules!` of
//! [supremum](https://docs.rs/supremum), and has the facts on dtypes and operations that this needs.
//!
//! A crate of macros exports macros only. So what `promotion_rules!` does is here, for the command `supremum check` too.

mod ast;
mod builtin;
mod bytecode;
mod check;
pub mod depth;
#[allow(
    missing_docs,
    reason = "the fields of formats have the standard's names"
)]
pub mod dtypes;
mod expand;
#[cfg(feature = "files")]
mod file;
mod grid;
mod lattice;
mod model;
mod operations;
mod parse;
mod path;
mod rules;

pub use builtin::with_builtin_rules;
pub use bytecode::with_bytecode;
#[cfg(feature = "files")]
pub use file::{CheckedRules, Fault, check_file};
pub use operations::with_operations;
pub use rules::promotion_rules;
