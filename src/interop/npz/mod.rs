//! NumPy's `.npz` files: `.npy` files in an archive, by the crate `zip`.

mod quiet;

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use zip::read::ZipFile;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use self::quiet::Quiet;
use super::file::{FileIndex, FileKeys, FilePath, IndexedBy, Location, Reason};
use super::load::TensorSource;
use super::npy::{read_array, write_array};
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

/// A `.npz` file, as `numpy.savez` and `numpy.savez_compressed` write it: named arrays, each read on demand. Needs the
/// feature `npz`.
///
/// ```
/// use supremum::{DType, Error, F16, F64, Jax, NpzFile, Rank2, Rules, Tensor};
/// let file = NpzFile::read("examples/data/weather.npz")?;
/// assert_eq!(file.names(), ["rain", "scale", "temperature"]);
/// let temperature: Tensor<F16, Rank2> = file.tensor("temperature")?;
/// assert_eq!(temperature.shape(), [7, 2]);
/// assert!(file.tensor::<F64, Rank2>("temperature").is_err());
/// assert_eq!(file.dyn_tensor("rain", Jax::rule_set())?.dtype(), DType::U16);
/// # Ok::<(), Error>(())
/// ```
pub struct NpzFile {
    path: PathBuf,
    /// The names, each with the index of its entry in the archive.
    names: BTreeMap<String, usize>,
    opened: Mutex<Opened>,
}

struct Opened {
    archive: ZipArchive<BufReader<File>>,
    budget: Budget,
}

impl fmt::Debug for NpzFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NpzFile({}, {:?})", self.path.display(), self.names())
    }
}

impl NpzFile {
    /// Reads a file's list of arrays. [`ReadOptions::read_npz`] limits the bytes of the arrays.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read, is not an archive, or has entries other than `.npy` files and
    /// directories, two entries of one name, or entries that share bytes.
    pub fn read(path: impl FilePath) -> Result<Self, Error> {
        ReadOptions::new().read_npz(path)
    }

    fn read_or_reason(path: &Path, options: ReadOptions) -> Result<Self, Reason> {
        let file = File::open(path)?;
        let budget = options.budget(file.metadata()?.len());
        let mut archive = ZipArchive::new(BufReader::new(file))?;
        // The crate silently keeps the last of entries with the same name.
        if archive.has_duplicate_names() {
            return Err("two entries have the same name".into());
        }
        // Overlapping entries would let a small file expand to the data of many names.
        if archive.has_overlapping_entries()? {
            return Err("entries of the archive overlap".into());
        }
        let mut names = BTreeMap::new();
        for (number, name) in archive.file_names().enumerate() {
            let name = name?;
            if name.ends_with('/') {
                continue; // a directory
            }
            let within = |reason: &str| Reason::from(reason).within(&name);
            let stem = name
                .strip_suffix(".npy")
                .ok_or_else(|| within("not an .npy file"))?;
            if names.insert(stem.to_owned(), number).is_some() {
                return Err(within("there are two of that name"));
            }
        }
        Ok(Self {
            path: path.into(),
            names,
            opened: Mutex::new(Opened { archive, budget }),
        })
    }

