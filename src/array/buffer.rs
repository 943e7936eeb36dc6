//! Shared memory: one allocation for header and bytes, that of large buffers from the pool; or a header before
//! bytes that somebody else owns.
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
use super::layout::Layout;
use super::{free_list, pool};
use crate::dtype::DType;

/// What precedes the bytes. Its alignment is what plain `malloc` gives: asking for more costs a small array 20 to
/// 30 ns.
#[repr(C, align(16))]
struct Header {
    owners: AtomicUsize,
    /// Bytes that are initialised.
    len: usize,
    /// Bytes that were allocated for them after this header; [`EXTERNAL`] if they lie elsewhere.
    capacity: usize,
    /// Bytes of the allocation before this header.
    before: usize,
    /// The first byte.
    data: NonNull<u8>,
    /// What [`BufferWithLayout`] has written.
    layout: MaybeUninit<Layout>,
    /// What the memory is part of, if it is fenced.
    #[cfg(all(test, unix))]
    fence: Option<Fence>,
}

pub(super) const HEADER: usize = size_of::<Header>();
/// The capacity of a header whose bytes are somebody else's.
const EXTERNAL: usize = 0;
/// Small arrays are allocated alike, so that the allocator hands freed ones straight out again. All of their bytes are
/// initialised, also those that no element has.
pub(super) const SMALL_BYTES: usize = 128;
/// How they are allocated.
pub(super) const SMALL_LAYOUT: alloc::Layout = match allocation(SMALL_BYTES) {
    Some(layout) => layout,
    None => panic!("a small layout"),
};
/// The bytes of larger ones are whole cache lines: a vector that crosses two takes twice as long to write.
const LINE: usize = 64;
/// So many bytes follow those that may be written, in builds with debug assertions: as much as the largest chunk. They are
/// looked at when the buffer is freed, so that a loop which writes too far is found wherever it runs.
const GUARD: usize = if cfg!(debug_assertions) { 512 } else { 0 };
/// What they are.
const GUARD_BYTE: u8 = 0xA5;
/// Up to here capacities are below those of the pool.
const LARGEST_UNPOOLED: usize = pool::MIN_POOLED - LINE;

/// Bytes with a shared owner count: cloning shares, dropping the last owner frees.
///
/// All `len()` bytes are initialised. They are written through [`Uninit`] before a buffer exists,
/// or by a unique owner afterwards; those of external memory never.
pub(crate) struct Buffer(NonNull<Header>);

/// Whoever owns external memory. It gives that memory while it is borrowed, which it is until it is dropped.
type Owner = dyn AsRef<[u8]> + Send + Sync;

/// What the header of external memory is part of.
#[repr(C)]
struct ExternalHeader {
    header: Header,
    owner: Box<Owner>,
}

// SAFETY: the bytes are plain data, written only by a unique owner; the count is atomic. A owner can be sent.
unsafe impl Send for Buffer {}
// SAFETY: as above; a shared `Buffer` only reads.
unsafe impl Sync for Buffer {}

/// A new buffer whose bytes are still to be written.
pub(crate) struct Uninit(Buffer);

/// A buffer that knows how an array lies in it.
#[derive(Clone)]
pub(super) struct BufferWithLayout(Buffer);

