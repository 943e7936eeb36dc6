//! `scatter`, `scatter_add` and the like: elements written, or combined with updates, at given positions.

use super::DynTensor;
use crate::dtype::IntegerDType;
use crate::error::Error;
use crate::kernel::ScatterOp;
use crate::ops::scatter::{each_scatter_extreme, scatter};
use crate::rank::Axis;
use crate::rules::Operation;
use crate::tensor::Indices;

/// # Writing at positions
impl DynTensor {
    /// Returns a copy in which the elements at given indices along an axis are replaced by updates; see
    /// [`Tensor::scatter`](crate::Tensor::scatter). The indices are those of [`Self::try_take`].
    ///
    /// # Errors
    /// [`Error::NotIndices`] for indices that are not integers; [`Error::DTypeMismatch`] for updates of another dtype; those of
    /// [`Tensor::try_scatter`](crate::Tensor::try_scatter).
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, F32, I64, tensor};
    /// let x = DynTensor::zeros(DType::F32, [3])?;
    /// let updates = tensor![F32; 5.0, 7.0].into_dyn();
    /// let scattered = x.try_scatter([2, -3], &updates, 0)?;
    /// assert_eq!(scattered.to_string(), "[7.0, 0.0, 5.0] f32 [3]");
    /// let error = x.try_scatter(&tensor![I64; 2, 3].into_dyn(), &updates, 0).unwrap_err();
    /// assert_eq!(error.to_string(), "scatter: index 3 is outside axis 0 of size 3");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_scatter(
        &self,
        indices: impl Indices<DType: IntegerDType>,
        updates: &Self,
        axis: impl Axis,
    ) -> Result<Self, Error> {
        let indices = indices.to_array()?;
        let (x, indices, updates) = (self.array(), indices.array(), updates.array());
        let (axis, out) = (axis.to_signed(), x.dtype());
        scatter(ScatterOp::Replace, x, indices, updates, axis, out).map(|array| self.with(array))
    }

    /// Returns a copy to which updates are added at given indices along an axis; see
    /// [`Tensor::scatter_add`](crate::Tensor::scatter_add).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the dtype has no sums; those of [`Self::try_scatter`].
    pub fn try_scatter_add(
        &self,
        indices: impl Indices<DType: IntegerDType>,
        updates: &Self,
        axis: impl Axis,
    ) -> Result<Self, Error> {
        self.scattered(ScatterOp::Add, Operation::Add, indices, updates, axis)
    }

    /// Combines elements with updates, in the dtype that the group of the operation gives.
    fn scattered(
        &self,
        op: ScatterOp,
        group: Operation,
        indices: impl Indices<DType: IntegerDType>,
        updates: &Self,
        axis: impl Axis,
    ) -> Result<Self, Error> {
        self.of_group(op.name(), group, |x, out| {
            let indices = indices.to_array()?;
            let (indices, updates) = (indices.array(), updates.array());
            scatter(op, x, indices, updates, axis.to_signed(), out)
        })
    }
}

macro_rules! scatter_extremes {
    ($here:ident $(
        $(#[doc = $doc:literal])+
        $name:ident $try_name:ident: $Op:ident { $(#[doc = $example:literal])* }
    )*) => {supremum_macros::signatures! {
        $here

        /// # Extremes at positions
        impl DynTensor {$(
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// [`Error::UndefinedOperation`] if the dtype has no such extremes; those of [`Self::try_scatter`].
            pub fn $try_name(
                &self,
                indices: impl Indices<DType: IntegerDType>,
                updates: &Self,
                axis: impl Axis,
            ) -> Result<Self, Error> {
                self.scattered(ScatterOp::$Op, Operation::MinMax, indices, updates, axis)
            }
        )*}
    }};
}

each_scatter_extreme!(scatter_extremes! here);
