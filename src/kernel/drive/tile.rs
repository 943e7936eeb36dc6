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

use super::block::{BlockBuffer, Operand, convert};
use super::nditer::{Access, NdIter};
use super::nontemporal::{PrefetchSet, StagingBuffer, StreamingWriter};
use super::parallel::{SendPtr, split};
use crate::array::MAX_RANK;
use crate::array::alloc::vec_with_capacity;
use crate::kernel::fused::MAX_INPUTS;
use crate::simd;

/// The number of elements in a row of a tile.
const WIDTH: usize = 256;
/// The length of a column of a tile, in bytes.
const HEIGHT: usize = 2 * simd::LINE;
/// How many columns before its use a column is prefetched. Columns that lie a power of two apart compete for the same
/// cache sets, and a column that was prefetched much earlier would have been evicted again.
const PREFETCH_COLUMNS: usize = 16;
/// The gap between the rows of a tile, in bytes. Without it the rows would compete for the same cache sets.
const ROW_GAP: usize = 64;
/// The size of the largest tile, in bytes: with elements of one byte it has [`HEIGHT`] rows. Larger elements have
/// fewer rows, and so fewer gaps.
const BYTES: usize = HEIGHT * (WIDTH + ROW_GAP);

/// Scratch memory for a tile of elements of any type.
#[repr(C, align(64))]
pub(in crate::kernel) struct Tile([MaybeUninit<u8>; BYTES]);

type Index = [usize; MAX_RANK];

/// Returns the distance between the starts of a tile's rows, in bytes.
fn row_stride(size: usize) -> usize {
    WIDTH * size + ROW_GAP
}

impl NdIter {
    /// Returns the axis, other than the last, along which the operand's elements share cache lines, if it has no such
    /// order along the last axis.
    fn is_transposed(&self, access: &Access, size: usize) -> Option<usize> {
        let last = self.rank.checked_sub(1)?;
        let near = |stride: isize| stride != 0 && stride.unsigned_abs() * size <= simd::LINE / 2;
        if near(access.strides[last]) || access.strides[last] == 0 {
            return None;
        }
        let axes = (0..last).filter(|axis| near(access.strides[*axis]));
        axes.min_by_key(|axis| access.strides[*axis].unsigned_abs())
    }

    /// Returns the axis along which rows are to be tiled, if tiles pay: an operand is transposed, and rows are long
    /// enough.
    pub(in crate::kernel) fn blocked_axis(
        &self,
        accesses: &[Access],
        operands: &[Operand],
    ) -> Option<usize> {
        if self.row() < WIDTH / 2 {
            return None;
        }
        let mut both = accesses.iter().zip(operands);
        both.find_map(|(access, operand)| self.is_transposed(access, operand.size))
    }

    /// Runs over tiles that span `axis` and the last axis, on several threads if each gets `min_len` elements. `write`
    /// takes a part of a row of each operand, its length, and the place for as many elements of the output, which
    /// have `size` bytes.
    ///
    /// # Safety
    /// That of [`run`](super::block::run): operands and output lie along the shape, and chains fit. The output
    /// overlaps no operand that is not contiguous, and none at all if it is streamed. `write` writes all the elements
    /// that it is told to.
    #[inline(never)]
    pub(in crate::kernel) unsafe fn run_tiles(
        &self,
        axis: usize,
        accesses: &[Access],
        operands: &[Operand],
        (output, size): (*mut u8, usize),
        (streams, min_len): (bool, usize),
        write: &(dyn Fn(&[*const u8], usize, *mut u8) + Sync),
    ) {
        let is_transposed =
            |(access, operand): (&Access, &Operand)| self.is_transposed(access, operand.size);
        let in_tiles = accesses.iter().zip(operands).map(is_transposed);
        let in_tiles: Vec<bool> = in_tiles
            .map(|is_transposed| is_transposed == Some(axis))
            .collect();
        let largest = operands.iter().zip(&in_tiles).filter(|(_, tiled)| **tiled);
        let height = HEIGHT / largest.map(|(operand, _)| operand.size).max().unwrap_or(1);
        let tiling = Tiling {
            nditer: self,
            axis,
            in_tiles: &in_tiles,
            height,
        };
        let row = self.row();
        let shared = SendPtr::new((operands, output));
        split(self.total / row, height, min_len.div_ceil(row), |rows| {
            let (operands, output) = shared.get();
            let accesses = &mut accesses.to_vec();
            // SAFETY: the caller guarantees readable operands, a writable output and chains that fit; `split` hands
            // each row of the output to one thread.
            unsafe { tiling.run(rows, accesses, operands, (output, size), streams, write) }
        });
    }
}

/// The division of an output into tiles.
struct Tiling<'a> {
    nditer: &'a NdIter,
    /// The axis of the tiles' columns. Their rows run along the last axis.
    axis: usize,
    /// Whether each operand is read by tiles.
    in_tiles: &'a [bool],
    /// The number of rows in a tile.
    height: usize,
}

