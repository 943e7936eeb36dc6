//! [`TensorMismatch`]: a difference between a tensor in a file and its field in a record. [`SizedAxis`]: an axis of a wrong size.

use core::fmt;

use super::Error;
use crate::dtype::DType;

/// An axis of an operand, whose size is not that of an axis of another one; see [`Error::SizeMismatch`].
#[derive(Clone, Debug, PartialEq)]
pub struct SizedAxis {
    /// The operand, such as `the indices`.
    pub operand: String,
    /// The axis, counted from the end if it is negative.
    pub axis: isize,
    /// The operand's shape.
    pub shape: Vec<usize>,
}

impl SizedAxis {
    pub(crate) fn new(operand: impl Into<String>, axis: isize, shape: &[usize]) -> Self {
        Self {
            operand: operand.into(),
            axis,
            shape: shape.to_vec(),
        }
    }

    /// The size of the axis.
    pub fn size(&self) -> usize {
        let from_end = self.axis.checked_add_unsigned(self.shape.len());
        let axis = if self.axis < 0 {
            from_end
        } else {
            Some(self.axis)
        };
        let axis = axis.and_then(|axis| usize::try_from(axis).ok());
        let size = axis.and_then(|axis| self.shape.get(axis));
        size.copied().unwrap_or_default()
    }
}

impl fmt::Display for SizedAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (axis, operand, size) = (self.axis, &self.operand, self.size());
        write!(f, "axis {axis} of {operand} has size {size}")
    }
}

/// A difference between a tensor of a file and its field in a record; [`Error::UnexpectedTensors`] lists all of them.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorMismatch {
    /// A field has no tensor.
    #[error("`{name}` is missing")]
    Missing {
        /// The tensor's name.
        name: String,
    },
    /// A tensor has no field.
    #[error("`{name}` is in no field")]
    Extra {
        /// The tensor's name.
        name: String,
    },
    /// A tensor has another dtype than its field.
    #[error("`{name}`: expected {expected}, found {found}")]
    DType {
        /// The tensor's name.
        name: String,
        /// The field's dtype.
        expected: DType,
        /// The tensor's.
        found: DType,
    },
    /// A tensor has another rank than its field, or other sizes than the field requires.
    #[error("`{name}`: expected shape {}, found {found:?}", Sizes(.expected))]
    Shape {
        /// The tensor's name.
        name: String,
        /// The required size of each axis; `None` for any size.
        expected: Vec<Option<usize>>,
        /// The tensor's shape.
        found: Vec<usize>,
    },
    /// A tensor cannot be read.
    #[error("`{name}`: {error}")]
    Unreadable {
        /// The tensor's name.
        name: String,
        /// The reason.
        error: Box<Error>,
    },
}

/// Sizes as they are written in a record.
struct Sizes<'a>(&'a [Option<usize>]);

impl fmt::Display for Sizes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes = self.0.iter();
        let sizes = sizes.map(|size| size.map_or("_".to_owned(), |size| size.to_string()));
        write!(f, "[{}]", sizes.collect::<Vec<_>>().join(", "))
    }
}
