//! Helpers that the readers and writers of all file formats share: errors and dtype checks.

use core::fmt::Display;
use std::path::Path;

use crate::array::Array;
use crate::dtype::{DType, StrongDType};
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// A path, for its message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a path of a file",
    label = "not a path",
    note = "a path is text, e.g. `\"weights.npy\"`, or a path of the standard library, in a variable `&path`; a record `T` is loaded from an open file by `T::load_from(&file)?`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait FilePath: AsRef<Path> {}

#[diagnostic::do_not_recommend]
impl<P: AsRef<Path>> FilePath for P {}

/// Implemented for no type: a message at `file["w"]`, which Python has.
#[cfg(any(feature = "npz", feature = "safetensors"))]
#[diagnostic::on_unimplemented(
    message = "a tensor of a file is read by name, dtype and rank: `file.tensor::<F32, Rank2>(\"name\")?`",
    label = "the compiler does not know the dtype and the rank in the file",
    note = "of any dtype it is `file.dyn_tensor(\"name\", Jax)?`; the names are `file.names()`"
)]
#[doc(hidden)]
pub trait FileIndex {
    type Part;
}

/// Implemented for no type: a message at `file.keys()`, which Python has.
#[cfg(any(feature = "npz", feature = "safetensors"))]
#[diagnostic::on_unimplemented(
    message = "the names of the tensors in a file are `file.names()`",
    label = "a name of other libraries",
    note = "a tensor is read by its name: `file.tensor::<F32, Rank2>(\"name\")?`, or of any dtype `file.dyn_tensor(\"name\", Jax)?`"
)]
#[doc(hidden)]
pub trait FileKeys {}

/// Stands for an index or another argument in the bound.
// Not the argument itself: rustc would say how to implement the trait for it.
#[cfg(any(feature = "npz", feature = "safetensors"))]
#[doc(hidden)]
pub struct IndexedBy<I>(I);

/// Refuses `file["w"]` with the message of [`FileIndex`].
#[cfg(any(feature = "npz", feature = "safetensors"))]
macro_rules! no_index {
    ($File:ident) => {
        #[doc(hidden)]
        impl<I> core::ops::Index<I> for $File
        where
            $crate::interop::file::IndexedBy<I>: $crate::interop::file::FileIndex,
        {
            type Output =
                <$crate::interop::file::IndexedBy<I> as $crate::interop::file::FileIndex>::Part;

            fn index(&self, _: I) -> &Self::Output {
                unreachable!("the bound never holds")
            }
        }
    };
}

#[cfg(any(feature = "npz", feature = "safetensors"))]
pub(super) use no_index;

/// The reason why a file is refused, as text. (It does not implement `Display`, so that `?` can convert every type that
/// does.)
#[derive(Debug)]
pub(super) struct Reason(String);

impl<E: Display> From<E> for Reason {
    fn from(reason: E) -> Self {
        Self(reason.to_string())
    }
}

impl Reason {
    /// Prefixes the part of the file that the reason concerns.
    #[cfg(any(feature = "npz", feature = "safetensors"))]
    pub(super) fn within(self, part: &str) -> Self {
        Self(format!("`{part}`: {}", self.0))
    }

    /// Makes the error of a file that cannot be read or is malformed.
    pub(super) fn unreadable(self, path: &Path) -> Error {
        Error::Unreadable {
            path: path.into(),
            reason: self.0,
        }
    }

    /// Makes the error of a file that cannot be written.
    pub(super) fn unwritable(self, path: &Path) -> Error {
        Error::Unwritable {
            path: path.into(),
            reason: self.0,
        }
    }
}

/// The source of a tensor: a file, and the name in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Location<'a> {
    pub(super) path: &'a Path,
    /// The tensor's name, if the file names its tensors.
    pub(super) name: Option<&'a str>,
}

impl<'a> Location<'a> {
    /// A file with one tensor.
    #[cfg(feature = "npy")]
    pub(super) fn file(path: &'a Path) -> Self {
        Self { path, name: None }
    }

    /// Makes the error of a tensor that cannot be read.
    pub(super) fn unreadable(&self, reason: impl Into<Reason>) -> Error {
        let Reason(reason) = reason.into();
        let reason = match self.name {
            Some(name) => format!("`{name}`: {reason}"),
            None => reason,
        };
        Reason(reason).unreadable(self.path)
    }

    /// Makes the error of a tensor whose shape or elements are invalid. It names the file.
    pub(super) fn invalid(&self, error: Error) -> Error {
        match error {
            Error::Unreadable { .. } | Error::OutOfMemory { .. } => error,
            other => self.unreadable(other),
        }
    }

    /// Converts an array that was read to a typed tensor, after checking its dtype and rank.
    pub(super) fn typed<D: StrongDType, N: Rank, R: Rules>(
        &self,
        array: Array,
    ) -> Result<Tensor<D, N, R>, Error> {
        self.expect(&array, D::DTYPE, N::RANK)?;
        Ok(Tensor::from_array(array))
    }

    /// Checks dtype and rank.
    pub(super) fn expect(
        &self,
        array: &Array,
        dtype: DType,
        rank: Option<usize>,
    ) -> Result<(), Error> {
        if array.dtype() == dtype && rank.is_none_or(|rank| rank == array.rank()) {
            return Ok(());
        }
        Err(Error::UnexpectedTensor {
            path: self.path.into(),
            name: self.name.map(Into::into),
            expected_dtype: dtype,
            expected_rank: rank,
            found_dtype: array.dtype(),
            found_shape: array.shape().into(),
        })
    }
}
