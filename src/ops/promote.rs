//! Promotion as an operation of its own: `promote` and `convert_promote_types`.

use std::borrow::Cow;

use crate::dtype::StaticDType;
use crate::exec;
use crate::rank::Rank;
use crate::rules::{Common, Promoted, Rules, SafeCommon, SafePromote, SameRules};
use crate::tensor::{Tensor, or_panic};

type Both<A, N, B, M, R> = Promoted<<R as Rules>::Operand<A, N>, <R as Rules>::Operand<B, M>, R>;

/// Converts both tensors to the dtype that they promote to; each keeps its shape. This is OpenVINO's operation
/// ConvertPromoteTypes, under any rules.
///
/// The operation's attributes are rule sets here. [`OpenVino`](crate::OpenVino) stands for
/// `pytorch_scalar_promotion=false`, [`OpenVinoScalar`](crate::OpenVinoScalar) for `true`. Their parameter is
/// `u64_integer_promotion_target`. [`AllowUnsafe`](crate::AllowUnsafe) stands for `promote_unsafe=true`. For attributes
/// that are known at run time only, use [`ConvertPromoteTypes`](crate::ConvertPromoteTypes).
///
/// A tensor that already has the dtype shares its storage with the result.
///
/// # Panics
/// Without memory, with the text of [`Error::OutOfMemory`](crate::Error::OutOfMemory).
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
    Tensor<Both<A, N, B, M, R>, N, R>,
    Tensor<Both<A, N, B, M, R>, M, R>,
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
    let common = Both::<A, N, B, M, R>::DTYPE;
    let cast = |array| or_panic(exec::cast(Cow::Borrowed(array), common));
    let (lhs, rhs) = (cast(lhs.array()), cast(rhs.array()));
    (Tensor::from_array(lhs), Tensor::from_array(rhs))
}

/// Converts two to six tensors to their common dtype; each keeps its shape and rank.
///
/// The dtype is [`Common`](crate::Common) of their dtypes. Under rules that depend on rank, every tensor counts as one
/// with dimensions, so a tensor of rank 0 takes part in the promotion here, unlike beside an operator. Operations on
/// the results round in the common dtype only, whereas `a * x + y` rounds `a * x` in the dtype of that product first. A
/// tensor that already has the dtype shares its storage with the result.
///
/// # Panics
/// Without memory, with the text of [`Error::OutOfMemory`](crate::Error::OutOfMemory).
///
/// ```
/// use supremum::{F16, F32, I8, Tensor, U8, promote, tensor};
/// let (a, b, c): (Tensor<F16>, Tensor<U8>, Tensor<F32>) = (tensor![0.5], tensor![255], tensor![0.25]);
/// let (a, b, c) = promote((&a, &b, &c));
/// let sum: Tensor<F32> = a + b + c;
/// assert_eq!(sum.to_vec(), [255.75]); // `F16` ends at 11 bits: `&a + &b` would be 255.5
/// ```
#[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
pub fn promote<T>(tensors: T) -> T::In<Common<T::DTypes, T::Rules>> // a tuple: `promote((&a, &b))`, not as `help` says
where
    T: Tensors<DTypes: SafeCommon<T::Rules>>,
{
    tensors.into_dtype()
}

/// A tuple of two to six references to tensors under the same rules, as [`promote()`] takes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of references to tensors under the same rules",
    label = "not two to six references to tensors under the same rules",
    note = "the tensors are one argument, `promote((&a, &b))`, not as `help` says; a tensor under other rules moves, free of cost: `.with_rules::<Jax>()`"
)]
pub trait Tensors {
    /// Their dtypes, as a tuple.
    type DTypes;
    /// Their rules.
    type Rules: Rules;
    /// The tuple of the same tensors in another dtype.
    type In<D: StaticDType>;

    #[doc(hidden)]
    fn into_dtype<D: StaticDType>(self) -> Self::In<D>;
}

macro_rules! tensors {
    ($($($dtype:ident $rank:ident $tensor:ident)+;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($dtype, $rank: Rank,)+ R: Rules> Tensors for ($(&Tensor<$dtype, $rank, R>,)+) {
            type DTypes = ($($dtype,)+);
            type Rules = R;
            type In<Out: StaticDType> = ($(Tensor<Out, $rank, R>,)+);

            fn into_dtype<Out: StaticDType>(self) -> Self::In<Out> {
                let ($($tensor,)+) = self;
                ($(Tensor::from_array(or_panic(exec::cast(Cow::Borrowed($tensor.array()), Out::DTYPE))),)+)
            }
        }
    )+};
}

tensors! {
    A N a B M b;
    A N a B M b C K c;
    A N a B M b C K c D L d;
    A N a B M b C K c D L d E I e;
    A N a B M b C K c D L d E I e F J f;
}
