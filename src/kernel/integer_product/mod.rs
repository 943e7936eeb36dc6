//! Products of matrices of small integers (`i8`, `u8`, `i16`) whose sums are 32-bit integers.
//!
//! 1. The right matrix is packed once into panels of 8 to 32 columns, in which the elements of a column that one
//!    instruction multiplies lie side by side, as a *unit* of 32 bits (`packed`). The left matrix is read in place.
//! 2. A tile of up to 12 rows by a panel is computed over the whole inner axis, so that its sums stay in registers (`tile`).
//!    Panels that together fit the L2 cache are packed and multiplied by some rows before the next rows are read.
//! 3. Up to 16 rows are multiplied by the right matrix without packing it all (`few`): by columns that lie side by side
//!    (`tile/few.rs`; a vector by a matrix of 1,024 x 1,024 takes 0.2 of the time; up to 32 rows by large matrices) or by columns whose
//!    elements do (`tile/dots.rs`, 0.1). Few columns are the rows of the transposed product.
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
mod packed;
#[cfg(test)]
mod tests;
mod tile;

use core::ops::Range;

use super::matmul::shapes::{MatmulShapes, matrix_offset};
use crate::array::Array;
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::simd::level;
use tile::{Columns, Tiles, Units};

/// The smallest number of multiplications that is worth a thread: about 30 us with VNNI.
const MIN_PRODUCTS_PER_THREAD: usize = 1 << 23;
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
            packed::product(&tiles, a, b, &shapes.product)?
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

/// Returns the number of matrices in a stack.
fn matrices(stack: &Array) -> usize {
    stack.shape()[..stack.rank() - 2].iter().product()
}

/// Returns the address of a matrix of a stack, and the distance of its rows in bytes.
fn matrix(stack: &Array, number: usize) -> (*const u8, isize) {
    let size = stack.dtype().size().cast_signed();
    let first = stack
        .as_ptr()
        .wrapping_offset(matrix_offset(stack, number) * size);
    (first, stack.strides()[stack.rank() - 2] * size)
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
