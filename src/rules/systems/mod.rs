//! The promotion systems of other libraries that this one follows: a file for each, with its tables and their source.

pub mod anvil;
pub mod array_api;
pub mod jax;
pub mod numpy;
pub mod openvino;
pub mod tensorflow;
pub mod torch;

use super::define::builtin_rules;
