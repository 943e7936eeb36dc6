//! The loop of gathers: copies of elements and rows at looked-up distances.
//!
//! Rows that are contiguous in the operand are copied whole:
//!
//! 1. Rows of up to [`LARGEST`] bytes are copied without a call of `memcpy`: as one element if their bytes are a power of two, else as
//!    elements of up to 64 bytes, of which the last two overlap. Rows of fewer than 16 bytes are copied with some bytes of the next
//!    row, where there is one, so that they need one load and one store; the next copy overwrites the surplus. Four indices are checked
//!    together. (Rows of 12 bytes in the L1 cache: 0.63 of the time.)
//! 2. Longer rows of large operands are prefetched [`PREFETCHED_BYTES`] ahead.
//! 3. Results that exceed the caches are written with streaming stores, as `memcpy` does by itself for a large copy.
#![allow(unsafe_code, reason = "copies raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::indices::{BLOCK, Indices, from_start, position_of};
use crate::array::{MAX_RANK, PerAxis};
use crate::kernel::drive::nontemporal::{
    PrefetchSet, STAGED_BYTES, StagingBuffer, StreamingWriter, is_worthwhile,
};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::simd::{LINE, lanes, prefetch, prefetch_all};

/// The size of the longest row that is copied without a call of `memcpy`, in bytes.
const LARGEST: usize = 256;
/// The size of the shortest row that is written past the caches, in bytes.
const SHORTEST_STREAMED: usize = 32;
/// The number of bytes of rows that are prefetched before they are copied: rows at random places are not a sequence that the
/// processor sees by itself.
const PREFETCHED_BYTES: usize = 2048;
/// The size of results from which rows are prefetched; smaller operands are mostly in a cache.
const PREFETCHED_FROM: usize = 1 << 20;
/// The number of elements, or short rows, that are prefetched before they are copied.
const PREFETCHED: usize = 64;
/// The size of operands from which elements and short rows are prefetched.
const PREFETCHED_FROM_EXTENT: usize = 1 << 24;
/// The number of elements whose indices are checked together.
const GROUP: usize = 4;
/// The work of an index beside that of the bytes at its position, in bytes that are copied in the same time.
const INDEX_WORK: usize = 24;

/// The axis of the operand that is indexed.
#[derive(Clone, Copy)]
pub(super) struct IndexedAxis {
    pub(super) size: usize,
    /// The distance of neighbours in the operand, in bytes.
    pub(super) stride: isize,
}

impl IndexedAxis {
    /// Returns the distance of an index from the start of the axis, in bytes; `None` if it is out of range.
    #[inline(always)]
    fn distance(self, index: isize) -> Option<isize> {
        let position = position_of(index, self.size)?.cast_signed();
        Some(position.wrapping_mul(self.stride))
    }
}

/// The axes of a result, with neighbouring axes coalesced. All strides of the operand are in bytes.
pub(super) struct Gather {
    indexed: IndexedAxis,
    /// The axes but the last two.
    outer: PerAxis<GatherAxis>,
    /// The last axis but one.
    rows: GatherAxis,
    /// The last axis.
    columns: GatherAxis,
    /// The bytes that are copied at a time along the last axis.
    size: usize,
    /// `true` if the last axis is contiguous in the operand, so that whole rows are copied.
    copies_rows: bool,
    /// `true` if the rows are written past the caches.
    streams: bool,
}

#[derive(Clone, Copy)]
struct GatherAxis {
    len: usize,
    /// The distance of neighbours in the operand, in bytes.
    stride: isize,
    /// The stride of the indices, in elements of their array.
    looked_up: isize,
}

impl Default for GatherAxis {
    /// An axis of one position.
    fn default() -> Self {
        Self {
            len: 1,
            stride: 0,
            looked_up: 0,
        }
    }
}

