//! Products of matrices of small integers (`i8`, `u8`, `i16`) whose sums are 32-bit integers.
//!
//! 1. The right matrix is packed once into panels of 8 to 32 columns, in which the elements of a column that one
//!    instruction multiplies lie side by side, as a *unit* of 32 bits (`tile`). The left matrix is read in place if its
//!    rows are whole units of signed bytes.
//! 2. A tile of up to 12 rows by a panel is computed over the whole inner axis, so that its sums stay in registers.
//!    Panels that together fit the L2 cache are multiplied by some rows before the next rows are read.
//!
//! Processors with VNNI multiply unsigned bytes (right) by signed ones (left). An operand of the other sign is moved by
//! 128 (`A' = A - 128`, `B' = B + 128`), which inverts its highest bits. With the offsets `a` and `b`, 128 or 0,
//!
//! ```text
//! A * B = (A' + a) * (B' - b) = A' * B' - b * rows(A') + a * columns(B') - a * b * inner
//! ```
//!
//! where `rows` and `columns` are the sums along the inner axis: terms that the tiles start from. All of this is exact
//! modulo 2^32. Other processors multiply 16-bit integers, and bytes are widened to these first.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

#[cfg(test)]
mod tests;
mod tile;

use std::borrow::Cow;

use super::binary::{BinaryOp, binary};
use super::cast::{cast, copied};
use super::drive::parallel::{SendPtr, split, split_into};
use super::matmul::MatmulShapes;
use super::pad::pad;
use crate::array::{Array, Buffer, Datum, Dims, ScalarBits, Uninit};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::simd::level;
use tile::{Columns, Factors, MAX_WIDTH, Tiles, UNIT, Units};

/// The smallest number of multiplications that is worth a thread: about 30 us with VNNI.
const MIN_PRODUCTS_PER_THREAD: usize = 1 << 23;
/// The largest number of pieces for each thread: two, so that an interrupted thread keeps the others waiting for less, and each piece
/// still has many panels for each row that it reads.
const PIECES_PER_THREAD: usize = 2;
/// The bytes of panels that are multiplied by some rows before the next rows: half of a small L2 cache.
const PANEL_BYTES: usize = 256 << 10;
/// The number of rows that are multiplied by each of those panels at a time; a multiple of the rows of each tile.
const ROWS: usize = 24;
/// The bit in which signed and moved bytes differ.
const SIGN: u8 = 0x80;

/// Returns the largest magnitude of elements that the loops take, or `None` for other dtypes.
fn magnitude(dtype: DType) -> Option<usize> {
    match dtype {
        DType::I8 => Some(1 << 7),
        DType::U8 => Some((1 << 8) - 1),
        DType::I16 => Some(1 << 15),
        _ => None,
    }
}

/// Returns whether [`product`] computes this product: of small integers into integers of up to 32 bits, or into 64 bits if
/// 32 bits hold each sum.
pub(super) fn applies(a: DType, b: DType, out: DType, inner: usize) -> bool {
    let (Some(a), Some(b)) = (magnitude(a), magnitude(b)) else {
        return false;
    };
    let fits = || inner < (1 << 31) / (a * b);
    matches!(out.kind(), Kind::Signed | Kind::Unsigned) && (out.size() <= 4 || fits())
}

/// Multiplies stacks of matrices, whose leading axes broadcast and none of which is empty. The result is `i32`; sums wrap.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::ShapeTooLarge`].
pub(super) fn product(a: &Array, b: &Array, shapes: &MatmulShapes) -> Result<Array, Error> {
    let bytes = a.dtype().size() == 1 && b.dtype().size() == 1;
    product_by(&tile::choose(level(), bytes), a, b, shapes)
}

