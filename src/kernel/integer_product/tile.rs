//! The innermost loops of products of small integers: tiles of the result, whose sums stay in registers.
//!
//! A *unit* is 32 bits of an operand along the inner axis: four bytes or two 16-bit integers ([`Units`]). A step
//! multiplies a unit of a row of the left matrix with the units of a row of the right one, and adds the sum of the
//! products within each pair of units to 32-bit sums, modulo 2^32. None of the instructions saturates:
//! - `vpdpbusd` multiplies unsigned bytes of the right operand by signed bytes of the left one. Each product fits 17
//!   bits with its sign, and the sums wrap at 32 bits;
//! - `pmaddwd` multiplies signed 16-bit integers to 32 bits and adds two products. That sum exceeds 32 bits in one
//!   case, twice (-2^15)^2, and wraps.
#![allow(unsafe_code, reason = "intrinsics, and matrices in raw memory")]

use core::mem::MaybeUninit;

use crate::simd::SimdLevel;

/// The contents of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Units {
    /// Four bytes: signed ones of the left operand, unsigned ones of the right operand.
    Quads,
    /// Two signed 16-bit integers.
    Pairs,
}

impl Units {
    /// The number of elements in a unit.
    pub(super) const fn elements(self) -> usize {
        match self {
            Self::Quads => 4,
            Self::Pairs => 2,
        }
    }
}

/// The bytes in a unit.
pub(super) const UNIT: usize = size_of::<u32>();
/// The largest [`Tiles::width`].
pub(super) const MAX_WIDTH: usize = 32;

/// A way to compute tiles, for one instruction set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles {
    pub(super) units: Units,
    /// The number of columns in a panel.
    pub(super) width: usize,
    /// Multiplies rows by a panel.
    ///
    /// # Safety
    /// The processor has the instruction set. The addresses of the [`Factors`] can be read as far as they say, and the
    /// result can be written: `rows` rows of `columns` elements, which nothing else refers to.
    pub(super) multiply: unsafe fn(&Factors),
    /// Returns the sum of so many units' bytes, which are signed; for [`Units::Quads`] alone.
    ///
    /// # Safety
    /// The processor has the instruction set, and the units can be read.
    pub(super) sum: unsafe fn(first: *const u8, units: usize) -> u32,
    /// Packs columns of the right matrix into a panel.
    ///
    /// # Safety
    /// The processor has the instruction set. The [`Columns`] can be read; `units * width` units can be written.
    pub(super) pack: unsafe fn(&Columns, panel: *mut u32),
}

/// Rows of the left matrix, a panel of the right one, and the place of their product.
pub(super) struct Factors {
    /// The first unit of the left matrix, which need not be aligned.
    pub(super) a: *const u8,
    /// The distance of its rows, in bytes.
    pub(super) a_stride: isize,
    pub(super) rows: usize,
    /// The number of units in a row.
    pub(super) units: usize,
    /// The panel: for each unit of a column, that of each column.
    pub(super) b: *const u32,
    /// The first term of the sums of each row.
    pub(super) row_terms: *const u32,
    /// A further term for each column of the panel.
    pub(super) column_terms: *const u32,
    /// The first element of the result.
    pub(super) output: *mut u32,
    /// The distance of its rows, in elements.
    pub(super) stride: usize,
    /// The number of columns to write, at most the width of a panel.
    pub(super) columns: usize,
}

/// Columns of the right matrix, to be packed.
pub(super) struct Columns {
    /// The first element of the first column.
    pub(super) first: *const u8,
    /// The distances of rows and columns, in bytes.
    pub(super) strides: [isize; 2],
    /// The number of elements in a column.
    pub(super) rows: usize,
    /// The number of columns, at most the width of a panel.
    pub(super) columns: usize,
    /// Bits to invert in each byte: `0x80` makes signed bytes unsigned ones that are greater by 128.
    pub(super) inverted: u8,
}

/// The instructions of a tile. All functions need a processor with the instruction set.
trait Dot {
    type Vector: Copy;
    /// The number of units in a vector.
    const LANES: usize;