impl Gather {
    /// Coalesces the axes of a shape. `strides` are those of the operand in elements, `looked_up` those of the indices.
    pub(super) fn new(
        indexed: IndexedAxis,
        shape: &[usize],
        strides: &[isize],
        looked_up: &[isize],
        size: usize,
    ) -> Self {
        let (mut axes, mut count) = ([GatherAxis::default(); MAX_RANK], 0);
        for ((len, stride), looked_up) in shape.iter().zip(strides).zip(looked_up) {
            if *len == 1 {
                continue;
            }
            let axis = GatherAxis {
                len: *len,
                stride: stride.wrapping_mul(size.cast_signed()),
                looked_up: *looked_up,
            };
            let along = |stride: isize| stride.wrapping_mul(len.cast_signed());
            match axes[..count].last_mut() {
                Some(outer)
                    if outer.stride == along(axis.stride)
                        && outer.looked_up == along(axis.looked_up) =>
                {
                    let len = outer.len * len;
                    *outer = GatherAxis { len, ..axis };
                }
                _ => {
                    axes[count] = axis;
                    count += 1;
                }
            }
        }
        let mut pop = || {
            let axis = axes[..count].last().copied().unwrap_or_default();
            count = count.saturating_sub(1);
            axis
        };
        let (mut columns, mut size) = (pop(), size);
        let mut copies_rows = columns.looked_up == 0 && columns.stride == size.cast_signed();
        let bytes = columns.len * size;
        let copied = size * shape.iter().product::<usize>();
        let streams = copies_rows && is_worthwhile(2 * copied, size, 0);
        // A call of `memcpy` for each short row would take longer than its elements.
        let largest = if streams {
            SHORTEST_STREAMED - 1
        } else {
            LARGEST
        };
        if copies_rows && bytes <= largest {
            size = bytes;
            columns = pop();
            copies_rows = false;
        }
        let rows = pop();
        Self {
            indexed,
            outer: PerAxis::new(&axes[..count]).unwrap_or_default(),
            rows,
            columns,
            size,
            copies_rows,
            streams: streams && copies_rows,
        }
    }

    /// The number of columns, or one if rows are copied whole.
    fn columns(&self) -> usize {
        if self.copies_rows {
            1
        } else {
            self.columns.len
        }
    }

    /// Returns whether each element, or row that is copied whole, has an index of its own, and these are read in row-major order.
    pub(super) fn reads_in_order(&self) -> bool {
        let mut expected = 1;
        let columns = (!self.copies_rows).then_some(&self.columns);
        let inner = columns.into_iter().chain([&self.rows]);
        inner.chain(self.outer.iter().rev()).all(|axis| {
            let is_expected = axis.len == 1 || axis.looked_up == expected;
            expected = expected.wrapping_mul(axis.len.cast_signed());
            is_expected
        })
    }

    /// Copies all elements, on several threads if there are many. Returns `false` if an index is out of range; then it may not have
    /// copied all.
    ///
    /// # Safety
    /// For each position, the strides lead to an index, and from `x`, by the distance of any index of the axis, to `size`
    /// bytes that can be read. `to` has room for the bytes of all positions. Indices that are converted in blocks are read
    /// in order ([`Self::reads_in_order`]).
    pub(super) unsafe fn run(&self, x: *const u8, indices: Indices<'_>, to: *mut u8) -> bool {
        let blocks: usize = self.outer.iter().map(|axis| axis.len).product();
        let row_bytes = self.columns.len * self.size;
        let bytes = row_bytes / self.columns();
        let count = blocks * self.rows.len * self.columns();
        let shared = SendPtr::new((x, to));
        let all_in_range = AtomicBool::new(true);
        let min_len = MIN_WORK_PER_THREAD / (bytes + INDEX_WORK);
        split(count, 1, min_len, |piece| {
            let (x, to) = shared.get();
            let is_large = count * bytes > PREFETCHED_FROM;
            // SAFETY: the caller guarantees what `copy_piece` requires, and no other piece has these positions.
            let is_done = unsafe { self.copy_piece(piece, x, indices, to, is_large) };
            if !is_done {
                all_in_range.store(false, Ordering::Relaxed);
            }
        });
        all_in_range.load(Ordering::Relaxed)
    }

