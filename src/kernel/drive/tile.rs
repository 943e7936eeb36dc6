//! Cache-blocked reads of transposed operands.
//!
//! A row of the output takes one element from each cache line of a transposed operand. The rows below take the other
//! elements of those lines, but by then the lines have left the cache. So several rows are computed together, in
//! parts of [`WIDTH`] elements, short enough for the lines they read to stay in the L1 cache:
//!
//! ```text
//! for each tile of (HEIGHT / element size) rows and WIDTH columns:
//!     for each transposed operand: copy its tile into rows     (each cache line is read once)
//!     for each row of the tile: run the element loop on that row
//! ```
//!
//! The copy moves squares of 16-byte vectors, transposed in registers, and prefetches [`PREFETCH_COLUMNS`] columns
//! ahead.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use bytemuck::Pod;

use super::block::{Operand, convert};
use super::nditer::{Access, NdIter, OperandBuffer};
use super::nontemporal::{PrefetchSet, StagingBuffer, StreamingWriter};
use super::plan::{Block, Body, Memory, Plan};
use super::tiling::{HEIGHT, Tiling, WIDTH};
use crate::array::MAX_RANK;
use crate::array::alloc::vec_with_capacity;
use crate::simd;

/// The number of columns by which a column is prefetched before its use. Columns that lie a power of two apart compete for the same
/// cache sets, and a column that was prefetched much earlier would have been evicted again.
const PREFETCH_COLUMNS: usize = 16;
/// The gap between the rows of a tile, in bytes. Without it the rows would compete for the same cache sets.
const ROW_GAP: usize = 64;
/// The size of the largest tile, in bytes: with elements of one byte it has [`HEIGHT`] rows. Larger elements have
/// fewer rows, and so fewer gaps.
const BYTES: usize = HEIGHT * (WIDTH + ROW_GAP);

/// Scratch memory for a tile of elements of any type.
#[repr(C, align(64))]
struct Tile([MaybeUninit<u8>; BYTES]);

type Index = [usize; MAX_RANK];

/// Returns the distance between the starts of a tile's rows, in bytes.
fn row_stride(size: usize) -> usize {
    WIDTH * size + ROW_GAP
}