/// [`product`] by these tiles, which the processor has.
fn product_by(tiles: &Tiles, a: &Array, b: &Array, shapes: &MatmulShapes) -> Result<Array, Error> {
    let offsets = match tiles.units {
        Units::Quads => [
            u32::from(a.dtype() == DType::U8) * 128,
            u32::from(b.dtype() == DType::I8) * 128,
        ],
        Units::Pairs => [0; 2],
    };
    let left = Left::new(tiles, a, offsets)?;
    let right = Right::new(tiles, b, offsets)?;
    let stack = |matrices: &Array| -> Result<Array, Error> {
        let rank = matrices.rank();
        let last = [matrices.shape()[rank - 2], matrices.shape()[rank - 1]];
        matrices.broadcast_to(&with_matrix(&shapes.product, last)?)
    };
    let stacks = Stacks {
        rows: stack(&left.units)?,
        row_terms: stack(&left.terms)?,
        panels: stack(&right.panels)?,
        column_terms: stack(&right.terms)?,
    };
    let result = stacks.multiplied(tiles, &shapes.product)?;
    Ok(Array::from_buffer(result, DType::I32, shapes.product))
}

/// Returns a shape with other sizes of the last two axes.
fn with_matrix(shape: &[usize], last: [usize; 2]) -> Result<Dims, Error> {
    Dims::new(&[&shape[..shape.len() - 2], &last].concat())
}

/// Returns the number of matrices in a stack.
fn matrices(stack: &Array) -> usize {
    stack.shape()[..stack.rank() - 2].iter().product()
}

/// Returns the address of a matrix of a stack, and the distance of its rows in bytes.
fn matrix(stack: &Array, number: usize) -> (*const u8, isize) {
    let (rank, size) = (stack.rank(), stack.dtype().size().cast_signed());
    let (mut left, mut offset) = (number, 0);
    for axis in (0..rank - 2).rev() {
        let axis_size = stack.shape()[axis];
        offset += (left % axis_size).cast_signed() * stack.strides()[axis];
        left /= axis_size;
    }
    let first = stack.as_ptr().wrapping_offset(offset * size);
    (first, stack.strides()[rank - 2] * size)
}

/// The left operand.
struct Left {
    /// Matrices whose rows are whole units, contiguous along the rows.
    units: Array,
    /// The terms of each row: `[.., rows, 1]`.
    terms: Array,
}

impl Left {
    fn new(tiles: &Tiles, a: &Array, offsets: [u32; 2]) -> Result<Self, Error> {
        let units = Self::units(tiles, a)?;
        let rank = units.rank();
        let [rows, elements] = [units.shape()[rank - 2], units.shape()[rank - 1]];
        let shape = with_matrix(units.shape(), [rows, 1])?;
        let mut terms = Buffer::zeroed(matrices(&units) * rows * UNIT)?;
        if let Some(bytes) = terms.unique_bytes_mut()
            && offsets[1] != 0
        {
            let terms: &mut [u32] = bytemuck::cast_slice_mut(bytes);
            for (row, term) in terms.iter_mut().enumerate() {
                let (first, stride) = matrix(&units, row / rows);
                let first = first.wrapping_offset((row % rows).cast_signed() * stride);
                // SAFETY: the processor has the tiles; the row exists, and consists of so many whole units, as offsets are
                // of bytes.
                let sum = unsafe { (tiles.sum)(first, elements / tiles.units.elements()) };
                *term = sum.wrapping_mul(offsets[1]).wrapping_neg();
            }
        }
        let terms = Array::from_buffer(terms, DType::U32, shape);
        Ok(Self { units, terms })
    }

    /// Returns the matrices with elements as the tiles take them, filled up to whole units by zeros. It is the array
    /// itself if that has them.
    fn units(tiles: &Tiles, a: &Array) -> Result<Array, Error> {
        let x = match (tiles.units, a.dtype()) {
            (Units::Pairs, _) => cast(Cow::Borrowed(a), DType::I16)?,
            (Units::Quads, DType::U8) => {
                let sign = Datum::ScalarBits(ScalarBits::new(SIGN));
                let a = Datum::Array(Cow::Borrowed(a));
                let moved = binary(BinaryOp::Xor, DType::U8, DType::U8, a, sign);
                moved.array()?.bitcast(DType::I8)
            }
            (Units::Quads, _) => a.clone(),
        };
        let last = x.rank() - 1;
        let elements = tiles.units.elements();
        let missing = x.shape()[last].next_multiple_of(elements) - x.shape()[last];
        if missing != 0 {
            let mut padding = vec![[0, 0]; x.rank()];
            padding[last][1] = missing;
            return pad(&x, &padding, ScalarBits::of(x.dtype(), false));
        }
        if x.strides()[last] != 1 {
            return copied(&x);
        }
        Ok(x)
    }
}

