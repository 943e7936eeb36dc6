//! Positions in sorted order, binary search and distinct elements.

use super::DynTensor;
use super::binary::made;
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{SearchSide, SortOrder};
use crate::ops::order::{argsort, top_k};
use crate::rank::Axis;
use crate::rules::{OperandType, Operation};

/// # Sorting
impl DynTensor {
    /// The type of positions and counts.
    pub(super) fn position_type(&self, operation: &'static str) -> Result<OperandType, Error> {
        self.borrowed()
            .result(operation, Operation::ArgMinMax, self.rules())
    }

    /// Returns the positions that sort the elements along an axis in ascending order; see
    /// [`Tensor::argsort`](crate::Tensor::argsort).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`], [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DynTensor, Error, F32, tensor};
    /// let x: DynTensor = tensor![F32; 2.0, 0.5, 1.0].into_dyn();
    /// assert_eq!(x.try_argsort(0)?.to_string(), "[1, 2, 0] i64 [3]");
    /// let error = x.try_top_k(4, 0).unwrap_err();
    /// assert_eq!(error.to_string(), "top_k: axis 0 of size 3 does not have 4 elements");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_argsort(&self, axis: impl Axis) -> Result<Self, Error> {
        self.sorted_positions(axis.to_signed(), SortOrder::Ascending)
    }

    /// Returns the positions that sort the elements along an axis in descending order; see
    /// [`Tensor::argsort_descending`](crate::Tensor::argsort_descending).
    ///
    /// # Errors
    /// The errors of [`Self::try_argsort`].
    pub fn try_argsort_descending(&self, axis: impl Axis) -> Result<Self, Error> {
        self.sorted_positions(axis.to_signed(), SortOrder::Descending)
    }

    fn sorted_positions(&self, axis: isize, order: SortOrder) -> Result<Self, Error> {
        let result = self.position_type("argsort")?;
        let array = argsort(self.array(), axis, order, result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// Returns the `count` greatest elements along an axis in descending order, and their positions; see
    /// [`Tensor::top_k`](crate::Tensor::top_k).
    ///
    /// # Errors
    /// The errors of [`Self::try_argsort`]; [`Error::CountOutOfRange`] if the axis has fewer elements.
    pub fn try_top_k(&self, count: usize, axis: impl Axis) -> Result<(Self, Self), Error> {
        let result = self.position_type("top_k")?;
        let [elements, positions] = top_k(self.array(), count, axis.to_signed(), result.dtype)?;
        Ok((self.with(elements), made(positions, result, self.rules())))
    }

    /// Returns, for each value, the number of smaller elements in this sorted vector; see
    /// [`Tensor::searchsorted`](crate::Tensor::searchsorted).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`]; [`Error::DTypeMismatch`] if the values have another dtype; [`Error::RankMismatch`] if this tensor
    /// is not a vector; [`Error::OutOfMemory`].
    pub fn try_searchsorted(&self, values: &Self) -> Result<Self, Error> {
        self.searched("searchsorted", values, SearchSide::Left)
    }

    /// Returns, for each value, the number of elements in this sorted vector that are not greater; see
    /// [`Tensor::searchsorted_right`](crate::Tensor::searchsorted_right).
    ///
    /// # Errors
    /// The errors of [`Self::try_searchsorted`].
    pub fn try_searchsorted_right(&self, values: &Self) -> Result<Self, Error> {
        self.searched("searchsorted_right", values, SearchSide::Right)
    }

    fn searched(
        &self,
        operation: &'static str,
        values: &Self,
        side: SearchSide,
    ) -> Result<Self, Error> {
        let result = self.position_type(operation)?;
        let array = exec::searchsorted(self.array(), values.array(), side, result.dtype);
        Ok(made(named(operation, array)?, result, self.rules()))
    }

    /// Returns, for each value, the number of smaller elements in the sorted row of the same position; see
    /// [`Tensor::searchsorted_rows`](crate::Tensor::searchsorted_rows).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`]; [`Error::DTypeMismatch`] if the values have another dtype; [`Error::TooFewAxes`] of rank 0;
    /// [`Error::ShapeMismatch`] if the ranks differ, [`Error::SizeMismatch`] if sizes before the last axis do; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DynTensor, Error, F32, tensor};
    /// let rows: DynTensor = tensor![F32; [0.0, 1.0, 2.0], [5.0, 6.0, 7.0]].into_dyn();
    /// let values: DynTensor = tensor![F32; [1.0], [9.0]].into_dyn();
    /// assert_eq!(rows.try_searchsorted_rows(&values)?.to_string(), "[[1],\n [3]] i64 [2, 1]");
    /// let error = rows.try_searchsorted_rows(&values.index_axis(0, 0)).unwrap_err();
    /// assert_eq!(error.to_string(), "searchsorted_rows: shapes [2, 3] and [1] do not fit together; the ranks are 2 and 1");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_searchsorted_rows(&self, values: &Self) -> Result<Self, Error> {
        self.rows_searched("searchsorted_rows", values, SearchSide::Left)
    }

    /// Returns, for each value, the number of elements in the sorted row of the same position that are not greater; see
    /// [`Tensor::searchsorted_rows_right`](crate::Tensor::searchsorted_rows_right).
    ///
    /// # Errors
    /// The errors of [`Self::try_searchsorted_rows`].
    pub fn try_searchsorted_rows_right(&self, values: &Self) -> Result<Self, Error> {
        self.rows_searched("searchsorted_rows_right", values, SearchSide::Right)
    }

    fn rows_searched(
        &self,
        operation: &'static str,
        values: &Self,
        side: SearchSide,
    ) -> Result<Self, Error> {
        let result = self.position_type(operation)?;
        let array = exec::searchsorted_rows(self.array(), values.array(), side, result.dtype);
        Ok(made(named(operation, array)?, result, self.rules()))
    }

    /// Returns the distinct elements in ascending order; see [`Tensor::unique`](crate::Tensor::unique).
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] of complex numbers, which have no order; [`Error::OutOfMemory`].
    pub fn try_unique(&self) -> Result<Self, Error> {
        exec::unique_values(self.array()).map(|array| self.with(array))
    }

    /// Returns the distinct elements in ascending order, and how often each one occurs; see
    /// [`Tensor::unique_counts`](crate::Tensor::unique_counts).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`], [`Error::OutOfMemory`].
    pub fn try_unique_counts(&self) -> Result<(Self, Self), Error> {
        let result = self.position_type("unique_counts")?;
        let [values, counts] = exec::unique_counts(self.array(), result.dtype)?;
        Ok((self.with(values), made(counts, result, self.rules())))
    }

    /// Returns the distinct elements in ascending order, and the position at which each one occurs first; see
    /// [`Tensor::unique_index`](crate::Tensor::unique_index).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`], [`Error::OutOfMemory`].
    pub fn try_unique_index(&self) -> Result<(Self, Self), Error> {
        let result = self.position_type("unique_index")?;
        let [values, first] = exec::unique_index(self.array(), result.dtype)?;
        Ok((self.with(values), made(first, result, self.rules())))
    }

    /// Returns the distinct elements in ascending order, and for each element the position of its equal among them; see
    /// [`Tensor::unique_inverse`](crate::Tensor::unique_inverse).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`], [`Error::OutOfMemory`].
    pub fn try_unique_inverse(&self) -> Result<(Self, Self), Error> {
        let result = self.position_type("unique_inverse")?;
        let [values, inverse] = exec::unique_inverse(self.array(), result.dtype)?;
        Ok((self.with(values), made(inverse, result, self.rules())))
    }
}
