//! Products of matrices of small integers (`i8`, `u8`, `i16`) whose sums are 32-bit integers.
//!
//! 1. The right matrix is packed once into panels of 8 to 32 columns, in which the elements of a column that one
//!    instruction multiplies lie side by side, as a *unit* of 32 bits (`tile`). The left matrix is read in place if its
//!    rows are whole units.
//! 2. A tile of up to 12 rows by a panel is computed over the whole inner axis, so that its sums stay in registers.
//!    Panels that together fit the L2 cache are multiplied by some rows before the next rows are read.
//! 3. Up to 16 rows are multiplied by the right matrix without packing it all (`few`): by columns that lie side by side
//!    (`tile/few.rs`; a vector by a matrix of 1,024 x 1,024 takes 0.2 of the time) or by columns whose elements do (`tile/dots.rs`,
//!    0.1). Few columns are the rows of the transposed product.
//!
//! Processors with VNNI multiply unsigned bytes by signed ones. A right operand of the left one's sign is moved by 128
//! (`B' = B + 128` if both are signed, `B' = B - 128` if both are unsigned), which inverts its highest bits. So
//!
//! ```text
//! A * B = A * B' - 128 * rows(A)    or    A * B' + 128 * rows(A)
//! ```
//!
//! where `rows` are the sums along the inner axis: terms that the tiles start from. All of this is exact modulo 2^32. Other processors
//! multiply 16-bit integers, and bytes are widened to these first.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

mod few;
#[cfg(test)]
mod tests;
mod tile;

use core::ops::Range;
use std::borrow::Cow;

use super::cast::{cast, copied};
use super::drive::parallel::{SendPtr, split, split_into};
use super::matmul::shapes::MatmulShapes;
use super::pad::pad;
use crate::array::{Array, Buffer, Dims, ScalarBits, Uninit};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::simd::level;
use tile::{Columns, Factors, Tiles, UNIT, Units};

/// The smallest number of multiplications that is worth a thread: about 30 us with VNNI.
const MIN_PRODUCTS_PER_THREAD: usize = 1 << 23;
/// The largest number of pieces for each thread. With two, the others wait less for a thread that is interrupted, and each piece
/// still multiplies a row that it reads by many panels.
const PIECES_PER_THREAD: usize = 2;
/// The bytes of panels that are multiplied by some rows before the next rows: half of a small L2 cache.
const PANEL_BYTES: usize = 256 << 10;
/// The number of rows that are multiplied by each of those panels at a time; a multiple of the rows of each tile.
const ROWS: usize = 24;
/// The bits in which units of signed and moved bytes differ.
const SIGNS: u32 = 0x8080_8080;

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
    product_by(
        &|left, right| tile::choose(level(), left, right),
        a,
        b,
        shapes,
    )
}

/// [`product`] by the tiles that a function chooses for two dtypes, which the processor has.
fn product_by(
    choose: &dyn Fn(DType, DType) -> Tiles,
    a: &Array,
    b: &Array,
    shapes: &MatmulShapes,
) -> Result<Array, Error> {
    let result = match few::product(choose, a, b, shapes)? {
        Some(result) => result,
        None => {
            let tiles = choose(a.dtype(), b.dtype());
            let moved = Moved::new(&tiles, a.dtype(), b.dtype());
            let left = Left::new(&tiles, a, moved)?;
            let right = packed(&tiles, b, moved)?;
            let stack = |matrices: &Array| stacked(matrices, &shapes.product);
            let stacks = Stacks {
                rows: stack(&left.units)?,
                row_terms: stack(&left.terms)?,
                panels: stack(&right)?,
            };
            stacks.multiplied(&tiles, &shapes.product)?
        }
    };
    Ok(Array::from_buffer(result, DType::I32, shapes.result))
}

/// The conversion of the right operand, and the terms of rows for it.
#[derive(Clone, Copy)]
struct Moved {
    /// Bits to invert in each unit of the right operand.
    inverted: u32,
    /// The factor of the sums of rows that are added, modulo 2^32.
    factor: u32,
}

impl Moved {
    fn new(tiles: &Tiles, left: DType, right: DType) -> Self {
        if tiles.units == Units::Pairs || left != right {
            return Self {
                inverted: 0,
                factor: 0,
            };
        }
        let factor = match left {
            DType::I8 => 128_u32.wrapping_neg(),
            _ => 128,
        };
        Self {
            inverted: SIGNS,
            factor,
        }
    }
}

