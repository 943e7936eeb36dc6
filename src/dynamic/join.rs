//! `concat` and `stack`: joining tensors along an axis.

use super::binary::made;
use super::operand::{common_rules, resolve};
use super::{DynOperand, DynTensor};
use crate::array::Array;
use crate::error::Error;
use crate::exec;
use crate::ops::join::{concat_arrays, stack_arrays};
use crate::rules::Operation;
use crate::tensor::view::axis_of;

/// # Joining
impl DynTensor {
    /// Joins this tensor and another one along an axis. Their dtypes may differ; the result has the promoted dtype.
    ///
    /// # Errors
    /// As [`Self::try_add`]; [`Error::AxisOutOfRange`]; [`Error::ShapeMismatch`] if ranks or sizes along other axes
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
        axis: isize,
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

    /// Joins tensors of one dtype along an axis that they have; [`concat`](crate::concat()). [`Self::try_concat`]
    /// promotes.
    ///
    /// # Errors
    /// [`Error::NoTensors`] for none; [`Error::UnexpectedOperand`] if dtypes differ; [`Error::MixedRules`];
    /// [`Error::AxisOutOfRange`]; [`Error::ShapeMismatch`] if ranks or sizes along other axes differ.
    pub fn concat(tensors: &[&Self], axis: isize) -> Result<Self, Error> {
        Self::joined("concat", tensors, |arrays, first| {
            concat_arrays("concat", arrays, axis, first.dtype())
        })
    }

    /// Joins tensors of one dtype and shape along a new axis; [`stack`](crate::stack()).
    ///
    /// # Errors
    /// As [`Self::concat`].
    ///
    /// ```
    /// use supremum::{DynTensor, Error, I32, tensor};
    /// let [a, b] = [tensor![I32; 1, 2].into_dyn(), tensor![I32; 3, 4].into_dyn()];
    /// assert_eq!(DynTensor::stack(&[&a, &b], -1)?.to_string(), "[[1, 3],\n [2, 4]] i32 [2, 2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn stack(tensors: &[&Self], axis: isize) -> Result<Self, Error> {
        Self::joined("stack", tensors, |arrays, first| {
            stack_arrays(arrays, axis, first.dtype())
        })
    }

    fn joined(
        operation: &'static str,
        tensors: &[&Self],
        join: impl FnOnce(&[&Array], &Self) -> Result<Array, Error>,
    ) -> Result<Self, Error> {
        let first = tensors.first().ok_or(Error::NoTensors { operation })?;
        let borrowed: Vec<_> = tensors.iter().map(|tensor| tensor.borrowed()).collect();
        common_rules(operation, &borrowed)?;
        let alike = |other: &&&Self| (other.dtype(), other.weak) != (first.dtype(), first.weak);
        if let Some(other) = tensors.iter().find(alike) {
            return Err(Error::UnexpectedOperand {
                operation,
                expected: first.operand(),
                found: other.operand(),
            });
        }
        let arrays: Vec<_> = tensors.iter().map(|tensor| tensor.array()).collect();
        join(&arrays, first).map(|array| first.with(array))
    }
}
