//! Shared memory. A buffer is one allocation for a header and the bytes, which the pool provides for large buffers. For external
//! memory, which has an owner, a buffer is a header alone.
#![allow(
    unsafe_code,
    reason = "owns raw memory; the types below keep it initialised and shared"
)]

pub(super) mod header;
mod memory;
mod with_layout;

use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};
use std::alloc::dealloc;

use super::alloc::AllocError;
#[cfg(all(test, unix))]
use super::fence::Fence;
use super::{free_list, pool};
use header::{
    EXTERNAL, GUARD, GUARD_BYTE, HEADER, Header, LINE, SMALL_BYTES, SMALL_LAYOUT, allocation,
};
pub(super) use with_layout::BufferWithLayout;

/// The largest length that is not pooled: its capacity is below that of the pool's buffers.
const LARGEST_UNPOOLED: usize = pool::MIN_POOLED - LINE;

/// Bytes with a shared owner count: clones share them, and dropping the last owner frees them.
///
/// All `len()` bytes are initialised. They are written through [`Uninit`] before a buffer exists, or by a unique
/// owner afterwards. The elements of external memory are never written.
pub(crate) struct Buffer(NonNull<Header>);

/// The owner of external memory. The memory is borrowed from it until the owner is dropped.
type Owner = dyn AsRef<[u8]> + Send + Sync;

/// The header of external memory, with the owner. It begins with the header.
#[repr(C)]
struct ExternalHeader {
    header: Header,
    owner: Box<Owner>,
}

// SAFETY: the bytes are plain data, written only by a unique owner; the count is atomic; an `Owner` is `Send`.
unsafe impl Send for Buffer {}
// SAFETY: a shared `Buffer` only reads the bytes, and clones itself with an atomic count; an `Owner` is `Sync`.
unsafe impl Sync for Buffer {}

/// A new buffer whose bytes are still to be written.
pub(crate) struct Uninit(Buffer);

impl Buffer {
    #[inline]
    fn allocate(len: usize, zeroed: bool) -> Option<Self> {
        #[cfg(all(test, unix))]
        if let Some((fence, memory, capacity)) = Fence::of_buffer(HEADER, len.max(SMALL_BYTES)) {
            // SAFETY: `of_buffer` gave a new mapping, aligned to 16, with room for a header and `capacity >= len`
            // bytes.
            return Some(unsafe { Self::with_header(memory, 0, len, capacity, Some(fence)) });
        }
        if len > SMALL_BYTES {
            return Self::allocate_more(len, zeroed);
        }
        let memory = match free_list::take() {
            Some(memory) => memory,
            None => memory::new(SMALL_LAYOUT, true)?,
        };
        if zeroed {
            // SAFETY: an allocation of `SMALL_LAYOUT` has `SMALL_BYTES >= len` bytes after the header, and has no
            // other user.
            unsafe { memory.add(HEADER).write_bytes(0, len) };
        }
        // SAFETY: the memory has no other user, and was allocated with the layout of capacity `SMALL_BYTES >= len`,
        // here or for the buffer that gave it to the free list; `before` is zero.
        Some(unsafe { Self::in_memory(memory, 0, len, SMALL_BYTES) })
    }

    #[inline(never)]
    fn allocate_more(len: usize, zeroed: bool) -> Option<Self> {
        if len > LARGEST_UNPOOLED {
            return Self::allocate_large(len, zeroed);
        }
        let capacity = len.next_multiple_of(LINE);
        let memory = memory::new(allocation(capacity)?, zeroed)?;
        // SAFETY: the memory is new, and was allocated with the layout of this capacity, which is at least `len` and
        // more than `SMALL_BYTES`.
        Some(unsafe { Self::on_a_line(memory, len, capacity) })
    }

