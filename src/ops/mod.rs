//! Operations on typed tensors. This layer finds the dtype, shape and rank of the result and calls a kernel; it has no
//! loops over elements.

mod arithmetic;
mod compare;
pub(crate) mod compute;
pub(crate) mod join;
mod linalg;
mod number;
mod operand;
mod promote;
pub(crate) mod reduce;
mod select;
mod unary;

pub use join::{concat, stack};
pub use number::LeftOperand;
pub use operand::{Operand, StaticOperand};
pub use promote::{Tensors, convert_promote_types, promote};
pub use select::{select, try_select};
