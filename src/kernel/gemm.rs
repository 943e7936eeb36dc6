//! Products of matrices, in blocks that stay in the caches.
//!
//! The result is computed in tiles that live in registers: for each position along the inner axis, the
//! elements of a few rows of the left matrix times a piece of a row of the right one. The right matrix
//! is copied into panels as wide as a tile, so that a tile reads one after the other; the left one is
//! read in place where its rows are contiguous, else it is copied too.
//!
//! An element is the sum, in order, of the products of [`INNER`] positions, each such sum added to those
//! before it. So it depends neither on tiles nor on threads, but on whether the processor adds a product
//! before it is rounded (FMA), as all do for which there are instruction sets of their own.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{Add, Mul, Range};

use super::isa::{self, Isa};
use super::lanes::{Body, Kernel, baseline};
#[cfg(target_arch = "x86_64")]
use super::lanes::{v3, v4};

/// Positions along the inner axis that are added up in registers: a panel of 128 bytes each takes 32 KiB,
/// which stay in the L1 cache.
const INNER: usize = 512;
/// The most rows of a tile.
const MOST_ROWS: usize = 12;
/// Panels that are packed together: 128 KiB, a part of the L2 cache.
const PANELS: usize = 4;
/// Tiles whose rows are multiplied by one panel before the next.
const TILES: usize = 8;

/// A number that products of matrices are made of.
pub(super) trait Number: Copy + Default + Send + Sync + 'static {
    fn add(self, other: Self) -> Self;
    /// `self * other + sum`, rounded once if `FUSED`.
    fn multiply_add<const FUSED: bool>(self, other: Self, sum: Self) -> Self;
    /// The tile for the instruction set in use.
    fn tile() -> Tile;
}

/// A compiled tile. The only input of its kernel is a [`Panel`]; its output is where the first row of the
/// result begins.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    kernel: Kernel,
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// What a tile multiplies, and what it does with the sums.
struct Panel<T> {
    /// An element of each row; the next ones along the inner axis lie `a_step` apart.
    a: [*const T; MOST_ROWS],
    a_step: isize,
    /// As many elements as the tile has columns; the next ones lie `b_step` apart.
    b: *const T,
    b_step: isize,
    /// How far apart rows of the result lie.
    stride: usize,
    /// Whether to add to what is there.
    adds: bool,
}

struct TileOf<T, const ROWS: usize, const COLUMNS: usize, const FUSED: bool>(PhantomData<T>);

impl<T: Number, const ROWS: usize, const COLUMNS: usize, const FUSED: bool> Body
    for TileOf<T, ROWS, COLUMNS, FUSED>
{
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's: a panel with `len` positions, whose sums can be written.
        unsafe {
            let panel = &*(*inputs).cast::<Panel<T>>();
            let mut sums = [[T::default(); COLUMNS]; ROWS];
            let (mut at, mut b) = (0, panel.b);
            for _ in 0..len {
                let columns = b.cast::<[T; COLUMNS]>().read();
                for (sums, a) in sums.iter_mut().zip(&panel.a) {
                    let a = a.offset(at).read();
                    for (sum, b) in sums.iter_mut().zip(columns) {
                        *sum = a.multiply_add::<FUSED>(b, *sum);
                    }
                }
                at += panel.a_step;
                b = b.wrapping_offset(panel.b_step);
            }
            for (row, sums) in sums.iter_mut().enumerate() {
                let to = output.cast::<T>().add(row * panel.stride);
                let to = to.cast::<[T; COLUMNS]>();
                if panel.adds {
                    for (sum, before) in sums.iter_mut().zip(to.read()) {
                        *sum = before.add(*sum);
                    }
                }
                to.write(*sums);
            }
        }
    }
}

/// Whether multiply-add is one instruction in the baseline.
const BASELINE_FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

macro_rules! numbers {
    ($($number:ty, $per_line:literal, $add:path, $multiply:path, $fused:expr;)*) => {$(
        impl Number for $number {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                $add(self, other)
            }
            #[inline(always)]
            fn multiply_add<const FUSED: bool>(self, other: Self, sum: Self) -> Self {
                if FUSED { $fused(self, other, sum) } else { $add($multiply(self, other), sum) }
            }
            fn tile() -> Tile {
                // As many sums as there are registers, less those for what is multiplied.
                match isa::level() {
                    #[cfg(target_arch = "x86_64")]
                    isa::Level::V4 => Tile {
                        kernel: v4::<TileOf<Self, 12, { 2 * $per_line }, true>>,
                        rows: 12,
                        columns: 2 * $per_line,
                    },
                    #[cfg(target_arch = "x86_64")]
                    isa::Level::V3 => Tile {
                        kernel: v3::<TileOf<Self, 6, $per_line, true>>,
                        rows: 6,
                        columns: $per_line,
                    },
                    _ => Tile {
                        kernel: baseline::<TileOf<Self, 6, { $per_line / 2 }, BASELINE_FUSED>>,
                        rows: 6,
                        columns: $per_line / 2,
                    },
                }
            }
        }
    )*};
}

