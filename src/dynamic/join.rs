//! `concat` and `stack`: joining tensors along an axis.

use super::binary::made;
use super::operand::{common_rules, joined_type, resolve};
use super::{DynOperand, DynTensor};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::exec;
use crate::ops::join::{concat_arrays, stack_arrays};
use crate::rank::Axis;
use crate::rules::Operation;
#[cfg(doc)]
use crate::rules::RuleSet;
use crate::tensor::TensorList;
use crate::tensor::positions::axis_of;

/// # Joining
impl DynTensor {
    /// Joins this tensor and another one along an axis. Their dtypes may differ; the result has the promoted dtype.
    ///
    /// # Errors
    /// The errors of [`Self::try_add`]; [`Error::AxisOutOfRange`]; [`Error::ShapeMismatch`] if ranks or sizes along other axes
    /// differ.
    ///
    /// ```
    /// use supremum::{BF16, Error, F16, tensor};
    /// let joined = tensor![F16; 1.0].into_dyn().try_concat(tensor![BF16; 2.0], 0)?;
    /// assert_eq!(joined.to_string(), "[1.0, 2.0] f32 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_concat<'a>(
        &'a self,
        other: impl DynOperand<'a>,
        axis: impl Axis,
    ) -> Result<Self, Error> {
        let (lhs, mut rhs) = (self.borrowed(), other.lower());
        let rules = common_rules("concat", [&lhs, &rhs])?;
        let resolved = resolve("concat", Operation::Join, &lhs, &rhs, rules)?;
        let axis = axis_of("concat", axis, self.ndim())?;
        let rhs = rhs.convert_literal("concat", resolved.promoted.dtype, || {
            resolved.literal_policy()
        })?;
        let array = exec::concat(
            &[self.array(), &*rhs.into_array()?],
            axis,
            resolved.result.dtype,
        )?;
        Ok(made(array, resolved.result, rules))
    }

    /// Joins any number of tensors along an axis that they have. Their dtypes may differ; the result has their common dtype
    /// ([`RuleSet::common`]). For two tensors of different dtypes this is [`Self::try_concat`]. Tensors of one dtype keep it, also
    /// where the rules have no operations on it. The function [`concat`](crate::concat()) joins typed tensors.
    ///
    /// # Errors
    /// [`Error::NoTensors`] for none; as [`Self::try_concat`].
    ///
    /// ```
    /// use supremum::{BF16, DynTensor, Error, F16, I8, tensor};
    /// let parts = [tensor![F16; 1.0].into_dyn(), tensor![BF16; 2.0].into_dyn(), tensor![I8; 3].into_dyn()];
    /// assert_eq!(DynTensor::concat(&parts.each_ref(), 0)?.to_string(), "[1.0, 2.0, 3.0] f32 [3]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn concat(tensors: impl TensorList<Self>, axis: impl Axis) -> Result<Self, Error> {
        Self::joined("concat", &tensors.references(), |arrays, dtype| {
            concat_arrays("concat", arrays, axis.to_signed(), dtype)
        })
    }

    /// Joins any number of tensors of one shape along a new axis. Their dtypes may differ, as for [`Self::concat`].
    ///
    /// # Errors
    /// The errors of [`Self::concat`].
    ///
    /// ```
    /// use supremum::{DynTensor, Error, I32, tensor};
    /// let [a, b] = [tensor![I32; 1, 2].into_dyn(), tensor![I32; 3, 4].into_dyn()];
    /// assert_eq!(DynTensor::stack(&[&a, &b], -1)?.to_string(), "[[1, 3],\n [2, 4]] i32 [2, 2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stack(tensors: impl TensorList<Self>, axis: impl Axis) -> Result<Self, Error> {
        Self::joined("stack", &tensors.references(), |arrays, dtype| {
            stack_arrays(arrays, axis.to_signed(), dtype)
        })
    }

    /// [`Self::stack`], under the name that a fallible form has.
    ///
    /// # Errors
    /// The errors of [`Self::concat`].
    pub fn try_stack(tensors: impl TensorList<Self>, axis: impl Axis) -> Result<Self, Error> {
        Self::stack(tensors, axis)
    }

    fn joined(
        operation: &'static str,
        tensors: &[&Self],
        join: impl FnOnce(&[&Array], DType) -> Result<Array, Error>,
    ) -> Result<Self, Error> {
        if tensors.is_empty() {
            return Err(Error::NoTensors { operation });
        }
        let operands: Vec<_> = tensors.iter().map(|tensor| tensor.borrowed()).collect();
        let rules = common_rules(operation, &operands)?;
        let result = joined_type(operation, &operands, rules)?;
        let arrays: Vec<_> = tensors.iter().map(|tensor| tensor.array()).collect();
        join(&arrays, result.dtype).map(|array| made(array, result, rules))
    }
}
