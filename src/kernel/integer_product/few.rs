//! Products with few rows or few columns, multiplied without packing.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

use std::borrow::Cow;

use super::tile::{Dots, Few, MAX_FEW, MAX_SUMS, Tiles, UNIT, Units};
use super::{MIN_PRODUCTS_PER_THREAD, Moved, columns_of, matrices, matrix};
use crate::array::{Array, Buffer, Dims, ScalarBits, Uninit};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::cast::{cast, copied};
use crate::kernel::drive::parallel::{SendPtr, split_into};
use crate::kernel::matmul::shapes::MatmulShapes;
use crate::kernel::pad::pad;

/// The largest number of pieces for each thread. With two, the others wait less for a thread that is interrupted.
const PIECES_PER_THREAD: usize = 2;

/// The columns at which threads divide them, so that vectors stay whole.
const GRAIN: usize = 64;

/// The largest number of rows that are multiplied without packing a right matrix that is not [large](is_large).
const MAX_FEW_OF_SMALL: usize = 16;

/// The size of a large matrix in bytes: packed, it does not stay in a small L2 cache.
const LARGE: usize = 512 << 10;

/// The least number of rows of a large matrix. With fewer, sums are moved to the result after few multiplications.
const LONG: usize = 512;

/// The layout of the right matrix, for which there is a loop of few rows.
enum RightLayout {
    /// The columns lie side by side. The loop is [`Tiles::few`].
    RowMajor(unsafe fn(&Few)),
    /// The elements of each column lie side by side. The loop is [`Tiles::dots`].
    ColumnMajor,
}

