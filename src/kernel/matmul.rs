//! Matrix products.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

use std::borrow::Cow;

use matrixmultiply::{CGemmOption, cgemm, dgemm, sgemm, zgemm};

use super::cast::{carrier, cast};
use super::lanes::for_types;
use crate::array::{Array, Dims, Uninit, broadcast, element_count};
use crate::dtype::DType;
use crate::error::Error;

/// The matrix product as NumPy defines it: of the last two axes, the others broadcast; an operand of
/// rank one is a row on the left, a column on the right, and its axis is absent from the result.
///
/// Operands are cast to `out`. Small floats are then multiplied and summed in `f32` and rounded once;
/// integers wrap; booleans multiply as and, add as or. Products over no elements are zero. The order of
/// additions of floats depends on the processor.
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
    let compute = carrier(out);
    let convert = |x: &Array| cast(Cow::Owned(cast(Cow::Borrowed(x), out)), compute);
    let mut a = convert(lhs);
    let mut b = convert(rhs);
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
    let a = a.broadcast_to(&shape_with([rows, inner])?)?;
    let b = b.broadcast_to(&shape_with([inner, columns])?)?;
    let shape = shape_with([rows, columns])?;
    let count = element_count(&shape)?;
    let matrices = batch.iter().product();
    let product = if inner == 0 || count == 0 {
        zeros(compute, shape, count)
    } else {
        multiply(&a, &b, shape, matrices)
    };
    let mut product = cast(Cow::Owned(product), out);
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

fn zeros(dtype: DType, shape: Dims, count: usize) -> Array {
    let buffer = crate::array::Buffer::zeroed(count * dtype.size());
    Array::from_buffer(buffer, dtype, shape)
}

/// The sizes and strides of one product.
#[derive(Clone, Copy)]
struct Sizes {
    rows: usize,
    inner: usize,
    columns: usize,
    a: [isize; 2],
    b: [isize; 2],
}

/// Multiplies stacks of matrices of the same dtype, none of them empty.
fn multiply(a: &Array, b: &Array, shape: Dims, matrices: usize) -> Array {
    let dtype = a.dtype();
    let rank = shape.len();
    // Loops for integers walk along rows of the right operand.
    let gathered;
    let mut b = b;
    if !dtype.kind().is_inexact() && b.strides()[rank - 1] != 1 {
        gathered = super::copied(b);
        b = &gathered;
    }
    let last_two = |strides: &[isize]| [strides[rank - 2], strides[rank - 1]];
    let sizes = Sizes {
        rows: shape[rank - 2],
        inner: a.shape()[rank - 1],
        columns: shape[rank - 1],
        a: last_two(a.strides()),
        b: last_two(b.strides()),
    };
    let each = sizes.rows * sizes.columns * dtype.size();
    let mut buffer = Uninit::new(matrices * each);
    let mut to = buffer.as_mut_ptr();
    for number in 0..matrices {
        let (from_a, from_b) = (matrix(a, number), matrix(b, number));
        // SAFETY: both operands have a matrix of these sizes and strides there, of this dtype; the
        // buffer has room for one product each.
        unsafe { multiply_one(dtype, &sizes, from_a, from_b, to) };
        to = to.wrapping_add(each);
    }
    // SAFETY: each product was written in full.
    let buffer = unsafe { buffer.assume_init() };
    Array::from_buffer(buffer, dtype, shape)
}

/// Where a matrix of a stack begins.
fn matrix(stack: &Array, number: usize) -> *const u8 {
    let (mut left, mut offset) = (number, 0);
    for axis in (0..stack.rank() - 2).rev() {
        let size = stack.shape()[axis];
        offset += (left % size).cast_signed() * stack.strides()[axis];
        left /= size;
    }
    let size = stack.dtype().size().cast_signed();
    stack.as_ptr().wrapping_offset(offset * size)
}

/// # Safety
/// At `a` and `b` lie matrices of these sizes and strides, of elements of the dtype; at `to` is room
/// for a row-major product, apart from both.
unsafe fn multiply_one(dtype: DType, s: &Sizes, a: *const u8, b: *const u8, to: *mut u8) {
    let columns = s.columns.cast_signed();
    macro_rules! gemm {
        ($gemm:ident, $element:ty, $one:expr, $zero:expr $(, $option:expr)?) => {
            // SAFETY: the caller's. With a zero factor for what was there, `to` is not read.
            unsafe {
                $gemm(
                    $($option, $option,)?
                    s.rows, s.inner, s.columns,
                    $one,
                    a.cast::<$element>(), s.a[0], s.a[1],
                    b.cast::<$element>(), s.b[0], s.b[1],
                    $zero,
                    to.cast::<$element>(), columns, 1,
                )
            }
        };
    }
    const STANDARD: CGemmOption = CGemmOption::Standard;
    match dtype {
        DType::F32 => gemm!(sgemm, f32, 1.0, 0.0),
        DType::F64 => gemm!(dgemm, f64, 1.0, 0.0),
        DType::C64 => gemm!(cgemm, [f32; 2], [1.0, 0.0], [0.0, 0.0], STANDARD),
        DType::C128 => gemm!(zgemm, [f64; 2], [1.0, 0.0], [0.0, 0.0], STANDARD),
        // SAFETY: the caller's.
        DType::Bool => unsafe { by_rows::<u8>(s, a, b, to, |sum, a, b| sum | (a & b)) },
        // The sign does not matter to products that wrap.
        _ => for_types!(dtype.size(), T in [1 => u8, 2 => u16, 4 => u32] =>
            // SAFETY: the caller's.
            unsafe { by_rows::<T>(s, a, b, to, |sum, a, b| sum.wrapping_add(a.wrapping_mul(b))) },
            // SAFETY: the caller's.
            _ => unsafe { by_rows::<u64>(s, a, b, to, |sum, a, b| sum.wrapping_add(a.wrapping_mul(b))) }
        ),
    }
}

/// Adds multiples of the right operand's rows to the product's.
///
/// # Safety
/// That of [`multiply_one`]; rows of `b` are contiguous.
unsafe fn by_rows<T: Copy + Default>(
    s: &Sizes,
    a: *const u8,
    b: *const u8,
    to: *mut u8,
    add: impl Fn(T, T, T) -> T,
) {
    let (a, b, to) = (a.cast::<T>(), b.cast::<T>(), to.cast::<T>());
    for row in 0..s.rows {
        // SAFETY: the product has this row, and nothing else refers to it; its elements are plain
        // numbers, initialised here first.
        let sums = unsafe {
            let first = to.add(row * s.columns);
            for column in 0..s.columns {
                first.add(column).write(T::default());
            }
            core::slice::from_raw_parts_mut(first, s.columns)
        };
        for inner in 0..s.inner {
            let (row, inner) = (row.cast_signed(), inner.cast_signed());
            // SAFETY: the left operand has this element, the right one this contiguous row.
            let (factor, b) = unsafe {
                (
                    a.offset(row * s.a[0] + inner * s.a[1]).read(),
                    core::slice::from_raw_parts(b.offset(inner * s.b[0]), s.columns),
                )
            };
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = add(*sum, factor, *b);
            }
        }
    }
}