    /// # Safety
    /// `LANES` units can be read.
    unsafe fn load(from: *const u32) -> Self::Vector;
    /// # Safety
    /// `LANES` units can be written.
    unsafe fn store(to: *mut u32, vector: Self::Vector);
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn splat(unit: u32) -> Self::Vector;
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Adds the sum of the products within each pair of units.
    ///
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn dot(sums: Self::Vector, b: Self::Vector, a: Self::Vector) -> Self::Vector;
}

/// Multiplies all rows by a panel: `FULL` rows at a time, then four, then one.
///
/// # Safety
/// That of [`Tiles::multiply`].
#[inline(always)]
unsafe fn multiply<D: Dot, const FULL: usize>(factors: &Factors) {
    const { assert!(2 * D::LANES <= MAX_WIDTH) };
    let mut row = 0;
    // SAFETY: the caller guarantees what `Tiles::multiply` requires; the conditions, that the rows exist.
    unsafe {
        while row + FULL <= factors.rows {
            tile::<D, FULL>(factors, row);
            row += FULL;
        }
        while row + 4 <= factors.rows {
            tile::<D, 4>(factors, row);
            row += 4;
        }
        while row < factors.rows {
            tile::<D, 1>(factors, row);
            row += 1;
        }
    }
}

/// Multiplies `ROWS` rows by a panel that is two vectors wide.
///
/// # Safety
/// That of [`Tiles::multiply`], and there are `row + ROWS` rows.
#[inline(always)]
unsafe fn tile<D: Dot, const ROWS: usize>(factors: &Factors, row: usize) {
    let width = 2 * D::LANES;
    // SAFETY: the caller guarantees that rows `row..row + ROWS` of `units` units can be read, that each has a term, and
    // that the panel has `units * width` units and `width` terms.
    let sums = unsafe {
        let a = factors.a.offset(row.cast_signed() * factors.a_stride);
        let columns = factors.column_terms;
        let columns = [D::load(columns), D::load(columns.add(D::LANES))];
        let mut sums = [columns; ROWS];
        for (number, sums) in sums.iter_mut().enumerate() {
            let term = D::splat(factors.row_terms.add(row + number).read());
            *sums = [D::add(sums[0], term), D::add(sums[1], term)];
        }
        for unit in 0..factors.units {
            let b = factors.b.add(unit * width);
            let b = [D::load(b), D::load(b.add(D::LANES))];
            for (number, sums) in sums.iter_mut().enumerate() {
                let a = a.offset(number.cast_signed() * factors.a_stride);
                let a = D::splat(a.add(unit * UNIT).cast::<u32>().read_unaligned());
                *sums = [D::dot(sums[0], b[0], a), D::dot(sums[1], b[1], a)];
            }
        }
        sums
    };
    let whole = factors.columns == width;
    for (number, sums) in sums.iter().enumerate() {
        // SAFETY: the caller guarantees that the rows of the result can be written, `columns` elements of each; if those
        // are fewer than a panel has, they are copied from `edge`, which has room for a panel and is written before.
        unsafe {
            let output = factors.output.add((row + number) * factors.stride);
            let mut edge = MaybeUninit::<[u32; MAX_WIDTH]>::uninit();
            let to = if whole {
                output
            } else {
                edge.as_mut_ptr().cast()
            };
            D::store(to, sums[0]);
            D::store(to.add(D::LANES), sums[1]);
            if !whole {
                output.copy_from_nonoverlapping(to, factors.columns);
            }
        }
    }
}

/// Sums the signed bytes of units, as products with ones.
///
/// # Safety
/// That of [`Tiles::sum`].
#[inline(always)]
unsafe fn sum<D: Dot>(first: *const u8, units: usize) -> u32 {
    let mut lanes = [0_u32; MAX_WIDTH];
    let whole = units - units % D::LANES;
    // SAFETY: the caller guarantees `units` units to read; `lanes` has room for a vector.
    unsafe {
        let ones = D::splat(0x0101_0101);
        let mut sums = D::splat(0);
        for unit in (0..whole).step_by(D::LANES) {
            sums = D::dot(sums, ones, D::load(first.add(unit * UNIT).cast()));
        }
        D::store(lanes.as_mut_ptr(), sums);
    }
    // SAFETY: the caller guarantees `units` units, which are four bytes each.
    let rest = unsafe {
        core::slice::from_raw_parts(first.add(whole * UNIT).cast::<i8>(), (units - whole) * UNIT)
    };
    let mut sum = 0_u32;
    for lane in lanes {
        sum = sum.wrapping_add(lane);
    }
    for byte in rest {
        sum = sum.wrapping_add(i32::from(*byte).cast_unsigned());
    }
    sum
}