/// Multiplies stacks of matrices if these have few rows or few columns, and lie in memory so that this is faster; else returns `None`.
///
/// # Errors
/// [`Error::OutOfMemory`], [`Error::ShapeTooLarge`].
pub(super) fn product(
    choose: &dyn Fn(DType, DType) -> Tiles,
    a: &Array,
    b: &Array,
    shapes: &MatmulShapes,
) -> Result<Option<Buffer>, Error> {
    let rank = shapes.product.len();
    let [rows, columns] = [shapes.product[rank - 2], shapes.product[rank - 1]];
    let tiles = choose(a.dtype(), b.dtype());
    if let Some(layout) = layout(&tiles, rows, b) {
        return multiplied(&tiles, &layout, [a, b], shapes, false).map(Some);
    }
    // The transposed product has few rows.
    let [a, b] = [transposed(b)?, transposed(a)?];
    let tiles = choose(a.dtype(), b.dtype());
    match layout(&tiles, columns, &b) {
        Some(layout @ RightLayout::ColumnMajor) => {
            multiplied(&tiles, &layout, [&a, &b], shapes, true).map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns the layout of the right matrices if `rows` rows are multiplied by them in place, and `None` if the matrices
/// have to be packed.
fn layout(tiles: &Tiles, rows: usize, b: &Array) -> Option<RightLayout> {
    let [.., along, across] = *b.strides() else {
        return None;
    };
    let is_few = rows <= MAX_FEW_OF_SMALL;
    match tiles.few {
        _ if is_few && along == 1 => Some(RightLayout::ColumnMajor),
        Some(few) if across == 1 && (is_few || rows <= MAX_FEW && is_large(b)) => {
            Some(RightLayout::RowMajor(few))
        }
        _ => None,
    }
}

/// Returns whether multiplying more than [`MAX_FEW_OF_SMALL`] rows by matrices is faster without packing these. (On an AMD EPYC with AVX-512,
/// 20 rows by 1,024 x 1,024 bytes take 0.86 of the time, 32 rows 0.92; 32 rows by 256 x 256 bytes would take 1.15.)
fn is_large(b: &Array) -> bool {
    let [.., inner, columns] = *b.shape() else {
        return false;
    };
    inner >= LONG && inner * columns * b.dtype().size() >= LARGE
}

/// Exchanges the last two axes.
fn transposed(matrices: &Array) -> Result<Array, Error> {
    let mut order: Vec<usize> = (0..matrices.rank()).collect();
    let last = order.len() - 1;
    order.swap(last - 1, last);
    matrices.permute(&order)
}

/// Multiplies stacks of matrices. The right ones have this layout. If `is_transposed`, the operands are those of the
/// transposed product, and so is the result.
fn multiplied(
    tiles: &Tiles,
    layout: &RightLayout,
    [a, b]: [&Array; 2],
    shapes: &MatmulShapes,
    is_transposed: bool,
) -> Result<Buffer, Error> {
    let rank = shapes.product.len();
    let (mut rows, mut columns) = (shapes.product[rank - 2], shapes.product[rank - 1]);
    let mut strides = [columns, 1];
    if is_transposed {
        (rows, columns) = (columns, rows);
        strides.reverse();
    }
    let moved = Moved::new(tiles, a.dtype(), b.dtype());
    let left = Left::new(tiles, a, moved)?;
    let [units, terms, right] = [&left.units, &left.terms, b].map(|x| stacked(x, &shapes.product));
    let (units, terms, right) = (units?, terms?, right?);
    let count: usize = shapes.product.iter().product();
    let mut result = Uninit::new(count * size_of::<u32>())?;
    let to = SendPtr::new(result.as_mut_ptr().cast::<u32>());
    let inner = b.shape()[b.rank() - 2];
    let total = count / rows;
    let min_len = MIN_PRODUCTS_PER_THREAD.div_ceil(inner * rows);
    split_into(PIECES_PER_THREAD, total, GRAIN, min_len, |piece| {
        let mut start = piece.start;
        while start < piece.end {
            let (number, first) = (start / columns, start % columns);
            let end = columns.min(first + piece.end - start);
            start += end - first;
            let (a, a_stride) = matrix(&units, number);
            let row_terms = matrix(&terms, number).0.cast();
            let b = columns_of(&right, number, first..end, moved);
            let output = to
                .get()
                .wrapping_add(number * rows * columns + first * strides[1]);
            // SAFETY: the processor has the tiles, which are for these dtypes, and the matrices have this layout. The rows, of
            // which there are at most `MAX_FEW`, the columns and the terms exist; rows are filled up to whole units, and the terms
            // of a matrix are contiguous. The pieces do not overlap, so that nothing else has these columns of the result.
            unsafe {
                match layout {
                    RightLayout::RowMajor(few) => few(&Few {
                        a,
                        a_stride,
                        rows,
                        row_terms,
                        b,
                        output,
                        stride: strides[0],
                    }),
                    RightLayout::ColumnMajor => (tiles.dots)(&Dots {
                        a,
                        a_stride,
                        rows,
                        row_terms,
                        b,
                        output,
                        strides,
                    }),
                }
            }
        }
    });
    // SAFETY: the pieces cover all columns of each matrix, so each element was written.
    Ok(unsafe { result.assume_init() })
}

/// Returns a shape with other sizes of the last two axes.
fn with_matrix(shape: &[usize], last: [usize; 2]) -> Result<Dims, Error> {
    Dims::new(&[&shape[..shape.len() - 2], &last].concat())
}

/// Broadcasts matrices to the leading axes of a result.
fn stacked(matrices: &Array, product: &Dims) -> Result<Array, Error> {
    let rank = matrices.rank();
    let last = [matrices.shape()[rank - 2], matrices.shape()[rank - 1]];
    matrices.broadcast_to(&with_matrix(product, last)?)
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
            for (number, terms) in terms.chunks_exact_mut(rows).enumerate() {
                let (mut first, stride) = matrix(&units, number);
                for terms in terms.chunks_mut(MAX_SUMS) {
                    // SAFETY: the processor has the tiles; the rows exist. Their elements are bytes, as other dtypes have no factor.
                    let sums = unsafe { (tiles.sums)(first, stride, terms.len(), elements) };
                    for (term, sum) in terms.iter_mut().zip(sums) {
                        *term = sum.wrapping_mul(moved.factor);
                    }
                    first = first.wrapping_offset(MAX_SUMS.cast_signed() * stride);
                }
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
