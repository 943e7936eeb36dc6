//! The header before the bytes of a buffer, and how large an allocation with it is.

use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::AtomicUsize;
use std::alloc;

#[cfg(all(test, unix))]
use crate::array::fence::Fence;
use crate::array::layout::Layout;

/// The header before the bytes. Its alignment is that of plain `malloc`: a larger one costs a small array 20 to 30
/// ns.
#[repr(C, align(16))]
pub(in crate::array) struct Header {
    pub(in crate::array) owners: AtomicUsize,
    /// The number of initialised bytes.
    pub(in crate::array) len: usize,
    /// The number of bytes allocated after this header; [`EXTERNAL`] for external memory.
    pub(in crate::array) capacity: usize,
    /// The number of bytes of the allocation before this header.
    pub(in crate::array) before: usize,
    /// The address of the first byte.
    pub(in crate::array) data: NonNull<u8>,
    /// The layout of the array, written by [`BufferWithLayout`](super::BufferWithLayout).
    pub(in crate::array) layout: MaybeUninit<Layout>,
    /// The mapping that the memory is part of, if it is fenced.
    #[cfg(all(test, unix))]
    pub(in crate::array) fence: Option<Fence>,
}

pub(in crate::array) const HEADER: usize = size_of::<Header>();
/// The capacity in headers of external memory.
pub(in crate::array) const EXTERNAL: usize = 0;
/// The capacity of all buffers of up to this many bytes. Small buffers share one size, so that the allocator hands
/// freed ones straight out again. All of their bytes are initialised, also the padding.
pub(in crate::array) const SMALL_BYTES: usize = 128;
/// The allocation layout of small buffers.
pub(in crate::array) const SMALL_LAYOUT: alloc::Layout = match allocation(SMALL_BYTES) {
    Some(layout) => layout,
    None => panic!("a small layout"),
};
/// Bytes in a cache line. Larger buffers begin a line: a vector that crosses two lines takes twice as long to write.
pub(in crate::array) const LINE: usize = 64;
/// The number of guard bytes after the writable bytes, in builds with debug assertions: as many as the largest pack
/// has. They are checked when the buffer is freed, so that a loop that writes too far is found wherever it runs.
pub(in crate::array) const GUARD: usize = if cfg!(debug_assertions) { 512 } else { 0 };
/// The value of the guard bytes.
pub(in crate::array) const GUARD_BYTE: u8 = 0xA5;

/// Returns the allocation layout of a buffer with this capacity, or `None` if its size overflows.
pub(in crate::array) const fn allocation(capacity: usize) -> Option<alloc::Layout> {
    let padding = if capacity == SMALL_BYTES { 0 } else { LINE };
    let Some(size) = capacity.checked_add(HEADER + padding + GUARD) else {
        return None;
    };
    match alloc::Layout::from_size_align(size, align_of::<Header>()) {
        Ok(layout) => Some(layout),
        Err(_) => None,
    }
}