/// Broadcasts matrices to the leading axes of a result.
fn stacked(matrices: &Array, product: &Dims) -> Result<Array, Error> {
    let rank = matrices.rank();
    let last = [matrices.shape()[rank - 2], matrices.shape()[rank - 1]];
    matrices.broadcast_to(&with_matrix(product, last)?)
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
    fn new(tiles: &Tiles, a: &Array, moved: Moved) -> Result<Self, Error> {
        let units = Self::units(tiles, a)?;
        let rank = units.rank();
        let [rows, elements] = [units.shape()[rank - 2], units.shape()[rank - 1]];
        let shape = with_matrix(units.shape(), [rows, 1])?;
        let mut terms = Buffer::zeroed(matrices(&units) * rows * UNIT)?;
        if let Some(bytes) = terms.unique_bytes_mut()
            && moved.factor != 0
        {
            let terms: &mut [u32] = bytemuck::cast_slice_mut(bytes);
            for (row, term) in terms.iter_mut().enumerate() {
                let (first, stride) = matrix(&units, row / rows);
                let first = first.wrapping_offset((row % rows).cast_signed() * stride);
                // SAFETY: the processor has the tiles; the row exists, and consists of so many whole units of bytes, as
                // others have no factor.
                let sum = unsafe { (tiles.sum)(first, elements / tiles.units.elements()) };
                *term = sum.wrapping_mul(moved.factor);
            }
        }
        let terms = Array::from_buffer(terms, DType::U32, shape);
        Ok(Self { units, terms })
    }

    /// Returns the matrices with elements as the tiles take them, filled up to whole units by zeros. It is the array
    /// itself if that has them.
    fn units(tiles: &Tiles, a: &Array) -> Result<Array, Error> {
        let x = match tiles.units {
            Units::Pairs => cast(Cow::Borrowed(a), DType::I16)?,
            Units::Quads => a.clone(),
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

/// Packs the right operand: `[.., panels, units * width]`.
fn packed(tiles: &Tiles, b: &Array, moved: Moved) -> Result<Array, Error> {
    let rank = b.rank();
    let [inner, columns] = [b.shape()[rank - 2], b.shape()[rank - 1]];
    let (units, panels) = (
        inner.div_ceil(tiles.units.elements()),
        columns.div_ceil(tiles.width),
    );
    let shape = with_matrix(b.shape(), [panels, units * tiles.width])?;
    crate::array::element_count("matmul", &shape)?;
    let total = matrices(b) * panels;
    let mut packed = Uninit::new(total * units * tiles.width * UNIT)?;
    let to = SendPtr::new(packed.as_mut_ptr().cast::<u32>());
    let min_len = MIN_PRODUCTS_PER_THREAD.div_ceil(units * tiles.width);
    split(total, 1, min_len, |piece| {
        for number in piece {
            let first = number % panels * tiles.width;
            let last = columns.min(first + tiles.width);
            let from = columns_of(b, number / panels, first..last, moved);
            // SAFETY: the processor has the tiles. The columns exist, and the tiles are for elements of `b`. Each
            // panel has room for `units * width` units, and is packed by one thread.
            unsafe { (tiles.pack)(&from, to.get().add(number * units * tiles.width)) };
        }
    });
    // SAFETY: the pieces cover all panels, and packing writes each of them in full.
    let packed = unsafe { packed.assume_init() };
    Ok(Array::from_buffer(packed, DType::U32, shape))
}
/// Returns columns of a matrix of a stack.
fn columns_of(b: &Array, number: usize, columns: Range<usize>, moved: Moved) -> Columns {
    let size = b.dtype().size().cast_signed();
    let (first, row_stride) = matrix(b, number);
    let strides = [row_stride, b.strides()[b.rank() - 1] * size];
    Columns {
        first: first.wrapping_offset(columns.start.cast_signed() * strides[1]),
        strides,
        rows: b.shape()[b.rank() - 2],
        columns: columns.len(),
        inverted: moved.inverted,
    }
}

/// The operands with the leading axes of the result.
struct Stacks {
    rows: Array,
    row_terms: Array,
    panels: Array,
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
        [rows, panels]: [Range<usize>; 2],
        to: *mut u32,
        columns: usize,
    ) {
        let (a, a_stride) = matrix(&self.rows, number);
        let (row_terms, _) = matrix(&self.row_terms, number);
        let (b, b_stride) = matrix(&self.panels, number);
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
                        output: to.wrapping_add(row * columns + column),
                        stride: columns,
                        columns: (columns - column).min(tiles.width),
                    };
                    // SAFETY: the processor has the tiles. The caller guarantees that the rows and panels exist, and so do
                    // the terms of rows, which are contiguous within a matrix; and that their part of the result can be
                    // written.
                    unsafe { (tiles.multiply)(&factors) };
                }
            }
        }
    }
}
