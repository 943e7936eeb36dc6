//! Large outputs, written with streaming (non-temporal) stores that bypass the caches.
//!
//! An ordinary store first fetches the cache line that it writes to, which is a third of the traffic of an addition
//! of large arrays, and it evicts lines that could be read again. A streaming store does neither, but is slow unless
//! whole lines are written, and costs a miss if the line is soon read. So:
//!
//! 1. Element loops write to ordinary memory as always, here a staging buffer that stays in the L1 cache; its whole
//!    lines are then streamed to the output. No element loop is compiled a second time for this.
//! 2. Lines are streamed during half of the time, and the loop reads no operand meanwhile. So each streamed line also
//!    prefetches the operands' part of the next staging buffer.
//! 3. The loop computes nothing while lines are streamed. So costly loops use ordinary stores ([`is_worthwhile`]).
#![allow(unsafe_code, reason = "copies raw memory")]

use core::mem::MaybeUninit;
use std::sync::OnceLock;

use crate::simd::cache::Cache;
use crate::simd::{self, MAX_PREFETCHES, Prefetch};

/// Bytes that are collected in the staging buffer before they are streamed.
pub(in crate::kernel) const STAGED_BYTES: usize = 2048;
/// The size of the largest piece of an output that is written at once, in bytes.
pub(in crate::kernel) const MAX_PIECE: usize = 8192;
const LINE: usize = simd::LINE;
/// Operations that read and write fewer bytes than this may find some of them in a cache, now or later, so they do
/// not stream, whatever the processor.
const MIN_STREAMED_BYTES: usize = 48 << 20;
/// The bytes of a shared last-level cache that each logical processor counts on. In a virtual machine the processor
/// names the whole cache, of which most is other machines'.
const SHARE: usize = 16 << 20;

/// The buffer that loops write to, and that is streamed from.
#[repr(C, align(64))]
pub(in crate::kernel) struct StagingBuffer([MaybeUninit<u8>; LINE + STAGED_BYTES + MAX_PIECE]);

impl StagingBuffer {
    pub(in crate::kernel) const fn empty() -> Self {
        Self([const { MaybeUninit::uninit() }; LINE + STAGED_BYTES + MAX_PIECE])
    }
}

/// Returns whether an operation should stream its output. It reads and writes `bytes` bytes, each once. An element of its output has
/// `size` bytes, and costs as much as `cost` additions.
///
/// Costly elements are not streamed: memory is idle while a piece is computed, and the processor waits while it is streamed. With
/// ordinary stores both work at once, which gains more than the caches lose. On an AMD EPYC with AVX-512, 16 million
/// elements take these nanoseconds each, streamed and stored:
///
/// | loop | bytes, cost | one thread | two threads |
/// | --- | --- | --- | --- |
/// | `f32 + f32` | 4, 4 | 0.24, 0.27 | 0.21, 0.24 |
/// | six operations of `f32` | 4, 14 | 0.25, 0.28 | 0.21, 0.24 |
/// | `exp` of `f32` | 4, 18 | 0.24, 0.20 | 0.155, 0.16 |
/// | `ln` of `f32` | 4, 19 | 0.53, 0.46 | 0.28, 0.25 |
/// | `bf16 + bf16` | 2, 4 | 0.106, 0.122 | 0.090, 0.100 |
/// | six operations of `f16` | 2, 14 | 0.25, 0.22 | 0.134, 0.113 |
/// | `exp` of `f64` | 8, 18 | 0.77, 0.68 | 0.43, 0.41 |
pub(in crate::kernel) fn is_worthwhile(bytes: usize, size: usize, cost: usize) -> bool {
    // Elements of 8 bytes or more take longer to compute, too.
    exceeds_caches(bytes) && cost < 4 * size.min(4)
}

/// Returns whether an operation that reads and writes `bytes` bytes, each once, finds few of them in the caches.
pub(in crate::kernel) fn exceeds_caches(bytes: usize) -> bool {
    #[cfg(test)]
    if test_override::get() {
        return true;
    }
    simd::CAN_STREAM && bytes >= MIN_STREAMED_BYTES && bytes >= min_streamed_bytes()
}

/// [`min_streamed_for`] this processor.
fn min_streamed_bytes() -> usize {
    static FOUND: OnceLock<usize> = OnceLock::new();
    *FOUND.get_or_init(|| min_streamed_for(simd::cache::last_level()))
}

