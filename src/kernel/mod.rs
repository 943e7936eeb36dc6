use crate::array::Array; use crate::dtype::DType; use crate::error::Error; use std::borrow::Cow;
pub(crate) enum BinaryOp { Add, Sub, Mul, Div, FloorDiv, Rem, Pow, Atan2, Min, Max, And, Or, Xor, Shl, Shr }
pub(crate) enum CompareOp { Eq, Ne, Lt, Le, Gt, Ge }
pub(crate) enum UnaryOp { Neg, Abs, Sign, Recip, Sqrt, Exp, Expm1, Ln, Log1p, Log2, Log10, Sin, Cos, Tan, Tanh, Sigmoid, Floor, Ceil, Round, Not, IsNan, IsInf, IsFinite }
pub(crate) enum ReduceOp { Sum, Prod, Min, Max, Any, All, Mean, Var { ddof: usize }, Std { ddof: usize } }
pub(crate) enum ArgOp { Min, Max }
pub(crate) fn binary(op: BinaryOp, compute: DType, lhs: Cow<Array>, rhs: Cow<Array>) -> Result<Array, Error> { todo!() }
pub(crate) fn compare(op: CompareOp, compute: DType, lhs: Cow<Array>, rhs: Cow<Array>) -> Result<Array, Error> { todo!() }
pub(crate) fn unary(op: UnaryOp, compute: DType, x: Cow<Array>) -> Array { todo!() }
pub(crate) fn select(cond: Cow<Array>, out: DType, a: Cow<Array>, b: Cow<Array>) -> Result<Array, Error> { todo!() }
pub(crate) fn cast(x: Cow<Array>, to: DType) -> Array { todo!() }
pub(crate) fn try_cast(x: &Array, to: DType) -> Result<Array, Error> { todo!() }
pub(crate) fn reduce(op: ReduceOp, x: &Array, axes: &[usize], keep: bool, out: DType) -> Result<Array, Error> { todo!() }
pub(crate) fn arg_reduce(op: ArgOp, x: &Array, axis: Option<usize>, keep: bool, out: DType) -> Result<Array, Error> { todo!() }
pub(crate) fn cumsum(x: &Array, axis: usize, out: DType) -> Array { todo!() }
pub(crate) fn matmul(a: &Array, b: &Array, out: DType) -> Result<Array, Error> { todo!() }
pub(crate) fn concat(a: &[&Array], axis: usize, out: DType) -> Result<Array, Error> { todo!() }
pub(crate) fn copied(x: &Array) -> Array { todo!() }
