//! Typed tensors whose dtype promotion the compiler decides.

#[allow(
    dead_code,
    unused_imports,
    reason = "the typed layer that uses it is being built"
)]
mod array;
pub mod dtype;
mod error;
#[allow(
    dead_code,
    unused_imports,
    reason = "the typed layer that uses it is being built"
)]
mod kernel;
pub mod rules;

pub use dtype::*;
pub use error::Error;
pub use rules::*;
pub use static_assertions;
