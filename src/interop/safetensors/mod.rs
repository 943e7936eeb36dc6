//! `.safetensors` files, by the crate `safetensors`.

mod dtype;
mod header;
mod map;
mod write;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use memmap2::Mmap;
use safetensors::tensor::Metadata;

use super::byte_order::swap;
use super::file::{FileIndex, FileKeys, FilePath, IndexedBy, Location, Reason};
use super::load::TensorSource;
use super::options::Budget;
use super::replace::replace;
use super::{AnyTensor, ReadOptions};
use crate::array::Array;
use crate::dtype::{DType, StrongDType};
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::{IntoRuleSet, RuleSet, Rules};
use crate::tensor::Tensor;

/// A `.safetensors` file with a checked header: named tensors, each read on demand, or shared with the file if it is
/// [mapped](Self::map). Needs the feature `safetensors`.
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
    /// The position of the first byte of tensors in the file.
    start: usize,
    metadata: Metadata,
}

#[derive(Debug)]
enum Data {
    File(Mutex<Opened>),
    Mapped(Arc<Mmap>),
}

#[derive(Debug)]
struct Opened {
    file: File,
    budget: Budget,
}

impl SafeTensorsFile {
    /// Reads the header of a file and checks it. Each tensor is read on demand, into memory of its own.
    /// [`ReadOptions::read_safetensors`] limits the bytes of the tensors.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read, is truncated or no `.safetensors` file, if two tensors have
    /// the same name or share bytes, or if bytes belong to no tensor.
    pub fn read(path: impl FilePath) -> Result<Self, Error> {
        ReadOptions::new().read_safetensors(path)
    }

    fn read_or_reason(path: &Path, options: ReadOptions) -> Result<Self, Reason> {
        let mut file = File::open(path)?;
        let len = file.metadata()?.len();
        let mut prefix = [0; header::PREFIX];
        file.read_exact(&mut prefix)
            .map_err(|error| format!("no header: {error}"))?;
        let length = header::length(prefix, len)?;
        let mut header = Vec::new();
        header.try_reserve_exact(length)?;
        header.resize(length, 0);
        file.read_exact(&mut header)?;
        let metadata = header::parse(&header, len)?;
        let budget = options.budget(len);
        Ok(Self {
            path: path.into(),
            data: Data::File(Mutex::new(Opened { file, budget })),
            start: header::PREFIX + length,
            metadata,
        })
    }