/// The layout of an allocation with this capacity, or `None` if there cannot be such a one.
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
            // SAFETY: new memory for a header and so many bytes.
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
            // SAFETY: the memory is larger, and nobody else knows it.
            unsafe { memory.add(HEADER).write_bytes(0, len) };
        }
        // SAFETY: the memory is nobody else's, and was allocated with the layout of this capacity.
        Some(unsafe { Self::in_memory(memory, 0, len, SMALL_BYTES) })
    }

    #[inline(never)]
    fn allocate_more(len: usize, zeroed: bool) -> Option<Self> {
        if len > LARGEST_UNPOOLED {
            return Self::allocate_large(len, zeroed);
        }
        let capacity = len.next_multiple_of(LINE);
        let memory = new(allocation(capacity)?, zeroed)?;
        // SAFETY: the memory is new, and was allocated with the layout of this capacity.
        Some(unsafe { Self::on_a_line(memory, len, capacity) })
    }

    /// Memory of the pool, or new memory.
    #[cold]
    fn allocate_large(len: usize, zeroed: bool) -> Option<Self> {
        let capacity = pool::rounded(len)?;
        let layout = allocation(capacity)?;
        let (memory, clean) = match pool::take(layout) {
            Some(memory) => (memory, false),
            None => (pages(layout, zeroed)?, zeroed),
        };
        // SAFETY: the memory is nobody else's, and was allocated with the layout of this capacity.
        let buffer = unsafe { Self::on_a_line(memory, len, capacity) };
        if zeroed && !clean {
            // SAFETY: the buffer has room for these bytes, and nobody else knows it.
            unsafe { buffer.as_ptr().cast_mut().write_bytes(0, len) };
        }
        Some(buffer)
    }

    /// Begins a cache line with the bytes after the header.
    ///
    /// # Safety
    /// The memory, which nobody else uses, was allocated with the layout of this capacity, which is at least `len` and
    /// more than the smallest.
    #[inline]
    unsafe fn on_a_line(memory: NonNull<u8>, len: usize, capacity: usize) -> Self {
        let first = memory.addr().get() + HEADER;
        let before = first.next_multiple_of(LINE) - first;
        // SAFETY: the caller's; such layouts have a line to spare.
        unsafe { Self::in_memory(memory, before, len, capacity) }
    }

    /// # Safety
    /// The memory, which nobody else uses, was allocated with the layout of this capacity, which is at least `len`;
    /// `before` is a multiple of 16, and zero where that layout has no line to spare, else less than a line.
    #[inline]
    unsafe fn in_memory(memory: NonNull<u8>, before: usize, len: usize, capacity: usize) -> Self {
        debug_assert!(before < LINE && before.is_multiple_of(align_of::<Header>()));
        // SAFETY: the allocation is large enough, and aligned for a header; such layouts have room for the guard.
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
    /// From `before` on, the memory, which nobody else uses, is aligned for a header and has room for it and `capacity`
    /// bytes.
    #[inline]
    unsafe fn with_header(
        memory: NonNull<u8>,
        before: usize,
        len: usize,
        capacity: usize,
        #[cfg(all(test, unix))] fence: Option<Fence>,
    ) -> Self {
        debug_assert!(len <= capacity);
        // SAFETY: the caller's.
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

    /// The first byte that must not be written.
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

    /// Ends the process if what follows the buffer was written: a panic would leave it that way, and could be one of two.
    #[cfg(debug_assertions)]
    fn check_guard(&self) {
        // SAFETY: the guard was written when the buffer was made, and is part of the allocation.
        let guard = unsafe { core::slice::from_raw_parts(self.guard(), GUARD) };
        if let Some(position) = guard.iter().position(|byte| *byte != GUARD_BYTE) {
            eprintln!(
                "supremum: a bug in the library: byte {position} after a buffer of {} bytes was overwritten",
                self.len()
            );
            std::process::abort();
        }
    }

    /// A buffer of zero bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn zeroed(len: usize) -> Result<Self, AllocError> {
        Self::allocate(len, true).ok_or(AllocError { bytes: len })
    }

    /// A copy of these bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub(crate) fn copied(bytes: &[u8]) -> Result<Self, AllocError> {
        let mut buffer = Uninit::new(bytes.len())?;
        // SAFETY: the new buffer has room for as many bytes and overlaps nothing; all are written.
        Ok(unsafe {
            buffer
                .as_mut_ptr()
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            buffer.assume_init()
        })
    }

    #[inline]
    fn header(&self) -> &Header {
        // SAFETY: the header was written by `allocate` and lives until the last owner drops.
        unsafe { self.0.as_ref() }
    }

    /// The number of bytes.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.header().len
    }

    /// The first byte; aligned to 16, or to a cache line if there are more than a few of them. That of external memory
    /// lies anywhere.
    #[inline]
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.header().data.as_ptr()
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

    #[inline]
    fn is_foreign(&self) -> bool {
        self.header().capacity == EXTERNAL
    }

    /// Whether this is the only one, also of external memory. Nobody can become another meanwhile, if this is borrowed mutably.
    #[inline]
    fn has_one_owner(&self) -> bool {
        // As in `is_unique`.
        self.header().owners.load(Ordering::Acquire) == self.last()
    }

    /// How many owners are counted where there is but one.
    #[inline]
    fn last(&self) -> usize {
        if self.is_foreign() { 2 } else { 1 }
    }
}

/// For files and other libraries.
#[allow(
    dead_code,
    reason = "it depends on the features which of these are used"
)]
impl Buffer {
    /// The bytes that a owner gives, without a copy. The owner is dropped with the last owner.
    ///
    /// Such a buffer counts one owner more than there are, so that nobody is ever the only one, and nobody writes.
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
        // The owner lies where it stays, and is borrowed once; what it gives lives as long as it is not touched.
        let bytes: &[u8] = (*external.owner).as_ref();
        external.header.len = bytes.len();
        external.header.data = NonNull::from(bytes).cast();
        Self(NonNull::from(external).cast())
    }

    /// The bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        // SAFETY: that many bytes are initialised, and not written while this is borrowed.
        unsafe { core::slice::from_raw_parts(self.as_ptr(), self.len()) }
    }

    /// The bytes, to write, if there is no other owner.
    pub(crate) fn unique_bytes_mut(&mut self) -> Option<&mut [u8]> {
        let len = self.len();
        let first = self.unique_mut_ptr()?;
        // SAFETY: that many bytes are initialised, and nobody else knows them while this is borrowed.
        Some(unsafe { core::slice::from_raw_parts_mut(first, len) })
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
        // Where this is the only owner nobody can become another, so that nothing needs to be counted: a locked
        // instruction takes as long as to add eight floats.
        if !self.is_unique() {
            // Asked before, because afterwards another owner may free the header.
            let last = self.last();
            if self.header().owners.fetch_sub(1, Ordering::Release) != last {
                return;
            }
            // As in `Arc`: all use by former owners happens before the memory is freed.
            fence(Ordering::Acquire);
        }
        // SAFETY: this was the last owner.
        unsafe { self.free() }
    }
}

