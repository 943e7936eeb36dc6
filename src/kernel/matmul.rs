//! Matrix products: shapes, and what the loops of `gemm` multiply.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

use std::borrow::Cow;

use num_complex::Complex;

use super::cast::cast;
use super::gemm::{Matrix, Number, Part, multiply};
use super::parallel::{Shared, split};
use crate::array::{Array, Buffer, Dims, Uninit, broadcast, element_count};
use crate::dtype::{DType, Element, Kind};
use crate::error::Error;

/// The matrix product as NumPy defines it: of the last two axes, the others broadcast; an operand of
/// rank one is a row on the left, a column on the right, and its axis is absent from the result.
///
/// Operands are cast to `out`. Small floats are then multiplied and summed in `f32` and rounded once;
/// integers wrap; booleans multiply as and, add as or. Products over no elements are zero. Floats are
/// added in an order that depends on nothing but the size of the inner axis (see `gemm`).
///
/// # Errors
/// [`Error::ShapeMismatch`], also for operands of rank zero.
pub(crate) fn matmul(lhs: &Array, rhs: &Array, out: DType) -> Result<Array, Error> {
    let mismatch = || Error::ShapeMismatch {
        operation: "matmul",
        lhs: lhs.shape().to_vec(),
        rhs: rhs.shape().to_vec(),
    };
    if lhs.rank() == 0 || rhs.rank() == 0 {
        return Err(mismatch());
    }
    let (mut a, mut b) = (multiplied(lhs, out), multiplied(rhs, out));
    if lhs.rank() == 1 {
        a = a.unsqueeze(0)?;
    }
    if rhs.rank() == 1 {
        b = b.unsqueeze(1)?;
    }
    let (a_batch, a_matrix) = a.shape().split_at(a.rank() - 2);
    let (b_batch, b_matrix) = b.shape().split_at(b.rank() - 2);
    let ([rows, inner], [b_rows, columns]) =
        ([a_matrix[0], a_matrix[1]], [b_matrix[0], b_matrix[1]]);
    if inner != b_rows {
        return Err(mismatch());
    }
    let batch = broadcast("matmul", a_batch, b_batch).map_err(|_| mismatch())?;
    let shape_with = |last: [usize; 2]| Dims::new(&[&*batch, &last].concat());
    let shape = shape_with([rows, columns])?;
    let count = element_count(&shape)?;
    let dtype = a.dtype();
    let product = if inner == 0 || count == 0 {
        Buffer::zeroed(count * dtype.size())
    } else {
        let b = match dtype {
            DType::C64 => real_factor::<f32>(&b)?,
            DType::C128 => real_factor::<f64>(&b)?,
            _ => b,
        };
        let [b_rows, b_columns] = [b.shape()[b.rank() - 2], b.shape()[b.rank() - 1]];
        let a = a.broadcast_to(&shape_with([rows, inner])?)?;
        let b = b.broadcast_to(&shape_with([b_rows, b_columns])?)?;
        match b.dtype() {
            DType::F32 => products::<f32>(&a, &b),
            DType::F64 => products::<f64>(&a, &b),
            DType::U32 => products::<u32>(&a, &b),
            _ => products::<u64>(&a, &b),
        }
    };
    let mut product = result(Array::from_buffer(product, dtype, shape), out);
    if rhs.rank() == 1 {
        product = product.squeeze(product.rank() - 1)?;
    }
    if lhs.rank() == 1 {
        // The row axis: the last but one, or the last if the column's is gone.
        let axis = product.rank() - if rhs.rank() == 1 { 1 } else { 2 };
        product = product.squeeze(axis)?;
    }
    Ok(product)
}

/// The dtype in which a product is computed. Truth values are counted in `f32`, which never comes back to
/// zero.
fn computed_in(out: DType) -> DType {
    match out.kind() {
        Kind::Bool => DType::F32,
        Kind::Signed | Kind::Unsigned if out.size() == 8 => DType::U64,
        Kind::Signed | Kind::Unsigned => DType::U32,
        Kind::Float if out == DType::F64 => DType::F64,
        Kind::Float => DType::F32,
        Kind::Complex => out,
    }
}

/// Whether integers have the same bytes in both dtypes; their sign does not matter to products that wrap.
fn same_bytes(a: DType, b: DType) -> bool {
    !a.kind().is_inexact() && !b.kind().is_inexact() && a.size() == b.size()
}