/// The right operand, packed.
struct Right {
    /// `[.., panels, units * width]`.
    panels: Array,
    /// The terms of each column, also of those that fill up the last panel: `[.., panels, width]`.
    terms: Array,
}

impl Right {
    fn new(tiles: &Tiles, b: &Array, offsets: [u32; 2]) -> Result<Self, Error> {
        let b = match tiles.units {
            Units::Quads => b.clone(),
            Units::Pairs => cast(Cow::Borrowed(b), DType::I16)?,
        };
        let rank = b.rank();
        let [inner, columns] = [b.shape()[rank - 2], b.shape()[rank - 1]];
        let (units, panels) = (
            inner.div_ceil(tiles.units.elements()),
            columns.div_ceil(tiles.width),
        );
        let shape = with_matrix(b.shape(), [panels, units * tiles.width])?;
        crate::array::element_count(&shape)?;
        let total = matrices(&b) * panels;
        let mut packed = Uninit::new(total * units * tiles.width * UNIT)?;
        let to = SendPtr::new(packed.as_mut_ptr().cast::<u32>());
        let size = b.dtype().size().cast_signed();
        let min_len = MIN_PRODUCTS_PER_THREAD.div_ceil(units * tiles.width);
        split(total, 1, min_len, |piece| {
            for number in piece {
                let first = number % panels * tiles.width;
                let (matrix, row_stride) = matrix(&b, number / panels);
                let strides = [row_stride, b.strides()[rank - 1] * size];
                let from = Columns {
                    first: matrix.wrapping_offset(first.cast_signed() * strides[1]),
                    strides,
                    rows: inner,
                    columns: (columns - first).min(tiles.width),
                    inverted: if offsets[1] == 0 { 0 } else { SIGN },
                };
                // SAFETY: the processor has the tiles. The columns exist, and `b` has elements of the tiles' units. Each
                // panel has room for `units * width` units, and is packed by one thread.
                unsafe { (tiles.pack)(&from, to.get().add(number * units * tiles.width)) };
            }
        });
        // SAFETY: the pieces cover all panels, and packing writes each of them in full.
        let packed = unsafe { packed.assume_init() };
        let terms_shape = with_matrix(b.shape(), [panels, tiles.width])?;
        let terms = Self::terms(tiles, &packed, [total, units, inner], offsets)?;
        Ok(Self {
            panels: Array::from_buffer(packed, DType::U32, shape),
            terms: Array::from_buffer(terms, DType::U32, terms_shape),
        })
    }

    /// Computes the terms of all columns, from the products of the panels with a row of ones.
    fn terms(
        tiles: &Tiles,
        packed: &Buffer,
        [total, units, inner]: [usize; 3],
        offsets: [u32; 2],
    ) -> Result<Buffer, Error> {
        let mut terms = Buffer::zeroed(total * tiles.width * UNIT)?;
        let Some(bytes) = terms.unique_bytes_mut().filter(|_| offsets[0] != 0) else {
            return Ok(terms);
        };
        let terms_of: &mut [u32] = bytemuck::cast_slice_mut(bytes);
        let mut ones = Buffer::zeroed(units * UNIT)?;
        if let Some(bytes) = ones.unique_bytes_mut() {
            bytes.fill(1);
        }
        let none = [0; MAX_WIDTH];
        let both = wrapped(inner).wrapping_mul(offsets[0] * offsets[1]);
        for (number, terms) in terms_of.chunks_exact_mut(tiles.width).enumerate() {
            let panel = packed
                .as_ptr()
                .wrapping_add(number * units * tiles.width * UNIT);
            let factors = Factors {
                a: ones.as_ptr(),
                a_stride: 0,
                rows: 1,
                units,
                b: panel.cast(),
                row_terms: none.as_ptr(),
                column_terms: none.as_ptr(),
                output: terms.as_mut_ptr(),
                stride: 0,
                columns: tiles.width,
            };
            // SAFETY: the processor has the tiles. There is one row, of `units` ones; the panel has `units * width` units;
            // `none` has as many terms as a panel may have columns, and `terms` as many elements as this one has.
            unsafe { (tiles.multiply)(&factors) };
            for term in terms {
                *term = term.wrapping_mul(offsets[0]).wrapping_sub(both);
            }
        }
        Ok(terms)
    }
}

