//! `matmul` and `dot`.

use crate::dtype::StaticDType;
use crate::error::{Error, named};
use crate::exec;
use crate::rank::{MatrixProduct, Rank, Rank0, Rank1, VectorRanks};
use crate::rules::operations::MatrixMultiply;
use crate::rules::{Rules, SafePromote, SameRules};
use crate::tensor::{Tensor, or_panic};

/// # Matrix products
impl<A, N: Rank, R: Rules> Tensor<A, N, R> {
    /// Computes the matrix product over the last two axes; the axes before them broadcast. A left operand of rank 1 is
    /// a row, a right operand of rank 1 is a column; the result has no axis for it.
    ///
    /// The operands are cast to the dtype of the result first. f16, bf16 and 8-bit floats are multiplied and added in
    /// `f32` and rounded once. Integers wrap, in the dtype of the result: `i8` by `i8` is `i8`, which a few products exceed.
    /// [`matmul_in`](Self::matmul_in) adds in a wider dtype, and keeps it. Booleans are multiplied by `and` and added by `or`. The order in which
    /// floats are added, and the sign of a sum that is zero, depend on the processor, the sizes, the layouts, and the features
    /// `gemm` and `parallel`.
    ///
    /// # Panics
    /// With the text of [`Self::try_matmul`]'s error.
    ///
    /// ```
    /// use supremum::{BF16, F16, F32, Rank1, Rank2, Tensor, tensor};
    /// let x: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let w: Tensor<F16, Rank1> = tensor![10.0, 1.0];
    /// let y: Tensor<F32, Rank1> = x.matmul(&w);
    /// assert_eq!(y.to_vec(), [12.0, 34.0]);
    /// ```
    // `P`, `Out` and `K` follow from the bounds. As parameters they let rustc report a missing bound with its own message.
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    #[track_caller]
    pub fn matmul<B, M, S, P, Out, K>( // sums in another dtype: `a.matmul_in::<I32>(&b)`, not as `help` says
        &self,
        rhs: &Tensor<B, M, S>,
    ) -> Tensor<Out, K, R>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::MatrixMultiply, Output = P>,
        B: StaticDType,
        P: MatrixMultiply<R::Operations, Output = Out>,
        Out: StaticDType,
        N: MatrixProduct<M, Output = K>,
        M: Rank,
        K: Rank,
    {
        or_panic(self.try_matmul(rhs))
    }

    /// [`Self::matmul`], fallible.
    ///
    /// # Errors
    /// [`Error::SizeMismatch`] if the inner sizes differ; [`Error::ShapeMismatch`] if the axes before do not broadcast;
    /// [`Error::TooFewAxes`] if an operand has rank 0 at run time; [`Error::OutOfMemory`].
    #[rustfmt::skip] // As above.
    pub fn try_matmul<B, M, S, P, Out, K>( // sums in another dtype: `a.try_matmul_in::<I32>(&b)?`, not as `help` says
        &self,
        rhs: &Tensor<B, M, S>,
    ) -> Result<Tensor<Out, K, R>, Error>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::MatrixMultiply, Output = P>,
        B: StaticDType,
        P: MatrixMultiply<R::Operations, Output = Out>,
        Out: StaticDType,
        N: MatrixProduct<M, Output = K>,
        M: Rank,
        K: Rank,
    {
        exec::matmul(self.array(), rhs.array(), Out::DTYPE).map(Tensor::from_array)
    }
}

/// # Dot products
impl<A, N: Rank, R: Rules> Tensor<A, N, R> {
    /// Computes the dot product of two tensors of rank 1: the sum of the products of their elements.
    ///
    /// # Panics
    /// With the text of [`Self::try_dot`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I16, Rank1, Tensor, tensor};
    /// let a: Tensor<F32, Rank1> = tensor![1.5, 2.0];
    /// let b: Tensor<I16, Rank1> = tensor![2, 3];
    /// assert_eq!(a.dot(&b).item(), Ok(9.0));
    /// ```
    #[track_caller]
    pub fn dot<B, M, S, P, Out>(&self, rhs: &Tensor<B, M, S>) -> Tensor<Out, Rank0, R>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        R::Operand<A, Rank1>: SafePromote<R::Operand<B, Rank1>, R::MatrixMultiply, Output = P>,
        B: StaticDType,
        P: MatrixMultiply<R::Operations, Output = Out>,
        Out: StaticDType,
        N: VectorRanks<M>,
    {
        or_panic(self.try_dot(rhs))
    }

    /// [`Self::dot`], fallible.
    ///
    /// # Errors
    /// [`Error::SizeMismatch`] if the lengths differ; [`Error::RankMismatch`] if a tensor of
    /// [`AnyRank`](crate::AnyRank) does not have rank 1.
    pub fn try_dot<B, M, S, P, Out>(
        &self,
        rhs: &Tensor<B, M, S>,
    ) -> Result<Tensor<Out, Rank0, R>, Error>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        R::Operand<A, Rank1>: SafePromote<R::Operand<B, Rank1>, R::MatrixMultiply, Output = P>,
        B: StaticDType,
        P: MatrixMultiply<R::Operations, Output = Out>,
        Out: StaticDType,
        N: VectorRanks<M>,
    {
        let lhs = named("dot", self.rank::<Rank1>())?;
        named("dot", lhs.try_matmul(&named("dot", rhs.rank::<Rank1>())?))
    }
}
