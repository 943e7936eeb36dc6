//! Promotion as an operation of its own.

use std::borrow::Cow;

use crate::dtype::StaticDType;
use crate::kernel;
use crate::rank::Rank;
use crate::rules::{Promoted, Rules, SafePromote, SameRules};
use crate::tensor::Tensor;

type Common<A, N, B, M, R> = Promoted<<R as Rules>::Operand<A, N>, <R as Rules>::Operand<B, M>, R>;

/// Both tensors in the dtype that they promote to, each in its own shape: OpenVINO's operation
/// ConvertPromoteTypes, under any rules.
///
/// The operation's attributes are rule sets: [`OpenVino`](crate::OpenVino) is
/// `pytorch_scalar_promotion=false`, [`OpenVinoScalar`](crate::OpenVinoScalar) is `true`; their parameter is
/// `u64_integer_promotion_target`; [`AllowUnsafe`](crate::AllowUnsafe) is `promote_unsafe=true`. Where they
/// are known at run time only, [`ConvertPromoteTypes`](crate::ConvertPromoteTypes) has them.
///
/// A tensor that has the dtype already shares its storage with the result.
///
/// ```
/// use supremum::{AllowUnsafe, F32, I8, I16, I64, OpenVino, Rank1, Tensor, U16, U64, convert_promote_types, tensor};
/// let a: Tensor<U16, Rank1, OpenVino> = tensor![7];
/// let b: Tensor<F32, Rank1, OpenVino> = tensor![0.5, 1.5];
/// let (a, b): (Tensor<F32, _, _>, Tensor<F32, _, _>) = convert_promote_types(&a, &b);
/// assert_eq!((a.to_vec(), b.to_vec()), (vec![7.0], vec![0.5, 1.5]));
///
/// type Rules = AllowUnsafe<OpenVino<I64>>;
/// let a: Tensor<U64, Rank1, Rules> = tensor![7];
/// let b: Tensor<I8, Rank1, Rules> = tensor![-1];
/// let (a, b): (Tensor<I64, _, _>, Tensor<I64, _, _>) = convert_promote_types(&a, &b);
/// assert_eq!((a.to_vec(), b.to_vec()), (vec![7], vec![-1]));
/// ```
///
/// ```compile_fail,E0277
/// # use supremum::{F16, I16, OpenVino, Rank1, Tensor, convert_promote_types, tensor};
/// let a: Tensor<I16, Rank1, OpenVino> = tensor![7];
/// let b: Tensor<F16, Rank1, OpenVino> = tensor![0.5];
/// convert_promote_types(&a, &b); // f16 has under twice the bits of i16
/// ```
pub fn convert_promote_types<A, N, B, M, R, S>(
    lhs: &Tensor<A, N, R>,
    rhs: &Tensor<B, M, S>,
) -> (
    Tensor<Common<A, N, B, M, R>, N, R>,
    Tensor<Common<A, N, B, M, R>, M, R>,
)
where
    A: StaticDType,
    B: StaticDType,
    N: Rank,
    M: Rank,
    R: Rules + SameRules<S>,
    S: Rules,
    R::Operand<A, N>: SafePromote<R::Operand<B, M>, R>,
{
    let common = Common::<A, N, B, M, R>::DTYPE;
    let lhs = kernel::cast(Cow::Borrowed(lhs.array()), common);
    let rhs = kernel::cast(Cow::Borrowed(rhs.array()), common);
    (Tensor::from_array(lhs), Tensor::from_array(rhs))
}
