//! `nonzero`, `argwhere` and `flatnonzero`: positions of elements that are not zero.

use std::borrow::Cow;

use super::count::is_nonzero;
use crate::array::Array;
use crate::dtype::{DType, I32, StaticDType};
use crate::error::{Error, check_axes, named};
use crate::exec;
use crate::rank::{Rank, Rank1, Rank2};
use crate::rules::Rules;
use crate::rules::operations::ArgMinMax;
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_argwhere`] of arrays.
pub(crate) fn argwhere(operation: &'static str, x: &Array, out: DType) -> Result<Array, Error> {
    exec::require_concrete(operation, x)?;
    let found = named(operation, exec::argwhere(&*is_nonzero(operation, x)?))?;
    exec::cast(Cow::Owned(found), out)
}

/// [`Tensor::try_flatnonzero`] of arrays.
pub(crate) fn flatnonzero(operation: &'static str, x: &Array, out: DType) -> Result<Array, Error> {
    exec::require_concrete(operation, x)?;
    let found = argwhere(operation, &exec::reshape(x, &[x.len()])?, out)?;
    exec::reshape(&found, &[found.len()])
}

/// [`Tensor::try_nonzero`] of arrays.
pub(crate) fn nonzero(x: &Array, out: DType) -> Result<Vec<Array>, Error> {
    let operation = "nonzero";
    check_axes(operation, 1, x.shape())?;
    let found = argwhere(operation, x, out)?;
    let axes = 0..x.rank();
    axes.map(|axis| exec::contiguous(&exec::index_axis(&found, 1, axis)?))
        .collect()
}

/// # Positions
///
/// `Out` is inferred: it is what [`ArgMinMax`] gives for `I32`, the dtype of positions. The number of positions depends on the elements, so
/// a trace (`stablehlo::trace`) cannot record them.
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns the positions of the elements that are not zero, as NumPy's and the Array API's `nonzero`: a vector for each axis, in
    /// row-major order. Of booleans they are the positions of those that are true. A NaN is not zero, and -0 is.
    ///
    /// PyTorch's `nonzero` is [`Self::argwhere`], which has an index in each row. [`Self::compress`] takes rows under a mask.
    ///
    /// # Panics
    /// With the text of [`Self::try_nonzero`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank2, Tensor, tensor};
    /// let x: Tensor<F32, Rank2> = tensor![[0.0, 1.5, 0.0], [2.0, 0.0, -1.0]];
    /// let [rows, columns]: [_; 2] = x.nonzero().try_into().unwrap();
    /// assert_eq!((rows.to_vec(), columns.to_vec()), (vec![0, 1, 1], vec![1, 0, 2]));
    /// ```
    #[track_caller]
    pub fn nonzero<Out>(&self) -> Vec<Tensor<Out, Rank1, R>>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_nonzero())
    }

    /// [`Self::nonzero`], fallible.
    ///
    /// # Errors
    /// [`Error::TooFewAxes`] of rank 0, as in NumPy; [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub fn try_nonzero<Out>(&self) -> Result<Vec<Tensor<Out, Rank1, R>>, Error>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let found = nonzero(self.array(), Out::DTYPE)?;
        Ok(found.into_iter().map(Tensor::from_array).collect())
    }

    /// Returns the index of each element that is not zero, as NumPy's and PyTorch's `argwhere`: a matrix with a row for each of them, and
    /// a column for each axis. Of rank 0 it has no columns.
    ///
    /// # Panics
    /// With the text of [`Self::try_argwhere`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank2, Tensor, tensor};
    /// let x: Tensor<F32, Rank2> = tensor![[0.0, 1.5, 0.0], [2.0, 0.0, -1.0]];
    /// let found: Tensor<I64, Rank2> = x.gt(0).argwhere();
    /// assert_eq!(found.to_vec(), [0, 1, 1, 0]);
    /// ```
    #[track_caller]
    pub fn argwhere<Out>(&self) -> Tensor<Out, Rank2, R>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_argwhere())
    }

    /// [`Self::argwhere`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    pub fn try_argwhere<Out>(&self) -> Result<Tensor<Out, Rank2, R>, Error>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        argwhere("argwhere", self.array(), Out::DTYPE).map(Tensor::from_array)
    }

    /// Returns the positions of the elements that are not zero, counted in row-major order, as NumPy's `flatnonzero`: of a vector its
    /// indices. [`Self::take`] and [`Self::scatter`] take them.
    ///
    /// # Panics
    /// With the text of [`Self::try_flatnonzero`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank1, Tensor, tensor};
    /// let x: Tensor<F32, Rank1> = tensor![0.0, 1.5, -2.0, 3.0];
    /// let found: Tensor<I64, Rank1> = x.gt(0).flatnonzero();
    /// assert_eq!(found.to_vec(), [1, 3]);
    /// assert_eq!(x.take(&found, 0).to_vec(), [1.5, 3.0]);
    /// ```
    #[track_caller]
    pub fn flatnonzero<Out>(&self) -> Tensor<Out, Rank1, R>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_flatnonzero())
    }

    /// [`Self::flatnonzero`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_flatnonzero<Out>(&self) -> Result<Tensor<Out, Rank1, R>, Error>
    where
        I32: ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        flatnonzero("flatnonzero", self.array(), Out::DTYPE).map(Tensor::from_array)
    }
}
