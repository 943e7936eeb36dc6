//! Tensors whose dtype is known at run time only.

use core::fmt;

use super::Tensor;
use crate::array::Array;
use crate::dtype::{DType, StaticDType};
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::{Class, OperandType, RuleSet, Rules};

/// A tensor whose dtype, rank and rules are known at run time only, over the same storage as [`Tensor`].
///
/// It goes into typed code by [`Self::typed`] (or `TryFrom`), which checks dtype and rank, and comes from there by
/// [`Tensor::into_dyn`] (or `From`); neither copies elements. What can be done with one as it is so far is
/// [`ConvertPromoteTypes::convert`](crate::ConvertPromoteTypes::convert).
///
/// ```
/// use supremum::{DType, DynTensor, Error, F32, I32, Rank1, Tensor, tensor};
/// let t: Tensor<I32, Rank1> = tensor![1, 2];
/// let any: DynTensor = t.into_dyn();
/// assert_eq!((any.dtype(), any.shape()), (DType::I32, &[2][..]));
/// let wrong = any.typed::<F32, Rank1, supremum::Jax>();
/// assert_eq!(wrong.unwrap_err().to_string(), "typed tensor: expected f32, found i32");
/// let back: Tensor<I32, Rank1> = any.try_into()?;
/// assert_eq!(back.to_vec(), [1, 2]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone)]
pub struct DynTensor {
    array: Array,
    weak: bool,
    rules: &'static RuleSet,
}

impl DynTensor {
    pub(crate) fn from_array(array: Array, weak: bool, rules: &'static RuleSet) -> Self {
        Self { array, weak, rules }
    }

    pub(crate) fn array(&self) -> &Array {
        &self.array
    }

    /// What the elements are.
    pub fn dtype(&self) -> DType {
        self.array.dtype()
    }

    /// The size of every dimension.
    pub fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    /// The number of dimensions.
    pub fn ndim(&self) -> usize {
        self.array.rank()
    }

    /// The rules that it follows.
    pub fn rules(&self) -> &'static RuleSet {
        self.rules
    }

    /// What it is in a promotion: its dtype, and whether it is weak or of rank zero.
    pub fn operand(&self) -> OperandType {
        let class = match (self.weak, self.ndim()) {
            (true, _) => Class::Weak,
            (false, 0) => Class::ZeroDim,
            (false, _) => Class::Dimensioned,
        };
        OperandType {
            dtype: self.dtype(),
            class,
        }
    }

    /// The same tensor, its dtype, rank and rules known to the compiler; the storage is shared. Like
    /// [`Tensor::under`] this can change the rules.
    ///
    /// # Errors
    /// [`Error::UnexpectedOperand`] if it has another dtype or weakness; [`Error::RankMismatch`] if it has another
    /// rank.
    pub fn typed<D: StaticDType, N: Rank, R: Rules>(&self) -> Result<Tensor<D, N, R>, Error> {
        let expected = OperandType::of::<D>();
        let found = if self.weak {
            OperandType::weak(self.dtype())
        } else {
            OperandType::dimensioned(self.dtype())
        };
        if expected != found {
            return Err(Error::UnexpectedOperand {
                operation: "typed tensor",
                expected,
                found,
            });
        }
        match N::RANK {
            Some(expected) if expected != self.ndim() => Err(Error::RankMismatch {
                expected,
                shape: self.shape().into(),
            }),
            _ => Ok(Tensor::from_array(self.array.clone())),
        }
    }
}

impl fmt::Debug for DynTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynTensor")
            .field("operand", &self.operand())
            .field("shape", &self.shape())
            .field("rules", &self.rules.name())
            .finish()
    }
}

impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// The same tensor, its dtype, rank and rules forgotten by the compiler; the storage is shared. Also by
    /// `From`.
    pub fn into_dyn(self) -> DynTensor {
        DynTensor::from_array(self.into_array(), D::WEAK, R::RULE_SET)
    }
}

impl<D: StaticDType, N: Rank, R: Rules> From<Tensor<D, N, R>> for DynTensor {
    fn from(tensor: Tensor<D, N, R>) -> Self {
        tensor.into_dyn()
    }
}

impl<D: StaticDType, N: Rank, R: Rules> TryFrom<DynTensor> for Tensor<D, N, R> {
    type Error = Error;

    fn try_from(tensor: DynTensor) -> Result<Self, Error> {
        tensor.typed()
    }
}
