//! Products by packed panels.
//!
//! If a matrix has at least as many columns as rows, each thread packs the panels that it multiplies, some at a time, right before it
//! does so: they are still in its cache, and nothing is done by one thread while others wait. Otherwise threads divide the rows, and all
//! of them need all panels, which are packed before.
//!
//! The terms of rows are computed by the thread that first multiplies a row, for all others.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use std::borrow::Cow;

use super::tile::{Factors, MAX_SUMS, Tiles, UNIT, Units};
use super::{MIN_PRODUCTS_PER_THREAD, Moved, columns_of, matrices, matrix};
use crate::array::alloc::vec_from_iter;
use crate::array::{Array, Buffer, Dims, Uninit, element_count};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast::{cast, copied};
use crate::kernel::drive::parallel::{SendPtr, split, try_split_into};

/// The largest number of pieces for each thread. With several, the others wait less for a thread that is interrupted, and each piece
/// still multiplies a row that it reads by many panels.
const PIECES_PER_THREAD: usize = 4;
/// The bytes of panels that are multiplied by some rows before the next rows: half of a small L2 cache.
const PANEL_BYTES: usize = 256 << 10;
/// The same for results of at least [`LARGE`] bytes. The left matrix is read again for each of these groups of panels. The larger the
/// operands and the result are together, the longer this takes, and then larger groups are faster even if they fill the L2 cache.
const PANEL_BYTES_OF_LARGE: usize = 1 << 20;
/// The size of a large matrix of the result, in bytes. (2,048 cubed takes 0.9 of the time with larger groups, 1,024 cubed 1.03.)
const LARGE: usize = 16 << 20;
/// The number of rows that are multiplied by each of those panels at a time; a multiple of the rows of each tile.
const ROWS: usize = 24;
/// The size of a matrix of the result from which its lines are prefetched, in bytes. (768 cubed takes 0.91 of the time, 1,024 cubed 0.93.)
const PREFETCHED_FROM: usize = 1 << 20;
/// The least number of units along which tiles are multiplied that prefetch.
const PREFETCHED_UNITS: usize = 64;
/// The cost of packing a unit, in multiplications by VNNI.
const PACKING: usize = 32;
/// Marks a term that was computed.
const COMPUTED: u64 = 1 << 32;
const _: () = assert!(ROWS.is_multiple_of(MAX_SUMS));

/// Multiplies stacks of matrices, whose leading axes broadcast to those of `product`.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::ShapeTooLarge`].
pub(super) fn product(
    tiles: &Tiles,
    a: &Array,
    b: &Array,
    product: &Dims,
) -> Result<Buffer, Error> {
    let moved = Moved::new(tiles, a.dtype(), b.dtype());
    let a = match tiles.units {
        Units::Pairs => cast(Cow::Borrowed(a), DType::I16)?,
        Units::Quads => a.clone(),
    };
    let last = a.rank() - 1;
    let is_along = a.strides()[last] == 1;
    let a = if is_along { a } else { copied(&a)? };
    let (rows, inner) = (a.shape()[last - 1], a.shape()[last]);
    let count = match moved.factor {
        0 => 0,
        _ => matrices(&a) * rows,
    };
    let operands = Operands {
        tiles,
        moved,
        terms: vec_from_iter((0..count).map(|_| AtomicU64::new(0)))?,
        row_bytes: inner * a.dtype().size(),
        inner,
        rows,
        columns: product[product.len() - 1],
        a,
        b: b.clone(),
        product,
    };
    operands.multiplied()
}

/// The operands of a product.
struct Operands<'a> {
    tiles: &'a Tiles,
    moved: Moved,
    /// The left matrices, contiguous along the rows.
    a: Array,
    b: Array,
    /// The shape of the product.
    product: &'a Dims,
    rows: usize,
    inner: usize,
    columns: usize,
    /// The bytes of a row of the left matrix.
    row_bytes: usize,
    /// The term of each row of the left matrices, marked by [`COMPUTED`], or zero. Empty if the factor is zero.
    terms: Vec<AtomicU64>,
}

/// The values that the sums of some rows begin with, and the units that they end with.
struct Block {
    /// The first terms.
    terms: [u32; ROWS],
    /// The units that are not whole, filled up by zeros.
    tails: [u32; ROWS],
}

