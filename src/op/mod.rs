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

/// The packs for which this kind of loop has a shorter way (`simd/by_case.rs`), if it is not plain.
macro_rules! easy_packs {
    (near) => {
        Some(EasyPacks::Near)
    };
    (moderate) => {
        Some(EasyPacks::Moderate)
    };
    (small) => {
        Some(EasyPacks::Small)
    };
    (positive) => {
        Some(EasyPacks::Positive)
    };
    (long) => {
        Some(EasyPacks::All)
    };
    ($loop:ident) => {
        None
    };
}

/// The pairs of packs for which this kind of loop has a shorter way.
macro_rules! easy_pairs {
    (power) => {
        Some(EasyPairs::Power)
    };
    (quotient) => {
        Some(EasyPairs::Quotient)
    };
    ($loop:ident) => {
        None
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

pub(crate) use {easy_packs, easy_pairs, is_of_elements, is_plain, kind_of_row};
