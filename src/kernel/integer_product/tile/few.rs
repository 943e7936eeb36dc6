//! Products of few rows by columns that lie side by side: packing all of the right matrix would take longer than multiplying it.
//!
//! The right matrix is read in *strips*: some of its rows, and as many columns as four vectors of bytes have. The first rows of the left
//! matrix are multiplied by the units of a strip as these are arranged, so that the processor multiplies while it waits for memory.
//! The arranged units stay in the L1 cache for the other rows. (4 rows by 1,024 x 1,024 take 0.5 of the time of arranging
//! before multiplying, 16 rows 0.8.)
//!
//! The instructions that arrange units work on each 128 bits by themselves, so that the columns of the sums are permuted, by fours.
//! They are put in order when the sums are complete.
#![allow(unsafe_code, reason = "intrinsics, and matrices in raw memory")]

use core::mem::MaybeUninit;

use super::pack::InVector;
use super::{Columns, Dot, MAX_FEW, MAX_WIDTH, UNIT, Vector, load};
use crate::simd::prefetch;

/// The neighbours that stay together when columns are permuted.
const SIDE: usize = 4;
/// The largest number of columns along which rows of the right matrix are read.
const MAX_COLUMNS: usize = 1024;
/// The number of sums of all rows and columns at a time: 68 KiB.
const SUMS: usize = 17 << 10;
/// The size of matrices from which strips are prefetched, in bytes; smaller ones are mostly in a cache.
const PREFETCHED_FROM: usize = 2 << 20;
/// The largest number of columns of a strip.
const MAX_STRIP: usize = 2 * MAX_WIDTH;
/// The largest number of units of a column in a strip.
const UNITS: usize = 64;
/// The sums between the rows of sums: a line of the cache, so that neighbouring rows lie in different sets of it.
const GAP: usize = 64 / UNIT;
const _: () = assert!(MAX_FEW * (MAX_STRIP + GAP) <= SUMS);
/// The bytes of a row of a strip.
const EDGE_ROW: usize = MAX_WIDTH * UNIT;
/// The largest number of rows of a strip.
const EDGE_ROWS: usize = UNITS * UNIT;
/// A copy of a strip at an edge of the matrix.
type EdgeRows = [[u8; EDGE_ROW]; EDGE_ROWS];

/// Rows of the left matrix, at most [`MAX_FEW`], columns of the right one, and the place of their product.
pub(in super::super) struct Few {
    /// The first unit of the left matrix, which need not be aligned. Units are filled up by zeros.
    pub(in super::super) a: *const u8,
    /// The distance of its rows, in bytes.
    pub(in super::super) a_stride: isize,
    pub(in super::super) rows: usize,
    /// The first term of the sums of each row.
    pub(in super::super) row_terms: *const u32,
    pub(in super::super) b: Columns,
    /// The first element of the result.
    pub(in super::super) output: *mut u32,
    /// The distance of its rows, in elements.
    pub(in super::super) stride: usize,
}

/// A tile arranges the units of the matrix.
const MATRIX: u8 = 0;
/// A tile arranges the units of the matrix, and stores them for other tiles.
const MATRIX_FOR_OTHERS: u8 = 1;
/// A tile loads the units that another one stored.
const ARRANGED: u8 = 2;

/// Some units of neighbouring columns, and the place of their sums.
struct Strip {
    /// The first element, and the distance of the rows in bytes.
    first: *const u8,
    row_stride: isize,
    /// The first unit within the columns, and the number of units.
    start: usize,
    units: usize,
    /// These units of the rows of the left matrix, [`UNITS`] apart.
    left: *const u32,
    /// The sums of the first row, and the distance of the rows' sums.
    sums: *mut u32,
    stride: usize,
    /// The bytes from a vector of elements to that of the next strip, which is prefetched; 0 if none is.
    ahead: usize,
    /// The place of the arranged units: the first unit of each column, then the second unit of each column, and so on.
    arranged: *mut u32,
}

/// Multiplies few rows: up to `FULL` of them at a time.
///
/// # Safety
/// The processor has the instruction set of `D`. The [`Few`] has at least one row and at most [`MAX_FEW`]; its rows can be read, and so
/// can a term of each and its columns, whose elements are `E` and which lie side by side. The result can be written, as many
/// elements of each row as there are columns.
#[inline(always)]
pub(super) unsafe fn few<
    D: Dot,
    E: InVector<ELEMENTS>,
    const ELEMENTS: usize,
    const FULL: usize,
