//! Shared memory: one allocation for a header and the bytes (that of large buffers comes from the pool), or a header
//! alone for external memory with an owner.
#![allow(
    unsafe_code,
    reason = "owns raw memory; the types below keep it initialised and shared"
)]

use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};
use std::alloc::{self, alloc, alloc_zeroed, dealloc};

use super::alloc::AllocError;
#[cfg(all(test, unix))]
use super::fence::Fence;
use super::layout::{Dims, Layout};
use super::{free_list, pool};
use crate::dtype::DType;

/// The header before the bytes. Its alignment is that of plain `malloc`: a larger one costs a small array 20 to 30
/// ns.
#[repr(C, align(16))]
struct Header {
    owners: AtomicUsize,
    /// The number of initialised bytes.
    len: usize,
    /// The number of bytes allocated after this header; [`EXTERNAL`] for external memory.
    capacity: usize,
    /// The number of bytes of the allocation before this header.
    before: usize,
    /// The address of the first byte.
    data: NonNull<u8>,
    /// The layout of the array, written by [`BufferWithLayout`].
    layout: MaybeUninit<Layout>,
    /// The mapping that the memory is part of, if it is fenced.
    #[cfg(all(test, unix))]
    fence: Option<Fence>,
}

pub(super) const HEADER: usize = size_of::<Header>();
/// The capacity in headers of external memory.
const EXTERNAL: usize = 0;
/// The capacity of all buffers of up to this many bytes. Small buffers share one size, so that the allocator hands
/// freed ones straight out again. All of their bytes are initialised, also the padding.
pub(super) const SMALL_BYTES: usize = 128;
/// The allocation layout of small buffers.
pub(super) const SMALL_LAYOUT: alloc::Layout = match allocation(SMALL_BYTES) {
    Some(layout) => layout,
    None => panic!("a small layout"),
};
/// Bytes in a cache line. Larger buffers begin a line: a vector that crosses two lines takes twice as long to write.
const LINE: usize = 64;
/// The number of guard bytes after the writable bytes, in builds with debug assertions: as many as the largest pack
/// has. They are checked when the buffer is freed, so that a loop that writes too far is found wherever it runs.
const GUARD: usize = if cfg!(debug_assertions) { 512 } else { 0 };
/// The value of the guard bytes.
const GUARD_BYTE: u8 = 0xA5;
/// The largest length that is not pooled: its capacity is below that of the pool's buffers.
const LARGEST_UNPOOLED: usize = pool::MIN_POOLED - LINE;

/// Bytes with a shared owner count: clones share them, and dropping the last owner frees them.
///
/// All `len()` bytes are initialised. They are written through [`Uninit`] before a buffer exists, or by a unique
/// owner afterwards. Those of external memory are never written.
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

/// A buffer whose header also has the layout of an array.
#[derive(Clone)]
pub(super) struct BufferWithLayout(Buffer);

/// Returns the allocation layout of a buffer with this capacity, or `None` if its size overflows.
const fn allocation(capacity: usize) -> Option<alloc::Layout> {
    let padding = if capacity == SMALL_BYTES { 0 } else { LINE };
    let Some(size) = capacity.checked_add(HEADER + padding + GUARD) else {
        return None;
    };
    match alloc::Layout::from_size_align(size, align_of::<Header>()) {
        Ok(layout) => Some(layout),
        Err(_) => None,
    }
}

