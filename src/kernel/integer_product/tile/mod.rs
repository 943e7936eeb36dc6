//! The innermost loops of products of small integers: tiles of the result, whose sums stay in registers.
//!
//! A *unit* is 32 bits of an operand along the inner axis: four bytes or two 16-bit integers ([`Units`]). A step
//! multiplies a unit of a row of the left matrix with the units of a row of the right one, and adds the sum of the
//! products within each pair of units to 32-bit sums, modulo 2^32. None of the instructions saturates:
//! - `vpdpbusd` multiplies unsigned bytes of one operand by signed bytes of the other one. Each product fits 17
//!   bits with its sign, and the sums wrap at 32 bits;
//! - `pmaddwd` multiplies signed 16-bit integers to 32 bits and adds two products. That sum exceeds 32 bits in one
//!   case, twice (-2^15)^2, and wraps.
#![allow(unsafe_code, reason = "intrinsics, and matrices in raw memory")]

mod dots;
mod few;
mod pack;
#[cfg(any(not(target_arch = "x86_64"), test))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use core::mem::MaybeUninit;
use core::ops::Range;

pub(super) use few::Few;

use crate::dtype::DType;
use crate::simd::{SimdLevel, prefetch_far};

/// The contents of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Units {
    /// Four bytes, signed in one operand and unsigned in the other one.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "only tiles by VNNI take them")
    )]
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
/// The largest number of rows that [`Tiles::few`] and [`Tiles::dots`] multiply.
pub(super) const MAX_FEW: usize = 32;
/// The largest number of rows that [`Tiles::sums`] sums.
pub(super) const MAX_SUMS: usize = 4;

/// A way to compute products of two dtypes, for one instruction set.
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
    /// Multiplies at most [`MAX_FEW`] rows by columns that lie side by side in memory, and which are not packed; not for bytes that are
    /// widened.
    ///
    /// # Safety
    /// The processor has the instruction set. The operands of the [`Few`] can be read as far as it says, and the result can be
    /// written, which nothing else refers to.
    pub(super) few: Option<unsafe fn(&Few)>,
    /// Multiplies at most [`MAX_FEW`] rows by columns whose elements are neighbours in memory, and which are not packed.
    ///
    /// # Safety
    /// The processor has the instruction set. The operands of the [`Dots`] can be read as far as it says, and the result can be
    /// written, which nothing else refers to.
    pub(super) dots: unsafe fn(&Dots),
    /// Returns the sum of the bytes of each of `rows` rows of a left operand, at most [`MAX_SUMS`]. Only for [`Units::Quads`].
    ///
    /// # Safety
    /// The processor has the instruction set. There is a row, and `bytes` bytes of each row can be read.
    pub(super) sums:
        unsafe fn(first: *const u8, stride: isize, rows: usize, bytes: usize) -> [u32; MAX_SUMS],
    /// Packs columns of the right matrix into panels, which lie one after the other.
    ///
    /// # Safety
    /// The processor has the instruction set. The [`Columns`] can be read; `units * width` units can be written for each panel.
    pub(super) pack: unsafe fn(&Columns, panels: *mut u32),
}

/// Rows of the left matrix, a panel of the right one, and the place of their product.
pub(super) struct Factors {
    /// The first unit of the left matrix, which need not be aligned.
    pub(super) a: *const u8,
    /// The distance of its rows, in bytes.
    pub(super) a_stride: isize,
    pub(super) rows: usize,
    /// The number of whole units in a row.
    pub(super) units: usize,
    /// The unit of each row that comes after them, if the rows are not whole units.
    pub(super) tails: Option<*const u32>,
    /// The panel: the first unit of each column, then the second unit of each column, and so on.
    pub(super) b: *const u32,
    /// The first term of the sums of each row.
    pub(super) row_terms: *const u32,
    /// The first element of the result.
    pub(super) output: *mut u32,
    /// The distance of its rows, in elements.
    pub(super) stride: usize,
    /// The number of columns to write, at most the width of a panel.
    pub(super) columns: usize,
    /// `true` if the result is so large that its lines are in no cache, and have to be prefetched.
    pub(super) prefetches: bool,
}

