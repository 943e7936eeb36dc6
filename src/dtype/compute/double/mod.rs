//! Functions of `f64`, as code that vectorises: without branches, calls or tables, and without fused multiplication and addition, so that
//! every instruction set gives the same bits.

pub(super) mod activations;
pub(super) mod exponential;
