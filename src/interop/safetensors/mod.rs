//! `.safetensors` files, by the crate `safetensors`.

mod dtype;
mod header;
mod map;
mod write;

use core::ops::Range;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::Mmap;
use safetensors::tensor::Metadata;

use super::AnyTensor;
use super::file::{Reason, replace, swap, typed};
use super::load::TensorSource;
use crate::array::Array;
use crate::dtype::{DType, StrongDType};
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::{RuleSet, Rules};
use crate::tensor::Tensor;

/// A `.safetensors` file, its header checked: tensors by name, each read when it is asked for, or not at all if the file
/// is [mapped](Self::map). Needs the feature `safetensors`.
///
/// ```
/// use supremum::{BF16, DType, Error, F16, Jax, Rank2, Rules, SafeTensorsFile, Tensor};
/// let file = SafeTensorsFile::read("examples/digits/data/model.safetensors")?;
/// let weight: Tensor<BF16, Rank2> = file.tensor("fc1.weight")?;
/// assert_eq!(weight.shape(), [64, 48]);
/// assert!(file.tensor::<F16, Rank2>("fc1.weight").is_err());
/// assert_eq!(file.dyn_tensor("fc1.bias", Jax::rule_set())?.dtype(), DType::F16);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct SafeTensorsFile {
    path: PathBuf,
    data: Data,
    /// Where the tensors' bytes begin.
    start: usize,
    metadata: Metadata,
}

#[derive(Debug)]
enum Data {
    File(Mutex<File>),
    Mapped(Arc<Mmap>),
}

