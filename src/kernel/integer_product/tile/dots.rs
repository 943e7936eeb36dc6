//! Products of rows and columns that both lie in memory as they are multiplied.
#![allow(unsafe_code, reason = "intrinsics, and matrices in raw memory")]

use super::pack::InUnit;
use super::{Dot, Dots, UNIT, total};

/// Multiplies rows by columns whose elements are neighbours: four rows at a time, then one.
///
/// # Safety
/// That of [`Tiles::dots`](super::Tiles::dots), of elements `E`; `D` has `LANES` lanes.
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
    let mut row = 0;
    // SAFETY: the caller guarantees what `Tiles::dots` requires; the conditions, that the rows exist.
    unsafe {
        while row + 4 <= by.rows {
            dots_of::<D, E, ELEMENTS, LANES, 4>(by, row);
            row += 4;
        }
        while row < by.rows {
            dots_of::<D, E, ELEMENTS, LANES, 1>(by, row);
            row += 1;
        }
    }
}

/// The number of columns that are multiplied at once, for operations that do not wait for one another.
const AT_ONCE: usize = 4;

/// [`dots`] of `ROWS` rows.
///
/// # Safety
/// That of [`dots`], and there are `row + ROWS` rows.
#[inline(always)]
unsafe fn dots_of<
    D: Dot,
    E: InUnit<ELEMENTS>,
    const ELEMENTS: usize,
    const LANES: usize,
    const ROWS: usize,
>(
    by: &Dots,
    row: usize,
) {
    let columns = by.b.columns;
    let whole = columns - columns % AT_ONCE;
    // SAFETY: the caller guarantees the rows and columns.
    unsafe {
        for column in (0..whole).step_by(AT_ONCE) {
            dots_at::<D, E, ELEMENTS, LANES, ROWS, AT_ONCE>(by, row, column);
        }
        for column in whole..columns {
            dots_at::<D, E, ELEMENTS, LANES, ROWS, 1>(by, row, column);
        }
    }
}

/// [`dots`] of `ROWS` rows and `COLUMNS` columns.
///
/// # Safety
/// That of [`dots`], and there are `row + ROWS` rows and `column + COLUMNS` columns.
#[inline(always)]
unsafe fn dots_at<
    D: Dot,
    E: InUnit<ELEMENTS>,
    const ELEMENTS: usize,
    const LANES: usize,
    const ROWS: usize,
    const COLUMNS: usize,
>(
    by: &Dots,
    row: usize,
    column: usize,
) {
    let units = by.b.rows.div_ceil(ELEMENTS);
    let whole = by.b.rows / ELEMENTS / LANES * LANES;
    // SAFETY: the caller guarantees rows of `units` units, columns of `by.b.rows` elements, which are neighbours, and room for
    // the result. A vector beyond `whole` is copied, as far as the operands go.
    unsafe {
        let a = |number: usize| by.a.offset((row + number).cast_signed() * by.a_stride);
        let b = |number: usize| {
            let column = (column + number).cast_signed() * by.b.strides[1];
            by.b.first.wrapping_offset(column).cast::<E>()
        };
        let inverted = D::splat(by.b.inverted);
        let mut sums = [[D::splat(0); COLUMNS]; ROWS];
        for unit in (0..whole).step_by(LANES) {
            for number in 0..COLUMNS {
                let units: [u32; LANES] = E::along(b(number).add(unit * ELEMENTS));
                let vector = D::xor(D::load(units.as_ptr()), inverted);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let a = D::load(a(row).add(unit * UNIT).cast());
                    sums[number] = D::dot(sums[number], vector, a);
                }
            }
        }
        if whole < units {
            for number in 0..COLUMNS {
                let mut rest = [[E::default(); ELEMENTS]; LANES];
                let left = by.b.rows - whole * ELEMENTS;
                let from = b(number).add(whole * ELEMENTS);
                from.copy_to_nonoverlapping(rest.as_mut_ptr().cast(), left);
                let rest = rest.map(E::unit);
                let vector = D::xor(D::load(rest.as_ptr()), inverted);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let mut rest = [0_u32; LANES];
                    let from = a(row).add(whole * UNIT).cast::<[u8; UNIT]>();
                    from.copy_to_nonoverlapping(rest.as_mut_ptr().cast(), units - whole);
                    sums[number] = D::dot(sums[number], vector, D::load(rest.as_ptr()));
                }
            }
        }
        for (number, sums) in sums.iter().enumerate() {
            let term = by.row_terms.add(row + number).read();
            for (at, sum) in sums.iter().enumerate() {
                let [rows, columns] = by.strides;
                let to = by
                    .output
                    .add((row + number) * rows + (column + at) * columns);
                to.write(total::<D>(*sum).wrapping_add(term));
            }
        }
    }
}
