//! Packing of columns into panels.
//!
//! Columns that lie side by side are packed by the vectors of the tiles if elements are not widened, and else by 128 bits. Instructions
//! that interleave elements work on each 128 bits by themselves, so that longer vectors are permuted before.
#![allow(unsafe_code, reason = "matrices in raw memory")]

use super::{Columns, UNIT, Vector};

/// The number of units in 16 bytes. As many columns are transposed at a time.
const SIDE: usize = 4;
/// The number of units in a line of the cache.
const LINE: usize = 64 / UNIT;

/// An element of the right matrix, of which a unit has `ELEMENTS`.
pub(super) trait InUnit<const ELEMENTS: usize>: Copy + Default {
    /// Returns a unit, whose elements lie in memory as those of the left matrix do.
    fn unit(elements: [Self; ELEMENTS]) -> u32;

    /// Returns `N` units of elements that are neighbours in memory.
    ///
    /// # Safety
    /// The elements can be read; they need not be aligned.
    #[inline(always)]
    unsafe fn along<const N: usize>(from: *const Self) -> [u32; N] {
        // SAFETY: the caller guarantees `N * ELEMENTS` readable elements; the read needs no alignment.
        let elements = unsafe { from.cast::<[[Self; ELEMENTS]; N]>().read_unaligned() };
        elements.map(Self::unit)
    }

    /// Returns [`SIDE`] units of elements that are neighbours in memory.
    ///
    /// # Safety
    /// The elements can be read; they need not be aligned.
    unsafe fn load(from: *const Self) -> Units;

    /// Returns a unit of each of `SIDE * ELEMENTS` columns that lie side by side.
    ///
    /// # Safety
    /// As many elements can be read from each address on; they need not be aligned.
    unsafe fn across(rows: [*const Self; ELEMENTS]) -> [Units; ELEMENTS];
}

/// An element that vectors of the right matrix have, in memory and in units.
pub(super) trait InVector<const ELEMENTS: usize>: InUnit<ELEMENTS> {
    /// Arranges vectors of as many rows to units: within each 128 bits the first columns come into the first vector. (After
    /// [`Vector::to_arrange`], the vectors have the columns in their order.)
    ///
    /// # Safety
    /// The processor has the instruction set of the vectors.
    unsafe fn arranged<V: Vector>(rows: [V; ELEMENTS]) -> [V; ELEMENTS];
}

/// The places from which [`Vector::to_arrange`] takes its units. Every 128 bits of a row give a part to each of the `ELEMENTS` vectors of
/// columns, so the first parts of all 128 bits are those that come first in the row.
#[cfg(target_arch = "x86_64")]
pub(super) const fn places<const LANES: usize>(elements: usize) -> [u32; LANES] {
    let (parts, part) = (LANES / SIDE, SIDE / elements);
    let mut places = [0; LANES];
    let mut to = 0;
    while to < LANES {
        let (number, within) = (to / SIDE, to % SIDE);
        let from = (within / part * parts + number) * part + within % part;
        #[expect(
            clippy::as_conversions,
            clippy::cast_possible_truncation,
            reason = "below the number of lanes, in a constant"
        )]
        {
            places[to] = from as u32;
        }
        to += 1;
    }
    places
}

impl InVector<4> for u8 {
    #[inline(always)]
    unsafe fn arranged<V: Vector>([a, b, c, d]: [V; 4]) -> [V; 4] {
        // SAFETY: the caller guarantees that the processor has the instruction set of the vectors.
        unsafe {
            let ([ab, more_ab], [cd, more_cd]) = (V::in_turns::<1>(a, b), V::in_turns::<1>(c, d));
            let ([first, second], [third, fourth]) =
                (V::in_turns::<2>(ab, cd), V::in_turns::<2>(more_ab, more_cd));
            [first, second, third, fourth]
        }
    }
}

impl InVector<2> for i16 {
    #[inline(always)]
    unsafe fn arranged<V: Vector>([a, b]: [V; 2]) -> [V; 2] {
        // SAFETY: the caller guarantees that the processor has the instruction set of the vectors.
        unsafe { V::in_turns::<2>(a, b) }
    }
}

#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
use sse2::{Units, inverted, transposed};

#[cfg(not(target_arch = "x86_64"))]
mod plain;
#[cfg(not(target_arch = "x86_64"))]
use plain::{Units, inverted, transposed};

