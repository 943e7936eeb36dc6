//! `matmul_in`: matrix products whose sums have a given dtype.

use crate::array::Array;
use crate::dtype::{AccumulatesIn, DType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::rank::{MatrixProduct, Rank, RankOfLeft};
use crate::rules::operations::MatrixMultiply;
use crate::rules::{AllowUnsafe, Rules, SafePromote, SameRules};
use crate::tensor::{PromoteUnsafe, Tensor, or_panic};

/// A right operand of [`Tensor::matmul_in`]: a reference to a tensor under the same rules, whose dtype promotes with that of the left
/// one, and whose rank gives a product of the left one's rank.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a right factor of this product",
    label = "not a reference to a tensor under the same rules",
    note = "write `&` before the tensor, `a.matmul_in::<F32>(&b)`"
)]
pub trait RightFactor<Left, Out> {
    /// The elements.
    #[doc(hidden)]
    fn erased(&self) -> ErasedFactor<'_>;
}

/// A right operand without its type; opaque.
#[doc(hidden)]
#[derive(Debug)]
pub struct ErasedFactor<'a>(&'a Array);

/// A reference to a tensor, by the parts of its type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reference to a tensor",
    label = "not a reference to a tensor"
)]
pub trait TensorRef {
    /// The dtype of its elements.
    type DType: StaticDType;
    /// The rank.
    type Rank: Rank;
    /// The rules.
    type Rules: Rules;

    /// The elements.
    #[doc(hidden)]
    fn erased(&self) -> ErasedFactor<'_>;
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> TensorRef for &Tensor<D, N, R> {
    type DType = D;
    type Rank = N;
    type Rules = R;

    fn erased(&self) -> ErasedFactor<'_> {
        ErasedFactor(self.array())
    }
}

// Of any `T`: rustc shows an impl for `&Tensor` in full below the message of each of its bounds.
impl<A, N, R, T, Out> RightFactor<Tensor<A, N, R>, Out> for T
where
    T: TensorRef,
    R: Rules + SameRules<T::Rules>,
    A: StaticDType,
    N: MatrixProduct<T::Rank, Output: RankOfLeft<N, T::Rank>>,
    R::Operand<A, N>: SafePromote<
            R::Operand<T::DType, T::Rank>,
            R::MatrixMultiply,
            Output: MatrixMultiply<R::Operations> + AccumulatesIn<Out>,
        >,
    Out: StaticDType + MatrixMultiply<R::Operations>,
{
    fn erased(&self) -> ErasedFactor<'_> {
        TensorRef::erased(self)
    }
}

impl<A, N, R, T, Out> RightFactor<PromoteUnsafe<A, N, R>, Out> for T
where
    T: TensorRef,
    R: Rules + SameRules<T::Rules>,
    A: StaticDType,
    N: MatrixProduct<T::Rank, Output: RankOfLeft<N, T::Rank>>,
    R::Operand<A, N>: SafePromote<
            R::Operand<T::DType, T::Rank>,
            AllowUnsafe<R::MatrixMultiply>,
            Output: MatrixMultiply<R::Operations> + AccumulatesIn<Out>,
        >,
    Out: StaticDType + MatrixMultiply<R::Operations>,
{
    fn erased(&self) -> ErasedFactor<'_> {
        TensorRef::erased(self)
    }
}

/// Multiplies matrices with sums of the dtype `out`.
///
/// # Errors
/// The errors of [`Tensor::try_matmul`].
pub(super) fn matmul_in(lhs: &Array, rhs: ErasedFactor<'_>, out: DType) -> Result<Array, Error> {
    named("matmul_in", exec::matmul(lhs, rhs.0, out))
}

/// # Matrix products with a given accumulator
impl<A: StaticDType, N: Rank, R: Rules> Tensor<A, N, R> {
    /// Computes the matrix product, as [`matmul`](Self::matmul), with sums of the dtype `Out`, which is that of the result. This is
    /// what XLA calls `preferred_element_type`.
    ///
    /// `Out` has every value of the dtype that the operands promote to, so no operand is rounded: products of `bf16` are added in
    /// `f32` and stay there; products of `i8` by `i8`, `u8` or `i16` are added in `i32` or `i64`. Integers that are added wrap in `Out`: in
    /// `i32` the sums of `i8` products are exact for up to 131,071 terms.
    ///
    /// Products of `i8`, `u8` and `i16` into integers of up to 32 bits make no widened copies where the processor multiplies bytes
    /// (AVX-512 VNNI, AVX-VNNI); other processors multiply 16-bit copies.
    ///
    /// The result has the rank of this tensor. A product by a vector loses an axis: write
    /// `a.matmul_in::<I32>(&v.unsqueeze(1)).squeeze(-1)`, or use [`a.into_any()`](Self::into_any).
    ///
    /// # Panics
    /// With the text of [`Self::try_matmul_in`]'s error.
    ///
    /// ```
    /// use supremum::{BF16, F32, I8, I32, Rank2, Tensor, tensor};
    /// let x: Tensor<I8, Rank2> = tensor![[100, -100], [1, 2]];
    /// let w: Tensor<I8, Rank2> = tensor![[100, 0], [-100, 1]];
    /// let y: Tensor<I32, Rank2> = x.matmul_in::<I32>(&w);
    /// assert_eq!(y.to_vec(), [20_000, -100, -100, 2]);
    /// assert_eq!(x.matmul(&w).to_vec(), [32, -100, -100, 2]); // `i8` wraps
    ///
    /// let x: Tensor<BF16, Rank2> = tensor![[256.0, 1.0]];
    /// let sums: Tensor<F32, Rank2> = x.matmul_in::<F32>(&x.transpose());
    /// assert_eq!(sums.to_vec(), [65_537.0]);
    /// ```
    #[doc(alias = "preferred_element_type")]
    #[doc(alias = "int_mm")]
    #[track_caller]
    pub fn matmul_in<Out: StaticDType>(
        &self,
        rhs: impl RightFactor<Self, Out>,
    ) -> Tensor<Out, N, R> {
        or_panic(self.try_matmul_in(rhs))
    }

    /// [`Self::matmul_in`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_matmul`].
    pub fn try_matmul_in<Out: StaticDType>(
        &self,
        rhs: impl RightFactor<Self, Out>,
    ) -> Result<Tensor<Out, N, R>, Error> {
        matmul_in(self.array(), rhs.erased(), Out::DTYPE).map(Tensor::from_array)
    }
}
