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
use crate::tensor::positions::axis_of;
use crate::tensor::{JoinTensors, ListedTensor, StackTensors};

/// # Joining
///
/// This method joins two tensors. The functions [`concat`](fn@crate::concat) and [`stack`](fn@crate::stack) join any number.
impl DynTensor {
    /// Joins this tensor and another one along an axis. Their dtypes may differ; the result has the promoted dtype.
    ///
    /// # Errors
    /// The errors of [`Self::try_add`]; [`Error::AxisOutOfRange`]; [`Error::ShapeMismatch`] if ranks differ, [`Error::SizeMismatch`] if sizes along other axes
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
}

#[diagnostic::do_not_recommend]
impl JoinTensors for DynTensor {
    fn join(tensors: &[&Self], axis: isize) -> Result<Self, Error> {
        joined("concat", tensors, |arrays, dtype| {
            concat_arrays("concat", arrays, axis, dtype)
        })
    }
}

#[diagnostic::do_not_recommend]
impl StackTensors for DynTensor {
    type Output = Self;

    fn stack(tensors: &[&Self], axis: isize) -> Result<Self, Error> {
        joined("stack", tensors, |arrays, dtype| {
            stack_arrays(arrays, axis, dtype)
        })
    }
}

#[diagnostic::do_not_recommend]
impl ListedTensor for DynTensor {
    type Tensor = Self;

    fn listed(&self) -> &Self {
        self
    }
}

/// Joins tensors with the dtype to which they all promote.
fn joined(
    operation: &'static str,
    tensors: &[&DynTensor],
    join: impl FnOnce(&[&Array], DType) -> Result<Array, Error>,
) -> Result<DynTensor, Error> {
    if tensors.is_empty() {
        return Err(Error::NoTensors { operation });
    }
    let operands: Vec<_> = tensors.iter().map(|tensor| tensor.borrowed()).collect();
    let rules = common_rules(operation, &operands)?;
    let result = joined_type(operation, &operands, rules)?;
    let arrays: Vec<_> = tensors.iter().map(|tensor| tensor.array()).collect();
    join(&arrays, result.dtype).map(|array| made(array, result, rules))
}
