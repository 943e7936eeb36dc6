//! An allocator that refuses large allocations on demand.

use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use supremum::memory;

/// Smaller allocations are those that the library does not make fallibly: layouts of views, errors, steps of programs.
const LARGE: usize = 4 << 10;

/// Refuses the large allocations from a number on, or that alone.
struct Refusing;

thread_local! {
    /// `true` if large allocations of this thread may be refused now.
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    /// `true` if it runs a test: the harness has its own threads, which nothing is refused.
    pub(super) static IS_TEST: Cell<bool> = const { Cell::new(false) };
}

/// `true` if allocations of the library's threads are refused too.
pub(super) static THREADS: AtomicBool = AtomicBool::new(false);

static FIRST: AtomicUsize = AtomicUsize::new(0);

static ONE_ONLY: AtomicBool = AtomicBool::new(false);

static SEEN: AtomicUsize = AtomicUsize::new(0);

/// The size of the largest that was refused.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

fn refuses(size: usize) -> bool {
    let counts = IS_ON.get() || THREADS.load(Ordering::SeqCst) && !IS_TEST.get();
    if size < LARGE || !counts {
        return false;
    }
    let number = SEEN.fetch_add(1, Ordering::SeqCst);
    let first = FIRST.load(Ordering::SeqCst);
    let refuses = number == first || number > first && !ONE_ONLY.load(Ordering::SeqCst);
    if refuses {
        REFUSED.fetch_max(size, Ordering::SeqCst);
    }
    refuses
}

// SAFETY: null means that there is no memory; all else is the system's.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match refuses(layout.size()) {
            true => core::ptr::null_mut(),
            // SAFETY: the caller's.
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match refuses(layout.size()) {
            true => core::ptr::null_mut(),
            // SAFETY: the caller's.
            false => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match refuses(size) {
            true => core::ptr::null_mut(),
            // SAFETY: the caller's.
            false => unsafe { System.realloc(memory, layout, size) },
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// One test at a time; nothing is kept for tensors to come, so that all ask the allocator.
pub(super) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    IS_TEST.set(true);
    memory::set_limit(0);
    // The panics that are expected say nothing; nor does a backtrace allocate what would be refused.
    std::panic::set_hook(Box::new(|info| {
        unrefused(|| {
            let text = info.payload_as_str().unwrap_or_default();
            if !text.starts_with("there is no memory for ") {
                eprintln!("{info}");
            }
        });
    }));
    alone
}

/// Runs with large allocations refused: from this number on, or that alone. With what it gives comes the size of the
/// largest that was refused; zero, if there was none.
pub(super) fn refusing<T>(first: usize, one_only: bool, run: impl FnOnce() -> T) -> (T, usize) {
    FIRST.store(first, Ordering::SeqCst);
    ONE_ONLY.store(one_only, Ordering::SeqCst);
    SEEN.store(0, Ordering::SeqCst);
    REFUSED.store(0, Ordering::SeqCst);
    struct Off;
    impl Drop for Off {
        fn drop(&mut self) {
            IS_ON.set(false);
        }
    }
    IS_ON.set(true);
    let off = Off;
    let result = run();
    drop(off);
    (result, REFUSED.load(Ordering::SeqCst))
}

/// Runs something in between for which nothing is refused.
pub(super) fn unrefused<T>(run: impl FnOnce() -> T) -> T {
    let was_on = IS_ON.replace(false);
    let result = run();
    IS_ON.set(was_on);
    result
}
