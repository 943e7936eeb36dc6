//! Caches the memory of large buffers for later ones.
//!
//! The system maps fresh pages one by one when they are first touched, which takes several times as long as writing
//! to mapped memory (30 ms against 5 ms for 64 MiB). So the memory of dropped buffers of [`MIN_POOLED`] bytes or more
//! is kept, up to a limit; beyond it the oldest is freed.
#![allow(unsafe_code, reason = "owns raw memory")]

use core::ptr::NonNull;
use std::alloc::{Layout, dealloc};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The smallest capacity that is pooled, in bytes. Smaller buffers are left to the allocator, which reuses those as
/// fast.
pub(crate) const MIN_POOLED: usize = 1 << 16;

static POOL: Mutex<Pool> = Mutex::new(Pool::new(1 << 30));

/// Counters of the memory that is kept for later tensors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Bytes that are kept now.
    pub held: usize,
    /// Pieces of memory that are kept now.
    pub pieces: usize,
    /// The number of tensors that reused kept memory.
    pub hits: u64,
    /// The number of tensors that no kept memory fit, so that memory was asked of the system.
    pub misses: u64,
}

/// Returns the capacity of a buffer of `len` bytes, rounded up so that later buffers of about the length fit it.
/// `None` if it overflows.
///
/// There are four capacities in each doubling. The padding is never touched, so it costs address space rather than
/// memory.
pub(crate) fn rounded(len: usize) -> Option<usize> {
    let len = len.max(MIN_POOLED);
    len.checked_next_multiple_of(1 << ((len - 1).ilog2() - 2))
}

/// An unused allocation.
struct Free {
    memory: NonNull<u8>,
    layout: Layout,
    /// The number of allocations given back up to this one: the least is the oldest.
    turn: u64,
}

// SAFETY: the memory was given to the pool (`give`), so this is the only pointer to it that is used.
unsafe impl Send for Free {}

impl Drop for Free {
    fn drop(&mut self) {
        // SAFETY: `give` requires that the memory was allocated with this layout and is no longer used; `take`
        // forgets a `Free` instead of dropping it.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) }
    }
}

struct Pool {
    /// Unused allocations by size, the oldest first.
    free: BTreeMap<usize, VecDeque<Free>>,
    limit: usize,
    turns: u64,
    statistics: Statistics,
}

impl Pool {
    const fn new(limit: usize) -> Self {
        Self {
            free: BTreeMap::new(),
            limit,
            turns: 0,
            statistics: Statistics {
                held: 0,
                pieces: 0,
                hits: 0,
                misses: 0,
            },
        }
    }

    /// Returns the allocation of this layout that was given back last: it may still be in a cache.
    fn take(&mut self, layout: Layout) -> Option<NonNull<u8>> {
        let newest = self.free.get_mut(&layout.size());
        let Some(free) = newest.and_then(VecDeque::pop_back) else {
            self.statistics.misses += 1;
            return None;
        };
        self.statistics.hits += 1;
        self.left(&free);
        let memory = free.memory;
        core::mem::forget(free);
        Some(memory)
    }

    fn give(&mut self, memory: NonNull<u8>, layout: Layout) {
        self.turns += 1;
        self.statistics.held += layout.size();
        self.statistics.pieces += 1;
        let free = Free {
            memory,
            layout,
            turn: self.turns,
        };
        self.free.entry(layout.size()).or_default().push_back(free);
    }

    /// Removes the oldest allocation, if more than `bytes` bytes are kept.
    fn beyond(&mut self, bytes: usize) -> Option<Free> {
        if self.statistics.held <= bytes {
            return None;
        }
        let fronts = self.free.iter();
        let fronts = fronts.filter_map(|(size, free)| Some((free.front()?.turn, *size)));
        let (_, size) = fronts.min()?;
        let free = self.free.get_mut(&size)?.pop_front()?;
        self.left(&free);
        Some(free)
    }

    fn left(&mut self, free: &Free) {
        self.statistics.held -= free.layout.size();
        self.statistics.pieces -= 1;
    }
}

fn pool() -> MutexGuard<'static, Pool> {
    // A poisoned lock is fine: no code panics between the changes of a consistent update.
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees allocations until at most `bytes` bytes are kept. The lock is released in between, as unmapping takes long.
fn free_beyond(bytes: usize) {
    loop {
        let oldest = pool().beyond(bytes);
        if oldest.is_none() {
            return;
        }
    }
}

/// Takes memory that was [given](give) with this layout. Its bytes have their former values.
pub(super) fn take(layout: Layout) -> Option<NonNull<u8>> {
    pool().take(layout)
}

/// Keeps memory for a later [`take`], or frees it if the limit is exceeded.
///
/// # Safety
/// The memory was allocated with this layout, and is no longer used.
pub(super) unsafe fn give(memory: NonNull<u8>, layout: Layout) {
    let mut pool = pool();
    pool.give(memory, layout);
    let (held, limit) = (pool.statistics.held, pool.limit);
    drop(pool);
    if held > limit {
        free_beyond(limit);
    }
}

pub(crate) fn trim() {
    free_beyond(0);
}

pub(crate) fn set_limit(bytes: usize) {
    pool().limit = bytes;
    free_beyond(bytes);
}

pub(crate) fn limit() -> usize {
    pool().limit
}

pub(crate) fn statistics() -> Statistics {
    pool().statistics
}

#[cfg(test)]
mod tests {
    use std::alloc::alloc;

    use super::*;

    fn allocated(size: usize) -> (NonNull<u8>, Layout) {
        let layout = Layout::from_size_align(size, 16).expect("a small layout");
        // SAFETY: the size is not zero.
        let memory = unsafe { alloc(layout) };
        (NonNull::new(memory).expect("there is memory"), layout)
    }

    #[test]
    fn the_last_comes_first_and_the_oldest_goes() {
        let mut pool = Pool::new(100);
        let (first, second, other) = (allocated(40), allocated(40), allocated(50));
        for (memory, layout) in [first, second, other] {
            pool.give(memory, layout);
        }
        assert_eq!(pool.beyond(100).map(|free| free.memory), Some(first.0));
        assert!(pool.beyond(100).is_none());
        assert_eq!(pool.take(second.1), Some(second.0));
        assert_eq!(pool.take(second.1), None);
        pool.give(second.0, second.1);
        let expected = Statistics {
            held: 90,
            pieces: 2,
            hits: 1,
            misses: 1,
        };
        assert_eq!(pool.statistics, expected);
        assert_eq!(pool.beyond(0).map(|free| free.memory), Some(other.0));
        assert_eq!(pool.beyond(0).map(|free| free.memory), Some(second.0));
        assert_eq!((pool.statistics.held, pool.statistics.pieces), (0, 0));
    }

    #[test]
    fn sizes_are_rounded_to_quarters_of_a_doubling() {
        assert_eq!(rounded(0), Some(1 << 16));
        assert_eq!(rounded(1 << 16), Some(1 << 16));
        assert_eq!(rounded((1 << 16) + 1), Some(5 << 14));
        assert_eq!(rounded(7 << 14), Some(7 << 14));
        assert_eq!(rounded((1 << 26) - 1), Some(1 << 26));
        assert_eq!(rounded(usize::MAX), None);
    }
}
