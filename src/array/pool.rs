//! Memory of large buffers, kept for the next ones.
//!
//! Fresh memory of such a size comes as pages that the system maps one by one when they are first touched, which
//! takes several times as long as to write into memory that is there (30 ms against 5 ms for 64 MiB). So what
//! large buffers leave behind is kept, up to a limit; beyond it the oldest is freed.
#![allow(unsafe_code, reason = "owns raw memory")]

use core::ptr::NonNull;
use std::alloc::{Layout, dealloc};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Smaller buffers are left to the allocator, which is as fast at handing those out again.
pub(crate) const MIN_POOLED: usize = 1 << 16;

static POOL: Mutex<Pool> = Mutex::new(Pool::new(1 << 30));

/// What the pool did and has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Bytes that are kept for tensors to come.
    pub held: usize,
    /// In how many pieces.
    pub pieces: usize,
    /// How often a tensor got such memory.
    pub hits: u64,
    /// How often there was none that fits, so that the system was asked.
    pub misses: u64,
}

/// The bytes that are allocated for a buffer of this length, so that others find a use for them.
///
/// There are four sizes in each doubling. What that adds is not touched, so it takes addresses rather than
/// memory.
pub(crate) fn rounded(len: usize) -> Option<usize> {
    let len = len.max(MIN_POOLED);
    len.checked_next_multiple_of(1 << ((len - 1).ilog2() - 2))
}

/// An allocation that nobody uses.
struct Free {
    memory: NonNull<u8>,
    layout: Layout,
    /// How many were given back before it.
    turn: u64,
}

// SAFETY: nobody else has a pointer to this memory.
unsafe impl Send for Free {}

impl Drop for Free {
    fn drop(&mut self) {
        // SAFETY: by the contract of `give` this is an allocation of the layout, and it is the pool's.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) }
    }
}

struct Pool {
    /// By size, the oldest first.
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

    /// The memory that was given back last, as it may still be in a cache.
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

    /// The oldest, if more than this many bytes are kept.
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
    // Whoever panicked left the pool as it should be: nothing in it panics between two changes.
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees what is kept beyond this many bytes, while others may use the pool: to unmap takes long.
fn free_beyond(bytes: usize) {
    loop {
        let oldest = pool().beyond(bytes);
        if oldest.is_none() {
            return;
        }
    }
}

/// Memory that was [given](give) with this layout; its bytes are what they were.
pub(super) fn take(layout: Layout) -> Option<NonNull<u8>> {
    pool().take(layout)
}

/// Keeps memory, or frees it.
///
/// # Safety
/// It was allocated with this layout, and nobody uses it any more.
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
