//! Products of few rows by columns that lie side by side: packing all of the right matrix would take longer than multiplying it.
//!
//! Some rows of the right matrix are read along many columns, arranged to units in the first-level cache, multiplied by all rows of the
//! left one, and left behind. The instructions that arrange them work on each 128 bits by themselves, so that the columns of the sums
//! are permuted, by fours. They are put in order when the sums are complete.
#![allow(unsafe_code, reason = "intrinsics, and matrices in raw memory")]

use core::mem::MaybeUninit;

use super::pack::InVector;
use super::{Columns, Dot, Factors, MAX_FEW, UNIT, by_tiles};

/// The neighbours that stay together when columns are permuted.
const SIDE: usize = 4;
/// The number of columns at a time. Their units and sums fill half of the first-level cache.
const COLUMNS: usize = 256;
/// The same for at most [`FEWEST`] rows, for which reading takes longer than multiplying, and is faster along rows.
const MAX_COLUMNS: usize = 1024;
const FEWEST: usize = 2;
/// The number of units that are arranged at a time.
const ARRANGED: usize = 4 << 10;
/// The number of sums of all rows and columns at a time.
const SUMS: usize = 4 << 10;
const _: () = assert!(MAX_FEW * COLUMNS <= SUMS && FEWEST * MAX_COLUMNS <= SUMS);

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

/// Multiplies few rows: up to `FULL` of them at a time.
///
/// # Safety
/// That of [`Tiles::few`](super::Tiles::few), of elements `E`.
#[inline(always)]
pub(super) unsafe fn few<
    D: Dot,
    E: InVector<ELEMENTS>,
    const ELEMENTS: usize,
    const FULL: usize,
>(
    by: &Few,
) {
    let group = ELEMENTS * D::LANES;
    let width = 2 * D::LANES;
    let units = by.b.rows.div_ceil(ELEMENTS);
    let at_once = if by.rows <= FEWEST {
        MAX_COLUMNS
    } else {
        COLUMNS
    };
    let block = ARRANGED / at_once;
    let mut arranged = MaybeUninit::<[u32; ARRANGED]>::uninit();
    let mut sums = MaybeUninit::<[u32; SUMS]>::uninit();
    let (arranged, sums): (*mut u32, *mut u32) =
        (arranged.as_mut_ptr().cast(), sums.as_mut_ptr().cast());
    for first in (0..by.b.columns).step_by(at_once) {
        let columns = (by.b.columns - first).min(at_once);
        let padded = columns.next_multiple_of(group);
        for unit in (0..units).step_by(block) {
            let count = (units - unit).min(block);
            // SAFETY: the caller guarantees these units of the columns. `arranged` has room for `block` units of `at_once` columns,
            // which are `padded` or more, and `sums` for as many columns of all rows; those are written with the first units. Each
            // panel is written in full before it is multiplied.
            unsafe {
                for panel in 0..padded / group {
                    let to = arranged.add(panel * group * count);
                    arrange::<D, E, ELEMENTS>(&by.b, [unit, count], first + panel * group, to);
                }
                for panel in 0..padded / width {
                    by_tiles::<D, FULL, 2>(&Factors {
                        a: by.a.add(unit * UNIT),
                        a_stride: by.a_stride,
                        rows: by.rows,
                        units: count,
                        b: arranged.add(panel * width * count),
                        row_terms: by.row_terms,
                        continues: unit > 0,
                        output: sums.add(panel * width),
                        stride: padded,
                        columns: width,
                    });
                }
            }
        }
        for row in 0..by.rows {
            for column in (0..columns).step_by(SIDE) {
                let (group_start, within) = (column / group * group, column % group);
                let lane = within / (SIDE * ELEMENTS) * SIDE;
                let vector = within / SIDE % ELEMENTS * D::LANES;
                let from = row * padded + group_start + vector + lane;
                // SAFETY: all units were multiplied, so these sums are complete. The caller guarantees room for the row's columns.
                unsafe {
                    let to = by.output.add(row * by.stride + first + column);
                    match columns - column {
                        SIDE.. => {
                            let four = sums.add(from).cast::<[u32; SIDE]>().read();
                            to.cast::<[u32; SIDE]>().write_unaligned(four);
                        }
                        left => to.copy_from_nonoverlapping(sums.add(from), left),
                    }
                }
            }
        }
    }
}

/// Arranges `count` units of a group of columns to panels, two vectors wide. Beyond the last column there are zeros.
///
/// # Safety
/// The units and the first column exist, and there is room for the panels.
#[inline(always)]
unsafe fn arrange<D: Dot, E: InVector<ELEMENTS>, const ELEMENTS: usize>(
    from: &Columns,
    [first, count]: [usize; 2],
    column: usize,
    to: *mut u32,
) {
    let width = 2 * D::LANES;
    let bytes = D::LANES * UNIT;
    let present = (from.columns - column) * size_of::<E>();
    // SAFETY: the caller guarantees the rows, of which `present` bytes can be read from the column on. If those are fewer than a vector
    // has, they are copied to `edge`, which has room for one.
    unsafe {
        let inverted = D::splat(from.inverted);
        for unit in 0..count {
            let mut rows = [D::splat(0); ELEMENTS];
            for (number, row) in rows.iter_mut().enumerate() {
                let at = from.row((first + unit) * ELEMENTS + number).cast::<E>();
                let mut at = at.add(column).cast::<u8>();
                let mut edge = [0_u8; super::MAX_WIDTH * UNIT];
                if present < bytes {
                    edge.as_mut_ptr().copy_from_nonoverlapping(at, present);
                    at = edge.as_ptr();
                }
                *row = D::load(at.cast());
            }
            let units = E::arranged::<D>(rows);
            for (number, units) in units.into_iter().enumerate() {
                let panel = to.add(number / 2 * width * count);
                let at = panel.add(unit * width + number % 2 * D::LANES);
                D::store(at, D::xor(units, inverted));
            }
        }
    }
}
