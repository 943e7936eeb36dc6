//! Properties of a tensor: dtype, shape, weakness and rules.

use super::DynTensor;
use crate::dtype::DType;
use crate::rules::{Class, OperandType, RuleSet};

/// # Shape and dtype
impl DynTensor {
    /// The dtype of the elements.
    pub fn dtype(&self) -> DType {
        self.array.dtype()
    }

    /// The size of each axis.
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has arguments.
    pub fn shape(&self) -> &[usize] { // the size of one axis: `t.shape()[axis]`, not as `help` says
        self.array.shape()
    }

    /// The number of dimensions.
    pub fn ndim(&self) -> usize {
        self.array.rank()
    }

    /// The distance between neighbours along every dimension, in elements; see [`Tensor::strides`](crate::Tensor::strides).
    pub fn strides(&self) -> &[isize] {
        self.array.strides()
    }

    /// The number of elements.
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where a call has arguments.
    pub fn len(&self) -> usize { // the size of one axis: `t.shape()[axis]`, not as `help` says
        self.array.len()
    }

    /// Returns whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.array.is_empty()
    }

    /// Returns whether the dtype is weak: literals alone decided it, so it takes a strong dtype beside one.
    pub fn is_weak(&self) -> bool {
        self.weak
    }

    /// The rules that the tensor follows.
    pub fn rules(&self) -> &'static RuleSet {
        self.rules
    }

    /// Its operand type in promotions: its dtype, and whether it is weak or of rank zero.
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
}
