//! The most memory that a function takes, counted by the test's allocator, for each thread by itself.
#![allow(unsafe_code, reason = "an allocator is")]

use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// The bytes that this thread has allocated and not freed, and their greatest number so far.
    static BYTES: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: usize, sign: isize) {
    let (now, most) = BYTES.get();
    let now = now + sign * bytes.cast_signed();
    BYTES.set((now, most.max(now)));
}

// SAFETY: every call goes to the system's allocator as it is. Counting allocates nothing: the cell is constant at first,
// and has nothing to drop.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: `alloc` has the same preconditions here and there.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 1);
        // SAFETY: `alloc_zeroed` has the same preconditions here and there.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(layout.size(), -1);
        // SAFETY: the memory comes from the same system allocator, with this layout.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both pieces exist for a moment, if the system has to copy.
        count(size, 1);
        count(layout.size(), -1);
        // SAFETY: the memory comes from the same system allocator, with this layout; `size` is the caller's.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// Returns the result of a function, and the number of bytes by which the memory of this thread rose meanwhile, at most.
pub(crate) fn peak<T>(function: impl FnOnce() -> T) -> (T, usize) {
    // Memory that is kept for later tensors would hide what this one takes.
    supremum::memory::set_limit(0);
    let (before, _) = BYTES.get();
    BYTES.set((before, before));
    let result = function();
    let (_, most) = BYTES.get();
    (result, (most - before).unsigned_abs())
}