    /// Copies a range of elements, or of rows if they are copied whole. Returns `false` if an index is out of range.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for the positions of this piece.
    unsafe fn copy_piece(
        &self,
        piece: Range<usize>,
        x: *const u8,
        indices: Indices<'_>,
        to: *mut u8,
        is_large: bool,
    ) -> bool {
        let bytes = self.columns.len * self.size / self.columns();
        let mut scratch = [MaybeUninit::uninit(); BLOCK];
        let mut staging = StagingBuffer::empty();
        let reads = PrefetchSet::new(1, core::iter::empty());
        let streamed = self.streams.then_some((&mut staging, reads));
        let mut writer = StreamingWriter::new(to.wrapping_add(piece.start * bytes), streamed);
        let extent = self
            .indexed
            .size
            .saturating_mul(self.indexed.stride.unsigned_abs());
        let prefetches = !self.copies_rows && extent > PREFETCHED_FROM_EXTENT;
        let mut at = piece.start;
        let mut all_in_range = true;
        while all_in_range && at < piece.end {
            let left = piece.end - at;
            let most = match indices {
                _ if prefetches => left.min(PREFETCHED),
                Indices::All(_) => left,
                Indices::Blocks(_) => left.min(BLOCK),
            };
            let (part, [offset, position]) = self.part_from(at, most);
            let count = part[0] * part[1];
            if prefetches && count < left {
                let next = at + count;
                let (part, [offset, position]) = self.part_from(next, PREFETCHED.min(left - count));
                let count = part[0] * part[1];
                let indices = match indices {
                    Indices::All(all) => all.as_ptr().wrapping_offset(position),
                    Indices::Blocks(_) => indices.range(next..next + count, &mut scratch).as_ptr(),
                };
                // SAFETY: the part has `count` positions from `next` on, and these are their indices.
                unsafe { self.prefetch(part, x.wrapping_offset(offset), indices) };
            }
            let x = x.wrapping_offset(offset);
            let indices = match indices {
                Indices::All(all) => all.as_ptr().wrapping_offset(position),
                Indices::Blocks(_) => indices.range(at..at + count, &mut scratch).as_ptr(),
            };
            // SAFETY: `x` and `indices` are those of position `at`, and the part has `count` positions from there on, which the
            // caller guarantees to be readable. The writer began at the first position of this piece and, if it is used, has
            // written all up to `at`; no other piece has these positions.
            all_in_range = unsafe {
                if self.copies_rows {
                    self.copy_rows(count, x, indices, is_large, &mut writer)
                } else {
                    let to = to.wrapping_add(at * bytes);
                    self.copy_short(part, x, indices, to, count == left)
                }
            };
            at += count;
        }
        // SAFETY: the writer has written the rows that it counted, or none.
        unsafe { writer.finish() };
        all_in_range
    }

    /// Returns the rows and columns of a part from this position on, of at most `most` positions: whole rows that are neighbours along
    /// the last axis but one, or some columns of a single row. Also returns the distance of the first of them in the operand, and of its
    /// index.
    fn part_from(&self, at: usize, most: usize) -> ([usize; 2], [isize; 2]) {
        let columns = self.columns();
        let (row, column) = (at / columns, at % columns);
        let (rows, [offset, position]) = self.rows_from(row);
        if column == 0 && most >= columns {
            return ([rows.min(most / columns), columns], [offset, position]);
        }
        let part = [1, most.min(columns - column)];
        let column = column.cast_signed();
        let offset = offset + self.columns.stride * column;
        (part, [offset, position + self.columns.looked_up * column])
    }

    /// Returns the number of rows from this one on that are neighbours along the last axis but one, the distance of the first of them
    /// in the operand, and that of its index.
    fn rows_from(&self, row: usize) -> (usize, [isize; 2]) {
        let (mut block, in_block) = (row / self.rows.len, row % self.rows.len);
        let mut offset = self.rows.stride * in_block.cast_signed();
        let mut position = self.rows.looked_up * in_block.cast_signed();
        for axis in self.outer.iter().rev() {
            let index = (block % axis.len).cast_signed();
            block /= axis.len;
            offset += axis.stride * index;
            position += axis.looked_up * index;
        }
        (self.rows.len - in_block, [offset, position])
    }

