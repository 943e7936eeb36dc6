//! Matrix products: their dtypes, and how a product of stacks is divided into products of two matrices.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

mod boolean;
mod factors;
mod gemm;
mod gemv;
pub(in crate::kernel) mod multiply_add;
mod narrow;
pub(in crate::kernel) mod shapes;

use std::borrow::Cow;

use self::factors::{Factors, Matrix};
use self::gemm::Number;
use self::gemv::{matrix_by_column, row_by_matrix};
use self::narrow::Limits;
use self::shapes::{MatmulShapes, matrix_offset};
use super::cast::{cast, copied};
use super::integer_product;
use crate::array::{AllocError, Array, Buffer, Dims, Uninit};
use crate::dtype::format::Format;
use crate::dtype::{DType, Element, Kind, bf16, c64, c128, f16};
use crate::error::Error;
use crate::kernel::drive::parallel::{SendPtr, split_into};
use crate::simd::{Kernel, for_types};

/// Computes the matrix product as NumPy defines it: of the last two axes, while the others broadcast. An operand of
/// rank one is a row on the left and a column on the right, and the result lacks that axis.
///
/// Operands are cast to `out`. Small floats are then multiplied and summed in `f32` and rounded once; integers wrap;
/// for booleans, multiplication is "and", addition is "or". Products over no elements are zero. The order of
/// additions of floats depends on the processor, the library (see `gemm`), the sizes and the number of threads.
///
/// # Errors
/// [`Error::SizeMismatch`], [`Error::ShapeMismatch`], [`Error::TooFewAxes`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn matmul(lhs: &Array, rhs: &Array, out: DType) -> Result<Array, Error> {
    let shapes = MatmulShapes::new(lhs.dims(), rhs.dims())?;
    let (mut a, mut b) = (lhs.clone(), rhs.clone());
    if lhs.rank() == 1 {
        a = a.unsqueeze(0)?;
    }
    if rhs.rank() == 1 {
        b = b.unsqueeze(1)?;
    }
    let [rows, inner, columns] = shapes.sizes();
    // Packing takes longer than such a product.
    let is_small = inner <= FEW_TERMS && rows.min(columns) <= FEW_TERMS;
    let product = if inner == 0 || shapes.product.contains(&0) {
        let count: usize = shapes.product.iter().product();
        let zeros = Buffer::zeroed(count * out.size())?;
        Array::from_buffer(zeros, out, shapes.result)
    } else if !is_small && integer_product::applies(lhs.dtype(), rhs.dtype(), out, inner) {
        integer_product::product(&a, &b, &shapes)?
    } else if out == DType::Bool && !Limits::OF_REALS.fit_few_terms([rows, inner, columns]) {
        let [a, b] = [&a, &b].map(|x| cast(Cow::Borrowed(x), out));
        Array::from_buffer(boolean::product(&a?, &b?, &shapes)?, out, shapes.result)
    } else {
        product_in(out, &a, &b, &shapes)?
    };
    result(product, out)
}

/// Multiplies stacks of matrices, none of which is empty, in the dtype in which products of `out` are computed.
fn product_in(out: DType, a: &Array, b: &Array, shapes: &MatmulShapes) -> Result<Array, Error> {
    if let Some(product) = narrow_product(out, a, b, shapes)? {
        return Ok(product);
    }
    let (mut a, mut b) = (multiplied(a, out)?, multiplied(b, out)?);
    let dtype = a.dtype();
    // The loops for vectors read contiguous ones; the copy is no longer than a row of the matrix.
    if a.shape()[a.rank() - 2] == 1 && a.strides()[a.rank() - 1] != 1 {
        a = copied(&a)?;
    }
    if b.shape()[b.rank() - 1] == 1 && b.strides()[b.rank() - 2] != 1 {
        b = copied(&b)?;
    }
    let is_in_place = shapes.sizes()[2] == 1 || Limits::OF_INTEGERS.fit(shapes.sizes());
    if !dtype.kind().is_inexact() && !is_in_place && b.strides()[b.rank() - 1] != 1 {
        b = copied(&b)?; // the other loop for integers reads rows in one piece
    }
    let (a, b) = (stacked(a, &shapes.lhs)?, stacked(b, &shapes.rhs)?);
    let product = match dtype {
        DType::F32 => products_of::<f32>(&a, &b),
        DType::F64 => products_of::<f64>(&a, &b),
        DType::C64 => products_of::<c64>(&a, &b),
        DType::C128 => products_of::<c128>(&a, &b),
        DType::U32 => products_of::<u32>(&a, &b),
        _ => products_of::<u64>(&a, &b),
    }?;
    Ok(Array::from_buffer(product, dtype, shapes.result))
}