/// Rows of the left matrix, columns of the right one, and the place of their product.
pub(super) struct Dots {
    /// The first unit of the left matrix, which need not be aligned. Units are filled up by zeros.
    pub(super) a: *const u8,
    /// The distance of its rows, in bytes.
    pub(super) a_stride: isize,
    pub(super) rows: usize,
    /// The first term of the sums of each row.
    pub(super) row_terms: *const u32,
    pub(super) b: Columns,
    /// The first element of the result.
    pub(super) output: *mut u32,
    /// The distances of its rows and columns, in elements.
    pub(super) strides: [usize; 2],
}

/// Columns of the right matrix.
pub(super) struct Columns {
    /// The first element of the first column.
    pub(super) first: *const u8,
    /// The distances of rows and columns, in bytes.
    pub(super) strides: [isize; 2],
    /// The number of elements in a column, at least one.
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Bits to invert in each unit: `0x8080_8080` moves bytes by 128, so that signed ones become unsigned, or the reverse.
    pub(super) inverted: u32,
}

impl Columns {
    /// Returns some of the columns.
    fn part(&self, columns: Range<usize>) -> Self {
        let offset = columns.start.cast_signed() * self.strides[1];
        Self {
            first: self.first.wrapping_offset(offset),
            columns: columns.len(),
            ..*self
        }
    }

    /// Returns the address of the first column's element in a row; of the last row if there are fewer.
    #[inline(always)]
    fn row(&self, row: usize) -> *const u8 {
        let row = row.min(self.rows - 1).cast_signed();
        self.first.wrapping_offset(row * self.strides[0])
    }
}

/// A vector of units. All functions need a processor with its instruction set.
trait Vector: Copy {
    /// The number of units.
    const LANES: usize;

    /// # Safety
    /// The processor has the instruction set, and `LANES` units can be read.
    unsafe fn load(from: *const u32) -> Self;
    /// # Safety
    /// The processor has the instruction set, and `LANES` units can be written.
    unsafe fn store(self, to: *mut u32);
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn splat(unit: u32) -> Self;
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn xor(a: Self, b: Self) -> Self;
    /// Adds units, modulo 2^32.
    ///
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn add(a: Self, b: Self) -> Self;
    /// Returns the elements of both vectors in turns, `BYTES` of each (1, 2, 4 or 8): those of the lower half of each 128 bits, and
    /// those of the upper half.
    ///
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn in_turns<const BYTES: usize>(a: Self, b: Self) -> [Self; 2];
    /// Permutes units of a row, so that [`pack::InVector::arranged`] of `ELEMENTS` rows gives vectors of neighbouring columns.
    ///
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn to_arrange<const ELEMENTS: usize>(self) -> Self;
}

/// The instruction of a tile.
trait Dot {
    type Vector: Vector;
    /// The number of units in a vector.
    const LANES: usize = Self::Vector::LANES;

    /// Adds the sum of the products within each pair of units.
    ///
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn dot(sums: Self::Vector, b: Self::Vector, a: Self::Vector) -> Self::Vector;
}

/// Multiplies all rows by a panel: `FULL` rows at a time, then four, then one. Half of a panel is computed if it has the columns.
///
/// # Safety
/// The processor has the instruction set of `D`. The addresses of the [`Factors`] can be read as far as they say, and the result can be
/// written: `rows` rows of `columns` elements, which nothing else refers to.
#[inline(always)]
unsafe fn multiply<D: Dot, const FULL: usize>(factors: &Factors) {
    const { assert!(2 * D::LANES <= MAX_WIDTH) };
    // SAFETY: the caller guarantees the instruction set, the factors and the result. Half of a panel has the columns of the first arm.
    unsafe {
        match factors.columns <= D::LANES {
            true => by_tiles::<D, FULL, 1>(factors),
            false => by_tiles::<D, FULL, 2>(factors),
        }
    }
}

