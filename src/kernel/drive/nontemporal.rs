//! Large outputs, written past the caches.
//!
//! An ordinary store first fetches the line that it writes to, which is a third of what an addition of large
//! arrays moves, and it drives out of the caches what could be read again. A streaming store does neither, but is
//! slow where lines are not written whole or are soon read. So loops write, as always, to ordinary memory: a staging buffer
//! that stays in the L1 cache, from which whole lines are streamed. No loop is compiled twice for it. Nothing is read
//! while lines are streamed, which would be half of the time, so what is read for the next staging buffer is asked for then.
#![allow(unsafe_code, reason = "copies raw memory")]

use core::mem::MaybeUninit;

use crate::simd::{self, Prefetch};

/// Bytes that are collected before they are streamed.
pub(in crate::kernel) const STAGED_BYTES: usize = 4096;
/// The largest piece of an output that is written as one, in bytes.
pub(in crate::kernel) const MAX_PIECE: usize = 8192;
const LINE: usize = simd::LINE;
/// Operations that read and write fewer bytes may find some of them in a cache, now or later.
const MIN_STREAMED_BYTES: usize = 48 << 20;

/// Where loops write what is to be streamed.
#[repr(C, align(64))]
pub(in crate::kernel) struct StagingBuffer([MaybeUninit<u8>; LINE + STAGED_BYTES + MAX_PIECE]);

impl StagingBuffer {
    pub(in crate::kernel) const fn empty() -> Self {
        Self([const { MaybeUninit::uninit() }; LINE + STAGED_BYTES + MAX_PIECE])
    }
}

/// Whether an operation that reads and writes so many bytes, none of them twice, had better stream what it writes.
pub(crate) fn is_worthwhile(bytes: usize) -> bool {
    #[cfg(test)]
    if test_override::get() {
        return true;
    }
    bytes >= MIN_STREAMED_BYTES && simd::CAN_STREAM
}

/// What is read along an output, of which the first few arrays are asked for ahead, if their elements are no smaller than the
/// output's: what is less than is written comes soon enough.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct PrefetchSet {
    prefetches: [Prefetch; 4],
    count: usize,
    /// The size of an element of the output, in bytes.
    size: usize,
}

impl PrefetchSet {
    /// For an output with elements of a size: where arrays begin that have an element for each of the output, and the size
    /// of these.
    pub(in crate::kernel) fn new(
        size: usize,
        arrays: impl Iterator<Item = (*const u8, usize)>,
    ) -> Self {
        let (from, step) = (core::ptr::null(), 0);
        let mut reads = Self {
            prefetches: [Prefetch { from, step }; 4],
            count: 0,
            size,
        };
        let arrays = arrays.filter(|(_, bytes)| *bytes >= size);
        for (prefetches, (first, bytes)) in reads.prefetches.iter_mut().zip(arrays) {
            prefetches.step = LINE * bytes / size;
            prefetches.from = first.wrapping_add(STAGED_BYTES / LINE * prefetches.step);
            reads.count += 1;
        }
        reads
    }
}

/// Writes an output from its first byte to its last, piece by piece.
pub(in crate::kernel) struct StreamingWriter<'a> {
    /// Where the first byte of the staging buffer belongs, or what [`Self::filled`] counts from.
    to: *mut u8,
    streamed: Option<(&'a mut StagingBuffer, PrefetchSet)>,
    /// In the staging buffer the bytes before `start` are not the output's, those up to `filled` are written.
    start: usize,
    filled: usize,
}

impl<'a> StreamingWriter<'a> {
    /// Streams if there is a staging buffer, and what is read along with the output.
    pub(in crate::kernel) fn new(
        output: *mut u8,
        streamed: Option<(&'a mut StagingBuffer, PrefetchSet)>,
    ) -> Self {
        // In staging buffer and output lines begin alike.
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

    /// Where the next piece is to be written, of at most [`MAX_PIECE`] bytes if there is a staging buffer. It begins a
    /// line, or is as well aligned as the output and the pieces before leave it.
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

    /// The piece was written.
    ///
    /// # Safety
    /// These bytes, after those of the pieces before, are within the output, which can be written; they were
    /// written to [`Self::next`], and with a staging buffer are at most [`MAX_PIECE`].
    #[inline]
    pub(in crate::kernel) unsafe fn advance(&mut self, bytes: usize) {
        self.filled += bytes;
        if self.streamed.is_some() && self.filled >= STAGED_BYTES {
            // SAFETY: the caller's.
            unsafe { self.flush() };
        }
    }

    /// Streams the whole lines of the staging buffer.
    ///
    /// # Safety
    /// That of [`Self::advance`].
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
        // SAFETY: the bytes from `start` to `filled` lie in the staging buffer, and belong to where `to` points. Lines begin
        // alike there, and `first_line` is one, if there are lines.
        unsafe {
            // Mostly there are only whole lines, and calls that copy nothing take time.
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

    /// Writes what is left in the staging buffer.
    ///
    /// # Safety
    /// That of [`Self::advance`].
    unsafe fn empty(&mut self) {
        // SAFETY: the caller's; what is left belongs to where `to` points.
        unsafe {
            self.flush();
            if let Some((staging, _)) = &self.streamed {
                let from = staging.0.as_ptr().cast::<u8>();
                self.to.copy_from_nonoverlapping(from, self.filled);
            }
        }
    }

    /// The next piece belongs to another part of the output.
    ///
    /// # Safety
    /// That of [`Self::advance`].
    pub(in crate::kernel) unsafe fn seek(&mut self, output: *mut u8) {
        // SAFETY: the caller's.
        unsafe { self.empty() };
        *self = StreamingWriter::new(output, self.streamed.take());
    }

    /// All pieces were written.
    ///
    /// # Safety
    /// That of [`Self::advance`].
    pub(in crate::kernel) unsafe fn finish(mut self) {
        // SAFETY: the caller's.
        unsafe { self.empty() };
        if self.streamed.is_some() {
            simd::end_streaming();
        }
    }
}

/// Lets `write` write a contiguous output, in pieces from the first to the last: it gets the position and the
/// number of a piece's elements, and where to write them. Given what is read, the output is streamed; else it is one piece.
///
/// # Safety
/// `total` elements of the size that `streamed` says can be written to the output; `write` writes all elements of each
/// piece. The output overlaps nothing that `write` reads, or it is not streamed.
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
    // The first piece ends where a line does.
    let prefetches = output.addr().wrapping_neg() % LINE / size;
    let mut position = 0;
    while position < total {
        let longest = if position == 0 && prefetches > 0 {
            prefetches
        } else {
            STAGED_BYTES / size
        };
        let len = longest.min(total - position);
        write(position, len, writer.next());
        // SAFETY: the caller's.
        unsafe { writer.advance(len * size) };
        position += len;
    }
    // SAFETY: the caller's.
    unsafe { writer.finish() }
}

/// Streams on this thread whatever its size.
#[cfg(test)]
pub(crate) fn always(run: impl FnOnce()) {
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

    /// Outputs that begin and end anywhere in a line get each byte, and no other byte changes.
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