impl Buffer {
    #[inline]
    fn allocate(len: usize, zeroed: bool) -> Option<Self> {
        #[cfg(all(test, unix))]
        if let Some((fence, memory, capacity)) = Fence::of_buffer(len) {
            // SAFETY: `of_buffer` gave a new mapping, aligned to 16, with room for a header and `capacity >= len`
            // bytes.
            return Some(unsafe { Self::with_header(memory, 0, len, capacity, Some(fence)) });
        }
        if len > SMALL_BYTES {
            return Self::allocate_more(len, zeroed);
        }
        let memory = match free_list::take() {
            Some(memory) => memory,
            None => new(SMALL_LAYOUT, true)?,
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
        let memory = new(allocation(capacity)?, zeroed)?;
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
            None => (pages(layout, zeroed)?, zeroed),
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
    /// bytes; that of external memory may have any alignment.
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
            // As in `Arc`: all uses by former owners happen before the memory is freed.
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

/// Allocates memory for a buffer.
#[inline]
fn new(layout: alloc::Layout, zeroed: bool) -> Option<NonNull<u8>> {
    let allocate = if zeroed { alloc_zeroed } else { alloc };
    // SAFETY: the layout has room for a header, so its size is not zero.
    NonNull::new(unsafe { allocate(layout) })
}

/// Allocates memory for a large buffer. If there is none, frees the pool's memory and tries again.
fn pages(layout: alloc::Layout, zeroed: bool) -> Option<NonNull<u8>> {
    let memory = new(layout, zeroed).or_else(|| {
        pool::trim();
        new(layout, zeroed)
    })?;
    ask_for_huge_pages(memory, layout.size());
    Some(memory)
}

/// Asks for huge pages of 2 MiB, which are mapped five times as fast. Only from 32 MiB on: for smaller buffers it
/// takes longer.
#[cfg(target_os = "linux")]
fn ask_for_huge_pages(memory: NonNull<u8>, len: usize) {
    const PAGE: usize = 4096;
    const MADV_HUGEPAGE: core::ffi::c_int = 14;
    unsafe extern "C" {
        fn madvise(
            address: *mut core::ffi::c_void,
            length: usize,
            advice: core::ffi::c_int,
        ) -> core::ffi::c_int;
    }
    if len < 32 << 20 {
        return;
    }
    let first = memory.addr().get().next_multiple_of(PAGE);
    let end = (memory.addr().get() + len) / PAGE * PAGE;
    // SAFETY: the pages from `first` to `end` lie within the allocation, and `MADV_HUGEPAGE` does not change their
    // contents. If the system refuses, nothing changes.
    unsafe {
        madvise(
            memory.as_ptr().with_addr(first).cast(),
            end - first,
            MADV_HUGEPAGE,
        )
    };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages(_: NonNull<u8>, _: usize) {}

impl BufferWithLayout {
    /// Writes the layout into the header of a buffer without other owners.
    #[inline]
    pub(super) fn new(buffer: Buffer, layout: impl FnOnce() -> Layout) -> Self {
        debug_assert!(buffer.has_one_owner());
        let mut shaped = Self(buffer);
        // SAFETY: the buffer is owned by value and has no other owner (asserted), so nothing else refers to the
        // header.
        unsafe { shaped.0.0.as_mut() }.layout.write(layout());
        shaped
    }

    /// Writes the layout of a row-major array into the header of a buffer without other owners.
    #[inline]
    pub(super) fn row_major(buffer: Buffer, dtype: DType, shape: &Dims) -> Self {
        let mut shaped = Self::new(buffer, || Layout::single(dtype, shape));
        // In place, since moving a value that was just written is slow.
        // SAFETY: the buffer is owned by value and has no other owner (asserted), so nothing else refers to the header; `new`
        // wrote the layout.
        unsafe { shaped.0.0.as_mut().layout.assume_init_mut() }.reshape(shape);
        shaped
    }

    /// Writes another buffer's layout, with this dtype, into the header of a buffer without other owners.
    #[inline]
    pub(super) fn like(buffer: Buffer, other: &Self, dtype: DType) -> Self {
        debug_assert!(buffer.has_one_owner());
        let mut shaped = Self(buffer);
        // In place, since moving a value that was just written is slow.
        // SAFETY: the buffer is owned by value and has no other owner (asserted), so nothing else refers to the
        // header.
        let layout = unsafe { shaped.0.0.as_mut() }.layout.write(*other.layout());
        layout.dtype = dtype;
        shaped
    }

    /// The layout, for writing, if there is no other owner.
    #[inline]
    pub(super) fn unique_layout(&mut self) -> Option<&mut Layout> {
        let has_one_owner = self.0.has_one_owner();
        // SAFETY: `new` or `like` wrote the layout. There is no other owner, and none can appear while this is
        // borrowed mutably.
        has_one_owner.then(|| unsafe { self.0.0.as_mut().layout.assume_init_mut() })
    }

    #[inline]
    pub(super) fn layout(&self) -> &Layout {
        // SAFETY: `new` or `like` wrote the layout.
        unsafe { self.0.header().layout.assume_init_ref() }
    }

    #[inline]
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Returns whether its memory is of the size that the free list keeps, and padded to [`SMALL_BYTES`].
    #[inline]
    pub(super) fn is_small(&self) -> bool {
        self.0.header().capacity == SMALL_BYTES
    }

    #[inline]
    pub(super) fn unique_mut_ptr(&mut self) -> Option<*mut u8> {
        self.0.unique_mut_ptr()
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
mod tests {
    use super::*;

    fn zeroed(len: usize) -> Buffer {
        Buffer::zeroed(len).expect("there is memory")
    }

    fn copied(bytes: &[u8]) -> Buffer {
        Buffer::copied(bytes).expect("there is memory")
    }

    #[test]
    fn sharing_counts_owners() {
        let mut first = copied(&[1, 2, 3]);
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
    fn foreign_memory_is_shared_until_its_last_owner_drops_and_never_written() {
        struct Bytes(
            Vec<u8>,
            #[expect(dead_code, reason = "it counts who lives")] std::sync::Arc<()>,
        );
        impl AsRef<[u8]> for Bytes {
            fn as_ref(&self) -> &[u8] {
                &self.0
            }
        }
        let lives = std::sync::Arc::new(());
        let bytes = vec![1, 2, 3];
        let place = bytes.as_ptr();
        let mut first = Buffer::external(Box::new(Bytes(bytes, lives.clone())));
        assert_eq!((first.as_ptr(), first.as_bytes()), (place, &[1, 2, 3][..]));
        assert!(!first.is_unique() && first.unique_mut_ptr().is_none());
        let second = first.clone();
        drop(first);
        assert_eq!(second.as_bytes(), [1, 2, 3]);
        assert_eq!(std::sync::Arc::strong_count(&lives), 2);
        std::thread::spawn(|| drop(second))
            .join()
            .expect("another thread drops it");
        assert_eq!(std::sync::Arc::strong_count(&lives), 1);
        assert_eq!(Buffer::external(Box::new([0_u8; 0])).len(), 0);
    }

    #[test]
    fn a_buffer_may_be_empty() {
        assert_eq!(zeroed(0).len(), 0);
    }

    #[test]
    fn all_but_the_smallest_begin_a_cache_line() {
        for len in [
            SMALL_BYTES + 1,
            1000,
            LARGEST_UNPOOLED,
            LARGEST_UNPOOLED + 1,
            1 << 16,
            (1 << 20) + 1,
        ] {
            let buffers = [(); 5].map(|()| zeroed(len));
            let on_a_line = |buffer: &Buffer| buffer.as_ptr().addr().is_multiple_of(LINE);
            assert!(buffers.iter().all(on_a_line), "{len} bytes");
        }
    }

    #[test]
    fn zeroed_buffers_of_used_memory_are_zero() {
        let len = (3 << 16) + 1;
        for _ in 0..3 {
            let buffer = zeroed(len);
            // SAFETY: that many bytes are initialised.
            let bytes = unsafe { core::slice::from_raw_parts(buffer.as_ptr(), len) };
            assert!(bytes.iter().all(|byte| *byte == 0));
            drop(buffer);
            drop(copied(&vec![7; len]));
        }
    }

    /// The process ends: another one, which runs this test too.
    #[cfg(debug_assertions)]
    #[test]
    fn a_write_behind_a_buffer_is_found() {
        const LEN: &str = "SUPREMUM_TEST_WRITES_BEHIND";
        if let Ok(len) = std::env::var(LEN) {
            let buffer = zeroed(len.parse().expect("a number"));
            // SAFETY: guard bytes are part of the allocation, and nobody else knows it.
            unsafe { buffer.guard().add(GUARD - 1).write(!GUARD_BYTE) };
            return;
        }
        let name = concat!(module_path!(), "::a_write_behind_a_buffer_is_found");
        let (_, name) = name.split_once("::").expect("a path within the crate");
        for len in [1, SMALL_BYTES, SMALL_BYTES + 1, LARGEST_UNPOOLED + 1] {
            let program = std::env::current_exe().expect("the program of this test");
            let mut child = std::process::Command::new(program);
            let child = child.args(["--exact", name, "--nocapture"]);
            let output = child.env(LEN, len.to_string()).output();
            let output = output.expect("it runs once more");
            let text = String::from_utf8_lossy(&output.stderr);
            let found = format!("byte {} after a buffer of {len} bytes", GUARD - 1);
            assert!(!output.status.success() && text.contains(&found), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_addressed_is_out_of_memory() {
        for len in [usize::MAX, isize::MAX.cast_unsigned(), usize::MAX / 4] {
            assert!(Uninit::new(len).is_err() && Buffer::zeroed(len).is_err());
        }
    }
}