/// [`pack`] by vectors where that is possible. (On an AMD EPYC with AVX-512, 64 rows by 1,024 x 1,024 bytes take 0.96 of the time.)
///
/// # Safety
/// As for [`pack`]. The processor has the instruction set of the vectors.
#[inline(always)]
pub(super) unsafe fn pack_by_vectors<
    V: Vector,
    E: InVector<ELEMENTS>,
    const ELEMENTS: usize,
    const WIDTH: usize,
>(
    from: &Columns,
    panels: *mut u32,
) {
    const { assert!(WIDTH == 2 * V::LANES && ELEMENTS.is_multiple_of(2)) };
    let mut packed = 0;
    // SAFETY: the caller guarantees the instruction set, the columns, and room for `units * WIDTH` units for each panel. The packed
    // columns are those of whole panels.
    unsafe {
        if from.strides[1] == size_of::<E>().cast_signed() {
            packed = from.columns - from.columns % (ELEMENTS * V::LANES);
            vectors_from_rows::<V, E, ELEMENTS, WIDTH>(&from.part(0..packed), panels);
        }
        let rest = panels.add(packed * from.rows.div_ceil(ELEMENTS));
        pack::<E, ELEMENTS, WIDTH>(&from.part(packed..from.columns), rest);
    }
}

/// [`from_rows`] by vectors, a line of the cache of each row at a time: all units of these columns, then those of the next ones.
///
/// # Safety
/// As for [`pack_by_vectors`]. The columns are a multiple of `ELEMENTS` vectors of units, and lie side by side.
#[inline(always)]
unsafe fn vectors_from_rows<
    V: Vector,
    E: InVector<ELEMENTS>,
    const ELEMENTS: usize,
    const WIDTH: usize,
>(
    from: &Columns,
    panels: *mut u32,
) {
    let units = from.rows.div_ceil(ELEMENTS);
    // The columns of a vector of elements, and of a line.
    let vector = ELEMENTS * V::LANES;
    let line = vector.max(LINE * ELEMENTS);
    // SAFETY: the caller guarantees the instruction set. Of each row, `vector` elements can be read from each of these columns on: as many
    // bytes as a vector has. A vector of units is a half of a panel, for which there is room.
    unsafe {
        let inverted = V::splat(from.inverted);
        for first in (0..from.columns).step_by(line) {
            for unit in 0..units {
                for first in (first..from.columns.min(first + line)).step_by(vector) {
                    let mut vectors = [inverted; ELEMENTS];
                    for (number, vector) in vectors.iter_mut().enumerate() {
                        let row = from.row(unit * ELEMENTS + number).cast::<E>();
                        *vector = V::load(row.add(first).cast()).to_arrange::<ELEMENTS>();
                    }
                    for (number, vector) in E::arranged(vectors).into_iter().enumerate() {
                        let column = first + number * V::LANES;
                        let (panel, within) = (column / WIDTH, column % WIDTH);
                        let to = panels.add((panel * units + unit) * WIDTH + within);
                        V::xor(vector, inverted).store(to);
                    }
                }
            }
        }
    }
}

/// Packs columns of elements `E`, of which a unit has `ELEMENTS`, into panels of `WIDTH` columns, which lie one after the other. What lies
/// beyond the columns of the last panel is zero; beyond the rows it is unspecified, since the left operand has zeros there.
///
/// # Safety
/// The columns can be read, whose elements are `E`; `units * WIDTH` units can be written for each panel.
#[inline(always)]
pub(super) unsafe fn pack<E: InUnit<ELEMENTS>, const ELEMENTS: usize, const WIDTH: usize>(
    from: &Columns,
    panels: *mut u32,
) {
    let size = size_of::<E>().cast_signed();
    let mut packed = 0;
    // SAFETY: the caller guarantees the columns, and room for `units * WIDTH` units for each panel. The conditions choose the function
    // for these strides.
    unsafe {
        if from.strides[1] == size {
            packed = from.columns - from.columns % WIDTH;
            from_rows::<E, ELEMENTS, WIDTH>(&from.part(0..packed), panels);
        }
        for column in (packed..from.columns).step_by(WIDTH) {
            let one = from.part(column..from.columns.min(column + WIDTH));
            let panel = panels.add(column * from.rows.div_ceil(ELEMENTS));
            match one.columns == WIDTH && one.strides[0] == size {
                true => from_columns::<E, ELEMENTS, WIDTH>(&one, panel),
                false => one_by_one::<E, ELEMENTS, WIDTH>(&one, 0, panel),
            }
        }
    }
}

