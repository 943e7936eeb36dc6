//! Indices of the elements for which a mask is true.

use crate::array::{Array, row_major};
use crate::error::Error;

/// Returns the indices of the elements for which a boolean mask is true, in row-major order: a row for each, with a position along each
/// axis.
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn argwhere(mask: &Array) -> Result<Array, Error> {
    let mask = mask.row_major()?;
    let bytes = mask.as_bytes().unwrap_or_default();
    let count = bytes.iter().map(|byte| usize::from(*byte)).sum();
    let (rank, strides) = (mask.rank(), row_major(mask.dims()));
    let (mut next, mut axis, mut rest) = (0, 0, 0);
    // The closure is called in order: for each element, for each axis.
    Array::from_positions(&[count, rank], |_| {
        if axis == 0 {
            rest = first_true(bytes, next);
            next = rest + 1;
        }
        let position = match axis + 1 == rank {
            true => rest,
            false => rest / strides[axis].unsigned_abs(),
        };
        rest -= position * strides[axis].unsigned_abs();
        axis = (axis + 1) % rank;
        i64::try_from(position).unwrap_or(i64::MAX) // no axis has more elements than memory has bytes
    })
}

/// Returns the position of the first byte from `start` on that is one, or the number of bytes.
fn first_true(bytes: &[u8], mut start: usize) -> usize {
    // Eight zeros are skipped at once.
    while let Some(eight) = bytes.get(start..).and_then(<[u8]>::first_chunk::<8>) {
        match u64::from_le_bytes(*eight).trailing_zeros() {
            u64::BITS => start += 8,
            zeros => return start + (zeros / 8).try_into().unwrap_or(0),
        }
    }
    let rest = bytes.get(start..).unwrap_or_default();
    let found = rest.iter().position(|byte| *byte != 0);
    found.map_or(bytes.len(), |found| start + found)
}
