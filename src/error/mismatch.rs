//! What can be wrong with one tensor.

use core::fmt;

use super::Error;
use crate::dtype::DType;

/// What is wrong with one tensor of a file for a record; [`Error::UnexpectedTensors`] has all of them.
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
    /// A tensor has another rank than its field, or not the sizes that the field states.
    #[error("`{name}`: expected shape {}, found {found:?}", Sizes(.expected))]
    Shape {
        /// The tensor's name.
        name: String,
        /// The size of each axis, if it is stated.
        expected: Vec<Option<usize>>,
        /// The tensor's shape.
        found: Vec<usize>,
    },
    /// A tensor cannot be read.
    #[error("`{name}`: {error}")]
    Unreadable {
        /// The tensor's name.
        name: String,
        /// Why.
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
