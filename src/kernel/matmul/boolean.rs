//! Products of booleans: "or" of "and".
//!
//! No element of a product changes once it is true, so the loops stop early:
//!
//! - One combines the rows of the right matrix for which the element of the left one is true, until all elements of a row of the product are.
//!   A block of it stays in the L1 cache.
//! - The other one combines the terms of a row and a column, until a pair is true. It is for few columns, which fill no vector, and for few
//!   rows, for which columns are not worth copying.
//!
//! Both read contiguous elements. Small products are counted in `f32` (`narrow`).
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::slice::{from_raw_parts, from_raw_parts_mut};

use super::factors::Factors;
use super::shapes::MatmulShapes;
use super::{products, stacked};
use crate::array::{Array, Buffer, Dims};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast::copied;
use crate::simd::{Body, Isa, for_level};

/// The number of terms after which a loop looks for a pair that is true.
const TERMS: usize = 128;
/// The number of rows or columns that are few.
const FEW: usize = 32;
/// The length from which rows are left out if the element of the left matrix is false. For shorter ones mispredicted branches take longer.
const LEFT_OUT_FROM: usize = 256;
/// The number of elements of the result that are computed at a time.
const COLUMNS: usize = 4096;

/// Multiplies stacks of matrices of booleans, none of which is empty.
pub(super) fn product(a: &Array, b: &Array, shapes: &MatmulShapes) -> Result<Buffer, Error> {
    let bits = DType::Bool.bits_dtype();
    let [mut a, mut b] = [a, b].map(|x| x.clone().bitcast(bits));
    let (mut lhs, mut rhs) = (shapes.lhs, shapes.rhs);
    if strides(&a)[1] != 1 && shapes.sizes()[2] == 1 {
        // The same elements are a row of the transposed product.
        (a, b) = (transposed(&b)?, transposed(&a)?);
        (lhs, rhs) = (with_axes_swapped(rhs), with_axes_swapped(lhs));
    }
    let [rows, inner, columns] = [lhs[lhs.len() - 2], lhs[lhs.len() - 1], rhs[rhs.len() - 1]];
    let needs_copy = strides(&b)[0] != 1;
    let by_terms = strides(&a)[1] == 1
        && match needs_copy {
            true => columns < FEW.min(rows),
            false => columns < FEW || rows < FEW && inner >= TERMS,
        };
    if by_terms && needs_copy {
        b = transposed(&copied(&transposed(&b)?)?)?;
    } else if !by_terms && strides(&b)[1] != 1 {
        b = copied(&b)?;
    }
    let kernel = match by_terms {
        true => for_level::<Boolean<true>>(),
        false => for_level::<Boolean<false>>(),
    };
    let (a, b) = (stacked(a, &lhs)?, stacked(b, &rhs)?);
    Ok(products::<u8, u8, u8>(&a, &b, kernel)?)
}

/// The strides of the last two axes.
fn strides(x: &Array) -> [isize; 2] {
    let strides = x.strides();
    [strides[x.rank() - 2], strides[x.rank() - 1]]
}

fn transposed(x: &Array) -> Result<Array, Error> {
    let mut axes: Vec<usize> = (0..x.rank()).collect();
    axes.swap(x.rank() - 2, x.rank() - 1);
    x.permute(&axes)
}

/// Returns the shape with the last two axes swapped.
fn with_axes_swapped(mut shape: Dims) -> Dims {
    let rank = shape.len();
    shape.swap(rank - 2, rank - 1);
    shape
}

/// The loop over products. Its only input is a pointer to [`Factors`]; it ignores the length. If it is `BY_TERMS`, the terms of both matrices
/// are contiguous, else the rows of the right one.
struct Boolean<const BY_TERMS: bool>;

impl<const BY_TERMS: bool> Body for Boolean<BY_TERMS> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, _: usize) {
        // SAFETY: the caller guarantees that the input points to live factors of this type.
        let f = unsafe { &*(*inputs).cast::<Factors<u8>>() };
        for number in 0..f.count {
            let (f, offset) = f.product(number);
            for row in 0..f.rows {
                let a = f.a.after(row, 0).first;
                // SAFETY: `row < f.rows`, so the caller guarantees `f.columns` bytes of the result here, which nothing else refers to.
                let sums = unsafe {
                    let first = output.add(offset + row * f.stride);
                    first.write_bytes(0, f.columns);
                    from_raw_parts_mut(first, f.columns)
                };
                // SAFETY: `a` is the first element of a row of the left matrix, and the caller guarantees matrices that can be read, with
                // contiguous terms or rows.
                unsafe {
                    match BY_TERMS {
                        true => combine_terms(&f, a, sums),
                        false => combine_rows(&f, a, sums),
                    }
                }
            }
        }
    }
}

