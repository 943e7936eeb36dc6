//! `one_hot`, and counts and positions of the elements that are not zero.

use super::DynTensor;
use super::binary::made;
use crate::dtype::DType;
use crate::error::{Error, named};
use crate::exec;
use crate::ops::count::count_nonzero;
use crate::ops::nonzero::{argwhere, flatnonzero, nonzero};
use crate::rank::Axes;
use crate::rules::{OperandType, Operation};

/// # Counts and positions
impl DynTensor {
    /// The type of positions and counts of elements that need no order. It is that of an integer's positions.
    fn index_type(&self) -> Result<OperandType, Error> {
        let integer = OperandType::dimensioned(DType::I32);
        self.rules().operation(Operation::ArgMinMax, integer)
    }

    /// Returns a vector of a dtype for each element: a one at the position of the element's number, and zeros elsewhere; see
    /// [`Tensor::one_hot`](crate::Tensor::one_hot). The result is strong.
    ///
    /// # Errors
    /// [`Error::NotIndices`] if the elements are not integers; those of [`Tensor::try_one_hot`](crate::Tensor::try_one_hot).
    ///
    /// ```
    /// use supremum::{DType, Error, I64, tensor};
    /// let labels = tensor![I64; 2, 0].into_dyn();
    /// assert_eq!(labels.try_one_hot(3, DType::U8)?.to_string(), "[[0, 0, 1],\n [1, 0, 0]] u8 [2, 3]");
    /// let error = labels.try_one_hot(2, DType::U8).unwrap_err();
    /// assert_eq!(error.to_string(), "one_hot: index 2 is outside axis 1 of size 2");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_one_hot(&self, classes: usize, dtype: DType) -> Result<Self, Error> {
        let array = exec::one_hot(self.array(), classes, dtype)?;
        Ok(Self::from_array(array, false, self.rules()))
    }

    /// Counts the elements that are not zero; see [`Tensor::count_nonzero`](crate::Tensor::count_nonzero).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the rules have no dtype of positions; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DynTensor, Error, F32, tensor};
    /// let x: DynTensor = tensor![F32; [0.0, 0.5], [2.0, 3.0]].into_dyn();
    /// assert_eq!(x.try_count_nonzero()?.to_string(), "3 i64 []");
    /// assert_eq!(x.try_count_nonzero_axis(0)?.to_string(), "[1, 2] i64 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_count_nonzero(&self) -> Result<Self, Error> {
        self.nonzero_counted(None, false)
    }

    /// Counts the elements that are not zero along one axis, several, or all (`..`), which are removed; see
    /// [`Tensor::count_nonzero_axis`](crate::Tensor::count_nonzero_axis).
    ///
    /// # Errors
    /// As [`Self::try_count_nonzero`], and [`Error::AxisOutOfRange`], [`Error::RepeatedAxis`].
    pub fn try_count_nonzero_axis(&self, axes: impl Axes) -> Result<Self, Error> {
        let counted = self.nonzero_counted(axes.numbers().as_slice(), false);
        named("count_nonzero_axis", counted)
    }

    /// Counts the elements that are not zero along one axis or several, which the result keeps with size one; see
    /// [`Tensor::count_nonzero_keepdims`](crate::Tensor::count_nonzero_keepdims).
    ///
    /// # Errors
    /// As [`Self::try_count_nonzero_axis`].
    pub fn try_count_nonzero_keepdims(&self, axes: impl Axes) -> Result<Self, Error> {
        let counted = self.nonzero_counted(axes.numbers().as_slice(), true);
        named("count_nonzero_keepdims", counted)
    }

    fn nonzero_counted(&self, axes: Option<&[isize]>, keep_dims: bool) -> Result<Self, Error> {
        let result = self.index_type()?;
        let array = count_nonzero(self.array(), axes, keep_dims, result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// Returns the positions of the elements that are not zero along each axis; see [`Tensor::nonzero`](crate::Tensor::nonzero).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the rules have no dtype of positions; those of
    /// [`Tensor::try_nonzero`](crate::Tensor::try_nonzero).
    ///
    /// ```
    /// use supremum::{DynTensor, Error, F32, tensor};
    /// let x: DynTensor = tensor![F32; [0.0, 0.5], [2.0, 3.0]].into_dyn();
    /// assert_eq!(x.try_nonzero()?[1].to_string(), "[1, 0, 1] i64 [3]");
    /// assert_eq!(x.try_argwhere()?.to_string(), "[[0, 1],\n [1, 0],\n [1, 1]] i64 [3, 2]");
    /// assert_eq!(x.try_flatnonzero()?.to_string(), "[1, 2, 3] i64 [3]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_nonzero(&self) -> Result<Vec<Self>, Error> {
        let result = self.index_type()?;
        let parts = nonzero(self.array(), result.dtype)?.into_iter();
        Ok(parts
            .map(|array| made(array, result, self.rules()))
            .collect())
    }

    /// Returns the indices of the elements that are not zero, a row for each; see [`Tensor::argwhere`](crate::Tensor::argwhere).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the rules have no dtype of positions; those of
    /// [`Tensor::try_argwhere`](crate::Tensor::try_argwhere).
    pub fn try_argwhere(&self) -> Result<Self, Error> {
        let result = self.index_type()?;
        let array = argwhere("argwhere", self.array(), result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// Returns the positions of the elements that are not zero, counted in row-major order; see
    /// [`Tensor::flatnonzero`](crate::Tensor::flatnonzero).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the rules have no dtype of positions; [`Error::OutOfMemory`].
    pub fn try_flatnonzero(&self) -> Result<Self, Error> {
        let result = self.index_type()?;
        let array = flatnonzero("flatnonzero", self.array(), result.dtype)?;
        Ok(made(array, result, self.rules()))
    }
}
