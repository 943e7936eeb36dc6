//! NumPy's `.npy` files, by the crate `npyz`.

mod header;
mod name;
mod read;
mod write;

pub(super) use read::read_array;
pub(super) use write::write_array;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use super::ReadOptions;
use super::file::{FilePath, Location};
use super::replace::replace;
use crate::array::Array;
use crate::dtype::{DType, StaticDType, StrongDType};
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::{IntoRuleSet, Rules};
use crate::tensor::Tensor;

/// # Read `.npy` files
///
/// Feature `npy`.
impl<D: StrongDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Reads a `.npy` file of this dtype and rank. Fortran order and big-endian numbers are
    /// converted. Needs the feature `npy`.
    ///
    /// NumPy has no names for `bf16` and the 8-bit floats; their elements are raw bytes in files (`|V2`, `|V1`). Such a
    /// file is read as the dtype `D`, if the size is right.
    ///
    /// Bytes after the elements are ignored, as NumPy does: a file can have several arrays, of which this reads the
    /// first. [`ReadOptions::read_npy`] limits the bytes of the elements.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read, is truncated, or is no `.npy` file of a
    /// dtype of ours; [`Error::UnexpectedTensor`] if it has another dtype or rank; [`Error::ReadLimit`] and
    /// [`Error::OutOfMemory`] if it is too large.
    ///
    /// ```
    /// use supremum::{Error, Rank3, Tensor, U8, F32};
    /// let images = Tensor::<U8, Rank3>::read_npy("examples/digits/data/images.npy")?;
    /// assert_eq!(images.shape(), [1797, 8, 8]);
    /// let error = Tensor::<F32, Rank3>::read_npy("examples/digits/data/images.npy").unwrap_err();
    /// assert!(matches!(error, Error::UnexpectedTensor { .. }));
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the line, with its comment, where the dtype is not known.
    pub fn read_npy(path: impl FilePath) -> Result<Self, Error> { // `Tensor::<F32, Rank2>::read_npy(path)?`, not as `help` says
        ReadOptions::new().read_npy(path)
    }
}

/// # Write `.npy` files
///
/// Feature `npy`.
impl<D: StaticDType, N: Rank, R: Rules> Tensor<D, N, R> {
    /// Writes a `.npy` file, which `numpy.load` reads. Needs the feature `npy`.
    ///
    /// A tensor in Fortran order (such as the transpose of a matrix) is written in that order, any other in row-major
    /// order. Numbers have the byte order of this machine. `bf16` and the 8-bit floats are written as raw bytes, `|V2`
    /// and `|V1`, because NumPy has no names for them; in Python, `numpy.load(path).view(ml_dtypes.bfloat16)` converts
    /// them.
    ///
    /// The file is written under a temporary name beside `path` and replaces an old file only when it is complete. When
    /// this returns, the new file is on the disk.
    ///
    /// # Errors
    /// [`Error::Unwritable`], also if the old file is read-only, or the folder may not be written.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("weights.npy");
    /// use supremum::{BF16, Error, F16, Rank2, Tensor, tensor};
    /// let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// weights.write_npy(&path)?;
    /// assert_eq!(Tensor::<BF16, Rank2>::read_npy(&path)?, weights);
    /// assert!(Tensor::<F16, Rank2>::read_npy(&path).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write_npy(&self, path: impl FilePath) -> Result<(), Error> {
        write(path.as_ref(), self.array())
    }
}

/// # Read and write `.npy` files
impl DynTensor {
    /// Reads a `.npy` file of any dtype and rank; see [`Tensor::read_npy`]. Needs the feature `npy`.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the file cannot be read, is truncated, or is no `.npy` file of a dtype of ours; also if
    /// its elements are raw bytes, which [`Self::read_npy_as`] reads; [`Error::ReadLimit`] and [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, Jax, Rules};
    /// let images = DynTensor::read_npy("examples/digits/data/images.npy", Jax::rule_set())?;
    /// assert_eq!((images.dtype(), images.shape()), (DType::U8, &[1797, 8, 8][..]));
    /// # Ok::<(), Error>(())
    /// ```
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn read_npy(path: impl FilePath, rules: impl IntoRuleSet) -> Result<Self, Error> { // `DynTensor::read_npy(path, Jax)?`
        ReadOptions::new().read_dyn_npy(path, rules)
    }

