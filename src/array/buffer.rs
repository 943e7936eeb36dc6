//! Shared memory: one allocation for header and bytes.
#![allow(
    unsafe_code,
    reason = "owns raw memory; the types below keep it initialised and shared"
)]

use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};

use crate::error::Error;

/// What precedes the bytes. Its alignment is the bytes' alignment, and what plain `malloc` gives:
/// asking for more costs a small array 20 to 30 ns.
#[repr(C, align(16))]
struct Header {
    owners: AtomicUsize,
    /// Bytes that are initialised; the allocation may be larger.
    len: usize,
    layout: Layout,
}

const HEADER: usize = size_of::<Header>();
/// Small arrays are allocated alike, so that the allocator hands freed ones straight out again.
const SMALLEST: usize = 256;
/// Larger ones are padded to whole cache lines.
const LINE: usize = 64;

/// Bytes with a shared owner count: cloning shares, dropping the last owner frees.
///
/// All `len()` bytes are initialised. They are written through [`Uninit`] before a buffer exists,
/// or by a unique owner afterwards.
pub(crate) struct Buffer(NonNull<Header>);

// SAFETY: the bytes are plain data, written only by a unique owner; the count is atomic.
unsafe impl Send for Buffer {}
// SAFETY: as above; a shared `Buffer` only reads.
unsafe impl Sync for Buffer {}

/// A new buffer whose bytes are still to be written.
pub(crate) struct Uninit(Buffer);

/// # Panics
/// If no allocation can have this size; shapes are checked so that this cannot happen.
fn layout(len: usize) -> Layout {
    let padded = len.max(SMALLEST).checked_next_multiple_of(LINE);
    padded
        .and_then(|bytes| bytes.checked_add(HEADER))
        .and_then(|bytes| Layout::from_size_align(bytes, align_of::<Header>()).ok())
        .expect("the bytes of a checked shape can be addressed")
}

impl Buffer {
    /// Ends the process if there is no memory, as `Vec` does.
    #[inline]
    fn allocate(len: usize, zeroed: bool) -> Self {
        Self::try_allocate(len, zeroed).unwrap_or_else(|| handle_alloc_error(layout(len)))
    }

    fn try_allocate(len: usize, zeroed: bool) -> Option<Self> {
        let layout = layout(len);
        // SAFETY: the layout's size is at least that of the header, so not zero.
        let memory = unsafe {
            if zeroed {
                alloc_zeroed(layout)
            } else {
                alloc(layout)
            }
        };
        let header = NonNull::new(memory.cast::<Header>())?;
        // SAFETY: the memory is new, aligned for a header by the layout, and large enough.
        unsafe {
            header.write(Header {
                owners: AtomicUsize::new(1),
                len,
                layout,
            });
        }
        Some(Self(header))
    }

    /// A buffer of zero bytes.
    pub(crate) fn zeroed(len: usize) -> Self {
        Self::allocate(len, true)
    }

    /// A buffer of zero bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn try_zeroed(len: usize) -> Result<Self, Error> {
        Self::try_allocate(len, true).ok_or(Error::OutOfMemory { bytes: len })
    }

    /// A copy of these bytes.
    pub(crate) fn copied(bytes: &[u8]) -> Self {
        let mut buffer = Uninit::new(bytes.len());
        // SAFETY: the new buffer has room for as many bytes and overlaps nothing; all are written.
        unsafe {
            buffer
                .as_mut_ptr()
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            buffer.assume_init()
        }
    }

    fn header(&self) -> &Header {
        // SAFETY: the header was written by `allocate` and lives until the last owner drops.
        unsafe { self.0.as_ref() }
    }

    /// The number of bytes.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.header().len
    }

    /// The first byte; aligned to 16.
    #[inline]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        // SAFETY: the allocation is larger than the header.
        unsafe { self.0.as_ptr().cast::<u8>().add(HEADER) }
    }

    /// The first byte, to write through, if there is no other owner.
    #[inline]
    pub(crate) fn unique_mut_ptr(&mut self) -> Option<*mut u8> {
        self.is_unique().then(|| self.as_ptr().cast_mut())
    }

    /// Whether there is no other owner. Nobody can become one meanwhile, if this is borrowed mutably.
    #[inline]
    pub(crate) fn is_unique(&self) -> bool {
        // Acquire pairs with the release in `drop`: former owners are done reading.
        self.header().owners.load(Ordering::Acquire) == 1
    }
}

impl Clone for Buffer {
    #[inline]
    fn clone(&self) -> Self {
        // Relaxed, as in `Arc`: the new owner comes from one that exists.
        let owners = self.header().owners.fetch_add(1, Ordering::Relaxed);
        assert!(owners <= isize::MAX.cast_unsigned(), "too many owners");
        Self(self.0)
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        if self.header().owners.fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        // As in `Arc`: all use by former owners happens before the memory is freed.
        fence(Ordering::Acquire);
        let layout = self.header().layout;
        // SAFETY: this was the last owner; the memory came from `alloc` with this layout.
        unsafe { dealloc(self.0.as_ptr().cast(), layout) }
    }
}

impl Uninit {
    /// Memory for this many bytes.
    #[inline]
    pub(crate) fn new(len: usize) -> Self {
        Self(Buffer::allocate(len, false))
    }

    /// Memory for this many bytes.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn try_new(len: usize) -> Result<Self, Error> {
        let buffer = Buffer::try_allocate(len, false);
        buffer.map(Self).ok_or(Error::OutOfMemory { bytes: len })
    }

    /// The first byte; aligned to 16.
    #[inline]
    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_ptr().cast_mut()
    }

    /// The finished buffer.
    ///
    /// # Safety
    /// All its bytes have been written.
    #[inline]
    pub(crate) unsafe fn assume_init(self) -> Buffer {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharing_counts_owners() {
        let mut first = Buffer::copied(&[1, 2, 3]);
        assert!(first.is_unique());
        let second = first.clone();
        assert!(!first.is_unique() && first.unique_mut_ptr().is_none());
        assert_eq!(first.as_ptr(), second.as_ptr());
        drop(second);
        assert!(first.unique_mut_ptr().is_some());
        assert_eq!(first.len(), 3);
        assert_eq!(first.as_ptr().addr() % 16, 0);
    }

    #[test]
    fn a_buffer_may_be_empty() {
        assert_eq!(Buffer::zeroed(0).len(), 0);
    }
}
