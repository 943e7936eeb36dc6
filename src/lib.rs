//! Typed tensors whose dtype promotion the compiler decides.

#[doc(hidden)]
pub mod __private;
mod array;
pub mod dtype;
mod error;
mod kernel;
mod ops;
pub mod rules;
mod tensor;

pub use dtype::*;
pub use error::Error;
pub use ops::*;
pub use rules::*;
pub use static_assertions;
pub use tensor::*;
