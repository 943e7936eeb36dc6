//! `scatter` and `scatter_add`: elements written, or added, at given positions.

use crate::array::Array;
use crate::dtype::{IntegerDType, StaticDType};
use crate::error::Error;
use crate::exec;
use crate::kernel::ScatterOp;
use crate::rank::{Axis, Rank};
use crate::rules::Rules;
use crate::rules::operations::Add;
use crate::tensor::positions::axis_of;
use crate::tensor::{IndicesOf, Tensor, or_panic};

/// [`Tensor::try_scatter`] and [`Tensor::try_scatter_add`] of arrays.
pub(crate) fn scatter(
    op: ScatterOp,
    x: &Array,
    indices: &Array,
    updates: &Array,
    axis: isize,
) -> Result<Array, Error> {
    let axis = axis_of(op.name(), axis, x.rank())?;
    exec::scatter(op, x, indices, updates, axis)
}

/// # Writing at positions
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Returns a copy in which the elements at given indices along an axis are replaced by updates: the reverse of
    /// [`Self::take_along_axis`]. NumPy's `put_along_axis` does it in place; PyTorch's `scatter` is the same for shapes that do not
    /// broadcast.
    ///
    /// Each update replaces the element whose index along the axis is the one in `indices` at the update's position, and whose other
    /// indices are those of the position. The indices have the rank of this tensor; their size along the axis is the number of updates.
    /// Along the other axes they and the updates broadcast to this tensor's sizes: indices of the shape `[n, 1]` and updates of `[n, d]`
    /// replace whole rows. The indices are a tensor of any integer dtype and any rules, or those of a vector also an array, a slice or a
    /// `Vec` of integers. Negative indices count from the end of the axis. Where an element has several updates, it takes the last in
    /// row-major order.
    ///
    /// In a trace (`stablehlo::trace`) updates whose index is not known and out of range are left out, as in XLA's `scatter`; which one of
    /// several updates an element takes is up to the compiler.
    ///
    /// # Panics
    /// With the text of [`Self::try_scatter`]'s error.
    ///
    /// ```
    /// use supremum::{F32, I64, Rank2, Tensor, tensor};
    /// let zeros = Tensor::<F32, Rank2>::zeros([3, 2]);
    /// let rows: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let indices: Tensor<I64, Rank2> = tensor![[2], [0]];
    /// assert_eq!(zeros.scatter(&indices, &rows, 0).to_vec(), [3.0, 4.0, 0.0, 0.0, 1.0, 2.0]);
    /// ```
    #[doc(alias = "put_along_axis")]
    #[doc(alias = "index_copy")]
    #[track_caller]
    #[must_use]
    pub fn scatter<I>(&self, indices: I, updates: &Self, axis: impl Axis) -> Self
    where
        I: IndicesOf<N, DType: IntegerDType>,
    {
        or_panic(self.try_scatter(indices, updates, axis))
    }

    /// [`Self::scatter`], fallible.
    ///
    /// # Errors
    /// [`Error::AxisOutOfRange`]; [`Error::IndexOutOfRange`] for an index below minus the size of the axis, or not below its size;
    /// [`Error::ShapeMismatch`] if the ranks differ, or indices or updates do not broadcast; [`Error::OutOfMemory`].
    pub fn try_scatter<I>(&self, indices: I, updates: &Self, axis: impl Axis) -> Result<Self, Error>
    where
        I: IndicesOf<N, DType: IntegerDType>,
    {
        let indices = indices.to_array()?;
        let (x, indices, updates) = (self.array(), indices.array(), updates.array());
        scatter(ScatterOp::Replace, x, indices, updates, axis.to_signed()).map(Self::from_array)
    }

    /// Returns a copy to which updates are added at given indices along an axis, as PyTorch's `scatter_add` and NumPy's `add.at`. An
    /// element that has several updates is the sum of all. [`Self::scatter`] describes the shapes.
    ///
    /// The updates are added in row-major order. 8-bit and 16-bit floats are added in `f32`, and the sum is rounded once. Integers
    /// wrap. Booleans are added by `or`. In a trace, the order of additions is up to the compiler.
    ///
    /// # Panics
    /// With the text of [`Self::try_scatter_add`]'s error.
    ///
    /// ```
    /// use supremum::{F32, Rank1, Tensor, U8, tensor};
    /// // The sums of three groups.
    /// let sums = Tensor::<F32, Rank1>::zeros([3]);
    /// let groups: Tensor<U8, Rank1> = tensor![0, 2, 0, 2];
    /// let weights: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0, 4.0];
    /// assert_eq!(sums.scatter_add(&groups, &weights, 0).to_vec(), [4.0, 0.0, 6.0]);
    /// assert_eq!(sums.scatter_add([0, 2, 0, 2], &weights, 0).to_vec(), [4.0, 0.0, 6.0]);
    /// ```
    #[doc(alias = "index_add")]
    #[doc(alias = "segment_sum")]
    #[track_caller]
    #[must_use]
    pub fn scatter_add<I>(&self, indices: I, updates: &Self, axis: impl Axis) -> Self
    where
        D: Add<R::Operations, Output = D>,
        I: IndicesOf<N, DType: IntegerDType>,
    {
        or_panic(self.try_scatter_add(indices, updates, axis))
    }

    /// [`Self::scatter_add`], fallible.
    ///
    /// # Errors
    /// The errors of [`Self::try_scatter`].
    pub fn try_scatter_add<I>(
        &self,
        indices: I,
        updates: &Self,
        axis: impl Axis,
    ) -> Result<Self, Error>
    where
        D: Add<R::Operations, Output = D>,
        I: IndicesOf<N, DType: IntegerDType>,
    {
        let indices = indices.to_array()?;
        let (x, indices, updates) = (self.array(), indices.array(), updates.array());
        scatter(ScatterOp::Add, x, indices, updates, axis.to_signed()).map(Self::from_array)
    }
}
