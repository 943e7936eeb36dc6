//! Files of other libraries.

#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "npz")]
mod npz;
#[cfg(feature = "safetensors")]
mod safetensors;

#[cfg(feature = "safetensors")]
pub use safetensors::SafeTensorsFile;

use std::path::{Path, PathBuf};

use crate::array::Array;
use crate::dtype::StrongDType;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// The error of a file that cannot be read or is not what it should be.
fn unreadable(path: &Path, reason: impl ToString) -> Error {
    Error::Unreadable {
        path: path.into(),
        reason: reason.to_string(),
    }
}

/// Types what a file holds, if it has the dtype and rank that the type promises.
fn typed<D: StrongDType, N: Rank, R: Rules>(
    path: &Path,
    name: Option<&str>,
    array: Array,
) -> Result<Tensor<D, N, R>, Error> {
    if array.dtype() == D::DTYPE && N::RANK.is_none_or(|rank| rank == array.rank()) {
        return Ok(Tensor::from_array(array));
    }
    Err(Error::UnexpectedTensor {
        path: PathBuf::from(path),
        name: name.map(Into::into),
        expected_dtype: D::DTYPE,
        expected_rank: N::RANK,
        found_dtype: array.dtype(),
        found_shape: array.shape().into(),
    })
}
