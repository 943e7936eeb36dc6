//! Memory that is kept for tensors to come.
//!
//! To ask the system for memory takes longer than most operations take to fill it. So where a tensor of 64 KiB or
//! more is dropped, its memory is kept, and the next tensor of about that size gets it: `&a + &b` on 16 million
//! elements, in a loop, takes a fifth of the time.
//!
//! At most [`limit()`] bytes are kept, 1 GiB unless [`set_limit`] says otherwise; beyond that, what was kept longest
//! is freed. All threads share what is kept. [`trim`] frees all of it, and a limit of zero keeps nothing. (Apart from that,
//! each thread keeps up to 16 pieces of a few hundred bytes for its smallest tensors.)
//!
//! # Without memory
//!
//! Where an allocation fails that grows with the elements of tensors, what gives a `Result` gives
//! [`Error::OutOfMemory`](crate::Error::OutOfMemory), and what does not panics with its text. What is kept is freed
//! before that. Operands, and the outputs of `fuse!(out = ..)`, are as they were.
//!
//! ```
//! use supremum::{Error, Tensor, U8};
//! let huge = Tensor::<U8>::ones([1]).broadcast_to([1 << 55]); // one byte, seen again and again
//! assert_eq!(huge.try_add(&huge).unwrap_err(), Error::OutOfMemory { bytes: 1 << 55 });
//! ```
//!
//! The process still ends where there is no memory for small things of a few hundred bytes (the layout of a view, an
//! error), for what grows with the program (the steps of a `fuse!`, a trace, printed text), and for the packed
//! copies of up to some megabytes that the libraries for products of floats make (`matrixmultiply`, `gemm`), or for the
//! threads of rayon.
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

/// Frees what is kept. Memory of tensors to come will be kept again.
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

/// Keeps at most this many bytes from now on, and frees what is more; with zero, each tensor's memory is freed
/// when the tensor is dropped.
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

/// How many bytes are kept at most; see [`set_limit`].
pub fn limit() -> usize {
    pool::limit()
}

/// What is kept, and how often it was of use.
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