impl Operands<'_> {
    /// The number of units in a column of a panel.
    fn units(&self) -> usize {
        self.inner.div_ceil(self.tiles.units.elements())
    }

    /// The number of units in a panel.
    fn panel_units(&self) -> usize {
        self.units() * self.tiles.width
    }

    /// The number of panels of a matrix.
    fn panels(&self) -> usize {
        self.columns.div_ceil(self.tiles.width)
    }

    /// The number of panels that are multiplied by some rows before the next rows.
    fn group(&self) -> usize {
        let bytes = match self.result_bytes() >= LARGE {
            true => PANEL_BYTES_OF_LARGE,
            false => PANEL_BYTES,
        };
        (bytes / (self.panel_units() * UNIT)).clamp(1, self.panels())
    }

    /// The size of a matrix of the result.
    fn result_bytes(&self) -> usize {
        self.rows * self.columns * UNIT
    }

    /// Returns which of an operand's matrices is multiplied for this matrix of the product.
    fn own_number(&self, operand: &Array, mut number: usize) -> usize {
        let stack = &self.product[..self.product.len() - 2];
        let own = &operand.shape()[..operand.rank() - 2];
        let (mut own_number, mut step) = (0, 1);
        for (size, own) in stack.iter().rev().zip(own.iter().rev()) {
            if *own > 1 {
                own_number += number % size * step;
                step *= own;
            }
            number /= size;
        }
        own_number
    }

    /// Packs panels of a right matrix.
    ///
    /// # Safety
    /// The matrix has these panels, and there is room for them.
    unsafe fn pack(&self, matrix: usize, panels: Range<usize>, to: *mut u32) {
        let width = self.tiles.width;
        let columns = panels.start * width..self.columns.min(panels.end * width);
        let from = columns_of(&self.b, matrix, columns, self.moved);
        // SAFETY: the processor has the tiles, which are for elements of `b`. The caller guarantees the columns, and room for the panels.
        unsafe { (self.tiles.pack)(&from, to) };
    }

    /// Packs all right matrices.
    fn packed(&self) -> Result<Uninit, Error> {
        let (panels, units) = (self.panels(), self.panel_units());
        let total = matrices(&self.b) * panels;
        element_count("matmul", &[total, units])?;
        let mut packed = Uninit::new(total * units * UNIT)?;
        let to = SendPtr::new(packed.as_mut_ptr().cast::<u32>());
        let min_len = MIN_PRODUCTS_PER_THREAD.div_ceil(units * PACKING);
        split(total, 1, min_len, |piece| {
            let mut start = piece.start;
            while start < piece.end {
                let (matrix, first) = (start / panels, start % panels);
                let end = panels.min(first + piece.end - start);
                // SAFETY: the matrix has the panels. There is room for all panels, and each is packed by one thread.
                unsafe { self.pack(matrix, first..end, to.get().add(start * units)) };
                start += end - first;
            }
        });
        Ok(packed)
    }

    /// Multiplies all matrices.
    fn multiplied(&self) -> Result<Buffer, Error> {
        let count: usize = self.product.iter().product();
        let mut result = Uninit::new(count * UNIT)?;
        let to = SendPtr::new(result.as_mut_ptr().cast::<u32>());
        let (rows, columns, panels) = (self.rows, self.columns, self.panels());
        let matrix = rows * columns;
        let by_panels = columns >= rows;
        // Matrices that are multiplied several times are packed once.
        let packs_pieces = by_panels && matrices(&self.b) == count / matrix;
        let mut packed = match packs_pieces {
            true => None,
            false => Some(self.packed()?),
        };
        let packed = packed
            .as_mut()
            .map(|packed| packed.as_mut_ptr().cast::<u32>().cast_const());
        let packed = packed.map(SendPtr::new);
        let (side, other, grain) = match by_panels {
            true => (panels, rows * self.tiles.width, 1),
            false => (rows, columns, ROWS),
        };
        let min_len = MIN_PRODUCTS_PER_THREAD.div_ceil(self.inner * other);
        try_split_into(
            PIECES_PER_THREAD,
            count / matrix * side,
            grain,
            min_len,
            |piece| {
                let bytes = self.group().min(piece.len()) * self.panel_units() * UNIT;
                let mut scratch = match packs_pieces {
                    true => Some(Uninit::new(bytes)?),
                    false => None,
                };
                let mut start = piece.start;
                while start < piece.end {
                    let (number, first) = (start / side, start % side);
                    let end = side.min(first + piece.end - start);
                    start += end - first;
                    let (rows, panels) = match by_panels {
                        true => (0..rows, first..end),
                        false => (first..end, 0..panels),
                    };
                    for first in panels.clone().step_by(self.group()) {
                        let group = first..panels.end.min(first + self.group());
                        let right = self.own_number(&self.b, number);
                        // SAFETY: the matrix has the panels. `packed` has all panels of all right matrices, and `scratch` room for those of
                        // a group, which are no more than those of the piece. The result has room for each matrix, and the pieces do not
                        // overlap.
                        unsafe {
                            let packed = match &mut scratch {
                                Some(scratch) => {
                                    let scratch = scratch.as_mut_ptr().cast();
                                    self.pack(right, group.clone(), scratch);
                                    scratch.cast_const()
                                }
                                None => {
                                    let all = packed.expect("packed before").get();
                                    all.add((right * self.panels() + first) * self.panel_units())
                                }
                            };
                            let to = to.get().add(number * matrix);
                            self.multiply(number, rows.clone(), group, packed, to);
                        }
                    }
                }
                Ok::<_, Error>(())
            },
        )?;
        // SAFETY: the pieces cover all rows or panels of each matrix, so each element was written.
        Ok(unsafe { result.assume_init() })
    }

    /// Multiplies rows by packed panels, for one matrix of the result.
    ///
    /// # Safety
    /// The matrix of this number, its rows and its panels exist; `packed` is the first one. `to` is the first element of the
    /// matrix in the result, whose part in these rows and panels can be written and is not used elsewhere.
    unsafe fn multiply(
        &self,
        number: usize,
        rows: Range<usize>,
        panels: Range<usize>,
        packed: *const u32,
        to: *mut u32,
    ) {
        let left = self.own_number(&self.a, number);
        let (a, a_stride) = matrix(&self.a, left);
        let (width, units) = (self.tiles.width, self.row_bytes / UNIT);
        let prefetches = units >= PREFETCHED_UNITS && self.result_bytes() > PREFETCHED_FROM;
        let has_tails = !self.row_bytes.is_multiple_of(UNIT);
        // Threads begin at different rows, so that each computes other terms.
        let blocks = rows.len().div_ceil(ROWS);
        let begin = blocks * panels.start / self.panels();
        for block in (begin..blocks).chain(0..begin) {
            let row = rows.start + block * ROWS;
            let count = (rows.end - row).min(ROWS);
            let a = a.wrapping_offset(row.cast_signed() * a_stride);
            // SAFETY: the caller guarantees the rows, which have these bytes.
            let ends = unsafe { self.block(a, a_stride, left * self.rows + row, count) };
            for (place, panel) in panels.clone().enumerate() {
                let column = panel * width;
                let factors = Factors {
                    a,
                    a_stride,
                    rows: count,
                    units,
                    tails: has_tails.then_some(ends.tails.as_ptr()),
                    b: packed.wrapping_add(place * self.panel_units()),
                    row_terms: ends.terms.as_ptr(),
                    output: to.wrapping_add(row * self.columns + column),
                    stride: self.columns,
                    columns: (self.columns - column).min(width),
                    prefetches,
                };
                // SAFETY: the processor has the tiles. The caller guarantees that the rows and panels exist, and that their part of
                // the result can be written. The block has the terms and tails of the rows.
                unsafe { (self.tiles.multiply)(&factors) };
            }
        }
    }

    /// Returns the block of some rows. `first` is the number of the first row among those of all left matrices.
    ///
    /// # Safety
    /// The rows exist, and are at most [`ROWS`].
    unsafe fn block(&self, a: *const u8, stride: isize, first: usize, rows: usize) -> Block {
        let mut block = Block {
            terms: [0; ROWS],
            tails: [0; ROWS],
        };
        let tail = self.row_bytes % UNIT;
        if tail > 0 {
            for (number, to) in block.tails[..rows].iter_mut().enumerate() {
                let row = a.wrapping_offset(number.cast_signed() * stride);
                let to: *mut u32 = to;
                // SAFETY: the caller guarantees the row, whose last bytes these are; they are fewer than a unit has.
                unsafe {
                    let from = row.add(self.row_bytes - tail);
                    from.copy_to_nonoverlapping(to.cast(), tail);
                }
            }
        }
        if self.terms.is_empty() {
            return block;
        }
        let known = &self.terms[first..first + rows];
        for number in (0..rows).step_by(MAX_SUMS) {
            let some = number..rows.min(number + MAX_SUMS);
            let (terms, known) = (&mut block.terms[some.clone()], &known[some.clone()]);
            // Relaxed, because a term does not refer to other memory. Threads that compute the same term store the same.
            let mut are_known = true;
            for (to, known) in terms.iter_mut().zip(known) {
                let term = known.load(Ordering::Relaxed);
                are_known &= term & COMPUTED != 0;
                #[expect(clippy::as_conversions, reason = "the lower half")]
                {
                    *to = term as u32;
                }
            }
            if are_known {
                continue;
            }
            let row = a.wrapping_offset(number.cast_signed() * stride);
            // SAFETY: the processor has the tiles, which are of bytes, as others have no factor. The caller guarantees the rows, which
            // are at most `MAX_SUMS`.
            let sums = unsafe { (self.tiles.sums)(row, stride, some.len(), self.row_bytes) };
            for ((to, known), sum) in terms.iter_mut().zip(known).zip(sums) {
                *to = sum.wrapping_mul(self.moved.factor);
                known.store(COMPUTED | u64::from(*to), Ordering::Relaxed);
            }
        }
        block
    }
}
