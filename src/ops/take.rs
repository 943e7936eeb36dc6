//! `take`, `take_along_axis`, `masked_select` and `compress`: elements at given positions.

use super::nonzero::flatnonzero;
use crate::array::Array;
use crate::dtype::{Condition, DType, IntegerDType, StaticDType};
use crate::error::{Error, SizedAxis, named};
use crate::exec;
use crate::rank::{Axis, Broadcast, MayBe, Rank, Rank1, TakeAxis};
use crate::rules::Rules;
use crate::tensor::positions::{along, axis_of};
use crate::tensor::{Indices, IndicesOf, Tensor, or_panic};

/// [`Tensor::try_take`] of arrays.
pub(crate) fn take(x: &Array, indices: &Array, axis: isize) -> Result<Array, Error> {
    along("take", axis, x.rank(), |axis| {
        named("take", exec::take(x, indices, axis))
    })
}

/// [`Tensor::try_take_along_axis`] of arrays.
pub(crate) fn take_along_axis(x: &Array, indices: &Array, axis: isize) -> Result<Array, Error> {
    along("take_along_axis", axis, x.rank(), |axis| {
        exec::take_along_axis(x, indices, axis)
    })
}

/// [`Tensor::try_compress`] of arrays.
pub(crate) fn compress(x: &Array, mask: &Array, axis: isize) -> Result<Array, Error> {
    let operation = "compress";
    let given = axis;
    let axis = axis_of(operation, given, x.rank())?;
    if mask.dtype() != DType::Bool {
        return Err(Error::DTypeMismatch {
            operation,
            expected: DType::Bool,
            found: mask.dtype(),
        });
    }
    if mask.rank() != 1 {
        return Err(Error::RankMismatch {
            operation,
            expected: 1,
            shape: mask.shape().to_vec(),
        });
    }
    if mask.len() != x.shape()[axis] {
        return Err(Error::SizeMismatch {
            operation,
            axes: Box::new([
                SizedAxis::new("the tensor", given, x.shape()),
                SizedAxis::new("the mask", 0, mask.shape()),
            ]),
        });
    }
    exec::require_concrete(operation, x)?;
    let positions = flatnonzero(operation, mask, DType::I64)?;
    named(operation, exec::take(x, &positions, axis))
}