    /// Reads a `.npy` file of this dtype and any rank. If the dtype is `bf16` or an 8-bit float, raw bytes (`|V2`,
    /// `|V1`) are accepted. Needs the feature `npy`.
    ///
    /// # Errors
    /// The errors of [`Tensor::read_npy`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("weights.npy");
    /// use supremum::{BF16, DType, DynTensor, Error, Jax, Rules, Tensor, tensor};
    /// let weights: Tensor<BF16> = tensor![1.0, 2.0];
    /// weights.write_npy(&path)?; // as numpy.save writes an array of ml_dtypes.bfloat16
    /// assert!(DynTensor::read_npy(&path, Jax::rule_set()).is_err());
    /// let read = DynTensor::read_npy_as(&path, DType::BF16, Jax::rule_set())?;
    /// assert_eq!(read.to_string(), "[1.0, 2.0] bf16 [2]");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn read_npy_as(
        path: impl FilePath,
        dtype: DType,
        rules: impl IntoRuleSet,
    ) -> Result<Self, Error> {
        ReadOptions::new().read_dyn_npy_as(path, dtype, rules)
    }

    /// Writes a `.npy` file, as [`Tensor::write_npy`] does. Needs the feature `npy`.
    ///
    /// # Errors
    /// [`Error::Unwritable`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("steps.npy");
    /// use supremum::{DType, DynTensor, Error, Jax, Rules};
    /// let steps = DynTensor::full(DType::I64, &[2, 2], 3)?;
    /// steps.write_npy(&path)?;
    /// assert_eq!(DynTensor::read_npy(&path, Jax::rule_set())?.to_string(), steps.to_string());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn write_npy(&self, path: impl FilePath) -> Result<(), Error> {
        write(path.as_ref(), self.array())
    }
}

impl ReadOptions {
    /// [`Tensor::read_npy`] with this limit. Needs the feature `npy`.
    ///
    /// # Errors
    /// The errors of [`Tensor::read_npy`].
    pub fn read_npy<D: StrongDType, N: Rank, R: Rules>(
        self,
        path: impl FilePath,
    ) -> Result<Tensor<D, N, R>, Error> {
        let location = Location::file(path.as_ref());
        location.typed(self.read(&location, Some(D::DTYPE))?)
    }

    /// [`DynTensor::read_npy`] with this limit. Needs the feature `npy`.
    ///
    /// # Errors
    /// The errors of [`DynTensor::read_npy`].
    pub fn read_dyn_npy(
        self,
        path: impl FilePath,
        rules: impl IntoRuleSet,
    ) -> Result<DynTensor, Error> {
        let array = self.read(&Location::file(path.as_ref()), None)?;
        Ok(DynTensor::from_array(array, false, rules.into_rule_set()))
    }

    /// [`DynTensor::read_npy_as`] with this limit. Needs the feature `npy`.
    ///
    /// # Errors
    /// The errors of [`DynTensor::read_npy_as`].
    pub fn read_dyn_npy_as(
        self,
        path: impl FilePath,
        dtype: DType,
        rules: impl IntoRuleSet,
    ) -> Result<DynTensor, Error> {
        let location = Location::file(path.as_ref());
        let array = self.read(&location, Some(dtype))?;
        location.expect(&array, dtype, None)?;
        Ok(DynTensor::from_array(array, false, rules.into_rule_set()))
    }

    /// Reads the array of a file; raw elements get the expected dtype.
    fn read(self, location: &Location<'_>, expected: Option<DType>) -> Result<Array, Error> {
        let open = || {
            let file = File::open(location.path)?;
            let metadata = file.metadata()?;
            Ok((file, metadata))
        };
        let (file, metadata) = open().map_err(|error: io::Error| location.unreadable(error))?;
        let mut budget = self.budget(metadata.len());
        // The length of a pipe is not known.
        let most = match metadata.is_file() {
            true => metadata.len(),
            false => u64::MAX,
        };
        read_array(
            &mut BufReader::new(file),
            most,
            expected,
            location,
            &mut budget,
        )
    }
}

fn write(path: &Path, array: &Array) -> Result<(), Error> {
    replace(path, |file| write_array(file, array))
}
