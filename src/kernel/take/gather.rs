//! The loop of gathers: copies of elements and rows at looked-up distances.
//!
//! Rows that lie together in the operand are copied whole:
//!
//! 1. Rows of up to [`LARGEST`] bytes are copied without a call of `memcpy`: as one element if their bytes are a power of two, else as
//!    elements of up to 16 bytes, of which the last two overlap.
//! 2. Longer rows of large operands are prefetched [`PREFETCHED_BYTES`] ahead.
//! 3. Results that exceed the caches are written with streaming stores, as `memcpy` does by itself for a large copy.
#![allow(unsafe_code, reason = "copies raw memory")]

use core::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::BLOCK;
use crate::array::{MAX_RANK, PerAxis};
use crate::kernel::drive::nontemporal::{
    PrefetchSet, STAGED_BYTES, StagingBuffer, StreamingWriter, is_worthwhile,
};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::simd::prefetch_all;

/// The size of the longest row that is copied without a call of `memcpy`, in bytes.
const LARGEST: usize = 256;
/// The size of the longest row that is copied as one element, in bytes.
const LARGEST_ELEMENT: usize = 128;
/// The size of the shortest row that is written past the caches, in bytes.
const SHORTEST_STREAMED: usize = 32;
/// The number of bytes of rows that are prefetched before they are copied: rows at random places are not a sequence that the
/// processor sees by itself.
const PREFETCHED_BYTES: usize = 2048;
/// The size of results from which rows are prefetched; smaller operands are mostly in a cache.
const PREFETCHED_FROM: usize = 1 << 20;

/// The axes of a result, with neighbours coalesced that are walked as one. All strides of the operand are in bytes.
pub(super) struct Gather {
    /// The axes but the last two.
    outer: PerAxis<Axis>,
    /// The last axis but one.
    rows: Axis,
    /// The last axis.
    columns: Axis,
    /// The bytes that are copied at a time along the last axis.
    size: usize,
    /// `true` if the last axis lies together in the operand, so that whole rows are copied.
    copies_rows: bool,
    /// `true` if the rows are written past the caches.
    streams: bool,
}

#[derive(Clone, Copy)]
struct Axis {
    len: usize,
    /// The distance of neighbours in the operand, in bytes.
    stride: isize,
    /// The stride of the looked-up distances, in elements of their array.
    looked_up: isize,
}