/// [`multiply`] by `VECTORS` vectors of the panel.
///
/// # Safety
/// As for [`multiply`]; the columns are no more than the vectors have.
#[inline(always)]
unsafe fn by_tiles<D: Dot, const FULL: usize, const VECTORS: usize>(factors: &Factors) {
    let mut row = 0;
    // SAFETY: the caller guarantees the instruction set, the factors and the result; the conditions, that the rows exist.
    unsafe {
        while row + FULL <= factors.rows {
            tile::<D, FULL, VECTORS>(factors, row);
            row += FULL;
        }
        while row + 4 <= factors.rows {
            tile::<D, 4, VECTORS>(factors, row);
            row += 4;
        }
        while row < factors.rows {
            tile::<D, 1, VECTORS>(factors, row);
            row += 1;
        }
    }
}

/// Multiplies `ROWS` rows by the first vectors of a panel that is two vectors wide.
///
/// # Safety
/// As for [`multiply`]. There are `row + ROWS` rows, and the columns are no more than the vectors have.
#[inline(always)]
unsafe fn tile<D: Dot, const ROWS: usize, const VECTORS: usize>(factors: &Factors, row: usize) {
    let width = 2 * D::LANES;
    // SAFETY: the caller guarantees that rows `row..row + ROWS` of `units` units can be read, that each has a term, and a tail if
    // there are tails, and that the panel has `width` units for each of these.
    let sums = unsafe {
        let a = factors.a.offset(row.cast_signed() * factors.a_stride);
        let mut sums = [[D::Vector::splat(0); VECTORS]; ROWS];
        for (number, sums) in sums.iter_mut().enumerate() {
            *sums = [D::Vector::splat(factors.row_terms.add(row + number).read()); VECTORS];
        }
        // One row of the result after the other is prefetched: all of them at once would keep the operands waiting.
        let step = match factors.prefetches {
            true => factors.units.div_ceil(ROWS),
            false => factors.units,
        };
        let (mut unit, mut output) = (0, factors.output.wrapping_add(row * factors.stride));
        while unit < factors.units {
            if factors.prefetches {
                for number in 0..VECTORS {
                    prefetch_far(output.wrapping_add(number * D::LANES).cast());
                }
                output = output.wrapping_add(factors.stride);
            }
            for unit in unit..factors.units.min(unit + step) {
                let b = load::<D, VECTORS>(factors.b.add(unit * width));
                for (number, sums) in sums.iter_mut().enumerate() {
                    let a = a.offset(number.cast_signed() * factors.a_stride);
                    let a = D::Vector::splat(a.add(unit * UNIT).cast::<u32>().read_unaligned());
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum = D::dot(*sum, b, a);
                    }
                }
            }
            unit += step;
        }
        if let Some(tails) = factors.tails {
            let b = load::<D, VECTORS>(factors.b.add(factors.units * width));
            for (number, sums) in sums.iter_mut().enumerate() {
                let a = D::Vector::splat(tails.add(row + number).read());
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum = D::dot(*sum, b, a);
                }
            }
        }
        sums
    };
    let whole = factors.columns == VECTORS * D::LANES;
    for (number, sums) in sums.iter().enumerate() {
        // SAFETY: the caller guarantees that the rows of the result can be written, `columns` elements of each; if those
        // are fewer than the vectors have, they are copied from `edge`, which has room for a panel and is written before.
        unsafe {
            let output = factors.output.add((row + number) * factors.stride);
            let mut edge = MaybeUninit::<[u32; MAX_WIDTH]>::uninit();
            let to = if whole {
                output
            } else {
                edge.as_mut_ptr().cast()
            };
            for (number, sum) in sums.iter().enumerate() {
                sum.store(to.add(number * D::LANES));
            }
            if !whole {
                output.copy_from_nonoverlapping(to, factors.columns);
            }
        }
    }
}

/// Loads neighbouring vectors.
///
/// # Safety
/// They can be read, and the processor has the instruction set.
#[inline(always)]
unsafe fn load<D: Dot, const VECTORS: usize>(from: *const u32) -> [D::Vector; VECTORS] {
    // SAFETY: the caller guarantees the instruction set, and that `VECTORS` vectors of `LANES` units can be read.
    unsafe {
        let mut vectors = [D::Vector::load(from); VECTORS];
        for (number, vector) in vectors.iter_mut().enumerate().skip(1) {
            *vector = D::Vector::load(from.add(number * D::LANES));
        }
        vectors
    }
}