    /// Maps a file into memory and checks its header. The system reads pages on first access. Tensors share the mapped
    /// bytes, which no operation ever writes, and keep the mapping alive when this is dropped.
    ///
    /// A tensor is copied if its bytes are not aligned for its elements (files that the `safetensors` libraries write
    /// are aligned), and on big-endian machines. The bytes of a [`Bool`](crate::Bool) tensor are read when the tensor
    /// is made, to check that each byte is a boolean.
    ///
    /// # Safety
    /// No process, including this one, changes or truncates the file while this or a tensor of it exists: elements
    /// would change under a shared reference, and access to a truncated file ends the process. Replacing the file by
    /// another one of the same name, as [`Self::write`] does, leaves the mapped one unchanged. [`Self::read`] has no
    /// such condition.
    ///
    /// # Errors
    /// The errors of [`Self::read`].
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
    pub unsafe fn map(path: impl FilePath) -> Result<Self, Error> {
        let path = path.as_ref();
        let read = || -> Result<_, Reason> {
            // SAFETY: the caller guarantees that no process changes or truncates the file while this or a tensor of it
            // exists (see # Safety); the mapping lives no longer than these.
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

    /// Lists the names of the tensors, in alphabetical order.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.metadata.offset_keys();
        names.sort_unstable();
        names
    }

    /// Returns the metadata of the header (`__metadata__`).
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

    /// Reads the tensor of that name, if it has this dtype and rank.
    ///
    /// # Errors
    /// [`Error::NoSuchTensor`], which lists the names in the file; [`Error::UnexpectedTensor`] if it has another dtype
    /// or rank; [`Error::Unreadable`] if it has no dtype of this library, a rank above 8, or booleans other than the
    /// bytes 0 and 1; [`Error::ReadLimit`] if it is larger than the [`ReadOptions`] allow, unless the file is mapped;
    /// [`Error::OutOfMemory`].
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where the dtype is not known.
    pub fn tensor<D: StrongDType, N: Rank>( // `file.tensor::<F32, Rank2>("w")?`, whatever `help` says
        &self,
        name: &str,
    ) -> Result<Tensor<D, N>, Error> {
        self.tensor_under(name)
    }

    /// [`Self::tensor`] under any rules.
    ///
    /// # Errors
    /// The errors of [`Self::tensor`].
    pub fn tensor_under<D: StrongDType, N: Rank, R: Rules>(
        &self,
        name: &str,
    ) -> Result<Tensor<D, N, R>, Error> {
        self.location(name).typed(self.array(name)?)
    }

    /// Reads the tensor of that name, with the dtype and rank that it has.
    ///
    /// # Errors
    /// The errors of [`Self::tensor`], except [`Error::UnexpectedTensor`].
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where an argument is missing.
    pub fn dyn_tensor(&self, name: &str, rules: impl IntoRuleSet) -> Result<DynTensor, Error> { // e.g. `dyn_tensor("w", Jax)?`
        Ok(DynTensor::from_array(
            self.array(name)?,
            false,
            rules.into_rule_set(),
        ))
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
        let location = self.location(name);
        let dtype = dtype::dtype_of(info.dtype)
            .ok_or_else(|| location.unreadable(format!("no dtype of Supremum: {}", info.dtype)))?;
        let (start, end) = info.data_offsets;
        let range = self.start + start..self.start + end;
        let little_endian = cfg!(target_endian = "little");
        let array = match &self.data {
            Data::Mapped(map) if little_endian => {
                let part = map::MappedRange::new(map, range);
                let part = part.ok_or_else(|| location.unreadable("truncated"))?;
                Array::external(dtype, &info.shape, part)
            }
            Data::Mapped(map) => Array::filled(dtype, &info.shape, |bytes| {
                let there = map.get(range);
                bytes.copy_from_slice(there.ok_or_else(|| location.unreadable("truncated"))?);
                swap(bytes, dtype);
                Ok(())
            }),
            Data::File(opened) => {
                let mut opened = opened.lock().unwrap_or_else(PoisonError::into_inner);
                let Opened { file, budget } = &mut *opened;
                let len = u64::try_from(end - start).map_err(|error| location.unreadable(error))?;
                budget.check(&location, len)?;
                let array = Array::filled(dtype, &info.shape, |bytes| {
                    read_at(file, range.start, bytes)
                        .map_err(|reason| location.unreadable(reason))?;
                    if !little_endian {
                        swap(bytes, dtype);
                    }
                    Ok::<_, Error>(())
                });
                if array.is_ok() {
                    budget.count(&location, len);
                }
                array
            }
        };
        array.map_err(|error| location.invalid(error))
    }

    fn location<'a>(&'a self, name: &'a str) -> Location<'a> {
        Location {
            path: &self.path,
            name: Some(name),
        }
    }

    /// Writes tensors, typed or dynamic, to a file. It replaces an old one only when it is complete.
    ///
    /// # Errors
    /// [`Error::Unwritable`], also if the old file is read-only or the folder is not writable, if two tensors have the
    /// same name or one is called `__metadata__`, or if one has the dtype `c128` or `f8e4m3b11fnuz`, which the format does not have.
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
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn write( // `&[("w", &w), ("b", &b)]`; a list of them is a `Vec<(&str, &dyn supremum::AnyTensor)>` of pairs `(name, t as _)`
        path: impl FilePath,
        tensors: &[(&str, &dyn AnyTensor)],
    ) -> Result<(), Error> {
        Self::write_with_metadata(path, tensors, &[])
    }

    /// [`Self::write`] with keys and values that [`Self::metadata`] returns.
    ///
    /// # Errors
    /// The errors of [`Self::write`].
    pub fn write_with_metadata(
        path: impl FilePath,
        tensors: &[(&str, &dyn AnyTensor)],
        metadata: &[(&str, &str)],
    ) -> Result<(), Error> {
        replace(path.as_ref(), |file| write::write(file, tensors, metadata))
    }
}

fn read_at(file: &mut File, position: usize, to: &mut [u8]) -> Result<(), Reason> {
    file.seek(SeekFrom::Start(u64::try_from(position)?))?;
    Ok(file.read_exact(to)?)
}

impl ReadOptions {
    /// [`SafeTensorsFile::read`] with this limit. Needs the feature `safetensors`.
    ///
    /// # Errors
    /// The errors of [`SafeTensorsFile::read`].
    ///
    /// ```
    /// use supremum::{BF16, Error, F16, Rank1, Rank2, ReadOptions};
    /// let options = ReadOptions::new().max_bytes(6_200);
    /// let file = options.read_safetensors("examples/digits/data/model.safetensors")?;
    /// assert_eq!(file.tensor::<BF16, Rank2>("fc1.weight")?.shape(), [64, 48]); // 6144 bytes
    /// let error = file.tensor::<F16, Rank1>("fc1.bias").unwrap_err();
    /// assert!(matches!(error, Error::ReadLimit { bytes: 96, total: 6_240, .. }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_safetensors(self, path: impl FilePath) -> Result<SafeTensorsFile, Error> {
        let path = path.as_ref();
        SafeTensorsFile::read_or_reason(path, self).map_err(|reason| reason.unreadable(path))
    }
}

super::file::no_index! { SafeTensorsFile }

#[doc(hidden)]
#[rustfmt::skip] // Each on one line, because the compiler quotes it.
impl SafeTensorsFile {
    #[doc(hidden)]
    pub fn get<I, Out>(&self, _: I) -> Result<Out, Error> where IndexedBy<I>: FileIndex {
        unreachable!("the bound never holds")
    }

    #[doc(hidden)]
    pub fn keys<Out>(&self) -> Vec<Out> where for<'a> Self: FileKeys {
        unreachable!("the bound never holds")
    }
}

#[diagnostic::do_not_recommend]
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
