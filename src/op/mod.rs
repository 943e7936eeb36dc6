//! The operations: a row for each. Other layers make their enums, loops, methods and names in `fuse!` from these rows.
//!
//! Rows are tokens that a macro passes to other macros, so this folder depends on nothing.

mod binary;
mod comparison;
mod reduction;
mod scan;
mod unary;

pub(crate) use binary::each_binary;
pub(crate) use comparison::each_comparison;
pub(crate) use reduction::{each_position, each_reduction};
pub(crate) use scan::each_scan;
pub(crate) use unary::each_unary;

/// The variant of `Kind` that a row names.
macro_rules! kind_of_row {
    (bool) => {
        Kind::Bool
    };
    (unsigned) => {
        Kind::Unsigned
    };
    (signed) => {
        Kind::Signed
    };
    (float) => {
        Kind::Float
    };
    (complex) => {
        Kind::Complex
    };
}

/// `true` if this kind of loop computes one element after the other in a dtype, without vectors.
macro_rules! is_plain {
    (each $dtype:expr) => {
        true
    };
    (wide $dtype:expr) => {
        true
    };
    (short $dtype:expr) => {
        $dtype.size() > 4
    };
    (near $dtype:expr) => {
        $dtype.size() > 8
    };
    ($loop:ident $dtype:expr) => {
        false
    };
}

/// `true` if this kind of loop is one by case (`simd/by_case.rs`) unless it is plain.
macro_rules! is_by_case {
    (near) => {
        true
    };
    (long) => {
        true
    };
    ($loop:ident) => {
        false
    };
}

/// `true` if the easy case of this kind of loop is a pack of numbers near zero.
macro_rules! is_near_loop {
    (near) => {
        true
    };
    ($loop:ident) => {
        false
    };
}

/// `true` if this kind of loop works on the elements themselves, not on values of their compute type.
macro_rules! is_of_elements {
    (element) => {
        true
    };
    ($loop:ident) => {
        false
    };
}

pub(crate) use {is_by_case, is_near_loop, is_of_elements, is_plain, kind_of_row};
