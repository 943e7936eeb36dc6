//! `tensordot`, `outer`, `kron` and `cross`: products that are made of views, products and matrix products.

use std::borrow::Cow;

use super::einsum::contract;
use super::reduce::axes_of;
use super::results::Contracted;
use crate::array::{Array, Datum};
use crate::dtype::{DType, StaticDType};
use crate::error::{Error, SizedAxis, named};
use crate::exec::{self, Graph};
use crate::kernel::BinaryOp;
use crate::rank::{
    AddAxis, Axis, Broadcast, MayBe, PairsWith, Rank, Rank1, Rank2, RemoveAxes, TakeAxis,
};
use crate::rules::operations::{MatrixMultiply, Multiply, Subtract};
use crate::rules::{Rules, SafePromote, SameRules};
use crate::tensor::positions::axis_of;
use crate::tensor::view::moved;
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_tensordot`] of arrays, with a result of the dtype `out`; `None` for all axes.
pub(crate) fn tensordot(
    a: &Array,
    b: &Array,
    axes: [Option<&[isize]>; 2],
    out: DType,
) -> Result<Array, Error> {
    const OPERATION: &str = "tensordot";
    let summed = |x: &Array, axes: Option<&[isize]>| -> Result<Vec<usize>, Error> {
        let Some(axes) = axes else {
            return Ok((0..x.rank()).collect());
        };
        axes_of(OPERATION, axes, x.rank())?; // they exist, and none is named twice
        axes.iter()
            .map(|axis| axis_of(OPERATION, *axis, x.rank()))
            .collect()
    };
    let (a_axes, b_axes) = (summed(a, axes[0])?, summed(b, axes[1])?);
    if a_axes.len() != b_axes.len() {
        return Err(Error::LengthMismatch {
            operation: OPERATION,
            what: "axes of the right operand",
            expected: a_axes.len(),
            found: b_axes.len(),
        });
    }
    let mut pairs = a_axes.iter().zip(&b_axes);
    if let Some(pair) = pairs.position(|(i, j)| a.shape()[*i] != b.shape()[*j]) {
        let given = |axes: Option<&[isize]>| axes.map_or(pair.cast_signed(), |axes| axes[pair]);
        return Err(Error::SizeMismatch {
            operation: OPERATION,
            axes: Box::new([
                SizedAxis::new("the left operand", given(axes[0]), a.shape()),
                SizedAxis::new("the right operand", given(axes[1]), b.shape()),
            ]),
        });
    }
    // The axes of `a` are numbered, then those of `b`; summed ones of `b` have the numbers of their partners.
    let mut next = 0..=u8::MAX;
    let a_labels: Vec<u8> = next.by_ref().take(a.rank()).collect();
    let mut b_labels: Vec<u8> = next.take(b.rank()).collect();
    for (i, j) in a_axes.iter().zip(&b_axes) {
        b_labels[*j] = a_labels[*i];
    }
    let left = a_labels.iter().filter(|label| !b_labels.contains(label));
    let right = b_labels.iter().filter(|label| !a_labels.contains(label));
    let result: Vec<u8> = left.chain(right).copied().collect();
    contract(OPERATION, &[a, b], vec![a_labels, b_labels], &result, out)
}

/// Multiplies element by element.
fn multiply(a: Array, b: Array, out: DType) -> Result<Array, Error> {
    let [a, b] = [a, b].map(Datum::owned);
    exec::binary(product_of(out), out, out, a, b).array()
}

/// Returns the operation that multiplies in a dtype.
fn product_of(dtype: DType) -> BinaryOp {
    match dtype {
        DType::Bool => BinaryOp::And,
        _ => BinaryOp::Mul,
    }
}

/// [`Tensor::try_outer`] of arrays.
pub(crate) fn outer(a: &Array, b: &Array, out: DType) -> Result<Array, Error> {
    for x in [a, b] {
        if x.rank() != 1 {
            return Err(Error::RankMismatch {
                operation: "outer",
                expected: 1,
                shape: x.shape().to_vec(),
            });
        }
    }
    let [column, row] = [exec::unsqueeze(a, 1)?, exec::unsqueeze(b, 0)?];
    named("outer", multiply(column, row, out))
}

/// [`Tensor::try_kron`] of arrays.
pub(crate) fn kron(a: &Array, b: &Array, out: DType) -> Result<Array, Error> {
    named("kron", products_of_pairs(a, b, out))
}

fn products_of_pairs(a: &Array, b: &Array, out: DType) -> Result<Array, Error> {
    let rank = a.rank().max(b.rank());
    // The axes of `a` are even, those of `b` are odd.
    let interleaved = |x: &Array, odd: usize| -> Result<Array, Error> {
        let mut shape = vec![1; 2 * rank];
        for (axis, size) in x.shape().iter().enumerate() {
            shape[2 * (rank - x.rank() + axis) + odd] = *size;
        }
        exec::reshape(x, &shape)
    };
    let product = multiply(interleaved(a, 0)?, interleaved(b, 1)?, out)?;
    let pairs = product.shape().chunks_exact(2);
    let shape: Vec<usize> = pairs.map(|pair| pair.iter().product()).collect();
    exec::reshape(&product, &shape)
}

/// [`Tensor::try_cross`] of arrays.
pub(crate) fn cross(a: &Array, b: &Array, axis: isize, out: DType) -> Result<Array, Error> {
    const OPERATION: &str = "cross";
    for x in [a, b] {
        let size = x.shape()[axis_of(OPERATION, axis, x.rank())?];
        if size != 3 {
            return Err(Error::AxisSize {
                operation: OPERATION,
                axis,
                size,
                expected: 3,
            });
        }
    }
    // Components first, so that each of them is contiguous.
    let components = |x: &Array| -> Result<[Array; 3], Error> {
        let x = exec::contiguous(&moved(x, axis, 0)?)?;
        let component = |at| exec::index_axis(&x, 0, at);
        Ok([component(0)?, component(1)?, component(2)?])
    };
    let ([a0, a1, a2], [b0, b1, b2]) = (components(a)?, components(b)?);
    let difference = |[left, right, other_left, other_right]: [&Array; 4]| -> Result<Array, Error> {
        let mut graph = Graph::new();
        let [left, right, other_left, other_right] =
            [left, right, other_left, other_right].map(|x| {
                let x = graph.operand(Cow::Borrowed(x));
                graph.cast(x, out)
            });
        let plus = graph.binary(product_of(out), [out; 2], left, right)?;
        let minus = graph.binary(product_of(out), [out; 2], other_left, other_right)?;
        let difference = graph.binary(BinaryOp::Sub, [out; 2], plus, minus)?;
        exec::unsqueeze(&graph.evaluate(difference)?, 0)
    };
    let product = || {
        let x = difference([&a1, &b2, &a2, &b1])?;
        let y = difference([&a2, &b0, &a0, &b2])?;
        let z = difference([&a0, &b1, &a1, &b0])?;
        exec::concat(&[&x, &y, &z], 0, out)
    };
    let product = product().map_err(|error| match error {
        Error::ShapeMismatch { .. } => Error::ShapeMismatch {
            operation: OPERATION,
            lhs: a.shape().to_vec(),
            rhs: b.shape().to_vec(),
        },
        error => error,
    })?;
    exec::contiguous(&moved(&product, 0, axis)?)
}

// Type parameters and bounds as in `linalg.rs`.
/// # Products over chosen axes
///
/// [`einsum!`](crate::einsum) names the axes.
impl<A, N: Rank, R: Rules> Tensor<A, N, R> {
    /// Multiplies both tensors and sums over pairs of axes, one of each tensor, as NumPy's and PyTorch's `tensordot` with a pair of
    /// lists. The result has the other axes of this tensor, then those of `rhs`.
    ///
    /// The axes are one, an array or all (`..`); see [`RemoveAxes`]. The dtype is that of [`matmul`](Self::matmul).
    ///
    /// # Panics
    /// With the text of [`Self::try_tensordot`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank2, Rank3, Tensor};
    /// let images = Tensor::<F32, Rank3>::ones([4, 5, 3]);
    /// let weights = Tensor::<F32, Rank3>::ones([3, 4, 2]);
    /// let sums: Tensor<F32, Rank2> = images.tensordot(&weights, [0, -1], [1, 0]);
    /// assert_eq!(sums.shape(), [5, 2]);
    /// assert_eq!(sums.get(&[0, 0]), Some(12.0));
    /// ```
    #[track_caller]
    pub fn tensordot<B, M, S, X, Y, P, Out>(
        &self,
        rhs: &Tensor<B, M, S>,
        axes: X,
        rhs_axes: Y,
    ) -> Tensor<Out, Contracted<X, N, Y, M>, R>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        B: StaticDType,
        M: Rank,
        R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::MatrixMultiply, Output = P>,
        P: MatrixMultiply<R::Operations, Output = Out>,
        Out: StaticDType,
        X: RemoveAxes<N, Output: AddAxis<Output: TakeAxis<<Y as RemoveAxes<M>>::Output>>>,
        Y: RemoveAxes<M>,
        X::Count: PairsWith<Y::Count>,
    {
        or_panic(self.try_tensordot(rhs, axes, rhs_axes))
    }

    /// [`Self::tensordot`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`]; [`Error::SizeMismatch`] if the sizes of a pair differ,
    /// [`Error::LengthMismatch`] if the numbers of axes do; [`Error::RankTooLarge`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub fn try_tensordot<B, M, S, X, Y, P, Out>(
        &self,
        rhs: &Tensor<B, M, S>,
        axes: X,
        rhs_axes: Y,
    ) -> Result<Tensor<Out, Contracted<X, N, Y, M>, R>, Error>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        B: StaticDType,
        M: Rank,
        R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::MatrixMultiply, Output = P>,
        P: MatrixMultiply<R::Operations, Output = Out>,
        Out: StaticDType,
        X: RemoveAxes<N, Output: AddAxis<Output: TakeAxis<<Y as RemoveAxes<M>>::Output>>>,
        Y: RemoveAxes<M>,
        X::Count: PairsWith<Y::Count>,
    {
        let product =
            |axes: [Option<&[isize]>; 2]| tensordot(self.array(), rhs.array(), axes, Out::DTYPE);
        let made = product([axes.numbers().as_slice(), rhs_axes.numbers().as_slice()]);
        made.map(Tensor::from_array)
    }

    /// Multiplies each element of a vector by each of another one: a matrix with a row for each element of this one.
    ///
    /// As in the Array API and in PyTorch, both are vectors. NumPy and JAX flatten tensors of other ranks: `a.flatten().outer(&b.flatten())`.
    ///
    /// # Panics
    /// With the text of [`Self::try_outer`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I16, Rank1, Rank2, Tensor, tensor};
    /// let a: Tensor<F32, Rank1> = tensor![0.5, 2.0];
    /// let b: Tensor<I16, Rank1> = tensor![1, 2, 3];
    /// let table: Tensor<F32, Rank2> = a.outer(&b);
    /// assert_eq!(table.to_vec(), [0.5, 1.0, 1.5, 2.0, 4.0, 6.0]);
    /// ```
    #[track_caller]
    pub fn outer<B, M, S, P, Out>(&self, rhs: &Tensor<B, M, S>) -> Tensor<Out, Rank2, R>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        B: StaticDType,
        N: MayBe<Rank1>,
        M: Rank + MayBe<Rank1>,
        R::Operand<A, Rank1>: SafePromote<R::Operand<B, Rank1>, R::Multiply, Output = P>,
        P: Multiply<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_outer(rhs))
    }

    /// [`Self::outer`], fallible.
    ///
    /// # Errors
    /// [`Error::RankMismatch`] if a tensor of [`AnyRank`](crate::AnyRank) does not have rank 1; [`Error::ShapeTooLarge`],
    /// [`Error::OutOfMemory`].
    pub fn try_outer<B, M, S, P, Out>(
        &self,
        rhs: &Tensor<B, M, S>,
    ) -> Result<Tensor<Out, Rank2, R>, Error>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        B: StaticDType,
        N: MayBe<Rank1>,
        M: Rank + MayBe<Rank1>,
        R::Operand<A, Rank1>: SafePromote<R::Operand<B, Rank1>, R::Multiply, Output = P>,
        P: Multiply<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        outer(self.array(), rhs.array(), Out::DTYPE).map(Tensor::from_array)
    }

    /// Computes the Kronecker product: for each element of this tensor a block, which is the element times `rhs`. The tensor with
    /// fewer axes gets axes of size one in front, as in NumPy. Axes have the product of both sizes.
    ///
    /// # Panics
    /// With the text of [`Self::try_kron`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let signs: Tensor<I32, Rank2> = tensor![[1, -1]];
    /// let block: Tensor<I32, Rank2> = tensor![[1, 2], [3, 4]];
    /// assert_eq!(signs.kron(&block), tensor![I32; [1, 2, -1, -2], [3, 4, -3, -4]].rank::<Rank2>()?);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    #[track_caller]
    pub fn kron<B, M, S, P, Out, K>(&self, rhs: &Tensor<B, M, S>) -> Tensor<Out, K, R>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        B: StaticDType,
        M: Rank,
        N: Broadcast<M, Output = K>,
        K: Rank,
        R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::Multiply, Output = P>,
        P: Multiply<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_kron(rhs))
    }

    /// [`Self::kron`], fallible.
    ///
    /// # Errors
    /// [`Error::RankTooLarge`] above rank 4; [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub fn try_kron<B, M, S, P, Out, K>(
        &self,
        rhs: &Tensor<B, M, S>,
    ) -> Result<Tensor<Out, K, R>, Error>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        B: StaticDType,
        M: Rank,
        N: Broadcast<M, Output = K>,
        K: Rank,
        R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::Multiply, Output = P>,
        P: Multiply<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        kron(self.array(), rhs.array(), Out::DTYPE).map(Tensor::from_array)
    }

    /// Computes the cross products of vectors of three components along an axis; the other axes broadcast.
    ///
    /// # Panics
    /// With the text of [`Self::try_cross`]'s error.
    ///
    /// ```
    /// use supremum::{F64, Rank1, Rank2, Tensor, tensor};
    /// let edges: Tensor<F64, Rank2> = tensor![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
    /// let up: Tensor<F64, Rank1> = tensor![0.0, 0.0, 1.0];
    /// assert_eq!(edges.cross(&up, -1).to_vec(), [0.0, -1.0, 0.0, 2.0, 0.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn cross<B, M, S, P, Out, K>(
        &self,
        rhs: &Tensor<B, M, S>,
        axis: impl Axis,
    ) -> Tensor<Out, K, R>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        B: StaticDType,
        M: Rank,
        N: Broadcast<M, Output = K>,
        K: Rank,
        R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::Subtract, Output = P>,
        P: Subtract<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_cross(rhs, axis))
    }

    /// [`Self::cross`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`] if an operand lacks the axis, [`Error::AxisSize`] if it has another size than 3;
    /// [`Error::ShapeMismatch`], [`Error::OutOfMemory`].
    pub fn try_cross<B, M, S, P, Out, K>(
        &self,
        rhs: &Tensor<B, M, S>,
        axis: impl Axis,
    ) -> Result<Tensor<Out, K, R>, Error>
    where
        A: StaticDType,
        R: SameRules<S>,
        S: Rules,
        B: StaticDType,
        M: Rank,
        N: Broadcast<M, Output = K>,
        K: Rank,
        R::Operand<A, N>: SafePromote<R::Operand<B, M>, R::Subtract, Output = P>,
        P: Subtract<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        cross(self.array(), rhs.array(), axis.to_signed(), Out::DTYPE).map(Tensor::from_array)
    }
}