impl Plan<'_> {
    /// Gives the buffers of transposed operands a tile each. Without memory they get none and are gathered element by
    /// element instead, as other operands are: the output may be an operand that is overwritten, so this must not
    /// fail. The tiles are valid as long as the returned memory is.
    fn tiles(&self, tiling: &Tiling, buffers: &mut [OperandBuffer]) -> Vec<Tile> {
        for buffer in &mut *buffers {
            buffer.tile = None;
        }
        let is_tiled = |number: usize| {
            let (access, operand) = (&self.accesses[number], &self.operands[number]);
            self.nditer.is_transposed(access, operand.size) == Some(tiling.axis)
        };
        let count = (0..buffers.len())
            .filter(|number| is_tiled(*number))
            .count();
        let Ok(mut tiles) = vec_with_capacity::<Tile>(count) else {
            return Vec::new();
        };
        // SAFETY: the vector's capacity is at least `count`; `Tile` consists of `MaybeUninit`, which needs no
        // initialisation.
        unsafe { tiles.set_len(count) };
        let first = tiles.as_mut_ptr();
        let tiled = (0..buffers.len()).filter(|number| is_tiled(*number));
        for (tile, number) in tiled.enumerate() {
            buffers[number].tile = Some(first.wrapping_add(tile).cast());
        }
        tiles
    }

    /// Runs over a range of rows, numbered along the tiled axis first.
    ///
    /// # Safety
    /// The contract of [`Plan::run`], for these rows.
    #[inline(never)]
    pub(super) unsafe fn run_tiles(
        &self,
        tiling: &Tiling,
        all: Range<usize>,
        memory: Memory<'_>,
        staging: &mut StagingBuffer,
        body: &mut Body<'_>,
    ) {
        let Self {
            nditer,
            accesses,
            operands,
            output,
            size,
            ..
        } = *self;
        let Memory {
            buffers,
            between,
            addresses,
        } = memory;
        let axis = tiling.axis;
        let _tiles = self.tiles(tiling, buffers);
        let mut writer = StreamingWriter::new(
            output,
            self.streams
                .then(|| (staging, PrefetchSet::new(size, core::iter::empty()))),
        );
        let (rows, columns, last) = (nditer.sizes[axis], nditer.row(), nditer.rank - 1);
        let mut start = all.start;
        'all: while start < all.end {
            let mut index = nditer.index_without(start / rows, axis);
            let first = start % rows;
            let end = rows.min(first + all.end - start);
            start += end - first;
            // Tiles go down the columns first: the next tile then continues the cache lines of this one, and its
            // first columns are prefetched.
            for left in (0..columns).step_by(WIDTH) {
                for top in (first..end).step_by(tiling.height) {
                    let (height, width) = (tiling.height.min(end - top), WIDTH.min(columns - left));
                    (index[axis], index[last]) = (top, left);
                    for (number, operand) in operands.iter().enumerate() {
                        if let Some(tile) = buffers[number].tile {
                            let access = &accesses[number];
                            // SAFETY: the caller guarantees that the operand can be read along the shape; `top +
                            // height <= end` and `left + width <= columns`, so the tile lies within the shape;
                            // `height * size <= HEIGHT` and `width <= WIDTH`, so it fits `Tile`. The tile is one of
                            // `_tiles`, this operand's own, and no reference to it is left.
                            unsafe {
                                let tile = &mut *tile.cast::<Tile>();
                                nditer.fill(tile, access, operand, axis, &index, height, width);
                            };
                        }
                    }
                    for row in 0..height {
                        index[axis] = top + row;
                        let position = nditer.position_of(&index);
                        for (number, operand) in operands.iter().enumerate() {
                            let (access, buffer) = (&accesses[number], &mut buffers[number]);
                            addresses[number] = if let Some(tile) = buffer.tile {
                                let first = tile.cast_const();
                                let first = first.wrapping_add(row * row_stride(operand.size));
                                // SAFETY: `fill` wrote `width` elements to this row of the tile; `width <= WIDTH`,
                                // which is less than a block, so the buffer and `between` have memory for them.
                                unsafe {
                                    convert(operand.chain, first, width, buffer.block, between)
                                }
                            } else {
                                nditer.prefetch_row(access, operand, axis, &index, width);
                                let place = (position, &index);
                                // SAFETY: the caller guarantees that the operand can be read along the shape and that
                                // its chain fits; the block of `width <= WIDTH < BLOCK` elements lies within the row,
                                // and the buffer belongs to this operand alone.
                                unsafe {
                                    nditer.fetch(access, operand, place, width, buffer, between)
                                }
                            };
                        }
                        // SAFETY: the pieces before were written by the body; the tile lies within the shape, so
                        // `position` lies within the output.
                        unsafe { writer.seek(output.add(position * size)) };
                        let block = Block {
                            addresses: &mut *addresses,
                            position,
                            len: width,
                            output: writer.next(),
                        };
                        if body(block).is_break() {
                            break 'all;
                        }
                        // SAFETY: the output has room for `width` elements from `position` on, which the body wrote.
                        // `width * size` is at most `WIDTH * 16`, less than `MAX_PIECE`.
                        unsafe { writer.advance(width * size) };
                    }
                }
            }
        }
        // SAFETY: each piece that was announced by `advance` was written by the body right before.
        unsafe { writer.finish() }
    }
}

impl NdIter {
    /// Prefetches what the second next row reads of an operand that is contiguous along rows. The parts of rows are
    /// too short for the hardware prefetcher to detect the pattern.
    fn prefetch_row(
        &self,
        access: &Access,
        operand: &Operand,
        axis: usize,
        index: &Index,
        width: usize,
    ) {
        if access.strides[self.rank - 1] != 1 {
            return;
        }
        let offset = access.offset(index) + 2 * access.strides[axis];
        let row = operand
            .pointer
            .wrapping_offset(offset * operand.size.cast_signed());
        simd::prefetch_all(row, width * operand.size);
    }