/// Returns the least number of bytes, read and written, from which an operation streams, for a last-level cache: as many
/// as the cache may hold, and [`MIN_STREAMED_BYTES`] if that is more or the cache is not known.
///
/// If the cache holds all operands and the result, ordinary stores are faster, and whatever reads the result next finds
/// it there. An Intel Xeon whose cache of 105 MB was free added `i8` and `u8` of 16 million elements (64 MB) in two thirds
/// of the time with ordinary stores. The other way around, in a virtual machine with two processors of another Xeon,
/// which names a cache of 260 MB, reads fall to the speed of memory between 32 and 48 MB. There an operation that streams
/// takes this share of the time that it takes with ordinary stores (one thread):
///
/// | bytes | `i8 + u8` | `f32 + f32` |
/// | --- | --- | --- |
/// | 96 MB | | 0.75 |
/// | 64 MB | 0.66 | |
/// | 128 and 192 MB | 0.68 | 0.76 |
/// | 256 and 384 MB | 0.68 | 0.74 |
/// | 768 MB | | 0.74 |
fn min_streamed_for(cache: Option<Cache>) -> usize {
    let held = cache.map_or(0, |cache| {
        cache.bytes.min(cache.shared_by.saturating_mul(SHARE))
    });
    held.max(MIN_STREAMED_BYTES)
}

/// Up to [`MAX_PREFETCHES`] input ranges to prefetch while the output is streamed. Inputs whose elements are smaller than the
/// output's are skipped: the hardware prefetcher keeps up with them.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct PrefetchSet {
    prefetches: [Prefetch; MAX_PREFETCHES],
    count: usize,
    /// The size of an element of the output, in bytes.
    size: usize,
}

impl PrefetchSet {
    /// Makes the set for an output with elements of `size` bytes. The arrays have an element for each of the
    /// output's; each is given by its first element and the size of its elements, in bytes.
    pub(in crate::kernel) fn new(
        size: usize,
        arrays: impl Iterator<Item = (*const u8, usize)>,
    ) -> Self {
        let (from, step) = (core::ptr::null(), 0);
        let mut reads = Self {
            prefetches: [Prefetch { from, step }; MAX_PREFETCHES],
            count: 0,
            size,
        };
        let arrays = arrays.filter(|(_, bytes)| *bytes >= size);
        for (prefetch, (first, bytes)) in reads.prefetches.iter_mut().zip(arrays) {
            prefetch.step = LINE * bytes / size;
            prefetch.from = first.wrapping_add(STAGED_BYTES / LINE * prefetch.step);
            reads.count += 1;
        }
        reads
    }
}

/// Writes an output from its first byte to its last, piece by piece.
pub(in crate::kernel) struct StreamingWriter<'a> {
    /// The address of the first byte of the staging buffer in the output; without one, the address that
    /// [`Self::filled`] counts from.
    to: *mut u8,
    streamed: Option<(&'a mut StagingBuffer, PrefetchSet)>,
    /// In the staging buffer, the bytes before `start` do not belong to the output, and those from `start` up to
    /// `filled` are written.
    start: usize,
    filled: usize,
}

