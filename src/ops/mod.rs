//! Operations on typed tensors. This layer finds the dtype, shape and rank of the result and calls a kernel; it has no
//! loops over elements.

mod arithmetic;
mod compare;
pub(crate) mod compute;
pub(crate) mod join;
mod linalg;
mod operand;
mod promote;
pub(crate) mod reduce;
mod select;
pub(crate) mod take;
mod unary;

pub use join::{concat, stack};
pub use operand::Operand;
pub use promote::{Tensors, convert_promote_types, promote};
pub use select::{select, try_select};