>(
    by: &Few,
) {
    const { assert!(ELEMENTS * D::LANES <= MAX_STRIP) };
    let width = ELEMENTS * D::LANES;
    let (whole, units) = (by.b.rows / ELEMENTS, by.b.rows.div_ceil(ELEMENTS));
    let at_once = ((SUMS / by.rows - GAP) / width * width).min(MAX_COLUMNS);
    // A strip has one line of each of many rows, which is not a sequence that the processor sees by itself.
    let is_large = by.b.rows * by.b.strides[0].unsigned_abs() > PREFETCHED_FROM;
    let ahead = if is_large { D::LANES * UNIT } else { 0 };
    let mut sums = MaybeUninit::<[u32; SUMS]>::uninit();
    let mut arranged = MaybeUninit::<[u32; UNITS * MAX_STRIP]>::uninit();
    let mut edge = MaybeUninit::<EdgeRows>::uninit();
    let sums: *mut u32 = sums.as_mut_ptr().cast();
    let mut left = [[0_u32; UNITS]; MAX_FEW];
    for first in (0..by.b.columns).step_by(at_once) {
        let columns = (by.b.columns - first).min(at_once);
        let stride = columns.next_multiple_of(width) + GAP;
        let mut start = 0;
        while start < units {
            // A unit that is not whole has a strip of its own.
            let count = (whole.max(start + 1) - start).min(UNITS);
            for (number, units) in left.iter_mut().take(by.rows).enumerate() {
                let from = by.a.wrapping_offset(number.cast_signed() * by.a_stride);
                // SAFETY: the caller guarantees the row, which has these units; `left` has room for `UNITS` of each of `MAX_FEW` rows.
                unsafe {
                    let from = from.add(start * UNIT).cast::<[u8; UNIT]>();
                    from.copy_to_nonoverlapping(units.as_mut_ptr().cast(), count);
                }
            }
            for column in (0..columns).step_by(width) {
                let offset = (first + column) * size_of::<E>();
                let mut strip = Strip {
                    first: by.b.row(start * ELEMENTS).wrapping_add(offset),
                    row_stride: by.b.strides[0],
                    start,
                    units: count,
                    left: left.as_ptr().cast(),
                    sums: sums.wrapping_add(column),
                    stride,
                    ahead,
                    arranged: arranged.as_mut_ptr().cast(),
                };
                let present = columns - column;
                if start >= whole || present < width {
                    let rows = (count * ELEMENTS).min(by.b.rows - start * ELEMENTS);
                    let bytes = (D::LANES * UNIT).min(present * size_of::<E>());
                    let copy = edge.write([[0; EDGE_ROW]; EDGE_ROWS]);
                    // SAFETY: the right matrix has these rows from the first one of the strip on, and bytes of `present` columns.
                    unsafe { strip.move_to(copy, rows, bytes) };
                }
                // SAFETY: the caller guarantees the instruction set, the terms of rows, and these rows and columns of the right matrix,
                // or `edge` has a vector of elements of each row of `UNITS` units. `left` has the units of all rows. `sums` has room for
                // `stride` sums of each, which are at most `at_once + GAP`, and so for those of the strip; units before `start` were
                // multiplied before. `arranged` has room for `UNITS` units.
                unsafe { by_tiles::<D, E, ELEMENTS, FULL>(by, &strip) };
            }
            start += count;
        }
        // SAFETY: the sums of these columns are complete, as all units were multiplied. The caller guarantees room for them.
        unsafe { put_in_order::<D, ELEMENTS>(by, [first, columns], sums, stride) };
    }
}

impl Strip {
    /// Moves a strip at an edge of the matrix, which has fewer rows or columns, to a copy. Zeros in the copy take the place of the others.
    ///
    /// # Safety
    /// So many rows, and bytes of each, can be read from the strip.
    unsafe fn move_to(&mut self, copy: &mut EdgeRows, rows: usize, bytes: usize) {
        for (number, row) in copy[..rows].iter_mut().enumerate() {
            let from = (self.first).wrapping_offset(number.cast_signed() * self.row_stride);
            let to = row[..bytes].as_mut_ptr();
            // SAFETY: the caller guarantees the bytes of this row, and the row of the copy has as many.
            unsafe { to.copy_from_nonoverlapping(from, bytes) };
        }
        self.first = copy.as_ptr().cast();
        self.row_stride = EDGE_ROW.cast_signed();
    }
}

/// Multiplies all rows by a strip: up to `FULL` rows at a time.
///
/// # Safety
/// The processor has the instruction set of `D`. The terms of the rows can be read, and their units from `left` on. Of the
/// strip, a vector of elements of each row of its units can be read; `arranged` has room for those units, and `sums` for vectors of
/// them, for each row. If units come before these, the sums were written.
#[inline(always)]
unsafe fn by_tiles<D: Dot, E: InVector<ELEMENTS>, const ELEMENTS: usize, const FULL: usize>(
    by: &Few,
    strip: &Strip,
) {
    // SAFETY: the caller guarantees what tiles need; the conditions, that the rows exist. If there are several tiles, the first one
    // stores the units for the others.
    unsafe {
        let mut row = match by.rows {
            rows if rows == FULL => tile::<D, E, ELEMENTS, FULL, MATRIX>(by, strip, 0),
            4 => tile::<D, E, ELEMENTS, 4, MATRIX>(by, strip, 0),
            2 => tile::<D, E, ELEMENTS, 2, MATRIX>(by, strip, 0),
            1 => tile::<D, E, ELEMENTS, 1, MATRIX>(by, strip, 0),
            rows if rows > FULL => tile::<D, E, ELEMENTS, FULL, MATRIX_FOR_OTHERS>(by, strip, 0),
            5.. => tile::<D, E, ELEMENTS, 4, MATRIX_FOR_OTHERS>(by, strip, 0),
            _ => tile::<D, E, ELEMENTS, 2, MATRIX_FOR_OTHERS>(by, strip, 0),
        };
        while row < by.rows {
            row += match by.rows - row {
                rows if rows >= FULL => tile::<D, E, ELEMENTS, FULL, ARRANGED>(by, strip, row),
                4.. => tile::<D, E, ELEMENTS, 4, ARRANGED>(by, strip, row),
                2.. => tile::<D, E, ELEMENTS, 2, ARRANGED>(by, strip, row),
                _ => tile::<D, E, ELEMENTS, 1, ARRANGED>(by, strip, row),
            };
        }
    }
}

