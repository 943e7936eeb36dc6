//! Products of few rows by columns whose elements are neighbours: both are multiplied where they lie.
//!
//! A tile of four rows by four columns is multiplied along a *part* of the inner axis, which is short enough that the parts of all rows
//! stay in the L1 cache while the columns are read once. What is left of the inner axis is the last vector that ends with
//! it: the rows have zeros where elements of that vector were multiplied before.
#![allow(unsafe_code, reason = "intrinsics, and matrices in raw memory")]

use super::pack::InUnit;
use super::{Dot, Dots, MAX_FEW, UNIT, Vector, totals};

/// The vectors in a part of the inner axis.
const PART: usize = 32;
/// The number of rows and columns of a tile.
const SIDE: usize = 4;

/// The vectors along the inner axis.
struct Along<const LANES: usize> {
    /// The number of whole ones.
    whole: usize,
    /// The first element of the last one, if there are more elements.
    last: Option<usize>,
    /// The number of elements to read for it.
    len: usize,
    /// The units of the rows in the last one.
    rows: [[u32; LANES]; MAX_FEW],
}

/// Multiplies rows by columns whose elements are neighbours.
///
/// # Safety
/// The processor has the instruction set of `D`, which has `LANES` lanes. There are at most [`MAX_FEW`] rows, which can be read, filled
/// up to whole units, and so can a term of each and the columns, whose elements are `E` and neighbours. The result can be written.
#[inline(always)]
pub(super) unsafe fn dots<
    D: Dot,
    E: InUnit<ELEMENTS>,
    const ELEMENTS: usize,
    const LANES: usize,
>(
    by: &Dots,
) {
    const { assert!(LANES == D::LANES) };
    // SAFETY: the caller guarantees at most `MAX_FEW` rows, which can be read as whole units.
    let along = unsafe { along::<ELEMENTS, LANES>(by) };
    let whole_columns = by.b.columns - by.b.columns % SIDE;
    // One tile of rows reads each column once in any case, and faster as a whole.
    let len = if by.rows <= SIDE {
        along.whole.max(1)
    } else {
        PART
    };
    for first in (0..along.whole.max(1)).step_by(len) {
        let part = [first, along.whole.min(first + len)];
        // SAFETY: the caller guarantees the instruction set, rows and columns that can be read, and a result that can be written. Each
        // column is below `by.b.columns`, and so are the `SIDE` from a whole one on. Parts before this one were multiplied.
        unsafe {
            for column in (0..whole_columns).step_by(SIDE) {
                by_columns::<D, E, ELEMENTS, LANES, SIDE>(by, &along, part, column);
            }
            for column in whole_columns..by.b.columns {
                by_columns::<D, E, ELEMENTS, LANES, 1>(by, &along, part, column);
            }
        }
    }
}

/// Divides the inner axis into vectors.
///
/// # Safety
/// There are at most [`MAX_FEW`] rows, which can be read, filled up to whole units.
#[inline(always)]
unsafe fn along<const ELEMENTS: usize, const LANES: usize>(by: &Dots) -> Along<LANES> {
    let (inner, vector) = (by.b.rows, ELEMENTS * LANES);
    let element = UNIT / ELEMENTS;
    let (whole, left) = (inner / vector, inner % vector);
    let last = (left > 0).then(|| inner.saturating_sub(vector));
    let mut rows = [[0_u32; LANES]; MAX_FEW];
    for (number, row) in rows.iter_mut().enumerate().take(by.rows) {
        let to: *mut u8 = row.as_mut_ptr().cast();
        let skipped = if whole > 0 { vector - left } else { 0 };
        let from = by.a.wrapping_offset(number.cast_signed() * by.a_stride);
        // SAFETY: the row has `left` elements after the whole vectors, which the end of the last one has room for.
        unsafe {
            let from = from.add(whole * vector * element);
            from.copy_to_nonoverlapping(to.add(skipped * element), left * element);
        }
    }
    Along {
        whole,
        last,
        len: inner.min(vector),
        rows,
    }
}