    /// Takes memory from the pool, or allocates it.
    #[cold]
    fn allocate_large(len: usize, zeroed: bool) -> Option<Self> {
        let capacity = pool::rounded(len)?;
        let layout = allocation(capacity)?;
        let (memory, clean) = match pool::take(layout) {
            Some(memory) => (memory, false),
            None => (memory::pages(layout, zeroed)?, zeroed),
        };
        // SAFETY: the memory is new or was taken from the pool, so it has no other user. It was allocated with the
        // layout of this capacity, which is at least `len` and more than `SMALL_BYTES`.
        let buffer = unsafe { Self::on_a_line(memory, len, capacity) };
        if zeroed && !clean {
            // SAFETY: the buffer has room for `len` bytes, and no other owner yet.
            unsafe { buffer.as_ptr().cast_mut().write_bytes(0, len) };
        }
        Some(buffer)
    }

    /// Places the header so that the bytes after it begin a cache line.
    ///
    /// # Safety
    /// The memory has no other user, and was allocated with the layout of this capacity, which is at least `len` and
    /// more than [`SMALL_BYTES`].
    #[inline]
    unsafe fn on_a_line(memory: NonNull<u8>, len: usize, capacity: usize) -> Self {
        let first = memory.addr().get() + HEADER;
        let before = first.next_multiple_of(LINE) - first;
        // SAFETY: the caller guarantees unused memory with the layout of this capacity, which is not `SMALL_BYTES`
        // and so has a line to spare; `before` is less than a line, and a multiple of 16 as `memory` is aligned to
        // 16.
        unsafe { Self::in_memory(memory, before, len, capacity) }
    }

    /// # Safety
    /// The memory has no other user, and was allocated with the layout of this capacity, which is at least `len`.
    /// `before` is a multiple of 16: zero if the capacity is [`SMALL_BYTES`], whose layout has no line to spare, else
    /// less than a line.
    #[inline]
    unsafe fn in_memory(memory: NonNull<u8>, before: usize, len: usize, capacity: usize) -> Self {
        debug_assert!(before < LINE && before.is_multiple_of(align_of::<Header>()));
        // SAFETY: the layout of `allocation` has room for `before`, a header, `capacity` bytes and the guard, and is
        // aligned for a header, as is `before`. The guard begins at most `capacity` bytes after the header.
        unsafe {
            #[cfg(all(test, unix))]
            let buffer = Self::with_header(memory, before, len, capacity, None);
            #[cfg(not(all(test, unix)))]
            let buffer = Self::with_header(memory, before, len, capacity);
            buffer.guard().write_bytes(GUARD_BYTE, GUARD);
            buffer
        }
    }

    /// # Safety
    /// The memory has no other user. From `before` on it is aligned for a header, and has room for the header and
    /// `capacity` bytes.
    #[inline]
    unsafe fn with_header(
        memory: NonNull<u8>,
        before: usize,
        len: usize,
        capacity: usize,
        #[cfg(all(test, unix))] fence: Option<Fence>,
    ) -> Self {
        debug_assert!(len <= capacity);
        // SAFETY: the caller guarantees unused memory that is aligned for a header and has room for it from `before`
        // on.
        unsafe {
            let header = memory.add(before).cast::<Header>();
            header.write(Header {
                owners: AtomicUsize::new(1),
                len,
                capacity,
                before,
                data: header.add(1).cast(),
                layout: MaybeUninit::uninit(),
                #[cfg(all(test, unix))]
                fence,
            });
            Self(header)
        }
    }

    /// The address of the first byte that must not be written.
    #[inline]
    fn guard(&self) -> *mut u8 {
        let Header {
            len,
            capacity,
            data,
            ..
        } = self.header();
        let end = if *capacity == SMALL_BYTES {
            SMALL_BYTES
        } else {
            *len
        };
        data.as_ptr().wrapping_add(end)
    }

    /// Aborts the process if the guard bytes were overwritten. A panic would leave memory corrupted, and could be the
    /// second one at a time.
    #[cfg(debug_assertions)]
    fn check_guard(&self) {
        // SAFETY: `in_memory` wrote the guard's `GUARD` bytes, which are part of the allocation.
        let guard = unsafe { core::slice::from_raw_parts(self.guard(), GUARD) };
        // All at once: one byte after the other would take a tenth of the time of unoptimised tests.
        if guard != [GUARD_BYTE; GUARD] {
            let position = guard.iter().position(|byte| *byte != GUARD_BYTE);
            let position = position.unwrap_or(GUARD);
            eprintln!(
                "supremum: a bug in the library: byte {position} after a buffer of {} bytes was overwritten",
                self.len()
            );
            std::process::abort();
        }
    }