/// Packs columns that lie side by side: one unit of every panel, then the next unit of every panel. So it reads each row in order; one panel
/// after the other would read a part of a cache line at a time.
///
/// # Safety
/// As for [`pack`]. The columns are those of whole panels, and lie side by side.
#[inline(always)]
unsafe fn from_rows<E: InUnit<ELEMENTS>, const ELEMENTS: usize, const WIDTH: usize>(
    from: &Columns,
    panels: *mut u32,
) {
    const { assert!(WIDTH.is_multiple_of(SIDE * ELEMENTS)) };
    let units = from.rows.div_ceil(ELEMENTS);
    for unit in 0..units {
        let rows: [*const E; ELEMENTS] =
            core::array::from_fn(|number| from.row(unit * ELEMENTS + number).cast());
        for first in (0..from.columns).step_by(WIDTH) {
            for column in (0..WIDTH).step_by(SIDE * ELEMENTS) {
                // SAFETY: `first + column + SIDE * ELEMENTS` is at most the number of columns, and the caller guarantees that they lie side
                // by side, that their rows can be read up to a whole unit, and that each panel has room for `units * WIDTH` units.
                // `E::across` gives `ELEMENTS` times `SIDE` of them.
                unsafe {
                    let from_each = rows.map(|row| row.add(first + column));
                    let to = panels.add(first * units + unit * WIDTH + column);
                    for (number, packed) in E::across(from_each).into_iter().enumerate() {
                        to.cast::<Units>()
                            .add(number)
                            .write_unaligned(inverted(packed, from.inverted));
                    }
                }
            }
        }
    }
}

/// Packs columns whose elements are neighbours in memory: some columns by a line of the cache at a time.
///
/// # Safety
/// As for [`pack`]. There are `WIDTH` columns, whose elements are neighbours.
#[inline(always)]
unsafe fn from_columns<E: InUnit<ELEMENTS>, const ELEMENTS: usize, const WIDTH: usize>(
    from: &Columns,
    panel: *mut u32,
) {
    const { assert!(WIDTH.is_multiple_of(SIDE)) };
    let lines = from.rows / (ELEMENTS * LINE);
    for line in 0..lines {
        for column in (0..WIDTH).step_by(SIDE) {
            for unit in (line * LINE..(line + 1) * LINE).step_by(SIDE) {
                let rows = core::array::from_fn(|number| {
                    let at = (column + number).cast_signed();
                    let first = from.row(unit * ELEMENTS);
                    let first = first.wrapping_offset(at * from.strides[1]);
                    // SAFETY: the caller guarantees the column, and the line has `SIDE` units from this one on.
                    unsafe { E::load(first.cast()) }
                });
                for (number, row) in transposed(rows).into_iter().enumerate() {
                    let row = inverted(row, from.inverted);
                    let to = panel.wrapping_add((unit + number) * WIDTH + column);
                    // SAFETY: `unit + number` is a unit of the columns, and `column + SIDE <= WIDTH`: the caller guarantees room for
                    // `WIDTH` units of each.
                    unsafe { to.cast::<Units>().write_unaligned(row) };
                }
            }
        }
    }
    // SAFETY: the caller guarantees columns that can be read, and room for all their units.
    unsafe { one_by_one::<E, ELEMENTS, WIDTH>(from, lines * LINE, panel) };
}

/// Packs columns of any strides, from a unit on.
///
/// # Safety
/// As for [`pack`].
#[inline(always)]
unsafe fn one_by_one<E: InUnit<ELEMENTS>, const ELEMENTS: usize, const WIDTH: usize>(
    from: &Columns,
    first: usize,
    panel: *mut u32,
) {
    for unit in first..from.rows.div_ceil(ELEMENTS) {
        for number in 0..WIDTH {
            let at = number.cast_signed() * from.strides[1];
            let element = |number: usize| {
                let row = from.row(unit * ELEMENTS + number);
                // SAFETY: it is called for a column below `from.columns`, and the caller guarantees that the rows of a unit can be read.
                unsafe { row.wrapping_offset(at).cast::<E>().read_unaligned() }
            };
            let packed = match number < from.columns {
                true => E::unit(core::array::from_fn(element)) ^ from.inverted,
                false => 0,
            };
            // SAFETY: `number < WIDTH`, and the caller guarantees room for `WIDTH` of each unit.
            unsafe { panel.add(unit * WIDTH + number).write(packed) };
        }
    }
}
