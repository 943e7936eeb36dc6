//! Caches the memory of the smallest buffers, separately for each thread.
//!
//! Calls of the allocator are a third of the time of an operation on a small array.
#![allow(unsafe_code, reason = "owns raw memory")]

use core::cell::Cell;
use core::ptr::NonNull;
use std::alloc::{Layout, dealloc};

/// The number of allocations that a thread keeps.
const MAX_FREE: usize = 16;

/// Unused allocations of one layout.
struct FreeList {
    layout: Layout,
    memory: [Cell<Option<NonNull<u8>>>; MAX_FREE],
    count: Cell<usize>,
}

std::thread_local! {
    static FREE_LIST: FreeList = const {
        FreeList {
            layout: super::buffer::header::SMALL_LAYOUT,
            memory: [const { Cell::new(None) }; MAX_FREE],
            count: Cell::new(0),
        }
    };
}

impl FreeList {
    #[inline]
    fn take(&self) -> Option<NonNull<u8>> {
        let count = self.count.get().checked_sub(1)?;
        self.count.set(count);
        self.memory.get(count)?.take()
    }

    /// Keeps an allocation. Returns whether there was room.
    #[inline]
    fn give(&self, memory: NonNull<u8>) -> bool {
        let count = self.count.get();
        let Some(place) = self.memory.get(count) else {
            return false;
        };
        place.set(Some(memory));
        self.count.set(count + 1);
        true
    }
}

impl Drop for FreeList {
    fn drop(&mut self) {
        while let Some(memory) = self.take() {
            // SAFETY: `give` requires that the memory was allocated with the layout of the smallest buffers, which is
            // `self.layout`, and that it is no longer used once it is kept.
            unsafe { dealloc(memory.as_ptr(), self.layout) }
        }
    }
}

/// Takes memory that was [given](give) on this thread.
#[inline]
pub(super) fn take() -> Option<NonNull<u8>> {
    // While a thread ends, its list is already dropped.
    FREE_LIST.try_with(FreeList::take).ok().flatten()
}

/// Keeps memory. Returns `false`, and does not keep it, if the list is full.
///
/// # Safety
/// The memory was allocated with the layout of the smallest buffers. If it is kept, it is no longer used.
#[inline]
pub(super) unsafe fn give(memory: NonNull<u8>) -> bool {
    FREE_LIST
        .try_with(|free_list| free_list.give(memory))
        .unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Buffer;

    #[test]
    fn small_buffers_use_memory_again() {
        // In a new thread, whose list nothing else uses.
        std::thread::spawn(|| {
            let zeroed = |len| Buffer::zeroed(len).expect("there is memory");
            let first = Buffer::copied(&[1; 100]).expect("there is memory");
            let place = first.as_ptr();
            drop(first);
            let second = zeroed(128);
            assert_eq!(second.as_ptr(), place);
            // SAFETY: that many bytes are initialised.
            let bytes = unsafe { core::slice::from_raw_parts(second.as_ptr(), 128) };
            assert!(bytes.iter().all(|byte| *byte == 0));
            let many: Vec<Buffer> = (0..MAX_FREE + 3).map(|_| zeroed(1)).collect();
            drop((many, second));
            assert_eq!(FREE_LIST.with(|free_list| free_list.count.get()), MAX_FREE);
        })
        .join()
        .expect("the thread ends well");
    }
}