    /// Makes a buffer of zeros.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn zeroed(len: usize) -> Result<Self, AllocError> {
        Self::allocate(len, true).ok_or(AllocError { bytes: len })
    }

    /// Makes a copy of the bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn copied(bytes: &[u8]) -> Result<Self, AllocError> {
        let mut buffer = Uninit::new(bytes.len())?;
        // SAFETY: the new buffer has room for `bytes.len()` bytes, all of which are written, and does not overlap
        // `bytes`.
        Ok(unsafe {
            buffer
                .as_mut_ptr()
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            buffer.assume_init()
        })
    }

    #[inline]
    fn header(&self) -> &Header {
        // SAFETY: `with_header` or `external` wrote the header, which lives until the last owner drops; this is an
        // owner.
        unsafe { self.0.as_ref() }
    }

    /// The number of bytes.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.header().len
    }

    /// The address of the first byte. It is aligned to 16, and to a cache line if there are more than [`SMALL_BYTES`]
    /// bytes; the address of external memory may have any alignment.
    #[inline]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.header().data.as_ptr()
    }

    /// The address of the first byte, for writing, if there is no other owner.
    #[inline]
    pub(crate) fn unique_mut_ptr(&mut self) -> Option<*mut u8> {
        self.is_unique().then(|| self.as_ptr().cast_mut())
    }

    /// Returns whether there is no other owner. If `self` is borrowed mutably, none can appear in the meantime.
    #[inline]
    pub(crate) fn is_unique(&self) -> bool {
        // Acquire pairs with the release in `drop`: former owners have finished reading.
        self.header().owners.load(Ordering::Acquire) == 1
    }

    #[inline]
    fn is_foreign(&self) -> bool {
        self.header().capacity == EXTERNAL
    }

    /// Returns whether there is no other owner, also for external memory. If `self` is borrowed mutably, none can appear in
    /// the meantime.
    #[inline]
    fn has_one_owner(&self) -> bool {
        // Acquire pairs with the release in `drop`: former owners have finished reading.
        self.header().owners.load(Ordering::Acquire) == self.last()
    }

    /// The count of a single owner.
    #[inline]
    fn last(&self) -> usize {
        if self.is_foreign() { 2 } else { 1 }
    }
}

/// Functions for files and other libraries.
#[allow(
    dead_code,
    reason = "it depends on the features which of these are used"
)]
impl Buffer {
    /// Makes a buffer of the owner's bytes, without a copy. The owner is dropped with the last buffer.
    ///
    /// The count of such a buffer is one more than it has owners, so that it never looks unique and is never written.
    pub(crate) fn external(owner: Box<Owner>) -> Self {
        let external = Box::leak(Box::new(ExternalHeader {
            header: Header {
                owners: AtomicUsize::new(2),
                len: 0,
                capacity: EXTERNAL,
                before: 0,
                data: NonNull::dangling(),
                layout: MaybeUninit::uninit(),
                #[cfg(all(test, unix))]
                fence: None,
            },
            owner,
        }));
        // The owner stays in this allocation and is borrowed once. Its bytes are valid until it is moved or dropped.
        let bytes: &[u8] = (*external.owner).as_ref();
        external.header.len = bytes.len();
        external.header.data = NonNull::from(bytes).cast();
        Self(NonNull::from(external).cast())
    }

    /// The bytes of the buffer.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        // SAFETY: all `len()` bytes are initialised, and are written only by a unique owner with a mutable borrow.
        unsafe { core::slice::from_raw_parts(self.as_ptr(), self.len()) }
    }

    /// The bytes, for writing, if there is no other owner.
    pub(crate) fn unique_bytes_mut(&mut self) -> Option<&mut [u8]> {
        let len = self.len();
        let first = self.unique_mut_ptr()?;
        // SAFETY: all `len()` bytes are initialised; the buffer has no other owner and is borrowed mutably.
        Some(unsafe { core::slice::from_raw_parts_mut(first, len) })
    }
}