/// Returns the unit that elements are in memory, as the tiles read those of the left matrix.
#[inline(always)]
fn unit_of<E: Copy, const ELEMENTS: usize>(elements: [E; ELEMENTS]) -> u32 {
    const { assert!(size_of::<[E; ELEMENTS]>() == UNIT) };
    // SAFETY: the sizes are equal (asserted), and any bits are a `u32`; elements are integers, which have no padding.
    unsafe { core::mem::transmute_copy(&elements) }
}

/// Packs columns of elements `E`, of which a unit has `ELEMENTS`, into a panel of `WIDTH` columns. Units are filled up by
/// zeros, and so is the panel.
///
/// # Safety
/// That of [`Tiles::pack`], of elements `E`.
#[inline(always)]
unsafe fn pack<E: Copy + Default, const ELEMENTS: usize, const WIDTH: usize>(
    from: &Columns,
    panel: *mut u32,
) {
    let inverted = u32::from_ne_bytes([from.inverted; 4]);
    for unit in 0..from.rows.div_ceil(ELEMENTS) {
        let present = (from.rows - unit * ELEMENTS).min(ELEMENTS);
        let inverted = inverted & (u32::MAX >> (32 - present * (32 / ELEMENTS)));
        // SAFETY: the rows `unit * ELEMENTS + number` exist for `number < present`, and the columns below
        // `from.columns` do; the caller guarantees that their elements can be read, and that the panel has `WIDTH` units
        // for each unit of a column.
        unsafe {
            let row = |number: usize| {
                let row = (unit * ELEMENTS + number).cast_signed();
                from.first.wrapping_offset(row * from.strides[0])
            };
            let to = panel.add(unit * WIDTH);
            if present == ELEMENTS
                && from.columns == WIDTH
                && from.strides[1] == size_of::<E>().cast_signed()
            {
                let mut rows = [[E::default(); WIDTH]; ELEMENTS];
                for (number, elements) in rows.iter_mut().enumerate() {
                    *elements = row(number).cast::<[E; WIDTH]>().read_unaligned();
                }
                // Loops over copies, which LLVM compiles to shuffles; closures over columns are not vectorised.
                let mut columns = [[E::default(); ELEMENTS]; WIDTH];
                for (column, elements) in columns.iter_mut().enumerate() {
                    for (element, row) in elements.iter_mut().zip(&rows) {
                        *element = row[column];
                    }
                }
                let mut units = [0; WIDTH];
                for (unit, elements) in units.iter_mut().zip(columns) {
                    *unit = unit_of::<E, ELEMENTS>(elements) ^ inverted;
                }
                to.cast::<[u32; WIDTH]>().write(units);
            } else {
                let along = from.strides[0] == size_of::<E>().cast_signed();
                for column in 0..WIDTH {
                    let at = column.cast_signed() * from.strides[1];
                    let packed = if column >= from.columns {
                        0
                    } else if along && present == ELEMENTS {
                        row(0).wrapping_offset(at).cast::<u32>().read_unaligned() ^ inverted
                    } else {
                        let element = |number: usize| match number < present {
                            true => row(number).wrapping_offset(at).cast::<E>().read_unaligned(),
                            false => E::default(),
                        };
                        unit_of::<E, ELEMENTS>(core::array::from_fn(element)) ^ inverted
                    };
                    to.add(column).write(packed);
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86;

/// Plain code, for processors without loops of their own.
#[cfg(any(not(target_arch = "x86_64"), test))]
mod portable;

/// Selects the tiles for operands that both have bytes, or of which one has 16-bit integers.
pub(super) fn choose(level: SimdLevel, bytes: bool) -> Tiles {
    #[cfg(target_arch = "x86_64")]
    return x86::choose(level, bytes);
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (level, bytes);
        portable::TILES
    }
}

/// All tiles that this processor has.
#[cfg(test)]
pub(super) fn all() -> Vec<Tiles> {
    let mut all = vec![portable::TILES];
    #[cfg(target_arch = "x86_64")]
    all.extend(x86::all());
    all
}
