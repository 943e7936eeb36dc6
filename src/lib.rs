//! Typed tensors whose dtype promotion the compiler decides.

#[doc(hidden)]
pub mod __private;
pub mod dtype;
mod error;
pub mod rules;

pub use dtype::*;
pub use error::Error;
pub use rules::*;
pub use static_assertions;