/// Multiplies `ROWS` rows by a strip. `FROM` says where the units of the strip are. Returns `ROWS`.
///
/// # Safety
/// The contract of [`by_tiles`]. There are `row + ROWS` rows. Units that are loaded as another tile arranged
/// them were stored before.
#[inline(always)]
unsafe fn tile<
    D: Dot,
    E: InVector<ELEMENTS>,
    const ELEMENTS: usize,
    const ROWS: usize,
    const FROM: u8,
>(
    by: &Few,
    strip: &Strip,
    row: usize,
) -> usize {
    // SAFETY: the caller guarantees the instruction set, the rows and their terms, the elements of the strip, and room for its units
    // and sums. The units and sums that are loaded were written before.
    unsafe {
        let inverted = D::Vector::splat(by.b.inverted);
        let left = strip.left.add(row * UNITS);
        let place = |number: usize| strip.sums.add((row + number) * strip.stride);
        let mut sums = [[D::Vector::splat(0); ELEMENTS]; ROWS];
        for (number, sums) in sums.iter_mut().enumerate() {
            *sums = match strip.start > 0 {
                true => load::<D, ELEMENTS>(place(number)),
                false => [D::Vector::splat(by.row_terms.add(row + number).read()); ELEMENTS],
            };
        }
        for unit in 0..strip.units {
            let at = strip.arranged.add(unit * ELEMENTS * D::LANES);
            let mut vectors = [inverted; ELEMENTS];
            if FROM != ARRANGED {
                let element_row = (unit * ELEMENTS).cast_signed();
                let mut from = strip.first.offset(element_row * strip.row_stride);
                for vector in &mut vectors {
                    if strip.ahead > 0 {
                        prefetch(from.wrapping_add(strip.ahead));
                    }
                    *vector = D::Vector::load(from.cast());
                    from = from.wrapping_offset(strip.row_stride);
                }
                vectors = E::arranged(vectors);
                for (number, vector) in vectors.iter_mut().enumerate() {
                    *vector = D::Vector::xor(*vector, inverted);
                    if FROM == MATRIX_FOR_OTHERS {
                        vector.store(at.add(number * D::LANES));
                    }
                }
            } else {
                vectors = load::<D, ELEMENTS>(at);
            }
            for (number, sums) in sums.iter_mut().enumerate() {
                let a = D::Vector::splat(left.add(number * UNITS + unit).read());
                for (sum, vector) in sums.iter_mut().zip(vectors) {
                    *sum = D::dot(*sum, vector, a);
                }
            }
        }
        for (number, sums) in sums.iter().enumerate() {
            for (vector, sum) in sums.iter().enumerate() {
                sum.store(place(number).add(vector * D::LANES));
            }
        }
    }
    ROWS
}

/// Copies sums to the result, in the order of the columns.
///
/// # Safety
/// There are `stride` sums of each row, a whole number of strips, of the columns from `first` on. The result has room for as many columns.
#[inline(always)]
unsafe fn put_in_order<D: Dot, const ELEMENTS: usize>(
    by: &Few,
    [first, columns]: [usize; 2],
    sums: *const u32,
    stride: usize,
) {
    let width = ELEMENTS * D::LANES;
    for row in 0..by.rows {
        for column in (0..columns).step_by(SIDE) {
            let (strip, within) = (column / width * width, column % width);
            let lane = within / (SIDE * ELEMENTS) * SIDE;
            let vector = within / SIDE % ELEMENTS * D::LANES;
            // SAFETY: the vector and the lane are within the strip, and `SIDE` sums from there on; the strip is within the sums of the
            // row. The caller guarantees room for the columns, of which `columns - column` are left.
            unsafe {
                let from = sums.add(row * stride + strip + vector + lane);
                let to = by.output.add(row * by.stride + first + column);
                match columns - column {
                    SIDE.. => {
                        let four = from.cast::<[u32; SIDE]>().read();
                        to.cast::<[u32; SIDE]>().write_unaligned(four);
                    }
                    left => to.copy_from_nonoverlapping(from, left),
                }
            }
        }
    }
}