    /// Copies `len` rows that are neighbours along the last axis but one, each of which is contiguous in the operand. Returns `false`
    /// if an index is out of range.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for the positions of these rows. The writer stands at the first of them in the output.
    unsafe fn copy_rows(
        &self,
        len: usize,
        x: *const u8,
        indices: *const isize,
        is_large: bool,
        writer: &mut StreamingWriter<'_>,
    ) -> bool {
        let bytes = self.columns.len * self.size;
        let longest = if self.streams { STAGED_BYTES } else { bytes };
        let place = |row: usize| {
            let row = row.cast_signed();
            let index = indices.wrapping_offset(self.rows.looked_up * row);
            // SAFETY: the caller guarantees an index at each position of these rows.
            let distance = self.indexed.distance(unsafe { index.read() })?;
            let from = x.wrapping_offset(self.rows.stride * row);
            Some(from.wrapping_offset(distance))
        };
        let ahead = PREFETCHED_BYTES.div_ceil(bytes);
        for row in 0..len {
            if is_large
                && row + ahead < len
                && let Some(next) = place(row + ahead)
            {
                prefetch_all(next, bytes.min(PREFETCHED_BYTES));
            }
            let Some(mut from) = place(row) else {
                return false;
            };
            let mut left = bytes;
            while left > 0 {
                let piece = left.min(longest);
                // SAFETY: the caller guarantees `bytes` readable bytes at the place of each row and room for them in the
                // output, which is new. If it is streamed, a piece is at most `STAGED_BYTES`, less than `MAX_PIECE`.
                unsafe {
                    writer.next().copy_from_nonoverlapping(from, piece);
                    writer.advance(piece);
                }
                from = from.wrapping_add(piece);
                left -= piece;
            }
        }
        true
    }

    /// Prefetches some elements of each of some rows that are neighbours along the last axis but one.
    ///
    /// # Safety
    /// For each position of these elements, the strides lead to an index.
    unsafe fn prefetch(&self, [rows, columns]: [usize; 2], x: *const u8, indices: *const isize) {
        for row in 0..rows {
            let row = row.cast_signed();
            let x = x.wrapping_offset(self.rows.stride * row);
            let indices = indices.wrapping_offset(self.rows.looked_up * row);
            for column in 0..columns {
                let column = column.cast_signed();
                // SAFETY: the caller guarantees an index at each position.
                let index = unsafe { indices.offset(self.columns.looked_up * column).read() };
                let Some(distance) = self.indexed.distance(index) else {
                    return;
                };
                let from = x.wrapping_offset(self.columns.stride * column + distance);
                prefetch_all(from, self.size);
                if from.addr() % LINE + self.size > LINE {
                    prefetch(from.wrapping_add(self.size - 1));
                }
            }
        }
    }

    /// Copies some elements of each of some rows that are neighbours along the last axis but one. Returns `false` if an index is out of range.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for the positions of these elements. Unless the part `is_last`, the output has room for another
    /// element, which is written later.
    unsafe fn copy_short(
        &self,
        part: [usize; 2],
        x: *const u8,
        indices: *const isize,
        to: *mut u8,
        is_last: bool,
    ) -> bool {
        macro_rules! copy {
            ($element:literal, $parts:literal) => {
                copy!($element, $parts, $element)
            };
            ($element:literal, $parts:literal, $wide:literal) => {{
                type Copied = ([u8; $element], [u8; $wide]);
                // SAFETY: the caller guarantees what `run` requires, and room for another element after a part that is not the last.
                // The patterns have as many parts as cover the size, and wide elements of less than two sizes.
                unsafe { self.copy_elements::<Copied, $parts>(part, x, indices, to, is_last) }
            }};
        }
        match self.size {
            1 => copy!(1, 1),
            2 => copy!(2, 1),
            3 => copy!(2, 2, 4),
            4 => copy!(4, 1),
            5..8 => copy!(4, 2, 8),
            8 => copy!(8, 1),
            9..16 => copy!(8, 2, 16),
            16 => copy!(16, 1),
            17..32 => copy!(16, 2),
            32 => copy!(32, 1),
            33..=48 => copy!(16, 3),
            49..64 => copy!(16, 4),
            64 => copy!(64, 1),
            65..=128 => copy!(64, 2),
            129..=192 => copy!(64, 3),
            _ => copy!(64, 4),
        }
    }

