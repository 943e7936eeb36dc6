//! Fallible allocation.
//!
//! Whatever grows with the user's data is allocated by [`Uninit::new`](super::Uninit::new),
//! [`Buffer::zeroed`](super::Buffer::zeroed), [`Buffer::copied`](super::Buffer::copied) or [`vec_with_capacity`]. There is
//! no infallible form of these, so a kernel has to say what happens without memory: it gives [`Error::OutOfMemory`], or it
//! takes a way that needs none. Temporary blocks and tiles of a few kilobytes count as data here.
//!
//! These allocations stay infallible. The process ends if one of them fails:
//!
//! - the layout of a view and the box of an error (some 200 bytes each), the entry of a buffer in the pool, the message of
//!   a panic;
//! - what grows with the program and not with its data: the steps of a `fuse!`, a traced graph, the list of tensors that
//!   are joined, names, printed text;
//! - the packing buffers of the matrix libraries (`matrixmultiply` and `gemm` allocate up to a few megabytes by
//!   themselves), and the threads and queues of rayon.

use crate::error::Error;

/// There is no memory for so many bytes. Smaller than an [`Error`], so that it comes up in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AllocError {
    pub(crate) bytes: usize,
}

impl From<AllocError> for Error {
    #[cold]
    fn from(error: AllocError) -> Self {
        Self::OutOfMemory { bytes: error.bytes }
    }
}

/// A vector with room for exactly so many items.
pub(crate) fn vec_with_capacity<T>(len: usize) -> Result<Vec<T>, AllocError> {
    let mut items = Vec::new();
    match items.try_reserve_exact(len) {
        Ok(()) => Ok(items),
        Err(_) => Err(AllocError {
            bytes: len.saturating_mul(size_of::<T>()),
        }),
    }
}

/// Copies of these items.
pub(crate) fn vec_of<T: Copy>(items: &[T]) -> Result<Vec<T>, AllocError> {
    let mut copies = vec_with_capacity(items.len())?;
    copies.extend_from_slice(items);
    Ok(copies)
}
