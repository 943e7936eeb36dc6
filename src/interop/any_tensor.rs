//! [`AnyTensor`]: a trait object for tensors of any type, to write several into one file.

use crate::dtype::StaticDType;
use crate::dynamic::DynTensor;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// A [`Tensor`] of any type or a [`DynTensor`], as `&dyn AnyTensor`; the writers of files with several tensors take it.
///
/// ```
/// use supremum::{AnyTensor, DType, DynTensor, F16, Rank1, Tensor, tensor};
/// let weights: Tensor<F16, Rank1> = tensor![1.0, 2.0];
/// let steps = DynTensor::full(DType::I64, [], 3)?;
/// let tensors: [(&str, &dyn AnyTensor); 2] = [("weights", &weights), ("steps", &steps)];
/// let dtypes = tensors.map(|(_, tensor)| tensor.to_dyn().dtype());
/// assert_eq!(dtypes, [DType::F16, DType::I64]);
/// # Ok::<(), supremum::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor",
    label = "neither a `Tensor` nor a `DynTensor`",
    note = "a vector becomes one: `let w = Tensor::<F32, Rank1>::from(v);` before, and `&w` here"
)]
pub trait AnyTensor: sealed::Sealed {
    /// Converts to a [`DynTensor`] that shares the elements.
    fn to_dyn(&self) -> DynTensor;
}

#[diagnostic::do_not_recommend]
impl<D: StaticDType, N: Rank, R: Rules> AnyTensor for Tensor<D, N, R> {
    fn to_dyn(&self) -> DynTensor {
        self.clone().into_dyn()
    }
}

#[diagnostic::do_not_recommend]
impl AnyTensor for DynTensor {
    fn to_dyn(&self) -> DynTensor {
        self.clone()
    }
}

mod sealed {
    /// Seals [`AnyTensor`](super::AnyTensor), so that methods can be added to it later.
    pub trait Sealed {}
}

impl<D: StaticDType, N: Rank, R: Rules> sealed::Sealed for Tensor<D, N, R> {}
impl sealed::Sealed for DynTensor {}
