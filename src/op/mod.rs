//! The operations, a row for each, from which all that the library has of them is made.
//!
//! Rows are tokens that a macro hands to others, so this folder depends on nothing.

mod reduction;
mod scan;
mod unary;

pub(crate) use reduction::{each_position, each_reduction};
pub(crate) use scan::each_scan;
pub(crate) use unary::each_unary;