// How many make a line of 64 bytes; how they are added and multiplied. Integers wrap, fused or not.
numbers! {
    f32, 16, Add::add, Mul::mul, f32::mul_add;
    f64, 8, Add::add, Mul::mul, f64::mul_add;
    u32, 16, u32::wrapping_add, u32::wrapping_mul, |a: u32, b, sum: u32| sum.wrapping_add(a.wrapping_mul(b));
    u64, 8, u64::wrapping_add, u64::wrapping_mul, |a: u64, b, sum: u64| sum.wrapping_add(a.wrapping_mul(b));
}

/// Where a matrix lies.
#[derive(Clone, Copy)]
pub(super) struct Matrix<T> {
    pub(super) first: *const T,
    /// How far apart rows and columns lie, in elements.
    pub(super) strides: [isize; 2],
}

impl<T> Matrix<T> {
    fn at(&self, row: usize, column: usize) -> *const T {
        let offset = row.cast_signed() * self.strides[0] + column.cast_signed() * self.strides[1];
        self.first.wrapping_offset(offset)
    }

    fn transposed(self) -> Self {
        let [rows, columns] = self.strides;
        Self {
            strides: [columns, rows],
            ..self
        }
    }
}

/// A part of a product of two matrices.
pub(super) struct Part<T> {
    pub(super) a: Matrix<T>,
    pub(super) b: Matrix<T>,
    /// The size of the axis that is summed over.
    pub(super) inner: usize,
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
    /// Where the product begins, of which this is a part, and how far apart its rows lie.
    pub(super) to: *mut T,
    pub(super) stride: usize,
}

/// Memory aligned as vectors are: else every other load would touch two lines.
#[repr(C, align(64))]
struct Line([MaybeUninit<u8>; 64]);

/// Memory for as many numbers.
struct Room<T>(Vec<Line>, PhantomData<T>);

impl<T> Room<T> {
    fn new(count: usize) -> Self {
        let lines = (count * size_of::<T>()).div_ceil(size_of::<Line>());
        Self(Vec::with_capacity(lines), PhantomData)
    }

    fn first(&mut self) -> *mut T {
        self.0.as_mut_ptr().cast()
    }
}

/// What the loops over tiles have in common.
struct Loops<'a, T> {
    part: &'a Part<T>,
    tile: Tile,
    /// Whether the left operand is packed.
    packs_a: bool,
    /// Room for a tile's rows of all tiles, for panels, and for the sums of a tile.
    a_packed: *mut T,
    b_packed: *mut T,
    sums: *mut T,
}

/// Writes a part of a product.
///
/// # Safety
/// The matrices have these rows, columns and inner positions, at least one of each; the part of the
/// product can be written, and overlaps neither.
pub(super) unsafe fn multiply<T: Number>(tile: Tile, part: &Part<T>) {
    let depth = INNER.min(part.inner);
    let packs_a = part.a.strides[1] != 1;
    let tiles = if packs_a {
        part.rows.len().div_ceil(tile.rows)
    } else {
        0
    };
    let panels = part.columns.len().div_ceil(tile.columns).min(PANELS);
    let mut a_packed = Room::new(tiles * tile.rows * depth);
    let mut b_packed = Room::new(panels * tile.columns * depth);
    let mut sums = Room::new(tile.rows * tile.columns);
    let loops = Loops {
        part,
        tile,
        packs_a,
        a_packed: a_packed.first(),
        b_packed: b_packed.first(),
        sums: sums.first(),
    };
    for inner in blocks(&(0..part.inner), INNER) {
        // SAFETY: the caller's; the rooms are as large as `Loops` says.
        unsafe { loops.add(&inner) };
    }
}

