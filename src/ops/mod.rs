//! Operations on typed tensors: which dtype, shape and rank, and which kernel. No loops.

mod arithmetic;
mod compare;
mod join;
mod linalg;
mod operand;
mod power;
mod reduce;
mod select;
mod unary;

pub use join::{concat, stack};
pub use operand::Operand;
pub use select::{select, try_select};
