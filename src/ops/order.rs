//! Positions in sorted order, binary search, and distinct elements. (`sort` keeps the dtype, so it is in the list of
//! `tensor/view.rs`.)

use crate::array::Array;
use crate::dtype::{DType, RealDType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{SearchSide, SortOrder};
use crate::rank::{Axis, MayBe, Rank, Rank1};
use crate::rules::Rules;
use crate::rules::operations::ArgMinMax;
use crate::tensor::positions::{along, axis_of};
use crate::tensor::{Tensor, or_panic};

/// [`Tensor::try_argsort`] of arrays, in either order.
pub(crate) fn argsort(
    x: &Array,
    axis: isize,
    order: SortOrder,
    out: DType,
) -> Result<Array, Error> {
    let operation = match order {
        SortOrder::Ascending => "argsort",
        SortOrder::Descending => "argsort_descending",
    };
    let axis = axis_of(operation, axis, x.rank())?;
    exec::argsort(operation, x, axis, order, x.shape()[axis], out)
}

/// [`Tensor::try_top_k`] of arrays: elements and positions.
pub(crate) fn top_k(x: &Array, count: usize, axis: isize, out: DType) -> Result<[Array; 2], Error> {
    let operation = "top_k";
    along(operation, axis, x.rank(), |axis| {
        let order = SortOrder::Descending;
        let positions = exec::argsort(operation, x, axis, order, count, DType::I64)?;
        let elements = exec::take_along_axis(x, &positions, axis)?;
        Ok([
            elements,
            exec::cast(std::borrow::Cow::Owned(positions), out)?,
        ])
    })
}

/// # Sorting
///
/// [`sort`](Self::sort) returns the elements themselves in order.
impl<D, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns the positions that sort the elements along an axis in ascending order, as NumPy's, JAX's and the Array API's `argsort`.
    /// NaN are last. Equal elements keep their order.
    ///
    /// `Out` is inferred: it is what [`ArgMinMax`] gives for `D`, as for [`Self::argmax`].
    ///
    /// # Panics
    /// With the text of [`Self::try_argsort`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank1, Tensor, tensor};
    /// let t: Tensor<F32, Rank1> = tensor![2.0, 0.5, 1.0, 0.5];
    /// let order: Tensor<I64, Rank1> = t.argsort(0);
    /// assert_eq!(order.to_vec(), [1, 3, 2, 0]);
    /// assert_eq!(t.take(&order, 0), t.sort(0));
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    #[track_caller]
    pub fn argsort<Out>(&self, axis: impl Axis) -> Tensor<Out, N, R> // `argsort_descending(0)` reverses the order; `help` does not
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_argsort(axis))
    }

    /// [`Self::argsort`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
    pub fn try_argsort<Out>(&self, axis: impl Axis) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        argsort(
            self.array(),
            axis.to_signed(),
            SortOrder::Ascending,
            Out::DTYPE,
        )
        .map(Tensor::from_array)
    }

    /// Returns the positions that sort the elements along an axis in descending order; see [`Self::argsort`]. NaN are first, as in JAX
    /// and PyTorch. Equal elements keep their order.
    ///
    /// # Panics
    /// With the text of [`Self::try_argsort_descending`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Tensor, tensor};
    /// let t: Tensor<F32> = tensor![2.0, 0.5, 1.0, 0.5];
    /// assert_eq!(t.argsort_descending(0).to_vec(), [0, 2, 1, 3]);
    /// ```
    #[track_caller]
    pub fn argsort_descending<Out>(&self, axis: impl Axis) -> Tensor<Out, N, R>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_argsort_descending(axis))
    }

    /// [`Self::argsort_descending`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`], [`Error::OutOfMemory`].
    pub fn try_argsort_descending<Out>(&self, axis: impl Axis) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        argsort(
            self.array(),
            axis.to_signed(),
            SortOrder::Descending,
            Out::DTYPE,
        )
        .map(Tensor::from_array)
    }

    /// Returns the `count` greatest elements along an axis in descending order, and their positions, as JAX's, PyTorch's and TensorFlow's
    /// `top_k`. A NaN counts as greatest. Of equal elements the first come first.
    ///
    /// The dtype of the positions is that of [`Self::argsort`].
    ///
    /// # Panics
    /// With the text of [`Self::try_top_k`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank2, Tensor, tensor};
    /// let scores: Tensor<F32, Rank2> = tensor![[0.1, 0.7, 0.2], [0.5, 0.2, 0.3]];
    /// let (best, positions) = scores.top_k(2, 1);
    /// assert_eq!(best.to_vec(), [0.7, 0.2, 0.5, 0.3]);
    /// assert_eq!(positions.to_vec(), [1, 2, 0, 2]);
    /// ```
    #[track_caller]
    pub fn top_k<Out>(&self, count: usize, axis: impl Axis) -> (Self, Tensor<Out, N, R>)
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_top_k(count, axis))
    }

    /// [`Self::top_k`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::CountOutOfRange`] if the axis has fewer elements; [`Error::OutOfMemory`].
    pub fn try_top_k<Out>(
        &self,
        count: usize,
        axis: impl Axis,
    ) -> Result<(Self, Tensor<Out, N, R>), Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let [elements, positions] = top_k(self.array(), count, axis.to_signed(), Out::DTYPE)?;
        Ok((Tensor::from_array(elements), Tensor::from_array(positions)))
    }

    /// Returns, for each value, the first position in this sorted vector at which it can be inserted so that the vector
    /// stays sorted: the number of elements that are smaller, as NumPy's and the Array API's `searchsorted`. If the
    /// vector is not sorted, the positions mean nothing. A NaN is greater than all numbers.
    ///
    /// The dtype of the positions is that of [`Self::argsort`]. [`Self::searchsorted_right`] gives the last such position.
    ///
    /// # Panics
    /// With the text of [`Self::try_searchsorted`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Tensor, tensor};
    /// let edges: Tensor<F32, Rank1> = tensor![0.0, 1.0, 1.0, 2.0];
    /// let values: Tensor<F32, Rank1> = tensor![1.0, 0.5, 7.0];
    /// assert_eq!(edges.searchsorted(&values).to_vec(), [1, 1, 4]);
    /// assert_eq!(edges.searchsorted_right(&values).to_vec(), [3, 1, 4]);
    /// ```
    #[doc(alias = "bucketize")]
    #[doc(alias = "digitize")]
    #[track_caller]
    pub fn searchsorted<Out, M>(&self, values: &Tensor<D, M, R>) -> Tensor<Out, M, R>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        N: MayBe<Rank1>,
        Out: StaticDType,
        M: Rank,
    {
        or_panic(self.try_searchsorted(values))
    }

    /// [`Self::searchsorted`], fallible.
    ///
    /// # Errors
    /// [`Error::RankMismatch`] if this tensor is not a vector at run time; [`Error::OutOfMemory`].
    pub fn try_searchsorted<Out, M>(
        &self,
        values: &Tensor<D, M, R>,
    ) -> Result<Tensor<Out, M, R>, Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        N: MayBe<Rank1>,
        Out: StaticDType,
        M: Rank,
    {
        exec::searchsorted(self.array(), values.array(), SearchSide::Left, Out::DTYPE)
            .map(Tensor::from_array)
    }

    /// Returns, for each value, the last position in this sorted vector at which it can be inserted so that the vector stays sorted: the
    /// number of elements that are not greater, as NumPy's `searchsorted` with `side="right"`. See [`Self::searchsorted`].
    ///
    /// # Panics
    /// With the text of [`Self::try_searchsorted_right`]'s error.
    #[track_caller]
    pub fn searchsorted_right<Out, M>(&self, values: &Tensor<D, M, R>) -> Tensor<Out, M, R>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        N: MayBe<Rank1>,
        Out: StaticDType,
        M: Rank,
    {
        or_panic(self.try_searchsorted_right(values))
    }

    /// [`Self::searchsorted_right`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_searchsorted`].
    pub fn try_searchsorted_right<Out, M>(
        &self,
        values: &Tensor<D, M, R>,
    ) -> Result<Tensor<Out, M, R>, Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        N: MayBe<Rank1>,
        Out: StaticDType,
        M: Rank,
    {
        named(
            "searchsorted_right",
            exec::searchsorted(self.array(), values.array(), SearchSide::Right, Out::DTYPE),
        )
        .map(Tensor::from_array)
    }

    /// Searches each row for its own values, as PyTorch's `searchsorted`: rows along the last axis are sorted vectors, and the row of the
    /// values at the same position is searched in each, as by [`Self::searchsorted`]. The sizes before the last axis must be equal; the
    /// result has the shape of the values.
    ///
    /// # Panics
    /// With the text of [`Self::try_searchsorted_rows`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank2, Tensor, tensor};
    /// let edges: Tensor<F32, Rank2> = tensor![[0.0, 1.0, 2.0], [5.0, 6.0, 7.0]];
    /// let values: Tensor<F32, Rank2> = tensor![[1.0, 0.5], [1.0, 7.0]];
    /// let positions: Tensor<I64, Rank2> = edges.searchsorted_rows(&values);
    /// assert_eq!(positions.to_vec(), [1, 1, 0, 2]);
    /// assert_eq!(edges.searchsorted_rows_right(&values).to_vec(), [2, 1, 0, 3]);
    /// ```
    #[track_caller]
    pub fn searchsorted_rows<Out>(&self, values: &Self) -> Tensor<Out, N, R>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_searchsorted_rows(values))
    }

    /// [`Self::searchsorted_rows`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the ranks differ, [`Error::SizeMismatch`] if sizes before the last axis do; [`Error::TooFewAxes`] of rank 0; [`Error::OutOfMemory`].
    pub fn try_searchsorted_rows<Out>(&self, values: &Self) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        exec::searchsorted_rows(self.array(), values.array(), SearchSide::Left, Out::DTYPE)
            .map(Tensor::from_array)
    }

    /// [`Self::searchsorted_rows`] with the last position of each value, as [`Self::searchsorted_right`] gives it.
    ///
    /// # Panics
    /// With the text of [`Self::try_searchsorted_rows_right`]'s error.
    #[track_caller]
    pub fn searchsorted_rows_right<Out>(&self, values: &Self) -> Tensor<Out, N, R>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_searchsorted_rows_right(values))
    }

    /// [`Self::searchsorted_rows_right`], fallible.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] if the ranks differ, [`Error::SizeMismatch`] if sizes before the last axis do; [`Error::TooFewAxes`] of rank 0; [`Error::OutOfMemory`].
    pub fn try_searchsorted_rows_right<Out>(
        &self,
        values: &Self,
    ) -> Result<Tensor<Out, N, R>, Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        named(
            "searchsorted_rows_right",
            exec::searchsorted_rows(self.array(), values.array(), SearchSide::Right, Out::DTYPE),
        )
        .map(Tensor::from_array)
    }

    /// Returns the distinct elements in ascending order, as NumPy's `unique` and the Array API's `unique_values`.
    ///
    /// -0 equals +0, and each NaN equals all others, as in NumPy: of equal elements the first in row-major order is in the result. Its size
    /// depends on the elements, so a trace (`stablehlo::trace`) cannot record it.
    ///
    /// # Panics
    /// With the text of [`Self::try_unique`]'s error.
    ///
    /// ```
    /// use supremum::{I32, Rank2, Tensor, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[3, 1], [1, 2]];
    /// assert_eq!(t.unique().to_vec(), [1, 2, 3]);
    /// let (values, counts) = t.unique_counts();
    /// assert_eq!((values.to_vec(), counts.to_vec()), (vec![1, 2, 3], vec![2, 1, 1]));
    /// let (values, inverse) = t.unique_inverse();
    /// assert_eq!(values.take(&inverse, 0), t);
    /// ```
    #[doc(alias = "unique_values")]
    #[track_caller]
    pub fn unique(&self) -> Tensor<D, Rank1, R>
    where
        D: StaticDType + RealDType,
    {
        or_panic(self.try_unique())
    }

    /// [`Self::unique`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_unique(&self) -> Result<Tensor<D, Rank1, R>, Error>
    where
        D: StaticDType + RealDType,
    {
        exec::unique_values(self.array()).map(Tensor::from_array)
    }

    /// Returns the distinct elements in ascending order, and how often each one occurs, as the Array API's `unique_counts`. See
    /// [`Self::unique`]. The dtype of the counts is that of [`Self::argsort`].
    ///
    /// # Panics
    /// With the text of [`Self::try_unique_counts`]'s error.
    #[track_caller]
    pub fn unique_counts<Out>(&self) -> (Tensor<D, Rank1, R>, Tensor<Out, Rank1, R>)
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_unique_counts())
    }

    /// [`Self::unique_counts`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_unique_counts<Out>(
        &self,
    ) -> Result<(Tensor<D, Rank1, R>, Tensor<Out, Rank1, R>), Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let [values, counts] = exec::unique_counts(self.array(), Out::DTYPE)?;
        Ok((Tensor::from_array(values), Tensor::from_array(counts)))
    }

    /// Returns the distinct elements in ascending order, and the position at which each one occurs first in row-major order, as NumPy's and
    /// JAX's `unique` with `return_index`. See [`Self::unique`]. The dtype of the positions is that of [`Self::argsort`].
    ///
    /// # Panics
    /// With the text of [`Self::try_unique_index`]'s error.
    ///
    /// ```
    /// use supremum::{I32, I64, Rank1, Rank2, Tensor, tensor};
    /// let t: Tensor<I32, Rank2> = tensor![[3, 1], [1, 2]];
    /// let (values, first): (_, Tensor<I64, Rank1>) = t.unique_index();
    /// assert_eq!((values.to_vec(), first.to_vec()), (vec![1, 2, 3], vec![1, 3, 0]));
    /// assert_eq!(t.flatten().take(&first, 0), values);
    /// ```
    #[track_caller]
    pub fn unique_index<Out>(&self) -> (Tensor<D, Rank1, R>, Tensor<Out, Rank1, R>)
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_unique_index())
    }

    /// [`Self::unique_index`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_unique_index<Out>(
        &self,
    ) -> Result<(Tensor<D, Rank1, R>, Tensor<Out, Rank1, R>), Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let [values, first] = exec::unique_index(self.array(), Out::DTYPE)?;
        Ok((Tensor::from_array(values), Tensor::from_array(first)))
    }

    /// Returns the distinct elements in ascending order, and for each element of this tensor the position of its equal among them, as the
    /// Array API's `unique_inverse`. See [`Self::unique`]. The dtype of the positions is that of [`Self::argsort`].
    ///
    /// # Panics
    /// With the text of [`Self::try_unique_inverse`]'s error.
    #[track_caller]
    pub fn unique_inverse<Out>(&self) -> (Tensor<D, Rank1, R>, Tensor<Out, N, R>)
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        or_panic(self.try_unique_inverse())
    }

    /// [`Self::unique_inverse`], fallible.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_unique_inverse<Out>(&self) -> Result<(Tensor<D, Rank1, R>, Tensor<Out, N, R>), Error>
    where
        D: StaticDType + ArgMinMax<R::Operations, Output = Out>,
        Out: StaticDType,
    {
        let [values, inverse] = exec::unique_inverse(self.array(), Out::DTYPE)?;
        Ok((Tensor::from_array(values), Tensor::from_array(inverse)))
    }
}
