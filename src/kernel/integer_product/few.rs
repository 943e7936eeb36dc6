//! Products with few rows or few columns, which are multiplied where they lie.
#![allow(unsafe_code, reason = "hands matrices to loops over raw memory")]

use super::tile::{Dots, Few, MAX_FEW, Tiles};
use super::{
    Left, MIN_PRODUCTS_PER_THREAD, Moved, PIECES_PER_THREAD, SendPtr, columns_of, matrix,
    split_into, stacked,
};
use crate::array::{Array, Buffer, Uninit};
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::matmul::MatmulShapes;

/// The largest number of rows that are multiplied by columns one by one. More are faster by tiles.
const MAX_DOTS: usize = 8;
/// The columns at which threads divide them, so that vectors stay whole.
const GRAIN: usize = 64;

/// A way to multiply few rows.
enum Way {
    /// By columns that lie side by side.
    Across(unsafe fn(&Few)),
    /// By columns whose elements lie side by side.
    Along,
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
    if let Some(way) = way(&tiles, rows, b) {
        return multiplied(&tiles, &way, [a, b], shapes, false).map(Some);
    }
    // The transposed product has few rows.
    let [a, b] = [transposed(b)?, transposed(a)?];
    let tiles = choose(a.dtype(), b.dtype());
    match way(&tiles, columns, &b) {
        Some(Way::Along) => multiplied(&tiles, &Way::Along, [&a, &b], shapes, true).map(Some),
        _ => Ok(None),
    }
}

/// Returns the way to multiply so many rows by matrices, if they are few enough.
fn way(tiles: &Tiles, rows: usize, b: &Array) -> Option<Way> {
    let [.., along, across] = *b.strides() else {
        return None;
    };
    match tiles.few {
        _ if along == 1 && rows <= MAX_DOTS => Some(Way::Along),
        Some(few) if across == 1 && rows <= MAX_FEW => Some(Way::Across(few)),
        _ => None,
    }
}

/// Exchanges the last two axes.
fn transposed(matrices: &Array) -> Result<Array, Error> {
    let mut order: Vec<usize> = (0..matrices.rank()).collect();
    let last = order.len() - 1;
    order.swap(last - 1, last);
    matrices.permute(&order)
}

/// Multiplies stacks of matrices in this way. The result is transposed if they are.
fn multiplied(
    tiles: &Tiles,
    way: &Way,
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
            // SAFETY: the processor has the tiles, which are for these dtypes. The rows, columns and terms exist; rows are filled
            // up to whole units, and the terms of a matrix are contiguous. The pieces do not overlap, so that nothing else has
            // these columns of the result. The way follows from the strides.
            unsafe {
                match way {
                    Way::Across(few) => few(&Few {
                        a,
                        a_stride,
                        rows,
                        row_terms,
                        b,
                        output,
                        stride: strides[0],
                    }),
                    Way::Along => (tiles.dots)(&Dots {
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