/// Multiplies all rows by `COLUMNS` columns, along a part of the inner axis.
///
/// # Safety
/// As for [`dots`]. There are `column + COLUMNS` columns; parts before this one were multiplied.
#[inline(always)]
unsafe fn by_columns<
    D: Dot,
    E: InUnit<ELEMENTS>,
    const ELEMENTS: usize,
    const LANES: usize,
    const COLUMNS: usize,
>(
    by: &Dots,
    along: &Along<LANES>,
    part: [usize; 2],
    column: usize,
) {
    let mut row = 0;
    // SAFETY: the caller guarantees the columns; the conditions, that the rows exist.
    unsafe {
        while row + SIDE <= by.rows {
            tile::<D, E, ELEMENTS, LANES, SIDE, COLUMNS>(by, along, part, [row, column]);
            row += SIDE;
        }
        while row + 2 <= by.rows {
            tile::<D, E, ELEMENTS, LANES, 2, COLUMNS>(by, along, part, [row, column]);
            row += 2;
        }
        while row < by.rows {
            tile::<D, E, ELEMENTS, LANES, 1, COLUMNS>(by, along, part, [row, column]);
            row += 1;
        }
    }
}

/// Multiplies `ROWS` rows by `COLUMNS` columns, along a part of the inner axis.
///
/// # Safety
/// As for [`dots`]. There are `row + ROWS` rows and `column + COLUMNS` columns; parts before this one were multiplied.
#[inline(always)]
unsafe fn tile<
    D: Dot,
    E: InUnit<ELEMENTS>,
    const ELEMENTS: usize,
    const LANES: usize,
    const ROWS: usize,
    const COLUMNS: usize,
>(
    by: &Dots,
    along: &Along<LANES>,
    [first, end]: [usize; 2],
    [row, column]: [usize; 2],
) {
    // SAFETY: the caller guarantees the instruction set, and rows and columns of `by.b.rows` elements, which vectors `first..end` do
    // not exceed. The last vector ends with the elements, or is copied.
    unsafe {
        let a = |number: usize| by.a.offset((row + number).cast_signed() * by.a_stride);
        let b = |number: usize| {
            let column = (column + number).cast_signed() * by.b.strides[1];
            by.b.first.wrapping_offset(column).cast::<E>()
        };
        let inverted = D::Vector::splat(by.b.inverted);
        let mut sums = [[D::Vector::splat(0); COLUMNS]; ROWS];
        for vector in first..end {
            for number in 0..COLUMNS {
                let units: [u32; LANES] = E::along(b(number).add(vector * ELEMENTS * LANES));
                let units = D::Vector::xor(D::Vector::load(units.as_ptr()), inverted);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let a = D::Vector::load(a(row).add(vector * LANES * UNIT).cast());
                    sums[number] = D::dot(sums[number], units, a);
                }
            }
        }
        if let Some(last) = along.last
            && end == along.whole
        {
            for number in 0..COLUMNS {
                let mut from = b(number).add(last);
                let mut copy = [[E::default(); ELEMENTS]; LANES];
                if along.len < ELEMENTS * LANES {
                    from.copy_to_nonoverlapping(copy.as_mut_ptr().cast(), along.len);
                    from = copy.as_ptr().cast();
                }
                let units: [u32; LANES] = E::along(from);
                let units = D::Vector::xor(D::Vector::load(units.as_ptr()), inverted);
                for (at, sums) in sums.iter_mut().enumerate() {
                    let a = D::Vector::load(along.rows[row + at].as_ptr());
                    sums[number] = D::dot(sums[number], units, a);
                }
            }
        }
        for (number, sums) in sums.into_iter().enumerate() {
            let row = row + number;
            for (at, sum) in totals::<D, COLUMNS>(sums).into_iter().enumerate() {
                let [rows, columns] = by.strides;
                let to = by.output.add(row * rows + (column + at) * columns);
                let before = match first > 0 {
                    true => to.read(),
                    false => by.row_terms.add(row).read(),
                };
                to.write(sum.wrapping_add(before));
            }
        }
    }
}
