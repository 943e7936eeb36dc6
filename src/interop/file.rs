//! What reading and writing have in common, whatever the format.

use core::fmt::Display;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::array::Array;
use crate::dtype::{DType, StrongDType};
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// What is wrong with a file, in words. (It is no `Display` itself, so that everything else that is becomes one by `?`.)
#[derive(Debug)]
pub(super) struct Reason(String);

impl<E: Display> From<E> for Reason {
    fn from(reason: E) -> Self {
        Self(reason.to_string())
    }
}

impl Reason {
    /// The same about a part of the file.
    #[cfg(any(feature = "npz", feature = "safetensors"))]
    pub(super) fn within(self, part: &str) -> Self {
        Self(format!("`{part}`: {}", self.0))
    }

    /// The error of a file that cannot be read or is not what it should be.
    pub(super) fn unreadable(self, path: &Path) -> Error {
        Error::Unreadable {
            path: path.into(),
            reason: self.0,
        }
    }
}

/// Types what a file holds, if it has the dtype and rank that the type promises.
pub(super) fn typed<D: StrongDType, N: Rank, R: Rules>(
    path: &Path,
    name: Option<&str>,
    array: Array,
) -> Result<Tensor<D, N, R>, Error> {
    expect(path, name, &array, D::DTYPE, N::RANK)?;
    Ok(Tensor::from_array(array))
}

/// Refuses what has another dtype or rank.
pub(super) fn expect(
    path: &Path,
    name: Option<&str>,
    array: &Array,
    dtype: DType,
    rank: Option<usize>,
) -> Result<(), Error> {
    if array.dtype() == dtype && rank.is_none_or(|rank| rank == array.rank()) {
        return Ok(());
    }
    Err(Error::UnexpectedTensor {
        path: path.into(),
        name: name.map(Into::into),
        expected_dtype: dtype,
        expected_rank: rank,
        found_dtype: array.dtype(),
        found_shape: array.shape().into(),
    })
}

/// Reverses the bytes of every number; a complex number is two.
pub(super) fn swap(bytes: &mut [u8], dtype: DType) {
    let width = match dtype {
        DType::C64 | DType::C128 => dtype.size() / 2,
        _ => dtype.size(),
    };
    for number in bytes.chunks_exact_mut(width) {
        number.reverse();
    }
}

/// Writes a file beside the one that is to be, and puts it in that one's place when it is complete: until then, and if
/// it never is, the old one stays as it was, and so does what was mapped of it.
///
/// # Errors
/// [`Error::Unwritable`].
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Reason>,
) -> Result<(), Error> {
    replace_or_reason(path, write).map_err(|Reason(reason)| Error::Unwritable {
        path: path.into(),
        reason,
    })
}

fn replace_or_reason(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Reason>,
) -> Result<(), Reason> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        // A pipe or device cannot be replaced.
        return write_into(&File::options().write(true).open(path)?, write);
    }
    // A link stays one: what it leads to is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.into());
    let folder = target.parent().unwrap_or(Path::new(""));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".supremum-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As of any new file, less what the user's mask says; temporary ones are the owner's alone otherwise.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(folder)?;
    write_into(temporary.as_file(), write)?;
    if let Some(old) = old {
        temporary.as_file().set_permissions(old.permissions())?;
    }
    temporary.persist(target)?;
    Ok(())
}

fn write_into(
    file: &File,
    write: impl FnOnce(&mut BufWriter<&File>) -> Result<(), Reason>,
) -> Result<(), Reason> {
    let mut file = BufWriter::with_capacity(1 << 16, file);
    write(&mut file)?;
    Ok(file.flush()?)
}