/// Returns a number modulo 2^32.
#[expect(clippy::as_conversions, reason = "it wraps on purpose")]
fn wrapped(number: usize) -> u32 {
    number as u32
}

/// The operands with the leading axes of the result.
struct Stacks {
    rows: Array,
    row_terms: Array,
    panels: Array,
    column_terms: Array,
}

impl Stacks {
    /// Multiplies all matrices; the result has this shape.
    fn multiplied(&self, tiles: &Tiles, shape: &Dims) -> Result<Buffer, Error> {
        let rank = shape.len();
        let [rows, columns] = [shape[rank - 2], shape[rank - 1]];
        let count: usize = shape.iter().product();
        let mut result = Uninit::new(count * UNIT)?;
        let to = SendPtr::new(result.as_mut_ptr().cast::<u32>());
        let panels = columns.div_ceil(tiles.width);
        let by_panels = columns >= rows;
        let (side, other) = match by_panels {
            true => (panels, rows * tiles.width),
            false => (rows, columns),
        };
        let inner = self.panels.shape()[rank - 1] / tiles.width * tiles.units.elements();
        let min_len = MIN_PRODUCTS_PER_THREAD.div_ceil(inner * other);
        let grain = if by_panels { 1 } else { ROWS };
        split_into(
            PIECES_PER_THREAD,
            count / (rows * columns) * side,
            grain,
            min_len,
            |piece| {
                let mut start = piece.start;
                while start < piece.end {
                    let (number, first) = (start / side, start % side);
                    let end = side.min(first + piece.end - start);
                    start += end - first;
                    let part = match by_panels {
                        true => [0..rows, first..end],
                        false => [first..end, 0..panels],
                    };
                    let to = to.get().wrapping_add(number * rows * columns);
                    // SAFETY: the caller of this closure gives each piece to one thread, and the parts of the pieces do not
                    // overlap; the result has room for each matrix.
                    unsafe { self.multiply_part(tiles, number, part, to, columns) };
                }
            },
        );
        // SAFETY: the pieces cover all rows or panels of each matrix, so each element was written.
        Ok(unsafe { result.assume_init() })
    }

    /// Multiplies rows by panels of one matrix of the result, which has `columns` columns.
    ///
    /// # Safety
    /// The matrix of this number, its rows and its panels exist. `to` is the first element of the matrix in the result,
    /// whose part in these rows and panels can be written and is not used elsewhere.
    unsafe fn multiply_part(
        &self,
        tiles: &Tiles,
        number: usize,
        [rows, panels]: [core::ops::Range<usize>; 2],
        to: *mut u32,
        columns: usize,
    ) {
        let (a, a_stride) = matrix(&self.rows, number);
        let (row_terms, _) = matrix(&self.row_terms, number);
        let (b, b_stride) = matrix(&self.panels, number);
        let (column_terms, terms_stride) = matrix(&self.column_terms, number);
        let units = self.panels.shape()[self.panels.rank() - 1] / tiles.width;
        let group = (PANEL_BYTES / (units * tiles.width * UNIT)).max(1);
        for first_panel in panels.clone().step_by(group) {
            for row in rows.clone().step_by(ROWS) {
                for panel in first_panel..panels.end.min(first_panel + group) {
                    let column = panel * tiles.width;
                    let panel = panel.cast_signed();
                    let factors = Factors {
                        a: a.wrapping_offset(row.cast_signed() * a_stride),
                        a_stride,
                        rows: (rows.end - row).min(ROWS),
                        units,
                        b: b.wrapping_offset(panel * b_stride).cast(),
                        row_terms: row_terms.cast::<u32>().wrapping_add(row),
                        column_terms: column_terms.wrapping_offset(panel * terms_stride).cast(),
                        output: to.wrapping_add(row * columns + column),
                        stride: columns,
                        columns: (columns - column).min(tiles.width),
                    };
                    // SAFETY: the processor has the tiles. The caller guarantees that the rows and panels exist, and so do
                    // their terms, which are contiguous within a matrix; and that their part of the result can be
                    // written.
                    unsafe { (tiles.multiply)(&factors) };
                }
            }
        }
    }
}
