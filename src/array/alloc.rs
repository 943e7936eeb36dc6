//! Fallible allocation.
//!
//! Everything that grows with the user's data is allocated by [`Uninit::new`](super::Uninit::new),
//! [`Buffer::zeroed`](super::Buffer::zeroed), [`Buffer::copied`](super::Buffer::copied) or [`vec_with_capacity`].
//! These have no infallible form, so a kernel has to handle a lack of memory: it returns [`Error::OutOfMemory`], or
//! falls back to an algorithm that needs no memory. Temporary blocks and tiles of a few kilobytes count as data here.
//!
//! These allocations stay infallible. The process ends if one of them fails:
//!
//! - the layout of a view and the box of an error (some 200 bytes each), the entry of a buffer in the pool, the
//!   message of a panic;
//! - allocations that grow with the program and not with its data: the steps of a `fuse!`, a traced graph, the list
//!   of tensors that are concatenated, names, printed text;
//! - the packing buffers of the matrix libraries (`matrixmultiply` and `gemm` allocate up to a few megabytes by
//!   themselves), and the threads and queues of rayon.

use crate::error::Error;

/// A failed allocation of `bytes` bytes. Smaller than an [`Error`], so that it is returned in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AllocError {
    pub(crate) bytes: usize,
}

#[diagnostic::do_not_recommend]
impl From<AllocError> for Error {
    #[cold]
    fn from(error: AllocError) -> Self {
        Self::OutOfMemory { bytes: error.bytes }
    }
}

/// Allocates a vector with a capacity of exactly `len` items.
pub(crate) fn vec_with_capacity<T>(len: usize) -> Result<Vec<T>, AllocError> {
    let mut items = Vec::new();
    match items.try_reserve_exact(len) {
        Ok(()) => Ok(items),
        Err(_) => Err(AllocError {
            bytes: len.saturating_mul(size_of::<T>()),
        }),
    }
}

/// Copies the items into a new vector.
pub(crate) fn vec_of<T: Copy>(items: &[T]) -> Result<Vec<T>, AllocError> {
    let mut copies = vec_with_capacity(items.len())?;
    copies.extend_from_slice(items);
    Ok(copies)
}

/// Makes a vector of `len` copies of an item.
pub(crate) fn vec_filled<T: Clone>(item: T, len: usize) -> Result<Vec<T>, AllocError> {
    let mut copies = vec_with_capacity(len)?;
    copies.resize(len, item);
    Ok(copies)
}

/// Collects the items of an iterator into a new vector.
pub(crate) fn vec_from_iter<T>(items: impl Iterator<Item = T>) -> Result<Vec<T>, AllocError> {
    let mut collected = vec_with_capacity(items.size_hint().0)?;
    for item in items {
        if collected.len() == collected.capacity() && collected.try_reserve(1).is_err() {
            let bytes = collected.len().saturating_mul(size_of::<T>());
            return Err(AllocError { bytes });
        }
        collected.push(item);
    }
    Ok(collected)
}