impl Buffer {
    /// # Safety
    /// There is no other owner, and this is not used again.
    #[inline]
    unsafe fn free(&mut self) {
        #[cfg(all(test, unix))]
        if let Some(fence) = self.header().fence {
            // SAFETY: the caller's.
            return unsafe { fence.free() };
        }
        #[cfg(debug_assertions)]
        if !self.is_foreign() {
            self.check_guard();
        }
        let memory = self.0.cast::<u8>();
        // SAFETY: this is where an allocation of the smallest layout begins, if the capacity is that; the caller's.
        unsafe {
            if self.header().capacity != SMALL_BYTES || !free_list::give(memory) {
                self.free_memory();
            }
        }
    }

    /// # Safety
    /// That of [`Self::free`].
    #[inline(never)]
    unsafe fn free_memory(&mut self) {
        let Header {
            capacity, before, ..
        } = *self.header();
        if capacity == EXTERNAL {
            // SAFETY: headers of this capacity are part of what `external` has leaked.
            drop(unsafe { Box::from_raw(self.0.as_ptr().cast::<ExternalHeader>()) });
            return;
        }
        let Some(layout) = allocation(capacity) else {
            unreachable!("the layout with which the buffer was allocated")
        };
        // SAFETY: the header lies this far into the allocation, which has this layout.
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

/// New memory for a buffer.
#[inline]
fn new(layout: alloc::Layout, zeroed: bool) -> Option<NonNull<u8>> {
    let allocate = if zeroed { alloc_zeroed } else { alloc };
    // SAFETY: the layout's size is at least that of a header, so not zero.
    NonNull::new(unsafe { allocate(layout) })
}

/// New memory of the system's. If there is none, the pool gives up what it has.
fn pages(layout: alloc::Layout, zeroed: bool) -> Option<NonNull<u8>> {
    let memory = new(layout, zeroed).or_else(|| {
        pool::trim();
        new(layout, zeroed)
    })?;
    ask_for_huge_pages(memory, layout.size());
    Some(memory)
}

/// Pages of 2 MiB are mapped five times as fast, if there are enough of them: below 32 MiB it takes longer.
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
    // SAFETY: these pages lie within the allocation, and the advice does not change what they hold. Where it is
    // refused, all is as before.
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
    /// The buffer with this layout.
    #[inline]
    pub(super) fn new(buffer: Buffer, layout: impl FnOnce() -> Layout) -> Self {
        debug_assert!(buffer.has_one_owner());
        let mut shaped = Self(buffer);
        // SAFETY: nobody shares the header yet.
        unsafe { shaped.0.0.as_mut() }.layout.write(layout());
        shaped
    }

    /// The buffer with another's layout, but for the dtype.
    #[inline]
    pub(super) fn like(buffer: Buffer, other: &Self, dtype: DType) -> Self {
        debug_assert!(buffer.has_one_owner());
        let mut shaped = Self(buffer);
        // Where it stays, since what was just written is slow to move.
        // SAFETY: nobody shares the header yet.
        let layout = unsafe { shaped.0.0.as_mut() }.layout.write(*other.layout());
        layout.dtype = dtype;
        shaped
    }

    /// The layout, to write, if there is no other owner.
    #[inline]
    pub(super) fn unique_layout(&mut self) -> Option<&mut Layout> {
        let has_one_owner = self.0.has_one_owner();
        // SAFETY: written by `new`; nobody else sees the header while this is borrowed mutably.
        has_one_owner.then(|| unsafe { self.0.0.as_mut().layout.assume_init_mut() })
    }

    #[inline]
    pub(super) fn layout(&self) -> &Layout {
        // SAFETY: written by `new`.
        unsafe { self.0.header().layout.assume_init_ref() }
    }

    #[inline]
    pub(super) fn as_ptr(&self) -> *const u8 {
        self.0.as_ptr()
    }

    /// Whether its memory is of the kind that threads keep.
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
    /// Memory for this many bytes. The product of any sizes of an array's shape with that of any element does not
    /// overflow: see [`element_count`](super::element_count).
    ///
    /// # Errors
    /// If there is no memory.
    #[inline]
    pub(crate) fn new(len: usize) -> Result<Self, AllocError> {
        let buffer = Buffer::allocate(len, false);
        buffer.map(Self).ok_or(AllocError { bytes: len })
    }

    /// Whether so many bytes can be written, more than will be the buffer's; see [`Array::is_padded_to`](super::Array::is_padded_to).
    #[inline]
    pub(crate) fn is_padded_to(&self, bytes: usize) -> bool {
        self.0.header().capacity == SMALL_BYTES && bytes <= SMALL_BYTES
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