/// Writes a row of the result, whose elements are zero.
///
/// # Safety
/// The matrices can be read, `a` is a row of the left one, and `sums` has as many elements as a row of the right one. The terms of both are
/// contiguous.
#[inline(always)]
unsafe fn combine_terms(f: &Factors<u8>, a: *const u8, sums: &mut [u8]) {
    // SAFETY: the caller guarantees a row of `f.inner` contiguous elements.
    let row = unsafe { from_raw_parts(a, f.inner) };
    for (at, sum) in sums.iter_mut().enumerate() {
        // SAFETY: `at` is below the number of columns, each of which has `f.inner` contiguous elements.
        let column = unsafe { from_raw_parts(f.b.after(at, 1).first, f.inner) };
        let mut blocks = row.chunks(TERMS).zip(column.chunks(TERMS));
        let is_true = blocks.any(|(row, column)| {
            let pairs = row.iter().zip(column);
            pairs.fold(0, |any, (a, b)| any | a & b) != 0
        });
        *sum = u8::from(is_true);
    }
}

/// Writes a row of the result, whose elements are zero.
///
/// # Safety
/// The matrices can be read, `a` is a row of the left one, and `sums` has as many elements as a row of the right one. These rows are
/// contiguous.
#[inline(always)]
unsafe fn combine_rows(f: &Factors<u8>, a: *const u8, sums: &mut [u8]) {
    for (block, sums) in sums.chunks_mut(COLUMNS).enumerate() {
        for term in 0..f.inner {
            // SAFETY: `term < f.inner`, so the row of the left matrix has this element.
            let a = unsafe { a.offset(term.cast_signed() * f.a.strides[1]).read() };
            if a == 0 && sums.len() >= LEFT_OUT_FROM {
                continue;
            }
            let row = f.b.after(term, 0).first.wrapping_add(block * COLUMNS);
            // SAFETY: `term < f.inner`, so the right matrix has this row, whose elements are contiguous. The block ends where it does, or
            // before.
            let row = unsafe { from_raw_parts(row, sums.len()) };
            let mut all = 1;
            for (sum, b) in sums.iter_mut().zip(row) {
                *sum |= a & b;
                all &= *sum;
            }
            if all == 1 {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::matmul::matmul;
    use crate::simd::{SimdLevel, with_level};

    /// Stacks of matrices of which few elements or half of them are true, row by row or column by column, beside a naive product.
    #[test]
    fn every_layout_and_size_gives_the_naive_product() {
        let random = |[seed, one_of]: [usize; 2], at: usize| {
            let number = (at + 100_003 * seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            number.rotate_left(29).is_multiple_of(one_of)
        };
        // A stack of `count` matrices: its elements, and the array.
        let stack = |seed: [usize; 2], shape: [usize; 3], is_turned: bool| {
            let [count, rows, columns] = shape;
            let element = move |at: usize, row: usize, column: usize| {
                random(seed, (at * rows + row) * columns + column)
            };
            let [outer, inner] = if is_turned {
                [columns, rows]
            } else {
                [rows, columns]
            };
            let mut elements = Vec::new();
            for at in 0..count * outer * inner {
                let (at, first, second) = (at / (outer * inner), at / inner % outer, at % inner);
                elements.push(match is_turned {
                    true => element(at, second, first),
                    false => element(at, first, second),
                });
            }
            let array = Array::from_elements(&elements, &[count, outer, inner]).unwrap();
            let array = if is_turned {
                transposed(&array).unwrap()
            } else {
                array
            };
            (element, array)
        };
        let check = |one_of, [rows, inner, columns]: [usize; 3]| {
            let lefts = [false, true].map(|turned| stack([1, one_of], [2, rows, inner], turned));
            let rights =
                [false, true].map(|turned| stack([2, one_of], [1, inner, columns], turned));
            let (a, b) = (lefts[0].0, rights[0].0);
            let mut expected = vec![false; 2 * rows * columns];
            for at in 0..2 * rows {
                let sums = &mut expected[at * columns..][..columns];
                for term in (0..inner).filter(|term| a(at / rows, at % rows, *term)) {
                    for (column, sum) in sums.iter_mut().enumerate() {
                        *sum = *sum || b(0, term, column);
                    }
                }
            }
            for level in SimdLevel::ALL {
                for turned in [[false, false], [false, true], [true, false], [true, true]] {
                    let [left, right] = [&lefts, &rights];
                    let operands = [
                        &left[usize::from(turned[0])].1,
                        &right[usize::from(turned[1])].1,
                    ];
                    with_level(level, || {
                        let found = matmul(operands[0], operands[1], DType::Bool).unwrap();
                        let context = format!("[{rows}, {inner}, {columns}] {turned:?} {level:?}");
                        assert!(found.to_vec::<bool>() == expected, "{context}");
                    });
                }
            }
        };
        for sizes in [
            [1, 1, 1],
            [1, 1500, 1],
            [3, 1500, 1],
            [1, 40, 70],
            [3, 700, 4],
            [2, 90, COLUMNS + 9],
            [3, 150, 40],
            [5, 1, 6],
            [70, 65, 33],
            [3, 90, 300],
            [40, 90, 3],
        ] {
            check(2, sizes);
            check(41, sizes);
        }
    }
}