impl<'a> StreamingWriter<'a> {
    /// Makes a writer that streams if `streamed` has a staging buffer, prefetching the given inputs.
    pub(in crate::kernel) fn new(
        output: *mut u8,
        streamed: Option<(&'a mut StagingBuffer, PrefetchSet)>,
    ) -> Self {
        // The staging buffer and the output have the same offset within a cache line, so that lines correspond.
        let start = match streamed {
            Some(_) => output.addr() % LINE,
            None => 0,
        };
        Self {
            to: output.wrapping_sub(start),
            streamed,
            start,
            filled: start,
        }
    }

    /// Returns the memory for the next piece, of at most [`MAX_PIECE`] bytes if there is a staging buffer. It begins
    /// a cache line, or continues the piece before, which may leave it aligned only as the output and the sizes of
    /// the pieces make it.
    #[inline]
    pub(in crate::kernel) fn next(&mut self) -> *mut u8 {
        match &mut self.streamed {
            Some((staging, _)) => staging
                .0
                .as_mut_ptr()
                .cast::<u8>()
                .wrapping_add(self.filled),
            None => self.to.wrapping_add(self.filled),
        }
    }

    /// Counts the piece that was written to [`Self::next`], of `bytes` bytes.
    ///
    /// # Safety
    /// - These bytes, which follow those of the pieces before, lie within the output, which can be written.
    /// - They were written to [`Self::next`].
    /// - With a staging buffer there are at most [`MAX_PIECE`] of them.
    #[inline]
    pub(in crate::kernel) unsafe fn advance(&mut self, bytes: usize) {
        self.filled += bytes;
        if self.streamed.is_some() && self.filled >= STAGED_BYTES {
            // SAFETY: the caller guarantees that the bytes from `start` to `filled` were written, and lie within the
            // output from `to` on.
            unsafe { self.flush() };
        }
    }

    /// Streams the whole lines of the staging buffer.
    ///
    /// # Safety
    /// The bytes of the staging buffer from `start` to `filled` were written, and those of the output from `to +
    /// start` to `to + filled` can be written.
    #[inline(never)]
    unsafe fn flush(&mut self) {
        let Some((staging, reads)) = &mut self.streamed else {
            return;
        };
        debug_assert!(self.filled <= size_of::<StagingBuffer>());
        let from = staging.0.as_mut_ptr().cast::<u8>();
        let first_line = self.start.next_multiple_of(LINE).min(self.filled);
        let lines = (self.filled - first_line) / LINE;
        let rest = first_line + lines * LINE;
        // SAFETY: the caller guarantees that the bytes from `start` to `filled` of the staging buffer were written,
        // and that those at `to` can be. The staging buffer is not part of the output. Both have the same offset
        // within a cache line (`new`), so `first_line` begins a line in both unless there are no whole lines. `to` is
        // less than a line before the output, still within its allocation, in which a header longer than a line
        // precedes the elements.
        unsafe {
            // In most calls there are only whole lines, and a copy of nothing would cost a call.
            if first_line > self.start {
                self.to
                    .add(self.start)
                    .copy_from_nonoverlapping(from.add(self.start), first_line - self.start);
            }
            let prefetches = &mut reads.prefetches[..reads.count];
            simd::stream(
                from.add(first_line),
                self.to.add(first_line),
                lines,
                prefetches,
            );
            if self.filled > rest {
                from.copy_from(from.add(rest), self.filled - rest);
            }
        }
        self.to = self.to.wrapping_add(rest);
        (self.start, self.filled) = (0, self.filled - rest);
    }

    /// Writes the rest of the staging buffer to the output.
    ///
    /// # Safety
    /// The contract of [`Self::flush`].
    unsafe fn empty(&mut self) {
        // SAFETY: the caller guarantees that the staging buffer's bytes from `start` to `filled` were written, and
        // room for them in the output. After `flush`, `start` is zero, and the `filled` bytes that are left belong to
        // the output from `to` on.
        unsafe {
            self.flush();
            if let Some((staging, _)) = &self.streamed {
                let from = staging.0.as_ptr().cast::<u8>();
                self.to.copy_from_nonoverlapping(from, self.filled);
            }
        }
    }

    /// Continues at another address of the output.
    ///
    /// # Safety
    /// The pieces before were written, as of [`Self::advance`].
    pub(in crate::kernel) unsafe fn seek(&mut self, output: *mut u8) {
        // SAFETY: the caller guarantees that all pieces before were written and lie within the output.
        unsafe { self.empty() };
        *self = StreamingWriter::new(output, self.streamed.take());
    }

    /// Writes the rest, after all pieces were written.
    ///
    /// # Safety
    /// The pieces were written, as of [`Self::advance`].
    pub(in crate::kernel) unsafe fn finish(mut self) {
        // SAFETY: the caller guarantees that all pieces were written and lie within the output.
        unsafe { self.empty() };
        if self.streamed.is_some() {
            simd::end_streaming();
        }
    }
}

/// Writes a contiguous output of `total` elements in pieces, from the first to the last. `write` gets the position of
/// a piece, its number of elements, and the memory to write them to. If `streamed` is given, the output is streamed;
/// else it is one piece.
///
/// # Safety
/// The output has room for `total` elements, which have the size in `streamed`, if that is given. `write` writes all
/// elements of each piece. A streamed output does not overlap what `write` reads.
pub(in crate::kernel) unsafe fn in_pieces(
    output: *mut u8,
    total: usize,
    streamed: Option<PrefetchSet>,
    write: &mut dyn FnMut(usize, usize, *mut u8),
) {
    let Some(reads) = streamed else {
        return write(0, total, output);
    };
    let size = reads.size;
    let mut staging = StagingBuffer::empty();
    let mut writer = StreamingWriter::new(output, Some((&mut staging, reads)));
    // The first piece ends at the end of a cache line.
    let until_line = output.addr().wrapping_neg() % LINE / size;
    let mut position = 0;
    while position < total {
        let longest = if position == 0 && until_line > 0 {
            until_line
        } else {
            STAGED_BYTES / size
        };
        let len = longest.min(total - position);
        write(position, len, writer.next());
        // SAFETY: `write` wrote these `len` elements; `position + len <= total`, so the caller guarantees room for
        // them in the output. They have at most `STAGED_BYTES` bytes, or fewer than a cache line: less than
        // `MAX_PIECE`.
        unsafe { writer.advance(len * size) };
        position += len;
    }
    // SAFETY: each piece was written before `advance` counted it.
    unsafe { writer.finish() }
}

/// Runs with all outputs on this thread streamed, whatever their size.
#[cfg(test)]
pub(crate) fn with_streaming(run: impl FnOnce()) {
    let before = test_override::replace(true);
    run();
    test_override::replace(before);
}

#[cfg(test)]
mod test_override {
    use core::cell::Cell;