    /// Copies a tile of an operand into rows.
    ///
    /// # Safety
    /// The operand's elements can be read along the shape. The tile, which begins at `index`, lies within the shape
    /// and fits a [`Tile`].
    #[expect(clippy::too_many_arguments, reason = "a place and a size")]
    unsafe fn fill(
        &self,
        tile: &mut Tile,
        access: &Access,
        operand: &Operand,
        axis: usize,
        index: &Index,
        height: usize,
        width: usize,
    ) {
        let size = operand.size;
        debug_assert!(height * size <= HEIGHT && width <= WIDTH);
        let offset = access.offset(index) * size.cast_signed();
        let mut from = operand.pointer.wrapping_offset(offset);
        let mut strides = (access.strides[axis], access.strides[self.rank - 1]);
        let mut to = tile.0.as_mut_ptr().cast::<u8>();
        let (mut row_stride, lengths) = ((row_stride(size) / size).cast_signed(), (height, width));
        if strides.0 == -1 {
            // Columns are contiguous from their last element on, so the rows are filled from the last one on.
            let above = height.cast_signed() - 1;
            from = from.wrapping_offset(-above * size.cast_signed());
            to = to.wrapping_offset(above * row_stride * size.cast_signed());
            (strides.0, row_stride) = (1, -row_stride);
        }
        // SAFETY: the caller guarantees readable elements within the shape, and room in the tile. Each type has the
        // elements' size; `Operand`s are aligned for their size up to 8 bytes, and the tile's rows begin at multiples
        // of 64 bytes.
        unsafe {
            match size {
                1 => {
                    transpose_block::<u8, 16>(from.cast(), strides, lengths, to.cast(), row_stride)
                }
                2 => {
                    transpose_block::<u16, 8>(from.cast(), strides, lengths, to.cast(), row_stride)
                }
                4 => {
                    transpose_block::<u32, 4>(from.cast(), strides, lengths, to.cast(), row_stride)
                }
                8 => {
                    transpose_block::<u64, 2>(from.cast(), strides, lengths, to.cast(), row_stride)
                }
                _ => transpose_block::<[u64; 2], 1>(
                    from.cast(),
                    strides,
                    lengths,
                    to.cast(),
                    row_stride,
                ),
            }
        }
    }
}

/// Copies elements that lie `down` apart along columns and `along` apart along rows, both in elements, into rows that
/// begin `row_stride` elements apart. Where columns are contiguous (`down == 1`) it moves squares of `N` by `N`
/// elements, else single elements.
///
/// # Safety
/// The elements can be read and are aligned for `T`; `to` has room for `height` rows of `width` elements,
/// `row_stride` apart, and does not overlap them.
#[inline(never)]
unsafe fn transpose_block<T: Pod, const N: usize>(
    from: *const T,
    (down, along): (isize, isize),
    (height, width): (usize, usize),
    to: *mut T,
    row_stride: isize,
) {
    let source = |row: usize, column: usize| {
        from.wrapping_offset(row.cast_signed() * down + column.cast_signed() * along)
    };
    let target = |row: usize, column: usize| {
        to.wrapping_offset(row.cast_signed() * row_stride + column.cast_signed())
    };
    let (whole_rows, whole_columns) = match down {
        1 => (height / N * N, width / N * N),
        _ => (0, 0),
    };
    // Issues many prefetches at a time: more cache lines can be in flight than the loads alone would keep in flight.
    // Below the last row follows the next tile, whose first columns are prefetched at the end of this one.
    let prefetch_column = |column: usize| {
        let (row, column) = match column.checked_sub(width) {
            Some(column) => (height, column),
            None => (0, column),
        };
        for at in (0..HEIGHT).step_by(simd::LINE) {
            simd::prefetch(source(row, column).cast::<u8>().wrapping_add(at));
        }
    };
    for left in (0..whole_columns).step_by(N) {
        for top in (0..whole_rows).step_by(N) {
            // SAFETY: `top + N <= height` and `left + N <= width`, so the caller guarantees that these elements can
            // be read; `down == 1`, so those of a column are contiguous.
            let columns = core::array::from_fn(|column| unsafe {
                source(top, left + column).cast::<[T; N]>().read()
            });
            for (row, elements) in simd::transposed(columns).into_iter().enumerate() {
                // SAFETY: row `top + row < height` has room for `width` elements, and `left + N <= width`.
                unsafe { target(top + row, left).cast::<[T; N]>().write(elements) };
            }
        }
        // Prefetches come after the loads, which would otherwise queue behind them.
        (left..left + N).for_each(|column| prefetch_column(column + PREFETCH_COLUMNS));
    }
    for column in 0..width {
        let done = if column < whole_columns {
            whole_rows
        } else {
            0
        };
        for row in done..height {
            // SAFETY: `row < height` and `column < width`: the caller guarantees that this element can be read, and
            // room for it.
            unsafe { target(row, column).write(source(row, column).read()) };
        }
    }
}
