//! Matrix products: shapes, dtypes, and what becomes one multiplication of two matrices.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

use std::borrow::Cow;

use super::cast::{cast, copied};
use super::gemm::{Factors, Matrix, Number};
use crate::array::{AllocError, Array, Buffer, Dims, Uninit, broadcast, element_count};
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::drive::parallel::{SendPtr, split_into};

/// The matrix product as NumPy defines it: of the last two axes, the others broadcast; an operand of
/// rank one is a row on the left, a column on the right, and its axis is absent from the result.
///
/// Operands are cast to `out`. Small floats are then multiplied and summed in `f32` and rounded once;
/// integers wrap; booleans multiply as and, add as or. Products over no elements are zero. The order of
/// additions of floats depends on the processor, the library (see `multiply`), the sizes and the number
/// of threads.
///
/// # Errors
/// [`Error::ShapeMismatch`], also for operands of rank zero; [`Error::ShapeTooLarge`],
/// [`Error::OutOfMemory`].
pub(crate) fn matmul(lhs: &Array, rhs: &Array, out: DType) -> Result<Array, Error> {
    let mismatch = || Error::ShapeMismatch {
        operation: "matmul",
        lhs: lhs.shape().to_vec(),
        rhs: rhs.shape().to_vec(),
    };
    if lhs.rank() == 0 || rhs.rank() == 0 {
        return Err(mismatch());
    }
    let (mut a, mut b) = (multiplied(lhs, out)?, multiplied(rhs, out)?);
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
    let of_stack = |x: &Array, last| x.broadcast_to(&shape_with(last)?);
    #[cfg(feature = "stablehlo")]
    if a.tracer().is_some() || b.tracer().is_some() {
        let (a, b) = (
            of_stack(&a, [rows, inner])?,
            of_stack(&b, [inner, columns])?,
        );
        let product = crate::stablehlo::record::products(&a, &b, shape)?;
        return without_vectors(lhs, rhs, result(product, out)?);
    }
    let product = if inner == 0 || count == 0 {
        Buffer::zeroed(count * dtype.size())?
    } else {
        if !dtype.kind().is_inexact() && b.strides()[b.rank() - 1] != 1 {
            b = copied(&b)?; // loops for integers read rows in one piece
        }
        let (a, b) = (
            of_stack(&a, [rows, inner])?,
            of_stack(&b, [inner, columns])?,
        );
        match dtype {
            DType::F32 => products::<f32>(&a, &b),
            DType::F64 => products::<f64>(&a, &b),
            DType::C64 => products::<[f32; 2]>(&a, &b),
            DType::C128 => products::<[f64; 2]>(&a, &b),
            DType::U32 => products::<u32>(&a, &b),
            _ => products::<u64>(&a, &b),
        }?
    };
    let product = result(Array::from_buffer(product, dtype, shape), out)?;
    without_vectors(lhs, rhs, product)
}

/// A product without the axes that operands of rank one were given.
fn without_vectors(lhs: &Array, rhs: &Array, mut product: Array) -> Result<Array, Error> {
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

/// An operand, as it is multiplied.
fn multiplied(x: &Array, out: DType) -> Result<Array, Error> {
    let (x, dtype) = (cast(Cow::Borrowed(x), out)?, computed_in(out));
    if same_bytes(out, dtype) && !is_traced(&x) {
        return Ok(x.bitcast(dtype));
    }
    cast(Cow::Owned(x), dtype)
}

/// Whether an array has no bytes to be seen as another dtype's.
fn is_traced(_x: &Array) -> bool {
    #[cfg(feature = "stablehlo")]
    return _x.tracer().is_some();
    #[cfg(not(feature = "stablehlo"))]
    false
}

/// A product, in the dtype that it is to have.
fn result(product: Array, out: DType) -> Result<Array, Error> {
    if same_bytes(product.dtype(), out) && !is_traced(&product) {
        return Ok(product.bitcast(out));
    }
    cast(Cow::Owned(product), out)
}

/// Fewer multiplications are not worth a thread: they take some 30 us.
const MIN_PRODUCTS_PER_THREAD: usize = 1 << 22;

/// How many columns the libraries multiply at a time at least. (They prefer up to 48, but a last part of 16 costs them
/// less than threads that get 240 and 272 columns: 0.51 and 0.56 of one thread.)
const GRAIN: usize = 16;

/// The products of stacks of matrices, none of them empty.
fn products<T: Number>(a: &Array, b: &Array) -> Result<Buffer, AllocError> {
    let rank = a.rank();
    let [rows, inner] = [a.shape()[rank - 2], a.shape()[rank - 1]];
    let columns = b.shape()[rank - 1];
    let matrices: usize = a.shape()[..rank - 2].iter().product();
    let each = rows * columns;
    let mut buffer = Uninit::new(matrices * each * size_of::<T>())?;
    let to = SendPtr::new(buffer.as_mut_ptr().cast::<T>());
    let product = T::product();
    let (by_columns, grain) = if a.dtype().kind().is_inexact() {
        // Libraries pack the right operand in any case, the left one less often.
        (columns >= rows / 2, GRAIN)
    } else {
        (false, 1) // half a row takes more than half as long
    };
    let (side, other) = if by_columns {
        (columns, rows)
    } else {
        (rows, columns)
    };
    let least = (MIN_PRODUCTS_PER_THREAD / inner).div_ceil(other);
    // Each piece packs the other operand again.
    split_into(1, matrices * side, grain, least, |piece| {
        let mut start = piece.start;
        while start < piece.end {
            let (number, first) = (start / side, start % side);
            let size = (side - first).min(piece.end - start);
            start += size;
            let mut factors = Factors::<T> {
                a: matrix(a, number),
                b: matrix(b, number),
                rows,
                inner,
                columns,
                stride: columns,
            };
            let offset = if by_columns {
                factors.b = factors.b.after(first, 1);
                factors.columns = size;
                first
            } else {
                factors.a = factors.a.after(first, 0);
                factors.rows = size;
                first * columns
            };
            let to = to.get().wrapping_add(number * each + offset);
            // SAFETY: both operands have a matrix of this number, with these rows and columns; the
            // buffer has room for each product, of which every part is written by one thread.
            unsafe { product(&(&raw const factors).cast(), to.cast(), size) };
        }
    });
    // SAFETY: each product was written in full.
    Ok(unsafe { buffer.assume_init() })
}

/// A matrix of a stack.
fn matrix<T>(stack: &Array, number: usize) -> Matrix<T> {
    debug_assert_eq!(stack.dtype().size(), size_of::<T>());
    let rank = stack.rank();
    let (mut left, mut offset) = (number, 0);
    for axis in (0..rank - 2).rev() {
        let size = stack.shape()[axis];
        offset += (left % size).cast_signed() * stack.strides()[axis];
        left /= size;
    }
    Matrix {
        first: stack.as_ptr().cast::<T>().wrapping_offset(offset),
        strides: [stack.strides()[rank - 2], stack.strides()[rank - 1]],
    }
}
