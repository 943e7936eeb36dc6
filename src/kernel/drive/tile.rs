//! Operands that lie blocked_axis the output, as transposed ones do: read in tiles.
//!
//! A row of the output takes from such an operand one element of each cache line, and the next rows take the others, when
//! the line has long left the cache. So some rows of the output are computed side by side, in parts that are short enough for
//! what they read to stay in the L1 cache, where each line is read once and laid out in rows.
#![allow(unsafe_code, reason = "walks raw memory")]

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

/// Elements in a row of a tile.
const WIDTH: usize = 256;
/// Bytes in a column of a tile.
const HEIGHT: usize = 2 * simd::LINE;
/// So many columns are asked for before they are read. What is asked for much earlier has left the cache again where
/// columns lie a power of two apart, as they compete for few places.
const PREFETCH_COLUMNS: usize = 16;
/// Rows begin so many bytes later than they need to: else they would compete for the same places in the cache.
const ROW_GAP: usize = 64;
/// With elements of 16 bytes a tile has the fewest rows and is largest.
const BYTES: usize = HEIGHT * (WIDTH + ROW_GAP);

#[repr(C, align(64))]
pub(in crate::kernel) struct Tile([MaybeUninit<u8>; BYTES]);

type Index = [usize; MAX_RANK];

/// How many bytes after a tile's row the next one begins.
fn row_stride(size: usize) -> usize {
    WIDTH * size + ROW_GAP
}

impl NdIter {
    /// The axis along which an operand is read by the line, if that is not the last.
    fn is_transposed(&self, access: &Access, size: usize) -> Option<usize> {
        let last = self.rank.checked_sub(1)?;
        let near = |stride: isize| stride != 0 && stride.unsigned_abs() * size <= simd::LINE / 2;
        if near(access.strides[last]) || access.strides[last] == 0 {
            return None;
        }
        let axes = (0..last).filter(|axis| near(access.strides[*axis]));
        axes.min_by_key(|axis| access.strides[*axis].unsigned_abs())
    }

    /// The axis along which rows are to be computed side by side, if that pays.
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

    /// Runs over tiles of rows along this axis and the last, on several threads if each has `least` elements: `write`
    /// is handed parts of rows of all operands, and writes as many elements of the output, which has elements of this
    /// size.
    ///
    /// # Safety
    /// That of [`run`](super::block::run). The output overlaps no operand that is not contiguous.
    #[inline(never)]
    pub(in crate::kernel) unsafe fn run_tiles(
        &self,
        axis: usize,
        accesses: &[Access],
        operands: &[Operand],
        (output, size): (*mut u8, usize),
        (streams, least): (bool, usize),
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
        split(self.total / row, height, least.div_ceil(row), |rows| {
            let (operands, output) = shared.get();
            let accesses = &mut accesses.to_vec();
            // SAFETY: the caller's; each row of the output is written by one thread.
            unsafe { tiling.run(rows, accesses, operands, (output, size), streams, write) }
        });
    }
}

/// How an output is cut into tiles.
struct Tiling<'a> {
    nditer: &'a NdIter,
    /// Along the columns of tiles; along their rows it is the last.
    axis: usize,
    /// Which operands are read in tiles.
    in_tiles: &'a [bool],
    /// Rows in a tile.
    height: usize,
}

impl Tiling<'_> {
    /// Runs over some rows, which are counted along the axis first.
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
            // Operands are read element by element then, as elsewhere: an output may be overwritten, so that this does not
            // fail.
            Err(_) => {
                in_tiles = &[false; MAX_INPUTS];
                Vec::new()
            }
        };
        // SAFETY: there is room for as many; for `MaybeUninit`, of which `Tile` consists, no memory is invalid.
        unsafe { tiles.set_len(tiles.capacity().min(operands.len())) };
        let mut fetched = MaybeUninit::<[BlockBuffer; MAX_INPUTS]>::uninit();
        let mut between = MaybeUninit::<[BlockBuffer; 2]>::uninit();
        // SAFETY: as of the block.
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
            // Downwards the next tile takes the next lines.
            for left in (0..columns).step_by(WIDTH) {
                for top in (first..end).step_by(height) {
                    let (height, width) = (height.min(end - top), WIDTH.min(columns - left));
                    (index[axis], index[last]) = (top, left);
                    for (number, operand) in operands.iter().enumerate() {
                        if in_tiles[number] {
                            let (access, tile) = (&accesses[number], &mut tiles[number]);
                            // SAFETY: the tile lies within the shape, and the room has its size.
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
                                // SAFETY: the tile's row has as many elements; a block fits the scratch.
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
                                // SAFETY: the caller's; the block lies within the shape.
                                unsafe {
                                    nditer.fetch(access, operand, place, width, fetched, between)
                                }
                            };
                        }
                        // SAFETY: inputs hold `width` elements such as the loop takes; there is room for
                        // as many at this position of the output.
                        unsafe {
                            writer.seek(output.add(position * size));
                            write(inputs, width, writer.next());
                            writer.advance(width * size);
                        }
                    }
                }
            }
        }
        // SAFETY: all blocks were written.
        unsafe { writer.finish() }
    }
}

impl NdIter {
    /// Asks for what the row after the next reads of an operand that lies along the output: parts of rows are too short
    /// for the processor to see what comes.
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

    /// Lays out a part of an operand in rows.
    ///
    /// # Safety
    /// Along the shape, the operand's elements can be read; the part, which begins at this index, lies within it and fits a
    /// tile.
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
        // SAFETY: the caller's; these have the elements' size and at most their alignment.
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

/// Copies elements that lie `down` apart in columns and `along` apart in rows into rows that begin `row_stride` elements apart,
/// where columns are contiguous by squares of `N` times `N`, else one by one.
///
/// # Safety
/// The elements can be read, and there is room for the rows.
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
    // Far more lines can be on their way than what reads them could wait for. Downwards the next tile follows.
    let ask = |column: usize| {
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
            // SAFETY: the caller's; the elements of a column are contiguous.
            let columns = core::array::from_fn(|column| unsafe {
                source(top, left + column).cast::<[T; N]>().read()
            });
            for (row, elements) in simd::transposed(columns).into_iter().enumerate() {
                // SAFETY: the caller's.
                unsafe { target(top + row, left).cast::<[T; N]>().write(elements) };
            }
        }
        // After the loads, which would have to wait for it.
        (left..left + N).for_each(|column| ask(column + PREFETCH_COLUMNS));
    }
    for column in 0..width {
        let done = if column < whole_columns {
            whole_rows
        } else {
            0
        };
        for row in done..height {
            // SAFETY: the caller's.
            unsafe { target(row, column).write(source(row, column).read()) };
        }
    }
}