    /// Copies some elements of each of some rows that are neighbours along the last axis but one. Returns `false` if an index is out of range.
    /// An element is copied as `PARTS` `C::Part`s, of which the last two may overlap. Where another element follows in the operand and in
    /// the output, it is copied as one `C::Wide`, which may be longer.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for the positions of these rows. A `C::Part` has `size` bytes if there is one part, else fewer, and
    /// the parts together cover the `size` bytes. A `C::Wide` is a part, or has at least `size` and at most twice as many bytes. Unless the
    /// part `is_last`, the output has room for another element, which is written later.
    // A function of its own, so that what its loop needs stays in registers.
    #[inline(never)]
    unsafe fn copy_elements<C: Copied, const PARTS: usize>(
        &self,
        [rows, columns]: [usize; 2],
        x: *const u8,
        indices: *const isize,
        to: *mut u8,
        is_last: bool,
    ) -> bool {
        let GatherAxis {
            stride, looked_up, ..
        } = self.columns;
        let indexed = self.indexed;
        let size = if PARTS == 1 {
            size_of::<C::Part>()
        } else {
            self.size
        };
        let is_wide = const { size_of::<C::Wide>() > size_of::<C::Part>() };
        // Positions from which as many bytes as a wide element has can be read.
        let wide_positions = if !is_wide {
            indexed.size
        } else if indexed.stride >= size.cast_signed() {
            indexed.size.saturating_sub(1)
        } else {
            0
        };
        let in_groups = stride == 0 && looked_up == 1;
        let mut to = to;
        for row in 0..rows {
            let is_last_row = is_last && row + 1 == rows;
            let row = row.cast_signed();
            let mut x = x.wrapping_offset(self.rows.stride * row);
            let mut index = indices.wrapping_offset(self.rows.looked_up * row);
            let before_last = columns - usize::from(is_wide && is_last_row);
            let groups = if in_groups { before_last / GROUP } else { 0 };
            for _ in 0..groups {
                // SAFETY: the caller guarantees an index at each position, and those of a row are neighbours.
                let group = unsafe { index.cast::<[isize; GROUP]>().read() };
                let positions: [usize; GROUP] = lanes(|at| from_start(group[at], indexed.size));
                let mut all_wide = true;
                for position in positions {
                    all_wide &= position < wide_positions;
                }
                for position in positions {
                    let from =
                        x.wrapping_offset(position.cast_signed().wrapping_mul(indexed.stride));
                    // SAFETY: the caller guarantees `size` readable bytes at each position of the axis, and room for them in the output,
                    // which is new. A wide element of more bytes ends within the next position's bytes, as there is one and the stride is
                    // at least `size`. In the output it ends within the next element, which is written later.
                    unsafe {
                        if all_wide && is_wide {
                            let element = from.cast::<C::Wide>().read_unaligned();
                            to.cast::<C::Wide>().write_unaligned(element);
                        } else if all_wide || position < indexed.size {
                            copy_parts::<C::Part, PARTS>(from, to, size);
                        } else {
                            return false;
                        }
                    }
                    to = to.wrapping_add(size);
                }
                index = index.wrapping_add(GROUP);
            }
            for _ in groups * GROUP..columns {
                // SAFETY: the caller guarantees an index at each position that the strides reach.
                let Some(distance) = indexed.distance(unsafe { index.read() }) else {
                    return false;
                };
                // SAFETY: the caller guarantees `size` readable bytes at this position, and room for them in the output, which is new.
                unsafe { copy_parts::<C::Part, PARTS>(x.wrapping_offset(distance), to, size) };
                to = to.wrapping_add(size);
                x = x.wrapping_offset(stride);
                index = index.wrapping_offset(looked_up);
            }
        }
        true
    }
}

/// The types by which a loop copies elements.
trait Copied {
    type Part: Copy;
    type Wide: Copy;
}

impl<Part: Copy, Wide: Copy> Copied for (Part, Wide) {
    type Part = Part;
    type Wide = Wide;
}

/// Copies an element of `size` bytes as `PARTS` parts, of which the last two may overlap.
///
/// # Safety
/// `size` bytes can be read at `from` and written at `to`. A part has `size` bytes if there is one, else fewer, and all parts cover
/// the `size` bytes.
#[inline(always)]
unsafe fn copy_parts<Part: Copy, const PARTS: usize>(from: *const u8, to: *mut u8, size: usize) {
    let part_size = size_of::<Part>();
    let last = size - part_size;
    // SAFETY: the caller guarantees `size` bytes at both addresses, and all parts lie within them; reads and writes need no alignment.
    unsafe {
        for part in 0..PARTS - 1 {
            let at = part * part_size;
            let part = from.add(at).cast::<Part>().read_unaligned();
            to.add(at).cast::<Part>().write_unaligned(part);
        }
        let end = from.add(last).cast::<Part>().read_unaligned();
        to.add(last).cast::<Part>().write_unaligned(end);
    }
}
