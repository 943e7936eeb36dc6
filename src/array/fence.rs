//! Buffers that end at a page which cannot be touched, so that a test ends where a loop reads or writes beyond one.
//!
//! [Guard bytes](super::buffer) show what was written in every debug build, but not what was read.

use core::cell::Cell;
use core::ptr::NonNull;

use super::buffer::{HEADER, SMALL_BYTES};

std::thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
}

/// A mapping that a buffer is alone in.
#[derive(Clone, Copy)]
pub(super) struct Fence {
    first: NonNull<u8>,
    len: usize,
}

/// The bytes of a buffer that may be read and written: those it was asked for, and all of the smallest. Their number is
/// rounded up, so that the first is aligned.
fn rounded(len: usize) -> usize {
    len.max(SMALL_BYTES).next_multiple_of(16)
}

fn page() -> usize {
    // SAFETY: it only asks.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(page).expect("pages have a size")
}

impl Fence {
    /// New memory that ends before a page which cannot be touched. It is zero.
    fn new(len: usize) -> (Self, NonNull<u8>) {
        let (page, rounded) = (page(), len.next_multiple_of(page()));
        let fence = rounded + page;
        // SAFETY: a new mapping, of which the last page is taken away.
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
        // SAFETY: the mapping is that long.
        let start = unsafe { first.add(rounded - len) };
        (Self { first, len: fence }, start)
    }

    /// Where a header and so many bytes begin, and how many bytes there are, if buffers of this thread are fenced.
    pub(super) fn of_buffer(len: usize) -> Option<(Self, NonNull<u8>, usize)> {
        if !IS_ON.get() {
            return None;
        }
        let capacity = rounded(len);
        let (fence, first) = Self::new(HEADER + capacity);
        Some((fence, first, capacity))
    }

    /// # Safety
    /// Nobody uses the memory any more.
    pub(super) unsafe fn free(self) {
        // SAFETY: the mapping that was made; the caller's.
        let result = unsafe { libc::munmap(self.first.as_ptr().cast(), self.len) };
        assert_eq!(result, 0, "what was mapped is unmapped");
    }
}

/// Runs something with every new buffer of this thread against a fence.
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

/// Bytes that end at a fence, of whatever length: what another library lends.
pub(crate) struct Bytes {
    fence: Fence,
    first: NonNull<u8>,
    len: usize,
}

// SAFETY: the mapping is this value's alone.
unsafe impl Send for Bytes {}
// SAFETY: as above; shared it is only read.
unsafe impl Sync for Bytes {}

impl Bytes {
    pub(crate) fn copied(bytes: &[u8]) -> Self {
        let (fence, first) = Fence::new(bytes.len());
        // SAFETY: new memory of this length.
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
        // SAFETY: that many bytes were written, and are this value's.
        unsafe { core::slice::from_raw_parts(self.first.as_ptr(), self.len) }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: nobody else has it.
        unsafe { self.fence.free() }
    }
}