/// Multiplies stacks of rows by stacks of matrices of `f16` or `bf16`, or stacks of such matrices by stacks of columns, as `f32`. The
/// matrices are read as they are, which takes half of the time for large ones. `None` if the operands are others, or have a layout that
/// needs a copy.
fn narrow_product(
    out: DType,
    a: &Array,
    b: &Array,
    shapes: &MatmulShapes,
) -> Result<Option<Array>, Error> {
    let is_row = a.shape()[a.rank() - 2] == 1;
    let is_column = b.shape()[b.rank() - 1] == 1;
    let (matrix, vector) = if is_row { (b, a) } else { (a, b) };
    let is_exact = out == matrix.dtype() || out == DType::F32;
    let is_narrow = matches!(matrix.dtype(), DType::F16 | DType::BF16);
    if !(is_row || is_column) || !is_exact || !is_narrow {
        return Ok(None);
    }
    // The sum of one product reads both operands once.
    let is_dot = is_row && is_column && a.dtype() == b.dtype();
    let mut vector = match is_dot {
        true => vector.clone(),
        false => multiplied(vector, out)?,
    };
    let axis = vector.rank() - if is_row { 1 } else { 2 };
    if vector.strides()[axis] != 1 {
        vector = copied(&vector)?;
    }
    let matrix = matrix.clone();
    let (a, b) = if is_row {
        (vector, matrix)
    } else {
        (matrix, vector)
    };
    let (a, b) = (stacked(a, &shapes.lhs)?, stacked(b, &shapes.rhs)?);
    let product = for_types!(if is_row { b.dtype() } else { a.dtype() }, E in [DType::F16 => f16] => {
        if is_dot { in_place::<E, E>(&a, &b, is_row) } else { in_place::<E, f32>(&a, &b, is_row) }
    }, _ => {
        if is_dot { in_place::<bf16, bf16>(&a, &b, is_row) } else { in_place::<bf16, f32>(&a, &b, is_row) }
    });
    let product = product.transpose()?;
    Ok(product.map(|product| Array::from_buffer(product, DType::F32, shapes.result)))
}

/// Multiplies as [`narrow_product`] does; the matrices have elements `E`, and the rows or columns `V`.
fn in_place<E: Element + Format<Compute = f32>, V: Format<Compute = f32>>(
    a: &Array,
    b: &Array,
    is_row: bool,
) -> Option<Result<Buffer, AllocError>> {
    if is_row {
        let kernel = row_by_matrix::<E, V>(&factors(a, b, 0))?;
        Some(products::<V, E, f32>(a, b, kernel))
    } else {
        let kernel = matrix_by_column::<E, V>(&factors(a, b, 0))?;
        Some(products::<E, V, f32>(a, b, kernel))
    }
}

/// Returns the factors of a product of two stacks.
fn factors<A, B>(a: &Array, b: &Array, number: usize) -> Factors<A, B> {
    let columns = b.shape()[b.rank() - 1];
    Factors {
        a: matrix(a, number),
        b: matrix(b, number),
        rows: a.shape()[a.rank() - 2],
        inner: a.shape()[a.rank() - 1],
        columns,
        stride: columns,
        count: 1,
        steps: [0; 2],
    }
}

/// Broadcasts a stack of matrices to a shape. (Making a view takes longer than multiplying small matrices.)
fn stacked(matrices: Array, shape: &Dims) -> Result<Array, Error> {
    match matrices.dims() == shape {
        true => Ok(matrices),
        false => matrices.broadcast_to(shape),
    }
}

/// Returns the dtype in which a product is computed; for booleans, that of convolutions and traced products. There they are counted in
/// `f32`: adding ones never gives zero again.
pub(crate) fn product_dtype(out: DType) -> DType {
    match out.kind() {
        Kind::Bool => DType::F32,
        Kind::Signed | Kind::Unsigned if out.size() == 8 => DType::U64,
        Kind::Signed | Kind::Unsigned => DType::U32,
        Kind::Float if out == DType::F64 => DType::F64,
        Kind::Float => DType::F32,
        Kind::Complex => out,
    }
}

/// Returns whether both are integers (or booleans) of one size. Their sign does not matter to products that wrap.
fn same_bytes(a: DType, b: DType) -> bool {
    !a.kind().is_inexact() && !b.kind().is_inexact() && a.size() == b.size()
}