/// A range in pieces of `size`, but for the last.
fn blocks(range: &Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> + use<> {
    let Range { start, end } = *range;
    (start..end)
        .step_by(size)
        .map(move |start| start..end.min(start + size))
}

impl<T: Number> Loops<'_, T> {
    /// Adds the products of some inner positions, which are at most [`INNER`].
    ///
    /// # Safety
    /// That of [`multiply`]; what precedes these positions was added before.
    unsafe fn add(&self, inner: &Range<usize>) {
        let (part, tile) = (self.part, self.tile);
        if self.packs_a {
            for rows in blocks(&part.rows, tile.rows) {
                let to = self.a_tile(inner, &rows);
                // SAFETY: the caller's; there is room for the rows of all tiles.
                unsafe { pack(part.a.transposed(), inner, &rows, tile.rows, to) };
            }
        }
        for block in blocks(&part.columns, PANELS * tile.columns) {
            let panels = || blocks(&block, tile.columns);
            for columns in panels().filter(|columns| self.packs_b(columns)) {
                let to = self.b_panel(inner, &block, &columns);
                // SAFETY: the caller's; there is room for as many panels.
                unsafe { pack(part.b, inner, &columns, tile.columns, to) };
            }
            for rows in blocks(&part.rows, TILES * tile.rows) {
                for columns in panels() {
                    let (b, b_step) = if self.packs_b(&columns) {
                        let panel = self.b_panel(inner, &block, &columns);
                        (panel.cast_const(), tile.columns.cast_signed())
                    } else {
                        (part.b.at(inner.start, columns.start), part.b.strides[0])
                    };
                    for rows in blocks(&rows, tile.rows) {
                        // SAFETY: the caller's; the panel and the tile's rows were packed, or are
                        // read in place.
                        unsafe { self.add_tile(inner, &rows, &columns, (b, b_step)) };
                    }
                }
            }
        }
    }

    /// Where the rows of a tile are packed.
    fn a_tile(&self, inner: &Range<usize>, rows: &Range<usize>) -> *mut T {
        let before = rows.start - self.part.rows.start;
        self.a_packed.wrapping_add(before * inner.len())
    }

    /// Where a panel, of the columns of a block, is packed.
    fn b_panel(
        &self,
        inner: &Range<usize>,
        block: &Range<usize>,
        columns: &Range<usize>,
    ) -> *mut T {
        let before = columns.start - block.start;
        self.b_packed.wrapping_add(before * inner.len())
    }

    /// Not where few rows are multiplied by the columns; but tiles read as many as they have.
    fn packs_b(&self, columns: &Range<usize>) -> bool {
        self.part.rows.len() > 2 * self.tile.rows
            || self.part.b.strides[1] != 1
            || columns.len() < self.tile.columns
    }

    /// # Safety
    /// That of [`Self::add`]. `b` has the tile's columns at the inner positions, with the distance
    /// between these; the tile's rows were packed, if they are to be.
    unsafe fn add_tile(
        &self,
        inner: &Range<usize>,
        rows: &Range<usize>,
        columns: &Range<usize>,
        (b, b_step): (*const T, isize),
    ) {
        let (part, tile) = (self.part, self.tile);
        let packed = self.a_tile(inner, rows);
        let a = core::array::from_fn(|row| {
            if self.packs_a {
                packed.wrapping_add(row).cast_const()
            } else {
                // Rows beyond the last are computed, but not kept.
                part.a.at((rows.start + row).min(rows.end - 1), inner.start)
            }
        });
        let a_step = if self.packs_a {
            tile.rows.cast_signed()
        } else {
            1
        };
        let to = part
            .to
            .wrapping_add(rows.start * part.stride + columns.start);
        let adds = inner.start > 0;
        let is_whole = rows.len() == tile.rows && columns.len() == tile.columns;
        let (sums, stride) = if is_whole {
            (to, part.stride)
        } else {
            (self.sums, tile.columns)
        };
        let panel = Panel {
            a,
            a_step,
            b,
            b_step,
            stride,
            adds: adds && is_whole,
        };
        // SAFETY: the caller's. The sums of a whole tile are a part of the product, those of
        // another have room.
        unsafe { (tile.kernel)(&(&raw const panel).cast(), sums.cast(), inner.len()) };
        if is_whole {
            return;
        }
        for row in 0..rows.len() {
            for column in 0..columns.len() {
                // SAFETY: the tile has these sums, the product these elements, which were written
                // if there were positions before.
                unsafe {
                    let sum = sums.add(row * stride + column).read();
                    let to = to.add(row * part.stride + column);
                    to.write(if adds { to.read().add(sum) } else { sum });
                }
            }
        }
    }
}

/// Packs columns row by row, `width` of them, with zeros where there are fewer.
///
/// # Safety
/// The matrix has these rows and columns, at most `width`; there is room for as many numbers.
unsafe fn pack<T: Number>(
    from: Matrix<T>,
    rows: &Range<usize>,
    columns: &Range<usize>,
    width: usize,
    to: *mut T,
) {
    let first = from.at(rows.start, columns.start);
    let [row_stride, column_stride] = from.strides;
    if column_stride == 1 && columns.len() == width {
        // A copy of a size that is known is a few instructions, not a call.
        let rows = (first, row_stride, rows.len());
        // SAFETY: the caller's.
        unsafe {
            match width * size_of::<T>() {
                128 => return copy_rows::<T, 128>(rows, to),
                96 => return copy_rows::<T, 96>(rows, to),
                64 => return copy_rows::<T, 64>(rows, to),
                48 => return copy_rows::<T, 48>(rows, to),
                _ => {}
            }
        }
    }
    for column in 0..width {
        for row in 0..rows.len() {
            let number = if column < columns.len() {
                let offset = row.cast_signed() * row_stride + column.cast_signed() * column_stride;
                // SAFETY: the caller's.
                unsafe { first.offset(offset).read() }
            } else {
                T::default()
            };
            // SAFETY: the caller's.
            unsafe { to.add(row * width + column).write(number) };
        }
    }
}

/// # Safety
/// There are as many rows of `BYTES` to read, `stride` apart, and as much room.
unsafe fn copy_rows<T, const BYTES: usize>(
    (from, stride, rows): (*const T, isize, usize),
    to: *mut T,
) {
    let to = to.cast::<[u8; BYTES]>();
    for row in 0..rows {
        // SAFETY: the caller's; bytes need no alignment.
        unsafe {
            let from = from.offset(row.cast_signed() * stride);
            to.add(row).write(from.cast::<[u8; BYTES]>().read());
        }
    }
}