/// Returns the sum of the lanes.
///
/// # Safety
/// The processor has the instruction set.
#[inline(always)]
unsafe fn total<D: Dot>(vector: D::Vector) -> u32 {
    let mut lanes = [0_u32; MAX_WIDTH];
    // SAFETY: `lanes` has room for `MAX_WIDTH` units, and no vector has more; the caller guarantees the instruction set.
    unsafe { vector.store(lanes.as_mut_ptr()) };
    let mut len = D::LANES;
    while len > 1 {
        len /= 2;
        for lane in 0..len {
            lanes[lane] = lanes[lane].wrapping_add(lanes[lane + len]);
        }
    }
    lanes[0]
}

/// Returns the sum of the lanes of each vector.
///
/// # Safety
/// The processor has the instruction set.
#[inline(always)]
unsafe fn totals<D: Dot, const COLUMNS: usize>(sums: [D::Vector; COLUMNS]) -> [u32; COLUMNS] {
    let mut totals = [0; COLUMNS];
    // Not by closures, which would be compiled without the instruction set.
    // SAFETY: the caller guarantees the instruction set; `lanes` has room for a vector.
    unsafe {
        let &[a, b, c, d] = sums.as_slice() else {
            for (to, sum) in totals.iter_mut().zip(sums) {
                *to = total::<D>(sum);
            }
            return totals;
        };
        let ([a, b], [c, d]) = (
            D::Vector::in_turns::<4>(a, b),
            D::Vector::in_turns::<4>(c, d),
        );
        let (ab, cd) = (D::Vector::add(a, b), D::Vector::add(c, d));
        let [low, high] = D::Vector::in_turns::<8>(ab, cd);
        // Each 128 bits have a sum of each vector, in their order.
        let mut lanes = [0_u32; MAX_WIDTH];
        D::Vector::add(low, high).store(lanes.as_mut_ptr());
        for lane in 0..D::LANES {
            totals[lane % 4] = lanes[lane].wrapping_add(totals[lane % 4]);
        }
    }
    totals
}

/// Sums the bytes of each row, as products with ones.
///
/// # Safety
/// The processor has the instruction set of `D`. There are `rows` rows of `bytes` bytes, at least one.
#[inline(always)]
unsafe fn sums<D: Dot>(
    first: *const u8,
    stride: isize,
    rows: usize,
    bytes: usize,
) -> [u32; MAX_SUMS] {
    let vector = D::LANES * UNIT;
    let whole = bytes - bytes % vector;
    // SAFETY: the caller guarantees the rows and the instruction set. The last bytes are fewer than a vector has, and `rest` has room for
    // a vector.
    unsafe {
        let ones = D::Vector::splat(0x0101_0101);
        let mut sums = [D::Vector::splat(0); MAX_SUMS];
        let row = |number: usize| first.offset(number.min(rows - 1).cast_signed() * stride);
        for at in (0..whole).step_by(vector) {
            for (number, sum) in sums.iter_mut().enumerate() {
                *sum = D::dot(*sum, ones, D::Vector::load(row(number).add(at).cast()));
            }
        }
        if whole < bytes {
            for (number, sum) in sums.iter_mut().enumerate() {
                let mut rest = [0_u32; MAX_WIDTH];
                let from = row(number).add(whole);
                from.copy_to_nonoverlapping(rest.as_mut_ptr().cast(), bytes - whole);
                *sum = D::dot(*sum, ones, D::Vector::load(rest.as_ptr()));
            }
        }
        totals::<D, MAX_SUMS>(sums)
    }
}

/// Selects the tiles for operands of these dtypes, which are `i8`, `u8` or `i16`.
pub(super) fn choose(level: SimdLevel, left: DType, right: DType) -> Tiles {
    #[cfg(target_arch = "x86_64")]
    return x86::choose(level, left, right);
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (level, left);
        portable::tiles(right)
    }
}

/// All tiles for these dtypes that this processor has.
#[cfg(test)]
pub(super) fn all(left: DType, right: DType) -> Vec<Tiles> {
    let mut all = vec![portable::tiles(right)];
    #[cfg(target_arch = "x86_64")]
    all.extend(x86::all(left, right));
    all
}
