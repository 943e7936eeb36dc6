//! Operations on typed tensors. This layer finds the dtype, shape and rank of the result and calls a kernel; it has no
//! loops over elements.

// rustdoc lists the methods of `Tensor` in the order of these modules.
mod arithmetic;
mod assign;
pub(crate) mod compare;

mod unary;

mod select;

pub(crate) mod take;

pub(crate) mod scatter;

pub(crate) mod order;

pub(crate) mod reduce;

pub(crate) mod quantile;

pub(crate) mod quantile_list;
mod quantile_rows;

pub(crate) mod trace;

pub(crate) mod count;
pub(crate) mod differences;
pub(crate) mod histogram;
pub(crate) mod interp;
pub(crate) mod membership;
pub(crate) mod nonzero;

mod one_hot;

mod linalg;

mod matmul_in;

pub mod einsum;

pub(crate) mod tensor_products;

pub(crate) mod softmax;

pub(crate) mod norm;

pub(crate) mod covariance;

pub(crate) mod corrected;

pub(crate) mod conv;

pub(crate) mod padding;

pub(crate) mod pool;

pub(crate) mod join;

pub(crate) mod compute;
mod in_place;
mod number;
mod operand;
mod promote;
mod promote_unsafe;
pub mod results;

pub use conv::ConvOptions;
pub use in_place::{ChangesShared, KeepsRank, QuotientStaysIn, StaysIn};
pub use join::{concat, stack, try_concat, try_stack};
pub use matmul_in::{RightFactor, TensorRef};
pub use number::LeftOperand;
pub use operand::{Operand, StaticOperand};
pub use padding::{IntoPoolPadding, PoolPadding, SamePadding, WindowPadding};
pub use pool::PoolOptions;
pub use promote::{Tensors, convert_promote_types, promote};
pub use quantile_list::Quantiles;
pub use quantile_rows::QuantileMethod;
pub use select::{select, try_select};
