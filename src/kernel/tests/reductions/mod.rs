//! Reductions, scans, products of matrices and joins against plain loops over `Vec`s.
#![allow(clippy::as_conversions, reason = "the meaning of casts")]

mod contiguous_rows;
mod extremes;
mod join;
mod matmul;
mod oracle;
mod reduce;
mod scan;
mod short_rows;
