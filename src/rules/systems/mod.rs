//! The promotion systems of other libraries that this one follows: a file for each, with its tables and their source.

pub mod anvil;
pub mod array_api;
pub mod jax;
pub mod numpy;
pub mod openvino;
pub mod tensorflow;
pub mod torch;

use super::define::builtin_rules;

/// The source files of the systems, for tools that read rule sets.
pub(crate) const SOURCES: &[&str] = &[
    include_str!("anvil.rs"),
    include_str!("array_api.rs"),
    include_str!("jax.rs"),
    include_str!("numpy.rs"),
    include_str!("openvino.rs"),
    include_str!("tensorflow.rs"),
    include_str!("torch.rs"),
];
