//! The dtype and shape of an argument or a result.

use core::fmt;

use crate::dtype::DType;

/// The dtype and the shape of an argument or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorType {
    /// The dtype of its elements.
    pub dtype: DType,
    /// The size of each axis.
    pub shape: Vec<usize>,
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.dtype, self.shape)
    }
}
