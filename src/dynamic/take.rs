//! `take`, `take_along_axis`, `masked_select` and `compress`: elements at given positions.

use super::DynTensor;
use crate::dtype::{I64, IntegerDType};
use crate::error::Error;
use crate::exec;
use crate::ops::take::{compress, take, take_along_axis};
use crate::rank::{AnyRank, Axis};
use crate::tensor::{IndexArray, Indices};

/// The dtype is checked when elements are taken.
#[diagnostic::do_not_recommend]
impl Indices for &DynTensor {
    type Rank = AnyRank;
    type DType = I64;

    fn to_array(&self) -> Result<IndexArray<'_>, Error> {
        Ok(IndexArray::borrowed(self.array()))
    }
}

/// # Elements at positions
impl DynTensor {
    /// Takes the elements at these indices along an axis; see [`Tensor::take`](crate::Tensor::take). The indices are a
    /// tensor of any integer dtype and any rules, dynamic or typed, or integers: an array, a slice or a `Vec`.
    ///
    /// # Errors
    /// [`Error::NotIndices`] for indices that are not integers; those of
    /// [`Tensor::try_take`](crate::Tensor::try_take).
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, I64, tensor};
    /// let x = DynTensor::arange(DType::F32, 0.0, 4.0, 1.0)?;
    /// let taken = x.try_take([3, -3], 0)?;
    /// assert_eq!(taken.to_string(), "[3.0, 1.0] f32 [2]");
    /// let error = x.try_take(&tensor![I64; 4].into_dyn(), 0).unwrap_err();
    /// assert_eq!(error.to_string(), "take: index 4 is outside axis 0 of size 4");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_take(
        &self,
        indices: impl Indices<DType: IntegerDType>,
        axis: impl Axis,
    ) -> Result<Self, Error> {
        let indices = indices.to_array()?;
        take(self.array(), indices.array(), axis.to_signed()).map(|array| self.with(array))
    }

    /// Takes one element along an axis for each index; see
    /// [`Tensor::take_along_axis`](crate::Tensor::take_along_axis). The indices are those of [`Self::try_take`].
    ///
    /// # Errors
    /// [`Error::NotIndices`] for indices that are not integers; those of
    /// [`Tensor::try_take_along_axis`](crate::Tensor::try_take_along_axis).
    pub fn try_take_along_axis(
        &self,
        indices: impl Indices<DType: IntegerDType>,
        axis: impl Axis,
    ) -> Result<Self, Error> {
        let indices = indices.to_array()?;
        take_along_axis(self.array(), indices.array(), axis.to_signed())
            .map(|array| self.with(array))
    }

    /// Returns the elements where a mask is true, as a tensor of rank 1; see
    /// [`Tensor::masked_select`](crate::Tensor::masked_select).
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the mask is not boolean; those of
    /// [`Tensor::try_masked_select`](crate::Tensor::try_masked_select).
    pub fn try_masked_select(&self, mask: &Self) -> Result<Self, Error> {
        exec::masked_select(self.array(), mask.array()).map(|array| self.with(array))
    }

    /// Returns the positions along an axis where a mask is true; see [`Tensor::compress`](crate::Tensor::compress).
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] if the mask is not boolean, [`Error::RankMismatch`] if it is not of rank 1; those of
    /// [`Tensor::try_compress`](crate::Tensor::try_compress).
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let table = DynTensor::arange(DType::F32, 0, 6, 1)?.try_reshape([3, 2])?;
    /// let mask = table.try_index_axis(1, 0)?.try_not_equal(2)?;
    /// assert_eq!(table.try_compress(&mask, 0)?.to_string(), "[[0.0, 1.0],\n [4.0, 5.0]] f32 [2, 2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_compress(&self, mask: &Self, axis: impl Axis) -> Result<Self, Error> {
        compress(self.array(), mask.array(), axis.to_signed()).map(|array| self.with(array))
    }
}