impl Default for Axis {
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
    /// Coalesces the axes of a shape. `strides` are those of the operand in elements, `looked_up` those of the distances.
    pub(super) fn new(
        shape: &[usize],
        strides: &[isize],
        looked_up: &[isize],
        size: usize,
    ) -> Self {
        let (mut axes, mut count) = ([Axis::default(); MAX_RANK], 0);
        for ((len, stride), looked_up) in shape.iter().zip(strides).zip(looked_up) {
            if *len == 1 {
                continue;
            }
            let axis = Axis {
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
                    *outer = Axis { len, ..axis };
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
            outer: PerAxis::new(&axes[..count]).unwrap_or_default(),
            rows,
            columns,
            size,
            copies_rows,
            streams: streams && copies_rows,
        }
    }

    /// Copies all elements, on several threads if there are many.
    ///
    /// # Safety
    /// For each position, the strides lead from `distances` to a distance, and from `x` and by this distance to `size`
    /// bytes that can be read. `to` has room for the bytes of all positions.
    pub(super) unsafe fn run(&self, x: *const u8, distances: *const isize, to: *mut u8) {
        let blocks: usize = self.outer.iter().map(|axis| axis.len).product();
        let rows = blocks * self.rows.len;
        let row_bytes = self.columns.len * self.size;
        let total = rows * row_bytes;
        let is_large = total > PREFETCHED_FROM;
        let shared = SendPtr::new((x, (distances, to)));
        let min_len = (MIN_WORK_PER_THREAD / row_bytes.max(1)).max(1);
        split(rows, 1, min_len, |piece| {
            let (x, (distances, to)) = shared.get();
            let mut staging = StagingBuffer::empty();
            let reads = PrefetchSet::new(1, core::iter::empty());
            let streamed = self.streams.then_some((&mut staging, reads));
            let mut writer =
                StreamingWriter::new(to.wrapping_add(piece.start * row_bytes), streamed);
            let mut row = piece.start;
            while row < piece.end {
                let (len, [offset, position]) = self.rows_from(row);
                let len = len.min(piece.end - row);
                let x = x.wrapping_offset(offset);
                let distances = distances.wrapping_offset(position);
                if self.copies_rows {
                    // SAFETY: `x` and `distances` are those of row `row`, and `len` rows follow in this block, which the
                    // caller guarantees to be readable. The writer began at the first row of this piece and has
                    // written all up to `row`; no other piece has these rows.
                    unsafe { self.copy_rows(len, x, distances, is_large, &mut writer) };
                } else {
                    let to = to.wrapping_add(row * row_bytes);
                    // SAFETY: `x` and `distances` are those of row `row`, and `len` rows follow in this block, which the
                    // caller guarantees to be readable. Their places in the output begin at `to`; no other piece has
                    // them.
                    unsafe { self.copy_short([len, self.columns.len], x, distances, to) };
                }
                row += len;
            }
            // SAFETY: the writer has written the rows of this piece, or none.
            unsafe { writer.finish() };
        });
    }

    /// Copies all elements, of which each has a distance of its own, in row-major order. `look_up` writes those of some positions, and
    /// returns `false` if it cannot. Returns whether it wrote all of them.
    ///
    /// # Safety
    /// For each position, the strides lead from `x` and by the distance that was looked up to `size` bytes that can be read. `to` has
    /// room for the bytes of all positions.
    pub(super) unsafe fn run_in_blocks(
        &self,
        x: *const u8,
        look_up: &(dyn Fn(Range<usize>, &mut [isize]) -> bool + Sync),
        to: *mut u8,
    ) -> bool {
        let columns = self.columns.len;
        let rows = self.rows.len * self.outer.iter().map(|axis| axis.len).product::<usize>();
        let rows_at_once = (BLOCK / columns).max(1);
        let shared = SendPtr::new((x, to));
        let all_written = AtomicBool::new(true);
        let min_len = (MIN_WORK_PER_THREAD / (columns * self.size)).max(1);
        split(rows, 1, min_len, |piece| {
            let (x, to) = shared.get();
            let mut distances = [0_isize; BLOCK];
            let mut row = piece.start;
            while row < piece.end {
                let (len, [offset, _]) = self.rows_from(row);
                let len = len.min(piece.end - row).min(rows_at_once);
                for column in (0..columns).step_by(BLOCK) {
                    let part = [len, (columns - column).min(BLOCK)];
                    let first = row * columns + column;
                    let count = part[0] * part[1];
                    if !look_up(first..first + count, &mut distances[..count]) {
                        all_written.store(false, Ordering::Relaxed);
                        return;
                    }
                    let offset = offset + self.columns.stride * column.cast_signed();
                    // SAFETY: these are positions of the rows from `row` on, and their distances: the part has whole rows, or
                    // is a part of one. The caller guarantees that they can be read; no other piece writes them.
                    unsafe {
                        let to = to.add(first * self.size);
                        self.copy_short(part, x.wrapping_offset(offset), distances.as_ptr(), to);
                    }
                }
                row += len;
            }
        });
        all_written.load(Ordering::Relaxed)
    }

    /// Returns the number of rows from this one on that are neighbours along the last axis but one, the distance of the first of them
    /// in the operand, and that of its looked-up distances.
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

    /// Copies `len` rows that are neighbours along the last axis but one, each of which lies together in the operand.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for the positions of these rows. The writer stands at the first of them in the output.
    unsafe fn copy_rows(
        &self,
        len: usize,
        x: *const u8,
        distances: *const isize,
        is_large: bool,
        writer: &mut StreamingWriter<'_>,
    ) {
        let bytes = self.columns.len * self.size;
        let longest = if self.streams { STAGED_BYTES } else { bytes };
        let place = |row: usize| {
            let row = row.cast_signed();
            let distance = distances.wrapping_offset(self.rows.looked_up * row);
            // SAFETY: the caller guarantees a distance at each position of these rows.
            let distance = unsafe { distance.read() };
            x.wrapping_offset(self.rows.stride * row)
                .wrapping_offset(distance)
        };
        let ahead = PREFETCHED_BYTES.div_ceil(bytes);
        for row in 0..len {
            if is_large && row + ahead < len {
                prefetch_all(place(row + ahead), bytes.min(PREFETCHED_BYTES));
            }
            let (mut from, mut left) = (place(row), bytes);
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
    }

    /// Copies so many elements of some rows that are neighbours along the last axis but one.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for the positions of these elements.
    unsafe fn copy_short(
        &self,
        part: [usize; 2],
        x: *const u8,
        distances: *const isize,
        to: *mut u8,
    ) {
        macro_rules! copy {
            ($element:literal, $parts:literal) => {
                // SAFETY: the caller guarantees what `run` requires, and the patterns have as many parts as cover the size.
                unsafe { self.copy_elements::<[u8; $element], $parts>(part, x, distances, to) }
            };
        }
        match self.size {
            1 => copy!(1, 1),
            2 => copy!(2, 1),
            3 => copy!(2, 2),
            4 => copy!(4, 1),
            5..8 => copy!(4, 2),
            8 => copy!(8, 1),
            9..16 => copy!(8, 2),
            16 => copy!(16, 1),
            17..32 => copy!(16, 2),
            32 => copy!(32, 1),
            33..=48 => copy!(16, 3),
            49..64 => copy!(16, 4),
            64 => copy!(64, 1),
            LARGEST_ELEMENT => copy!(128, 1),
            _ => copy!(16, 0),
        }
    }

    /// Copies so many elements of some rows that are neighbours along the last axis but one. An element is copied by so many
    /// `T`, of which the last two may overlap; with no `PARTS`, by as many as it takes.
    ///
    /// # Safety
    /// The contract of [`Self::run`], for the positions of these rows; `T` has `size` bytes if there is one part,
    /// else fewer, and so many parts cover the `size` bytes.
    unsafe fn copy_elements<T: Copy, const PARTS: usize>(
        &self,
        [rows, columns]: [usize; 2],
        x: *const u8,
        distances: *const isize,
        to: *mut u8,
    ) {
        let Axis {
            stride, looked_up, ..
        } = self.columns;
        let size = if PARTS == 1 {
            size_of::<T>()
        } else {
            self.size
        };
        let last = size - size_of::<T>();
        for row in 0..rows {
            let signed = row.cast_signed();
            let x = x.wrapping_offset(self.rows.stride * signed);
            let distances = distances.wrapping_offset(self.rows.looked_up * signed);
            let to = to.wrapping_add(row * columns * size);
            let copy = |column: usize, distance: isize| {
                let from = x.wrapping_offset(stride * column.cast_signed());
                let from = from.wrapping_offset(distance);
                // SAFETY: the caller guarantees `size` readable bytes at this position, and room for them in the
                // output, which is new; reads and writes need no alignment, and all parts lie within the `size` bytes.
                unsafe {
                    let to = to.add(column * size);
                    let parts = if PARTS == 0 {
                        size.div_ceil(size_of::<T>())
                    } else {
                        PARTS
                    };
                    for part in 0..parts - 1 {
                        let at = part * size_of::<T>();
                        let part = from.add(at).cast::<T>().read_unaligned();
                        to.add(at).cast::<T>().write_unaligned(part);
                    }
                    let end = from.add(last).cast::<T>().read_unaligned();
                    to.add(last).cast::<T>().write_unaligned(end);
                }
            };
            // SAFETY: the caller guarantees a distance at each position that the strides reach.
            let distance = |at: isize| unsafe { distances.offset(looked_up * at).read() };
            match looked_up {
                0 => {
                    let distance = distance(0);
                    (0..columns).for_each(|column| copy(column, distance));
                }
                // The common case, with a step that the compiler knows.
                1 => (0..columns).for_each(|column| {
                    // SAFETY: the caller guarantees a distance at each position, which here are one after another.
                    copy(column, unsafe { distances.add(column).read() });
                }),
                _ => (0..columns).for_each(|column| copy(column, distance(column.cast_signed()))),
            }
        }
    }
}
