//! `.safetensors` files, by the crate `safetensors`.

use std::path::{Path, PathBuf};

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, Metadata};

use super::{typed, unreadable};
use crate::array::Array;
use crate::dtype::{DType, StrongDType};
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// A `.safetensors` file in memory, its header checked. Needs the feature `safetensors`.
///
/// ```
/// use supremum::{BF16, Error, F16, Rank2, SafeTensorsFile, Tensor};
/// let file = SafeTensorsFile::read("examples/digits/data/model.safetensors")?;
/// let weight: Tensor<BF16, Rank2> = file.tensor("fc1.weight")?;
/// assert_eq!(weight.shape(), [64, 48]);
/// assert!(file.tensor::<F16, Rank2>("fc1.weight").is_err());
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct SafeTensorsFile {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Where the tensors' data begins.
    data: usize,
    metadata: Metadata,
}

impl SafeTensorsFile {
    /// Reads a file and checks its header.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if it cannot be read, is truncated or not a `.safetensors` file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| unreadable(path, error))?;
        let (header, metadata) =
            SafeTensors::read_metadata(&bytes).map_err(|error| unreadable(path, error))?;
        // The length of the header stands in eight bytes before it.
        let data = header + 8;
        Ok(Self {
            path: path.into(),
            data,
            metadata,
            bytes,
        })
    }

    /// The names of the tensors, in alphabetical order.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.metadata.offset_keys();
        names.sort_unstable();
        names
    }

    /// The tensor of that name, if it has this dtype and rank. Copies the data.
    ///
    /// # Errors
    /// [`Error::NoSuchTensor`], listing the names that there are; [`Error::UnexpectedTensor`] if it has
    /// another dtype or rank; [`Error::Unreadable`] if it has a dtype that is none of ours.
    pub fn tensor<D: StrongDType, N: Rank>(&self, name: &str) -> Result<Tensor<D, N>, Error> {
        self.tensor_under(name)
    }

    /// [`Self::tensor`] under any rules.
    ///
    /// # Errors
    /// As [`Self::tensor`].
    pub fn tensor_under<D: StrongDType, N: Rank, R: Rules>(
        &self,
        name: &str,
    ) -> Result<Tensor<D, N, R>, Error> {
        let info = self
            .metadata
            .info(name)
            .ok_or_else(|| Error::NoSuchTensor {
                path: self.path.clone(),
                name: name.into(),
                names: self.names(),
            })?;
        let dtype = dtype_of(info.dtype).ok_or_else(|| {
            unreadable(
                &self.path,
                format!("`{name}` is of no dtype of ours: {}", info.dtype),
            )
        })?;
        let (start, end) = info.data_offsets;
        let bytes = self
            .bytes
            .get(self.data + start..self.data + end)
            .ok_or_else(|| {
                unreadable(
                    &self.path,
                    format!("truncated: `{name}` ends after the file"),
                )
            })?;
        let array = Array::from_bytes(dtype, &info.shape, bytes)?;
        typed(&self.path, Some(name), array)
    }
}

fn dtype_of(dtype: Dtype) -> Option<DType> {
    let found = match dtype {
        Dtype::BOOL => DType::Bool,
        Dtype::U8 => DType::U8,
        Dtype::U16 => DType::U16,
        Dtype::U32 => DType::U32,
        Dtype::U64 => DType::U64,
        Dtype::I8 => DType::I8,
        Dtype::I16 => DType::I16,
        Dtype::I32 => DType::I32,
        Dtype::I64 => DType::I64,
        Dtype::F8_E4M3 => DType::F8E4M3FN,
        Dtype::F8_E5M2 => DType::F8E5M2,
        Dtype::BF16 => DType::BF16,
        Dtype::F16 => DType::F16,
        Dtype::F32 => DType::F32,
        Dtype::F64 => DType::F64,
        Dtype::C64 => DType::C64,
        _ => return None,
    };
    Some(found)
}