    std::thread_local! {
        static ALWAYS: Cell<bool> = const { Cell::new(false) };
    }

    pub(in crate::kernel) fn get() -> bool {
        ALWAYS.get()
    }

    pub(in crate::kernel) fn replace(always: bool) -> bool {
        ALWAYS.replace(always)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_cache_may_hold_is_not_streamed() {
        const MB: usize = 1 << 20;
        let min = |bytes, shared_by| min_streamed_for(Some(Cache { bytes, shared_by }));
        assert_eq!(min_streamed_for(None), 48 * MB);
        // A notebook, a desktop, a part of a server's processor that shares a cache, and whole servers.
        assert_eq!(min(8 * MB, 8), 48 * MB);
        assert_eq!(min(32 * MB, 16), 48 * MB);
        assert_eq!(min(96 * MB, 16), 96 * MB);
        assert_eq!(min(105 * MB, 128), 105 * MB);
        assert_eq!(min(260 * MB, 120), 260 * MB);
        // Virtual machines with a few processors of a large one.
        assert_eq!(min(260 * MB, 2), 48 * MB);
        assert_eq!(min(260 * MB, 8), 128 * MB);
        // Whatever a hypervisor says, the sum does not overflow.
        assert_eq!(min(usize::MAX, usize::MAX), usize::MAX);
        assert_eq!(min(0, 0), 48 * MB);
        assert!(!simd::CAN_STREAM || exceeds_caches(usize::MAX));
        assert!(!exceeds_caches(48 * MB - 1));
    }

    #[test]
    fn costly_elements_are_not_streamed() {
        with_streaming(|| {
            for (size, least) in [(1, 4), (2, 8), (4, 16), (8, 16), (16, 16)] {
                assert!(is_worthwhile(usize::MAX, size, least - 1), "{size}");
                assert!(!is_worthwhile(usize::MAX, size, least), "{size}");
            }
        });
    }

    /// Each byte of an output that begins and ends anywhere in a line is written, and no other byte changes.
    #[test]
    fn every_byte_comes_where_it_belongs() {
        for (lead, total, size) in [
            (0, 5000, 4),
            (4, 5001, 4),
            (60, 1, 4),
            (60, 3, 4),
            (1, 9000, 1),
            (63, 70, 1),
            (8, 1111, 16),
            (0, 0, 2),
        ] {
            let mut memory = vec![0xAA_u8; lead + total * size + 128];
            let aligned = memory.as_ptr().addr().wrapping_neg() % LINE;
            let (first, bytes) = (aligned + lead, total * size);
            let byte = |at: usize| u8::try_from(at % 251).expect("less than 251");
            let mut written = 0;
            let mut write = |position: usize, len: usize, to: *mut u8| {
                assert_eq!(position, written);
                written += len;
                for at in 0..len * size {
                    // SAFETY: the piece has room for its elements.
                    unsafe { to.add(at).write(byte(position * size + at)) };
                }
            };
            // SAFETY: the elements lie within the vector; all are written.
            unsafe {
                let output = memory.as_mut_ptr().add(first);
                in_pieces(
                    output,
                    total,
                    Some(PrefetchSet::new(size, core::iter::empty())),
                    &mut write,
                );
            }
            assert_eq!(written, total);
            for (at, found) in memory.iter().enumerate() {
                let within = (first..first + bytes).contains(&at);
                let expected = if within { byte(at - first) } else { 0xAA };
                assert_eq!(*found, expected, "byte {at} of {lead} {total} {size}");
            }
        }
    }
}