    /// Lists the names of the arrays (without `.npy`), in the order of the file's directory, as `.files` of `numpy.load`.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort_unstable_by_key(|(_, number)| **number);
        names.into_iter().map(|(name, _)| name.clone()).collect()
    }

    /// Reads the array of that name, if it has this dtype and rank. Raw bytes are read as by [`Tensor::read_npy`].
    ///
    /// # Errors
    /// [`Error::NoSuchTensor`], which lists the names in the file; [`Error::UnexpectedTensor`] if it has another dtype
    /// or rank; [`Error::Unreadable`] if it is damaged, or has no dtype of this library; [`Error::ReadLimit`] if it is
    /// larger than the [`ReadOptions`] allow; [`Error::OutOfMemory`].
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
        let array = self.array(name, Some(D::DTYPE))?;
        self.location(name).typed(array)
    }

    /// Reads the array of that name, with the dtype and rank that it has.
    ///
    /// # Errors
    /// The errors of [`Self::tensor`], except [`Error::UnexpectedTensor`]. [`Error::Unreadable`] also if its elements are raw
    /// bytes, which [`Self::dyn_tensor_as`] reads.
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where an argument is missing.
    pub fn dyn_tensor(&self, name: &str, rules: impl IntoRuleSet) -> Result<DynTensor, Error> { // e.g. `dyn_tensor("w", Jax)?`
        Ok(DynTensor::from_array(
            self.array(name, None)?,
            false,
            rules.into_rule_set(),
        ))
    }

    /// Reads the array of that name, of this dtype; raw bytes are read as by [`DynTensor::read_npy_as`].
    ///
    /// # Errors
    /// The errors of [`Self::tensor`].
    pub fn dyn_tensor_as(
        &self,
        name: &str,
        dtype: DType,
        rules: impl IntoRuleSet,
    ) -> Result<DynTensor, Error> {
        let array = self.array(name, Some(dtype))?;
        self.location(name).expect(&array, dtype, None)?;
        Ok(DynTensor::from_array(array, false, rules.into_rule_set()))
    }

    fn array(&self, name: &str, expected: Option<DType>) -> Result<Array, Error> {
        let number = self.names.get(name).ok_or_else(|| Error::NoSuchTensor {
            path: self.path.clone(),
            name: name.into(),
            names: self.names(),
        })?;
        let location = self.location(name);
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let Opened { archive, budget } = &mut *opened;
        let entry = archive.by_index(*number);
        let mut entry = entry.map_err(|error| location.unreadable(error))?;
        let most = most_bytes(&entry);
        let array = read_array(&mut entry, most, expected, &location, budget)?;
        // The checksum of an entry is compared only when its end is read.
        match entry.read(&mut [0]) {
            Ok(0) => Ok(array),
            Ok(_) => Err(location.unreadable("there are bytes behind the elements")),
            Err(error) => Err(location.unreadable(error)),
        }
    }

    fn location<'a>(&'a self, name: &'a str) -> Location<'a> {
        Location {
            path: &self.path,
            name: Some(name),
        }
    }

    /// Reads all arrays by name.
    fn dyn_tensors(&self, rules: &'static RuleSet) -> Result<BTreeMap<String, DynTensor>, Error> {
        let tensors = self.names.keys().map(|name| {
            let tensor = self.dyn_tensor(name, rules)?;
            Ok((name.clone(), tensor))
        });
        tensors.collect()
    }

    /// Writes tensors, typed or dynamic, as `numpy.savez` does. Each is written as by [`Tensor::write_npy`]. The file
    /// replaces an old one only when it is complete.
    ///
    /// # Errors
    /// [`Error::Unwritable`], as [`Tensor::write_npy`], and if two tensors have the same name.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("state.npz");
    /// use supremum::{DType, DynTensor, Error, F16, NpzFile, Rank1, Tensor, tensor};
    /// let weights: Tensor<F16, Rank1> = tensor![1.0, 2.0];
    /// let steps = DynTensor::full(DType::I64, [], 3)?;
    /// NpzFile::write(&path, &[("weights", &weights), ("steps", &steps)])?;
    /// assert_eq!(NpzFile::read(&path)?.tensor::<F16, Rank1>("weights")?, weights);
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn write( // `&[("w", &w), ("b", &b)]`; a list of them is a `Vec<(&str, &dyn supremum::AnyTensor)>` of pairs `(name, t as _)`
        path: impl FilePath,
        tensors: &[(&str, &dyn AnyTensor)],
    ) -> Result<(), Error> {
        replace(path.as_ref(), |file| {
            let mut archive = ZipWriter::new(Quiet::new(file));
            let mut names = BTreeSet::new();
            for (name, tensor) in tensors {
                if !names.insert(name) {
                    return Err(Reason::from("there are two of that name").within(name));
                }
                // An entry above 4 GiB has to be declared as large (ZIP64) in advance.
                let options = SimpleFileOptions::default()
                    .compression_method(CompressionMethod::Stored)
                    .large_file(true);
                archive.start_file(format!("{name}.npy"), options)?;
                write_array(&mut archive, tensor.to_dyn().array())?;
            }
            archive.finish()?;
            Ok(())
        })
    }
}