/// # Elements at positions
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Takes the elements at these indices along an axis, as NumPy's and the Array API's `take`. Indices of rank 1 are
    /// PyTorch's `index_select`.
    ///
    /// The result has the dtype of this tensor. Its shape is that of this tensor, with the shape of the indices in place
    /// of the axis: a vector of indices keeps the rank, one of rank 0 removes the axis, a matrix adds one. The indices are a tensor
    /// of any integer dtype and any rules, or integers: an array, a slice or a `Vec`. Negative indices count from the end of the axis.
    /// The elements are copied, whole rows at a time unless the axis is the last.
    ///
    /// In a trace (`stablehlo::trace`) the indices may not be known. Indices out of range are then clamped, as XLA's
    /// `gather` does.
    ///
    /// # Panics
    /// With the text of [`Self::try_take`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank2, Rank3, Tensor, U8, tensor};
    /// let table: Tensor<F32, Rank2> = tensor![[0.0, 0.5], [1.0, 1.5], [2.0, 2.5]];
    /// let rows: Tensor<F32, Rank2> = table.take([2, 0, -1], 0);
    /// assert_eq!(rows.to_vec(), [2.0, 2.5, 0.0, 0.5, 2.0, 2.5]);
    /// assert_eq!(table.take(&tensor![I64; 2, 0, -1], 0), rows);
    /// // The embeddings of two sentences of three tokens.
    /// let tokens: Tensor<U8, Rank2> = tensor![[0, 1, 1], [2, 0, 1]];
    /// let embedded: Tensor<F32, Rank3> = table.take(&tokens, 0);
    /// assert_eq!(embedded.shape(), [2, 3, 2]);
    /// ```
    #[doc(alias = "gather")]
    #[doc(alias = "index_select")]
    #[doc(alias = "embedding")]
    #[track_caller]
    pub fn take<I, K>(&self, indices: I, axis: impl Axis) -> Tensor<D, K, R>
    where
        I: Indices<DType: IntegerDType>,
        K: Rank,
        N: TakeAxis<I::Rank, Output = K>,
    {
        or_panic(self.try_take(indices, axis))
    }

    /// [`Self::take`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::IndexOutOfRange`] for an index below minus the size of the axis, or not below
    /// its size; [`Error::RankTooLarge`] above rank 8; [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`].
    pub fn try_take<I, K>(&self, indices: I, axis: impl Axis) -> Result<Tensor<D, K, R>, Error>
    where
        I: Indices<DType: IntegerDType>,
        K: Rank,
        N: TakeAxis<I::Rank, Output = K>,
    {
        let indices = indices.to_array()?;
        take(self.array(), indices.array(), axis.to_signed()).map(Tensor::from_array)
    }

    /// Takes one element along an axis for each index, as NumPy's and the Array API's `take_along_axis`. At each
    /// position, `indices` gives the element's index along the axis. Along the other axes the element has the indices
    /// of the position itself. PyTorch's `gather` is the same for shapes that do not broadcast.
    ///
    /// The indices have the rank of this tensor. Along the axis the result has their size; the other axes of both broadcast. The indices
    /// are a tensor of any integer dtype and any rules. For a vector they may also be an array, a slice or a `Vec` of integers. Negative
    /// ones count from the end of the axis. In a trace, unknown indices that are out of range are clamped.
    ///
    /// # Panics
    /// With the text of [`Self::try_take_along_axis`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank2, Tensor, tensor};
    /// let scores: Tensor<F32, Rank2> = tensor![[0.1, 0.7, 0.2], [0.5, 0.3, 0.2]];
    /// let labels: Tensor<I64, Rank2> = tensor![[2], [0]];
    /// assert_eq!(scores.take_along_axis(&labels, 1).to_vec(), [0.2, 0.5]);
    /// ```
    #[doc(alias = "gather")]
    #[track_caller]
    pub fn take_along_axis<I>(&self, indices: I, axis: impl Axis) -> Self
    where
        I: IndicesOf<N, DType: IntegerDType>,
    {
        or_panic(self.try_take_along_axis(indices, axis))
    }

    /// [`Self::take_along_axis`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::IndexOutOfRange`] for an index below minus the size of the axis, or not below
    /// its size; [`Error::ShapeMismatch`] if the ranks differ, [`Error::SizeMismatch`] if sizes along another axis do not broadcast;
    /// [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`].
    pub fn try_take_along_axis<I>(&self, indices: I, axis: impl Axis) -> Result<Self, Error>
    where
        I: IndicesOf<N, DType: IntegerDType>,
    {
        let indices = indices.to_array()?;
        take_along_axis(self.array(), indices.array(), axis.to_signed()).map(Self::from_array)
    }

    /// Returns the elements where a mask is true, in row-major order, as PyTorch's `masked_select`. NumPy writes `x[mask]`.
    ///
    /// This tensor and the mask broadcast. The result is a copy of rank 1, with the dtype of this tensor.
    ///
    /// The size of the result depends on the mask, so a trace (`stablehlo::trace`) cannot record it.
    ///
    /// # Panics
    /// With the text of [`Self::try_masked_select`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Rank2, Tensor, tensor};
    /// let x: Tensor<F32, Rank2> = tensor![[1.0, -2.0], [-3.0, 4.0]];
    /// let positive: Tensor<F32, Rank1> = x.masked_select(&x.gt(0.0));
    /// assert_eq!(positive.to_vec(), [1.0, 4.0]);
    /// ```
    #[track_caller]
    pub fn masked_select<C, M, S>(&self, mask: &Tensor<C, M, S>) -> Tensor<D, Rank1, R>
    where
        C: Condition,
        M: Rank,
        S: Rules,
        N: Broadcast<M>,
    {
        or_panic(self.try_masked_select(mask))
    }

    /// [`Self::masked_select`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the shapes do not broadcast; [`Error::ShapeTooLarge`]; [`Error::OutOfMemory`].
    pub fn try_masked_select<C, M, S>(
        &self,
        mask: &Tensor<C, M, S>,
    ) -> Result<Tensor<D, Rank1, R>, Error>
    where
        C: Condition,
        M: Rank,
        S: Rules,
        N: Broadcast<M>,
    {
        exec::masked_select(self.array(), mask.array()).map(Tensor::from_array)
    }

    /// Takes the positions along an axis where a mask is true, such as some rows of a table. NumPy writes `x[mask]` for the first axis, or
    /// `np.compress(mask, x, axis)`.
    ///
    /// The mask has one element for each position of the axis. The result is a copy with the dtype and rank of this tensor.
    ///
    /// The size of the result depends on the mask, so a trace (`stablehlo::trace`) cannot record it.
    ///
    /// # Panics
    /// With the text of [`Self::try_compress`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Rank2, Tensor, U8, tensor};
    /// let points: Tensor<F32, Rank2> = tensor![[0.0, 0.5], [1.0, 1.5], [2.0, 2.5]];
    /// let labels: Tensor<U8, Rank1> = tensor![7, 3, 7];
    /// let sevens: Tensor<F32, Rank2> = points.compress(&labels.equal(7), 0);
    /// assert_eq!(sevens.to_vec(), [0.0, 0.5, 2.0, 2.5]);
    /// assert_eq!(points.compress(&points.max_axis(0).gt(2), 1).to_vec(), [0.5, 1.5, 2.5]);
    /// ```
    #[doc(alias = "boolean_mask")]
    #[track_caller]
    pub fn compress<C, M, S>(&self, mask: &Tensor<C, M, S>, axis: impl Axis) -> Self
    where
        C: Condition,
        M: MayBe<Rank1>,
        S: Rules,
    {
        or_panic(self.try_compress(mask, axis))
    }

    /// [`Self::compress`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::SizeMismatch`] if the mask has not one element for each position of the axis;
    /// [`Error::RankMismatch`] if it is not a vector at run time; [`Error::OutOfMemory`].
    pub fn try_compress<C, M, S>(
        &self,
        mask: &Tensor<C, M, S>,
        axis: impl Axis,
    ) -> Result<Self, Error>
    where
        C: Condition,
        M: MayBe<Rank1>,
        S: Rules,
    {
        compress(self.array(), mask.array(), axis.to_signed()).map(Self::from_array)
    }
}
