//! NumPy's `.npz` files: `.npy` files in an archive, by the crate `zip`.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::AnyTensor;
use super::file::{Reason, expect, replace, typed};
use super::load::TensorSource;
use super::npy::{read_array, write_array};
use crate::array::Array;
use crate::dtype::{DType, StrongDType};
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::{RuleSet, Rules};
use crate::tensor::Tensor;

/// A `.npz` file, as `numpy.savez` and `numpy.savez_compressed` write them: arrays by name, each read when it is asked
/// for. Needs the feature `npz`.
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
    /// With the number of each in the archive.
    names: BTreeMap<String, usize>,
    archive: Mutex<ZipArchive<BufReader<File>>>,
}

impl fmt::Debug for NpzFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NpzFile({}, {:?})", self.path.display(), self.names())
    }
}

impl NpzFile {
    /// Reads a file's list of arrays.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read, is no archive, or has something else than `.npy` files in it.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::read_or_reason(path).map_err(|reason| reason.unreadable(path))
    }

    fn read_or_reason(path: &Path) -> Result<Self, Reason> {
        let archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
        let mut names = BTreeMap::new();
        for (number, name) in archive.file_names().enumerate() {
            let name = name?;
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
            archive: Mutex::new(archive),
        })
    }

    /// The names of the arrays (without `.npy`), in alphabetical order.
    pub fn names(&self) -> Vec<String> {
        self.names.keys().cloned().collect()
    }

    /// The array of that name, if it has this dtype and rank. Raw bytes are read as [`Tensor::read_npy`] does.
    ///
    /// # Errors
    /// [`Error::NoSuchTensor`], listing the names that there are; [`Error::UnexpectedTensor`] if it has
    /// another dtype or rank; [`Error::Unreadable`] if it is damaged, or has a dtype that is none of ours.
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
        typed(&self.path, Some(name), self.array(name, Some(D::DTYPE))?)
    }

    /// The array of that name, of whatever dtype and rank it has.
    ///
    /// # Errors
    /// [`Error::NoSuchTensor`]; [`Error::Unreadable`], also if its elements are raw bytes, which
    /// [`Self::dyn_tensor_as`] reads.
    pub fn dyn_tensor(&self, name: &str, rules: &'static RuleSet) -> Result<DynTensor, Error> {
        Ok(DynTensor::from_array(self.array(name, None)?, false, rules))
    }

    /// The array of that name, of this dtype; raw bytes are read as [`DynTensor::read_npy_as`] does.
    ///
    /// # Errors
    /// As [`Self::tensor`].
    pub fn dyn_tensor_as(
        &self,
        name: &str,
        dtype: DType,
        rules: &'static RuleSet,
    ) -> Result<DynTensor, Error> {
        let array = self.array(name, Some(dtype))?;
        expect(&self.path, Some(name), &array, dtype, None)?;
        Ok(DynTensor::from_array(array, false, rules))
    }

    fn array(&self, name: &str, expected: Option<DType>) -> Result<Array, Error> {
        let number = self.names.get(name).ok_or_else(|| Error::NoSuchTensor {
            path: self.path.clone(),
            name: name.into(),
            names: self.names(),
        })?;
        let read = || -> Result<Array, Reason> {
            let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
            // What the archive says about sizes is not known to be true.
            read_array(&mut archive.by_index(*number)?, 0, expected)
        };
        read().map_err(|reason| reason.within(name).unreadable(&self.path))
    }

    /// Writes tensors, typed or dynamic, as `numpy.savez` does; each as [`Tensor::write_npy`] would, and the file in the
    /// place of an old one when it is complete.
    ///
    /// # Errors
    /// [`Error::Unwritable`], also if two have the same name.
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
    pub fn write(path: impl AsRef<Path>, tensors: &[(&str, &dyn AnyTensor)]) -> Result<(), Error> {
        replace(path.as_ref(), |file| {
            let mut archive = ZipWriter::new(file);
            let mut names = BTreeSet::new();
            for (name, tensor) in tensors {
                if !names.insert(name) {
                    return Err(Reason::from("there are two of that name").within(name));
                }
                // Above 4 GiB an entry has to be announced as large.
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

impl<D: StrongDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Reads one array of a `.npz` file, of this dtype and rank; to read several, [`NpzFile::read`] the file. Needs the feature
    /// `npz`.
    ///
    /// # Errors
    /// Those of [`NpzFile::read`] and [`NpzFile::tensor`].
    ///
    /// ```
    /// use supremum::{Error, F16, Rank2, Tensor};
    /// let temperature = Tensor::<F16, Rank2>::read_npz("examples/data/weather.npz", "temperature")?;
    /// assert_eq!(temperature.shape(), [7, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_npz(path: impl AsRef<Path>, name: &str) -> Result<Self, Error> {
        NpzFile::read(path)?.tensor_under(name)
    }
}

impl DynTensor {
    /// Reads all arrays of a `.npz` file, as `numpy.savez` and `numpy.savez_compressed` write them, by their names
    /// (without `.npy`). Needs the feature `npz`.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read or is damaged, if something else than a `.npy` file is in
    /// it, or an array of no dtype of ours. Raw bytes are read by [`NpzFile::dyn_tensor_as`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, RuleSet};
    /// let arrays = DynTensor::read_npz("examples/data/weather.npz", RuleSet::named("numpy")?)?;
    /// let dtypes: Vec<_> = arrays.values().map(DynTensor::dtype).collect();
    /// assert_eq!(dtypes, [DType::U16, DType::F64, DType::F16]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_npz(
        path: impl AsRef<Path>,
        rules: &'static RuleSet,
    ) -> Result<BTreeMap<String, Self>, Error> {
        let file = NpzFile::read(path)?;
        let tensors = file.names.keys().map(|name| {
            let tensor = file.dyn_tensor(name, rules)?;
            Ok((name.clone(), tensor))
        });
        tensors.collect()
    }
}