/// Converts an operand to the dtype in which the product is computed.
pub(super) fn multiplied(x: &Array, out: DType) -> Result<Array, Error> {
    let (x, dtype) = (cast(Cow::Borrowed(x), out)?, product_dtype(out));
    if same_bytes(out, dtype) {
        return Ok(x.bitcast(dtype));
    }
    cast(Cow::Owned(x), dtype)
}

/// Converts a product to the dtype of the result.
pub(super) fn result(product: Array, out: DType) -> Result<Array, Error> {
    if same_bytes(product.dtype(), out) {
        return Ok(product.bitcast(out));
    }
    cast(Cow::Owned(product), out)
}

/// The largest number of terms, and of rows or columns, with which products of small integers are too small for the loops of
/// [`integer_product`].
const FEW_TERMS: usize = 8;

/// The smallest number of multiplications that is worth a thread: about 30 us.
pub(super) const MIN_PRODUCTS_PER_THREAD: usize = 1 << 22;

/// The smallest number of columns or rows in a piece of a product by a library. (The libraries prefer up to 48, but a
/// last part of 16 costs less than threads with 240 and 272 columns: 0.51 and 0.56 of the time of one thread.)
const GRAIN: usize = 16;

/// Computes the products of two stacks of matrices, none of which is empty.
fn products_of<T: Number>(a: &Array, b: &Array) -> Result<Buffer, AllocError> {
    products::<T, T, T>(a, b, T::product())
}

/// Computes the products of two stacks of matrices, none of which is empty, by a loop for [`Factors`] of their elements that writes elements
/// `T`. The loop gets all whole products along the last leading axis at once: a call for each takes longer than a small product.
fn products<A: Copy, B: Copy, T: 'static>(
    a: &Array,
    b: &Array,
    product: Kernel,
) -> Result<Buffer, AllocError> {
    let rank = a.rank();
    let [rows, inner] = [a.shape()[rank - 2], a.shape()[rank - 1]];
    let columns = b.shape()[rank - 1];
    let matrices: usize = a.shape()[..rank - 2].iter().product();
    let each = rows * columns;
    let (last, steps) = match rank - 2 {
        0 => (1, [0; 2]),
        leading => (
            a.shape()[leading - 1],
            [a, b].map(|stack| stack.strides()[leading - 1]),
        ),
    };
    let mut buffer = Uninit::new(matrices * each * size_of::<T>())?;
    let to = SendPtr::new(buffer.as_mut_ptr().cast::<T>());
    let (by_columns, grain) = if a.dtype().kind().is_inexact() {
        // Libraries always pack the right operand, but the left one less often.
        (columns >= rows / 2, GRAIN)
    } else {
        (false, 1) // half a row takes more than half as long
    };
    let (side, other) = if by_columns {
        (columns, rows)
    } else {
        (rows, columns)
    };
    let min_len = (MIN_PRODUCTS_PER_THREAD / inner).div_ceil(other);
    // Each piece packs the operand that is not divided again.
    split_into(1, matrices * side, grain, min_len, |piece| {
        let mut start = piece.start;
        while start < piece.end {
            let (number, first) = (start / side, start % side);
            let mut factors: Factors<A, B> = factors(a, b, number);
            let mut size = (side - first).min(piece.end - start);
            if size == side {
                // Whole products along the last leading axis.
                let left = last - number % last;
                factors.count = left.min((piece.end - start) / side);
                factors.steps = steps;
                size *= factors.count;
            }
            start += size;
            let size = size / factors.count;
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
            // SAFETY: `number` and the next ones are below the number of matrices of both stacks, and the piece lies within their rows
            // and columns. The buffer has room for each product, and `split_into` hands each part of it to one
            // thread. Rows of `b` are contiguous for integers (`matmul`).
            unsafe { product(&(&raw const factors).cast(), to.cast(), size) };
        }
    });
    // SAFETY: the pieces cover all rows or columns of each product, so each was written in full.
    Ok(unsafe { buffer.assume_init() })
}

/// Returns a matrix of a stack.
fn matrix<T>(stack: &Array, number: usize) -> Matrix<T> {
    debug_assert_eq!(stack.dtype().size(), size_of::<T>());
    let rank = stack.rank();
    let first = stack.as_ptr().cast::<T>();
    Matrix {
        first: first.wrapping_offset(matrix_offset(stack, number)),
        strides: [stack.strides()[rank - 2], stack.strides()[rank - 1]],
    }
}
