//! Buffers that end at an inaccessible page, so that a test crashes where a loop reads or writes beyond the end.
//!
//! [Guard bytes](super::buffer) detect writes in every debug build, but not reads.

use core::cell::{Cell, RefCell};
use core::ptr::NonNull;

std::thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
    static SPARE: RefCell<Spare> = const { RefCell::new(Spare(Vec::new())) };
}

/// Mappings of two pages, one of them accessible, that hold no buffer at present. Most buffers of the tests take such a mapping, and
/// making one takes longer than most of the tests' loops.
struct Spare(Vec<Fence>);

impl Spare {
    /// The number of mappings that a thread keeps.
    const MOST: usize = 64;
}

impl Drop for Spare {
    fn drop(&mut self) {
        for fence in self.0.drain(..) {
            // SAFETY: a spare mapping holds no buffer.
            unsafe { fence.unmap() }
        }
    }
}

/// A mapping that holds one buffer.
#[derive(Clone, Copy)]
pub(super) struct Fence {
    first: NonNull<u8>,
    len: usize,
}

fn page() -> usize {
    // SAFETY: `sysconf` reads a system constant and has no preconditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(page).expect("pages have a size")
}

impl Fence {
    /// Returns a mapping of zeroed memory that ends before an inaccessible page, and the address of the `len` bytes.
    fn new(len: usize) -> (Self, NonNull<u8>) {
        let (page, rounded) = (page(), len.next_multiple_of(page()));
        let spare = || SPARE.with_borrow_mut(|spare| spare.0.pop());
        let fence = match (rounded == page).then(spare).flatten() {
            Some(fence) => {
                // SAFETY: a spare mapping has one accessible page, and holds no buffer.
                unsafe { fence.first.write_bytes(0, page) };
                fence
            }
            None => Self::map(rounded, page),
        };
        // SAFETY: `rounded` bytes are accessible from the first one on, and `rounded >= len`.
        let start = unsafe { fence.first.add(rounded - len) };
        (fence, start)
    }

    /// Maps as many bytes, a multiple of the page, and an inaccessible page.
    fn map(rounded: usize, page: usize) -> Self {
        let fence = rounded + page;
        // SAFETY: a new anonymous mapping at an address of the system's choice affects no other memory; the page at
        // `rounded` is the last of its `rounded + page` bytes, and nothing uses it yet.
        let first = unsafe {
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANON;
            let first = libc::mmap(core::ptr::null_mut(), fence, access, flags, -1, 0);
            assert_ne!(first, libc::MAP_FAILED, "a mapping of {fence} bytes");
            let last = first.cast::<u8>().add(rounded);
            assert_eq!(libc::mprotect(last.cast(), page, libc::PROT_NONE), 0);
            first.cast::<u8>()
        };
        let first = NonNull::new(first).expect("it was mapped");
        Self { first, len: fence }
    }

    /// Returns a mapping for a header of `header` bytes and at least `len` bytes, its first address, and the number of
    /// bytes after the header, if buffers of this thread are fenced. That number is a multiple of 16, to which the
    /// bytes are aligned.
    pub(super) fn of_buffer(header: usize, len: usize) -> Option<(Self, NonNull<u8>, usize)> {
        if !IS_ON.get() {
            return None;
        }
        let capacity = len.next_multiple_of(16);
        let (fence, first) = Self::new(header + capacity);
        Some((fence, first, capacity))
    }

    /// Keeps the mapping for another buffer, or unmaps it.
    ///
    /// # Safety
    /// The memory is no longer used.
    pub(super) unsafe fn free(self) {
        let kept = self.len == 2 * page()
            && SPARE.try_with(|spare| {
                let spare = &mut spare.borrow_mut().0;
                let has_room = spare.len() < Spare::MOST;
                if has_room {
                    spare.push(self);
                }
                has_room
            }) == Ok(true);
        if !kept {
            // SAFETY: the caller guarantees that the memory is no longer used.
            unsafe { self.unmap() }
        }
    }

    /// Unmaps the memory.
    ///
    /// # Safety
    /// The memory is no longer used.
    unsafe fn unmap(self) {
        // SAFETY: `map` mapped `len` bytes at `first`; the caller guarantees that they are no longer used.
        let result = unsafe { libc::munmap(self.first.as_ptr().cast(), self.len) };
        assert_eq!(result, 0, "what was mapped is unmapped");
    }
}

/// Runs a function while every new buffer of this thread ends at a fence.
pub(crate) fn fenced<T>(run: impl FnOnce() -> T) -> T {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            IS_ON.set(self.0);
        }
    }
    let _reset = Reset(IS_ON.replace(true));
    run()
}

/// Bytes of any length that end at a fence: stands for the memory of another library.
pub(crate) struct Bytes {
    fence: Fence,
    first: NonNull<u8>,
    len: usize,
}

// SAFETY: the value owns its mapping, as a `Box<[u8]>` owns its bytes.
unsafe impl Send for Bytes {}
// SAFETY: shared references give only shared slices of the bytes, which are not written after `copied`.
unsafe impl Sync for Bytes {}

impl Bytes {
    pub(crate) fn copied(bytes: &[u8]) -> Self {
        let (fence, first) = Fence::new(bytes.len());
        // SAFETY: `first` has room for `bytes.len()` bytes in a new mapping, which cannot overlap `bytes`.
        unsafe { first.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len()) };
        Self {
            fence,
            first,
            len: bytes.len(),
        }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `copied` wrote `len` bytes at `first`; the mapping lives as long as this value, and is not written.
        unsafe { core::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: the value owns the mapping and is being dropped; slices of it are borrowed from the value.
        unsafe { self.fence.free() }
    }
}