/// An operand, as it is multiplied. Complex numbers lie one after the other in rows, since they are
/// multiplied as pairs.
fn multiplied(x: &Array, out: DType) -> Array {
    let (x, dtype) = (cast(Cow::Borrowed(x), out), computed_in(out));
    if same_bytes(out, dtype) {
        return x.retagged(dtype);
    }
    if dtype.kind() == Kind::Complex && x.strides()[x.rank() - 1] != 1 {
        return super::copied(&x);
    }
    cast(Cow::Owned(x), dtype)
}

/// A product, in the dtype that it is to have.
fn result(product: Array, out: DType) -> Array {
    if same_bytes(product.dtype(), out) {
        return product.retagged(out);
    }
    cast(Cow::Owned(product), out)
}

/// What rows of complex numbers, read as pairs of real ones, are multiplied by to give rows of pairs: for
/// each number `[re, im]`, and below it `[-im, re]`.
fn real_factor<T: Element + core::ops::Neg<Output = T>>(b: &Array) -> Result<Array, Error>
where
    Complex<T>: Element,
{
    let numbers: Vec<Complex<T>> = b.to_vec();
    let mut shape = *b.dims();
    let rank = shape.len();
    let width = shape[rank - 1];
    shape[rank - 2] *= 2;
    shape[rank - 1] *= 2;
    Array::from_positions(&shape, |at| {
        let (row, column) = (at / (2 * width), at % (2 * width));
        let number = numbers[row / 2 * width + column / 2];
        match (row % 2, column % 2) {
            (0, 0) | (1, 1) => number.re,
            (0, _) => number.im,
            _ => -number.im,
        }
    })
}

/// Fewer multiplications are not worth a thread: they take some 30 us.
const FEWEST: usize = 1 << 22;

/// The products of stacks of matrices, none of them empty. Left elements may be pairs of `T`; the right
/// matrices are then twice as high and wide.
fn products<T: Number>(a: &Array, b: &Array) -> Buffer {
    let rank = a.rank();
    let parts = (a.dtype().size() / size_of::<T>()).cast_signed();
    let rows = a.shape()[rank - 2];
    let [inner, columns] = [b.shape()[rank - 2], b.shape()[rank - 1]];
    let matrices: usize = a.shape()[..rank - 2].iter().product();
    let each = rows * columns;
    let mut buffer = Uninit::new(matrices * each * size_of::<T>());
    let to = Shared::new(buffer.as_mut_ptr().cast::<T>());
    let tile = T::tile();
    // Along columns the left operand is shared as it lies.
    let by_columns = columns >= rows / 2;
    let (side, other, grain) = if by_columns {
        (columns, rows, tile.columns)
    } else {
        (rows, columns, tile.rows)
    };
    let least = (FEWEST / inner).div_ceil(other);
    split(matrices * side, grain, least, |piece| {
        let mut start = piece.start;
        while start < piece.end {
            let (number, first) = (start / side, start % side);
            let end = side.min(first + piece.end - start);
            start += end - first;
            let (part_rows, part_columns) = if by_columns {
                (0..rows, first..end)
            } else {
                (first..end, 0..columns)
            };
            let part = Part {
                a: matrix(a, number, parts),
                b: matrix(b, number, 1),
                inner,
                rows: part_rows,
                columns: part_columns,
                to: to.get().wrapping_add(number * each),
                stride: columns,
            };
            // SAFETY: both operands have a matrix of this number, the left one as many numbers in a row
            // as the right one has rows; the buffer has room for each product, of which every part is
            // written by one thread.
            unsafe { multiply(tile, &part) };
        }
    });
    // SAFETY: each product was written in full.
    unsafe { buffer.assume_init() }
}

/// A matrix of a stack, as numbers of which each element has `parts`, one after the other along rows.
fn matrix<T>(stack: &Array, number: usize, parts: isize) -> Matrix<T> {
    let rank = stack.rank();
    let (mut left, mut offset) = (number, 0);
    for axis in (0..rank - 2).rev() {
        let size = stack.shape()[axis];
        offset += (left % size).cast_signed() * stack.strides()[axis];
        left /= size;
    }
    let [row, column] = [stack.strides()[rank - 2], stack.strides()[rank - 1]];
    Matrix {
        first: stack.as_ptr().cast::<T>().wrapping_offset(offset * parts),
        strides: [row * parts, if parts == 1 { column } else { 1 }],
    }
}
