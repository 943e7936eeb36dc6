//! Reuse of the memory of dropped tensors.
//!
//! The system takes longer to provide memory than most operations take to fill it. So when a tensor of 64 KiB or more
//! is dropped, the library keeps its memory, and the next tensor of about that size reuses it. In a loop, `&a + &b` on
//! 16 million elements then takes a fifth of the time.
//!
//! At most [`limit()`] bytes are kept: 1 GiB, unless [`set_limit`] changes it. Beyond that, the oldest memory is
//! freed. All threads share the kept memory. [`trim`] frees all of it, and a limit of zero keeps none. (Besides, each
//! thread keeps up to 16 allocations of a few hundred bytes for its smallest tensors.)
//!
//! # Out of memory
//!
//! If an allocation whose size grows with the number of elements fails, the library frees its kept memory and tries
//! again. If that fails too, functions that return a `Result` return [`Error::OutOfMemory`](crate::Error::OutOfMemory),
//! and others panic with its text. Operands, and the outputs of `fuse!(out = ..)`, are unchanged.
//!
//! ```
//! use supremum::{Error, Tensor, U8};
//! let huge = Tensor::<U8>::ones([1]).broadcast_to([1 << 55]); // one byte, seen again and again
//! assert_eq!(huge.try_add(&huge).unwrap_err(), Error::OutOfMemory { bytes: 1 << 55 });
//! ```
//!
//! The process still aborts if there is no memory for one of these:
//!
//! - small allocations of a few hundred bytes (the layout of a view, an error);
//! - data that grows with the program (the steps of a `fuse!`, a trace, printed text);
//! - the packed copies of up to a few megabytes that the libraries for products of floats make (`matrixmultiply`,
//!   `gemm`);
//! - the threads of rayon.
//!
//! ```standalone_crate
//! use supremum::{F32, Tensor, memory};
//! drop(Tensor::<F32>::ones([1 << 20])); // a step of work leaves 4 MiB behind,
//! let before = memory::statistics();
//! assert!(before.held >= 4 << 20);
//! let next = Tensor::<F32>::ones([1 << 20]); // which the next step finds
//! assert_eq!(memory::statistics().hits, before.hits + 1);
//! drop(next);
//! memory::trim(); // the work is over
//! assert_eq!(memory::statistics().held, 0);
//! ```

use crate::array::pool;

pub use crate::array::pool::Statistics;

/// Frees all kept memory. The memory of tensors dropped later is kept again.
///
/// ```standalone_crate
/// use supremum::{Tensor, U8, memory};
/// drop(Tensor::<U8>::zeros([1 << 20]));
/// memory::trim();
/// assert_eq!(memory::statistics().held, 0);
/// ```
pub fn trim() {
    pool::trim();
}

/// Sets the limit of kept memory, in bytes, and frees the oldest memory beyond it. With zero, each tensor's memory is
/// freed when the tensor is dropped.
///
/// ```standalone_crate
/// use supremum::{Tensor, U8, memory};
/// memory::set_limit(0);
/// drop(Tensor::<U8>::zeros([1 << 20]));
/// assert_eq!((memory::limit(), memory::statistics().held), (0, 0));
/// ```
pub fn set_limit(bytes: usize) {
    pool::set_limit(bytes);
}

/// Returns the limit of kept memory, in bytes; see [`set_limit`].
pub fn limit() -> usize {
    pool::limit()
}

/// Returns how much memory is kept, and how often it was reused.
///
/// ```standalone_crate
/// use supremum::{Tensor, U8, memory};
/// drop(Tensor::<U8>::zeros([1 << 20]));
/// let statistics = memory::statistics();
/// assert_eq!((statistics.pieces, statistics.misses), (1, 1));
/// ```
pub fn statistics() -> Statistics {
    pool::statistics()
}
