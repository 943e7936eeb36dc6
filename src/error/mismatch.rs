//! [`TensorMismatch`]: a difference between a tensor in a file and its field in a record.

use core::fmt;

use super::Error;
use crate::dtype::DType;

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
