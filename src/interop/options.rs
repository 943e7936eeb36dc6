//! [`ReadOptions`]: the limit on the bytes that are read from a file.

use std::collections::BTreeSet;

use super::file::Location;
use crate::error::Error;

/// Options for reading files: the limit on the bytes of elements that are read from one file.
///
/// A compressed archive can expand to a thousand times its size, so an untrusted small file could take all memory.
/// [`Self::max_bytes`] sets the limit; the default is 4 GiB, or 16 times the size of the file if that is more. A tensor
/// above the limit is refused with [`Error::ReadLimit`] before memory is allocated for it.
///
/// | | without options | with options |
/// | --- | --- | --- |
/// | one array | [`Tensor::read_npy`](crate::Tensor::read_npy) | [`ReadOptions::read_npy`] |
/// | | [`DynTensor::read_npy`](crate::DynTensor::read_npy), [`read_npy_as`](crate::DynTensor::read_npy_as) | [`ReadOptions::read_dyn_npy`], [`read_dyn_npy_as`](Self::read_dyn_npy_as) |
/// | a file, to read tensors by name | [`NpzFile::read`](crate::NpzFile::read) | [`ReadOptions::read_npz`] |
/// | | [`SafeTensorsFile::read`](crate::SafeTensorsFile::read) | [`ReadOptions::read_safetensors`] |
/// | all arrays of a file | [`DynTensor::read_npz`](crate::DynTensor::read_npz) | [`ReadOptions::read_dyn_npz`] |
/// | a record | [`LoadTensors::load`](crate::LoadTensors::load) | [`ReadOptions::load`] |
///
/// Each function needs the feature of its format. Mapped files ([`SafeTensorsFile::map`](crate::SafeTensorsFile::map))
/// have no limit, because their tensors are the bytes of the file itself.
///
#[cfg_attr(feature = "npy", doc = "```")]
#[cfg_attr(not(feature = "npy"), doc = "```ignore")]
/// use supremum::{Error, Rank3, ReadOptions, Tensor, U8};
/// let small = ReadOptions::new().max_bytes(100_000);
/// let path = "examples/digits/data/images.npy"; // 1797 images of 64 bytes
/// let error = small.read_npy::<U8, Rank3, supremum::Jax>(path).unwrap_err();
/// assert!(matches!(error, Error::ReadLimit { bytes: 115_008, limit: 100_000, .. }));
///
/// let images: Tensor<U8, Rank3> = ReadOptions::new().max_bytes(200_000).read_npy(path)?;
/// assert_eq!(images.shape(), [1797, 8, 8]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    max_bytes: Option<u64>,
}

impl ReadOptions {
    /// The default limit for files smaller than a sixteenth of it: 4 GiB.
    pub const DEFAULT_MAX_BYTES: u64 = 4 << 30;
    /// The default limit for larger files, as a multiple of their size.
    pub const DEFAULT_RATIO: u64 = 16;

    /// Makes options with the default limit.
    pub const fn new() -> Self {
        Self { max_bytes: None }
    }

    /// Sets the limit on the bytes of elements that are read from a file: those of one array, or of all tensors that
    /// are read from the same open file. Each tensor counts once, even if it is read again. `u64::MAX` removes the
    /// limit.
    ///
    /// Headers and lists of names are not counted; they take memory in proportion to their length in the file.
    #[must_use]
    pub const fn max_bytes(mut self, bytes: u64) -> Self {
        self.max_bytes = Some(bytes);
        self
    }

    /// The limit for a file of this many bytes.
    pub(super) fn budget(self, file: u64) -> Budget {
        let default = || {
            file.saturating_mul(Self::DEFAULT_RATIO)
                .max(Self::DEFAULT_MAX_BYTES)
        };
        Budget {
            limit: self.max_bytes.unwrap_or_else(default),
            read: 0,
            names: BTreeSet::new(),
        }
    }
}

/// The limit on bytes of elements for one file, and the bytes read so far.
#[derive(Debug)]
pub(super) struct Budget {
    limit: u64,
    /// The bytes of the tensors that were read.
    read: u64,
    names: BTreeSet<String>,
}

impl Budget {
    /// Checks that a tensor of that many bytes may be read.
    ///
    /// # Errors
    /// [`Error::ReadLimit`].
    pub(super) fn check(&self, location: &Location<'_>, bytes: u64) -> Result<(), Error> {
        let counted = location.name.is_some_and(|name| self.names.contains(name));
        let total = match counted {
            true => self.read,
            false => self.read.saturating_add(bytes),
        };
        if total <= self.limit {
            return Ok(());
        }
        Err(Error::ReadLimit {
            path: location.path.into(),
            name: location.name.map(Into::into),
            bytes,
            total,
            limit: self.limit,
        })
    }

    /// Counts a tensor that was read, unless it was counted before.
    pub(super) fn count(&mut self, location: &Location<'_>, bytes: u64) {
        if self
            .names
            .insert(location.name.unwrap_or_default().to_owned())
        {
            self.read = self.read.saturating_add(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_default_grows_with_the_file() {
        let limit = |file| ReadOptions::new().budget(file).limit;
        assert_eq!(limit(0), 4 << 30);
        assert_eq!(limit(256 << 20), 4 << 30);
        assert_eq!(limit(1 << 30), 16 << 30);
        assert_eq!(limit(u64::MAX), u64::MAX);
        assert_eq!(ReadOptions::default().max_bytes(7).budget(1 << 30).limit, 7);
    }

    #[test]
    fn each_tensor_is_counted_once() {
        let mut budget = ReadOptions::new().max_bytes(10).budget(0);
        let at = |name| Location {
            path: Path::new("file"),
            name: Some(name),
        };
        for _ in 0..3 {
            assert_eq!(budget.check(&at("a"), 6), Ok(()));
            budget.count(&at("a"), 6);
        }
        assert_eq!(budget.check(&at("b"), 4), Ok(()));
        for (bytes, total) in [(5, 11), (u64::MAX, u64::MAX)] {
            let refused = budget.check(&at("b"), bytes);
            assert_eq!(
                refused,
                Err(Error::ReadLimit {
                    path: "file".into(),
                    name: Some("b".into()),
                    bytes,
                    total,
                    limit: 10
                })
            );
        }
    }
}