impl SafeTensorsFile {
    /// Reads the header of a file and checks it. Each tensor is read when it is asked for, into memory of its own.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if it cannot be read, is truncated or not a `.safetensors` file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let read = || -> Result<_, Reason> {
            let mut file = File::open(path)?;
            let len = file.metadata()?.len();
            let mut prefix = [0; header::PREFIX];
            file.read_exact(&mut prefix)
                .map_err(|error| format!("no header: {error}"))?;
            let mut header = vec![0; header::length(prefix, len)?];
            file.read_exact(&mut header)?;
            let metadata = header::parse(&header, len)?;
            Ok(Self {
                path: path.into(),
                data: Data::File(Mutex::new(file)),
                start: header::PREFIX + header.len(),
                metadata,
            })
        };
        read().map_err(|reason| reason.unreadable(path))
    }

    /// Maps a file into memory and checks its header. The system reads what is touched when it is touched; tensors share
    /// the mapped bytes, which no operation ever writes, and keep the mapping when this is dropped.
    ///
    /// A tensor is copied after all if its bytes are not aligned for its elements (files that the `safetensors` libraries
    /// write are aligned), and on big-endian machines. Those of [`Bool`](crate::Bool) are read at once, because not every
    /// byte is one.
    ///
    /// # Safety
    /// Nobody, this process or another, changes or truncates the file while this or a tensor of it exists: elements
    /// would change under a shared reference, and a truncated file ends the process. To replace the file by another one
    /// under its name, as [`Self::write`] does, leaves the mapped one as it was. [`Self::read`] asks for nothing.
    ///
    /// # Errors
    /// Those of [`Self::read`].
    ///
    /// ```
    /// use supremum::{BF16, Error, Rank2, SafeTensorsFile, Tensor};
    /// // SAFETY: nobody changes the files of the repository while the example runs.
    /// let file = unsafe { SafeTensorsFile::map("examples/digits/data/model.safetensors")? };
    /// let weight: Tensor<BF16, Rank2> = file.tensor("fc1.weight")?;
    /// drop(file);
    /// assert_eq!(weight.shape(), [64, 48]);
    /// # Ok::<(), Error>(())
    /// ```
    #[allow(unsafe_code, reason = "hands the obligation on")]
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let read = || -> Result<_, Reason> {
            // SAFETY: the caller's.
            let map = unsafe { map::map(&File::open(path)?)? };
            let len = u64::try_from(map.len())?;
            let (prefix, rest) = map
                .split_first_chunk()
                .ok_or("no header: the file is too short")?;
            let length = header::length(*prefix, len)?;
            let header = rest.get(..length).ok_or("truncated")?;
            let metadata = header::parse(header, len)?;
            Ok(Self {
                path: path.into(),
                start: header::PREFIX + length,
                metadata,
                data: Data::Mapped(map),
            })
        };
        read().map_err(|reason| reason.unreadable(path))
    }

    /// The names of the tensors, in alphabetical order.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.metadata.offset_keys();
        names.sort_unstable();
        names
    }

    /// What the header says beside the tensors (`__metadata__`).
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("model.safetensors");
    /// use supremum::{Error, SafeTensorsFile};
    /// SafeTensorsFile::write_with_metadata(&path, &[], &[("format", "pt")])?;
    /// assert_eq!(SafeTensorsFile::read(&path)?.metadata()["format"], "pt");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn metadata(&self) -> BTreeMap<&str, &str> {
        let pairs = self.metadata.metadata().iter().flatten();
        pairs
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect()
    }

    /// The tensor of that name, if it has this dtype and rank.
    ///
    /// # Errors
    /// [`Error::NoSuchTensor`], listing the names that there are; [`Error::UnexpectedTensor`] if it has
    /// another dtype or rank; [`Error::Unreadable`] if it has a dtype that is none of ours;
    /// [`Error::NotABool`] for truth values other than the bytes 0 and 1.
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
        typed(&self.path, Some(name), self.array(name)?)
    }

    /// The tensor of that name, of whatever dtype and rank it has.
    ///
    /// # Errors
    /// As [`Self::tensor`], but for [`Error::UnexpectedTensor`].
    pub fn dyn_tensor(&self, name: &str, rules: &'static RuleSet) -> Result<DynTensor, Error> {
        Ok(DynTensor::from_array(self.array(name)?, false, rules))
    }

    fn array(&self, name: &str) -> Result<Array, Error> {
        let info = self
            .metadata
            .info(name)
            .ok_or_else(|| Error::NoSuchTensor {
                path: self.path.clone(),
                name: name.into(),
                names: self.names(),
            })?;
        let unreadable = |reason: &str| Reason::from(reason).within(name).unreadable(&self.path);
        let dtype = dtype::dtype_of(info.dtype)
            .ok_or_else(|| unreadable(&format!("no dtype of ours: {}", info.dtype)))?;
        let (start, end) = info.data_offsets;
        let range = self.start + start..self.start + end;
        match &self.data {
            Data::Mapped(map) if cfg!(target_endian = "little") => {
                let part = map::Part::new(map, range).ok_or_else(|| unreadable("truncated"))?;
                Array::lent(dtype, &info.shape, part)
            }
            data => Array::filled(dtype, &info.shape, |bytes| {
                data.copy(range, bytes)
                    .map_err(|reason| reason.within(name).unreadable(&self.path))?;
                if cfg!(target_endian = "big") {
                    swap(bytes, dtype);
                }
                Ok(())
            }),
        }
    }

    /// Writes tensors, typed or dynamic, into a file, in the place of an old one when it is complete.
    ///
    /// # Errors
    /// [`Error::Unwritable`], also if two have the same name, or one is of `c128`, which the format does not have.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("model.safetensors");
    /// use supremum::{BF16, DType, DynTensor, Error, Rank1, SafeTensorsFile, Tensor, tensor};
    /// let weights: Tensor<BF16, Rank1> = tensor![1.0, 2.0];
    /// let steps = DynTensor::full(DType::I64, [], 3)?;
    /// SafeTensorsFile::write(&path, &[("weights", &weights), ("steps", &steps)])?;
    /// assert_eq!(SafeTensorsFile::read(&path)?.tensor::<BF16, Rank1>("weights")?, weights);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write(path: impl AsRef<Path>, tensors: &[(&str, &dyn AnyTensor)]) -> Result<(), Error> {
        Self::write_with_metadata(path, tensors, &[])
    }

    /// [`Self::write`] with keys and values that [`Self::metadata`] gives back.
    ///
    /// # Errors
    /// Those of [`Self::write`].
    pub fn write_with_metadata(
        path: impl AsRef<Path>,
        tensors: &[(&str, &dyn AnyTensor)],
        metadata: &[(&str, &str)],
    ) -> Result<(), Error> {
        replace(path.as_ref(), |file| write::write(file, tensors, metadata))
    }
}

impl Data {
    /// Copies the bytes from there.
    fn copy(&self, range: Range<usize>, to: &mut [u8]) -> Result<(), Reason> {
        match self {
            Self::Mapped(map) => to.copy_from_slice(map.get(range).ok_or("truncated")?),
            Self::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(u64::try_from(range.start)?))?;
                file.read_exact(to)?;
            }
        }
        Ok(())
    }
}

impl TensorSource for SafeTensorsFile {
    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn names(&self) -> Vec<String> {
        Self::names(self)
    }

    fn read(&self, name: &str, _: DType, rules: &'static RuleSet) -> Result<DynTensor, Error> {
        self.dyn_tensor(name, rules)
    }
}