impl Tiling<'_> {
    /// Runs over a range of rows, numbered along the tiled axis first.
    ///
    /// # Safety
    /// That of [`NdIter::run_tiles`], for these rows.
    unsafe fn run(
        &self,
        all: Range<usize>,
        accesses: &mut [Access],
        operands: &[Operand],
        (output, size): (*mut u8, usize),
        streams: bool,
        write: &dyn Fn(&[*const u8], usize, *mut u8),
    ) {
        let Self {
            nditer,
            axis,
            mut in_tiles,
            height,
        } = *self;
        let mut staging = MaybeUninit::<StagingBuffer>::uninit();
        // SAFETY: `StagingBuffer` consists of `MaybeUninit`, for which no memory is invalid.
        let staging = unsafe { staging.assume_init_mut() };
        let mut tiles: Vec<Tile> = match vec_with_capacity(operands.len()) {
            Ok(tiles) => tiles,
            // Without memory for tiles the operands are gathered element by element instead, as in `nditer`. The
            // output may be an operand that is overwritten, so this must not fail.
            Err(_) => {
                in_tiles = &[false; MAX_INPUTS];
                Vec::new()
            }
        };
        // SAFETY: the new length is at most the capacity; `Tile` consists of `MaybeUninit`, which needs no
        // initialisation.
        unsafe { tiles.set_len(tiles.capacity().min(operands.len())) };
        let mut fetched = MaybeUninit::<[BlockBuffer; MAX_INPUTS]>::uninit();
        let mut between = MaybeUninit::<[BlockBuffer; 2]>::uninit();
        // SAFETY: `BlockBuffer` consists of `MaybeUninit`, for which no memory is invalid.
        let (fetched, between) = unsafe { (fetched.assume_init_mut(), between.assume_init_mut()) };
        let between = between.each_mut().map(BlockBuffer::pointer);
        let mut writer = StreamingWriter::new(
            output,
            streams.then(|| (staging, PrefetchSet::new(size, core::iter::empty()))),
        );
        let mut inputs = [core::ptr::null(); MAX_INPUTS];
        let inputs = &mut inputs[..operands.len()];
        let (rows, columns, last) = (nditer.sizes[axis], nditer.row(), nditer.rank - 1);
        let mut start = all.start;
        while start < all.end {
            let mut index = nditer.index_without(start / rows, axis);
            let first = start % rows;
            let end = rows.min(first + all.end - start);
            start += end - first;
            // Tiles go down the columns first: the next tile then continues the cache lines of this one, and its
            // first columns are prefetched.
            for left in (0..columns).step_by(WIDTH) {
                for top in (first..end).step_by(height) {
                    let (height, width) = (height.min(end - top), WIDTH.min(columns - left));
                    (index[axis], index[last]) = (top, left);
                    for (number, operand) in operands.iter().enumerate() {
                        if in_tiles[number] {
                            let (access, tile) = (&accesses[number], &mut tiles[number]);
                            // SAFETY: the caller guarantees that the operand can be read along the shape; `top +
                            // height <= end` and `left + width <= columns`, so the tile lies within the shape;
                            // `height * size <= HEIGHT` and `width <= WIDTH`, so it fits `Tile`.
                            unsafe {
                                nditer.fill(tile, access, operand, axis, &index, height, width)
                            };
                        }
                    }
                    for row in 0..height {
                        index[axis] = top + row;
                        let position = nditer.position_of(&index);
                        for (number, operand) in operands.iter().enumerate() {
                            let fetched = fetched[number].pointer();
                            inputs[number] = if in_tiles[number] {
                                let first = tiles[number].0.as_ptr().cast::<u8>();
                                let first = first.wrapping_add(row * row_stride(operand.size));
                                // SAFETY: `fill` wrote `width` elements to this row of the tile; `width <= WIDTH`,
                                // which is less than a block, so `fetched` and `between` have room for them.
                                unsafe { convert(operand.chain, first, width, fetched, between) }
                            } else {
                                nditer.prefetch_row(
                                    &accesses[number],
                                    operand,
                                    axis,
                                    &index,
                                    width,
                                );
                                let (access, place) = (&mut accesses[number], (position, &index));
                                // SAFETY: the caller guarantees that the operand can be read along the shape and that
                                // its chain fits; the block of `width <= WIDTH < BLOCK` elements lies within the row,
                                // and `fetched` belongs to this operand alone.
                                unsafe {
                                    nditer.fetch(access, operand, place, width, fetched, between)
                                }
                            };
                        }
                        // SAFETY: each input holds `width` converted elements; the output has room for `width`
                        // elements from `position` on, as the tile lies within the shape. `width * size` is at most
                        // `WIDTH * 16`, less than `MAX_PIECE`.
                        unsafe {
                            writer.seek(output.add(position * size));
                            write(inputs, width, writer.next());
                            writer.advance(width * size);
                        }
                    }
                }
            }
        }
        // SAFETY: each piece that was announced by `advance` was written by `write` right before.
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
        let from = operand.pointer.wrapping_offset(offset);
        let strides = (access.strides[axis], access.strides[self.rank - 1]);
        let to = tile.0.as_mut_ptr().cast::<u8>();
        let (row_stride, lengths) = (row_stride(size) / size, (height, width));
        // SAFETY: the caller guarantees readable elements within the shape, and room in the tile. Each type has the
        // elements' size; `Operand`s are aligned for their size up to 8 bytes, and the tile's rows begin at multiples
        // of 64 bytes.
        unsafe {
            match size {
                1 => turn::<u8, 16>(from.cast(), strides, lengths, to.cast(), row_stride),
                2 => turn::<u16, 8>(from.cast(), strides, lengths, to.cast(), row_stride),
                4 => turn::<u32, 4>(from.cast(), strides, lengths, to.cast(), row_stride),
                8 => turn::<u64, 2>(from.cast(), strides, lengths, to.cast(), row_stride),
                _ => turn::<[u64; 2], 1>(from.cast(), strides, lengths, to.cast(), row_stride),
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
unsafe fn turn<T: Copy, const N: usize>(
    from: *const T,
    (down, along): (isize, isize),
    (height, width): (usize, usize),
    to: *mut T,
    row_stride: usize,
) {
    let source = |row: usize, column: usize| {
        from.wrapping_offset(row.cast_signed() * down + column.cast_signed() * along)
    };
    let target = |row: usize, column: usize| to.wrapping_add(row * row_stride + column);
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