/// Returns an upper bound of the uncompressed bytes of an entry. The archive's own size field may be false; this bound
/// follows from the compressed bytes, which are in the file.
fn most_bytes<R: Read>(entry: &ZipFile<'_, R>) -> u64 {
    /// The largest expansion of deflate: two bits of the stream encode at most 258 bytes.
    const DEFLATED: u64 = 4 * 258;
    let factor = match entry.compression() {
        CompressionMethod::Stored => 1,
        _ => DEFLATED,
    };
    entry
        .size()
        .min(entry.compressed_size().saturating_mul(factor))
}

impl ReadOptions {
    /// [`NpzFile::read`] with this limit. Needs the feature `npz`.
    ///
    /// # Errors
    /// The errors of [`NpzFile::read`].
    ///
    /// ```
    /// use supremum::{Error, F16, Rank2, ReadOptions};
    /// let file = ReadOptions::new().max_bytes(20).read_npz("examples/data/weather.npz")?;
    /// let error = file.tensor::<F16, Rank2>("temperature").unwrap_err(); // 7 by 2 elements of 2 bytes
    /// assert!(matches!(error, Error::ReadLimit { bytes: 28, limit: 20, .. }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_npz(self, path: impl FilePath) -> Result<NpzFile, Error> {
        let path = path.as_ref();
        NpzFile::read_or_reason(path, self).map_err(|reason| reason.unreadable(path))
    }

    /// [`DynTensor::read_npz`] with this limit on the sum of all arrays. Needs the feature `npz`.
    ///
    /// # Errors
    /// The errors of [`DynTensor::read_npz`].
    pub fn read_dyn_npz(
        self,
        path: impl FilePath,
        rules: impl IntoRuleSet,
    ) -> Result<BTreeMap<String, DynTensor>, Error> {
        self.read_npz(path)?.dyn_tensors(rules.into_rule_set())
    }
}

super::file::no_index! { NpzFile }

#[doc(hidden)]
#[rustfmt::skip] // Each on one line, because the compiler quotes it.
impl NpzFile {
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
impl TensorSource for NpzFile {
    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn names(&self) -> Vec<String> {
        Self::names(self)
    }

    fn read(&self, name: &str, raw: DType, rules: &'static RuleSet) -> Result<DynTensor, Error> {
        Ok(DynTensor::from_array(
            self.array(name, Some(raw))?,
            false,
            rules,
        ))
    }
}

/// # Read `.npz` files
///
/// Feature `npz`.
impl<D: StrongDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Reads one array of a `.npz` file, of this dtype and rank. To read several, use [`NpzFile::read`]. Needs the
    /// feature `npz`.
    ///
    /// # Errors
    /// The errors of [`NpzFile::read`] and [`NpzFile::tensor`].
    ///
    /// ```
    /// use supremum::{Error, F16, Rank2, Tensor};
    /// let temperature = Tensor::<F16, Rank2>::read_npz("examples/data/weather.npz", "temperature")?;
    /// assert_eq!(temperature.shape(), [7, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_npz(path: impl FilePath, name: &str) -> Result<Self, Error> {
        NpzFile::read(path)?.tensor_under(name)
    }
}

/// # Read `.npz` files
impl DynTensor {
    /// Reads all arrays of a `.npz` file, as `numpy.savez` and `numpy.savez_compressed` write them, by their names
    /// (without `.npy`). Needs the feature `npz`.
    ///
    /// # Errors
    /// [`Error::Unreadable`] as [`NpzFile::read`], and if an array is damaged, has no dtype of this library, or has raw
    /// bytes, which [`NpzFile::dyn_tensor_as`] reads. [`Error::ReadLimit`] if all arrays together are larger than the
    /// [`ReadOptions`] allow; [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, RuleSet};
    /// let arrays = DynTensor::read_npz("examples/data/weather.npz", RuleSet::named("numpy")?)?;
    /// let dtypes: Vec<_> = arrays.values().map(DynTensor::dtype).collect();
    /// assert_eq!(dtypes, [DType::U16, DType::F64, DType::F16]);
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where the rules are missing.
    pub fn read_npz( // e.g. `DynTensor::read_npz("a.npz", Jax)?`
        path: impl FilePath,
        rules: impl IntoRuleSet,
    ) -> Result<BTreeMap<String, Self>, Error> {
        ReadOptions::new().read_dyn_npz(path, rules)
    }
}