impl Clone for Buffer {
    #[inline]
    fn clone(&self) -> Self {
        // Relaxed, as in `Arc`: the new owner is made from an existing one.
        let owners = self.header().owners.fetch_add(1, Ordering::Relaxed);
        assert!(owners <= isize::MAX.cast_unsigned(), "too many owners");
        Self(self.0)
    }
}

impl Drop for Buffer {
    #[inline]
    fn drop(&mut self) {
        // A single owner stays single here, so the count need not change: a locked instruction takes as long as
        // adding eight floats.
        if !self.is_unique() {
            // Read before the decrement: afterwards another owner may free the header.
            let last = self.last();
            if self.header().owners.fetch_sub(1, Ordering::Release) != last {
                return;
            }
            // All uses by former owners happen before the memory is freed, as in `Arc`.
            fence(Ordering::Acquire);
        }
        // SAFETY: this was the last owner, and is being dropped.
        unsafe { self.free() }
    }
}

impl Buffer {
    /// Frees the memory, or keeps it for later buffers.
    ///
    /// # Safety
    /// There is no other owner, and `self` is not used again.
    #[inline]
    unsafe fn free(&mut self) {
        #[cfg(all(test, unix))]
        if let Some(fence) = self.header().fence {
            // SAFETY: the caller guarantees that there is no other owner, so the mapping, which this buffer alone is
            // in, is unused.
            return unsafe { fence.free() };
        }
        #[cfg(debug_assertions)]
        if !self.is_foreign() {
            self.check_guard();
        }
        let memory = self.0.cast::<u8>();
        // SAFETY: the caller guarantees that the memory has no other owner and is not used again. A capacity of
        // `SMALL_BYTES` says that it was allocated with `SMALL_LAYOUT`; `before` is zero then, so the header begins
        // the allocation.
        unsafe {
            if self.header().capacity != SMALL_BYTES || !free_list::give(memory) {
                self.free_memory();
            }
        }
    }

    /// Frees the memory without the free list.
    ///
    /// # Safety
    /// There is no other owner, and `self` is not used again.
    #[inline(never)]
    unsafe fn free_memory(&mut self) {
        let Header {
            capacity, before, ..
        } = *self.header();
        if capacity == EXTERNAL {
            // SAFETY: a header of capacity `EXTERNAL` begins an `ExternalHeader` that `external` leaked from a `Box`;
            // there is no other owner, as the caller guarantees, so it is freed once.
            drop(unsafe { Box::from_raw(self.0.as_ptr().cast::<ExternalHeader>()) });
            return;
        }
        let Some(layout) = allocation(capacity) else {
            unreachable!("the layout with which the buffer was allocated")
        };
        // SAFETY: the header lies `before` bytes into the allocation, which was made with the layout of this
        // capacity; the caller guarantees that it has no other owner and is not used again.
        unsafe {
            let memory = self.0.cast::<u8>().sub(before);
            if capacity < pool::MIN_POOLED {
                dealloc(memory.as_ptr(), layout);
            } else {
                pool::give(memory, layout);
            }
        }
    }
}

impl Uninit {
    /// Allocates memory for `len` bytes. The number of elements of a shape times the size of an element does not
    /// overflow: see [`element_count`](super::element_count).
    ///
    /// # Errors
    /// If there is no memory.
    #[inline]
    pub(crate) fn new(len: usize) -> Result<Self, AllocError> {
        let buffer = Buffer::allocate(len, false);
        buffer.map(Self).ok_or(AllocError { bytes: len })
    }

    /// Returns whether `bytes` bytes can be written, even if the buffer has fewer; see
    /// [`Array::is_padded_to`](super::Array::is_padded_to).
    #[inline]
    pub(crate) fn is_padded_to(&self, bytes: usize) -> bool {
        self.0.header().capacity == SMALL_BYTES && bytes <= SMALL_BYTES
    }

    /// The address of the first byte; aligned to 16.
    #[inline]
    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_ptr().cast_mut()
    }

    /// Returns the finished buffer.
    ///
    /// # Safety
    /// All its bytes have been written.
    #[inline]
    pub(crate) unsafe fn assume_init(self) -> Buffer {
        self.0
    }
}

#[cfg(test)]
mod tests;
