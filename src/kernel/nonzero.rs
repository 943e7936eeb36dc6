//! Indices of the elements for which a mask is true.
#![allow(unsafe_code, reason = "writes raw memory")]

use super::masked_select::compress;
use crate::array::{Array, Dims, UNNAMED, Uninit, element_count, row_major};
use crate::dtype::DType;
use crate::error::Error;

/// Returns the indices of the elements for which a boolean mask is true, in row-major order: a row for each, with a position along each
/// axis.
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn argwhere(mask: &Array) -> Result<Array, Error> {
    let mask = mask.row_major()?;
    let bytes = mask.as_bytes().unwrap_or_default();
    let count: usize = bytes.iter().map(|byte| usize::from(*byte)).sum();
    let (rank, strides) = (mask.rank(), row_major(mask.dims()));
    let shape = Dims::new(&[count, rank])?;
    let total = element_count(UNNAMED, &shape)?;
    let mut buffer = Uninit::new(total * size_of::<i64>())?;
    let to = buffer.as_mut_ptr().cast::<i64>();
    if rank > 0 {
        // Positions among all elements, where the last of the result will be: a row is written after its position was read, and ends before
        // the next position.
        let flat = to.wrapping_add(total - count);
        // SAFETY: the mask has a byte for each element, a zero or a one. `count` is the number of ones, and there is room for as many
        // positions from `flat` on.
        unsafe { compress(bytes, count, signed, flat) };
        for number in 0..if rank > 1 { count } else { 0 } {
            // SAFETY: `number < count`, so there is a position, and room for its row; both were allocated for 64-bit integers.
            unsafe {
                let mut rest = usize::try_from(flat.add(number).read()).unwrap_or(usize::MAX);
                for axis in 0..rank {
                    let stride = strides[axis].unsigned_abs();
                    let position = if axis + 1 == rank {
                        rest
                    } else {
                        rest / stride
                    };
                    rest -= position * stride;
                    to.add(number * rank + axis).write(signed(position));
                }
            }
        }
    }
    // SAFETY: all rows were written; with one axis they are the positions themselves.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, DType::I64, shape))
}

/// Returns a position as an element: no axis has more elements than memory has bytes.
#[inline(always)]
fn signed(position: usize) -> i64 {
    u64::try_from(position).unwrap_or(u64::MAX).cast_signed()
}
