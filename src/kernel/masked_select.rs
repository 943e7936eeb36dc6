//! Selection of the elements for which a mask is true.
#![allow(unsafe_code, reason = "copies raw memory")]

use crate::array::{Array, Dims, Uninit, broadcast, element_count};
use crate::dtype::DType;
use crate::error::Error;
use crate::simd::for_types;

/// Returns the elements where the mask is true, in row-major order, as an array of rank 1. Both operands broadcast.
///
/// # Errors
/// [`Error::DTypeMismatch`] if the mask is not boolean, [`Error::ShapeMismatch`], [`Error::ShapeTooLarge`],
/// [`Error::OutOfMemory`].
pub(crate) fn masked_select(x: &Array, mask: &Array) -> Result<Array, Error> {
    let operation = "masked_select";
    if mask.dtype() != DType::Bool {
        return Err(Error::DTypeMismatch {
            operation,
            expected: DType::Bool,
            found: mask.dtype(),
        });
    }
    let shape = broadcast(operation, x.shape(), mask.shape())?;
    element_count(operation, &shape)?;
    let (x, mask) = (x.broadcast_to(&shape)?, mask.broadcast_to(&shape)?);
    let (x, mask) = (x.row_major()?, mask.row_major()?);
    let bytes = mask.as_bytes().unwrap_or_default();
    let count = bytes.iter().map(|byte| usize::from(*byte)).sum();
    let dtype = x.dtype();
    let mut buffer = Uninit::new(count * dtype.size())?;
    let (from, to) = (x.as_ptr(), buffer.as_mut_ptr());
    for_types!(dtype.size(), T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: `x` is contiguous, with as many elements of this size as the mask has, and aligned for them, as is the
        // new buffer, which has room for `count`, the number of ones.
        unsafe { compress::<T>(bytes, count, from.cast(), to.cast()) },
        // SAFETY: `x` is contiguous, with as many elements as the mask has, and the new buffer has room for `count`, the
        // number of ones. The elements have 16 bytes, the only other size, and buffers are aligned to at least 8.
        _ => unsafe { compress::<[u64; 2]>(bytes, count, from.cast(), to.cast()) }
    );
    // SAFETY: `compress` wrote `count` elements.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, dtype, Dims::new(&[count])?))
}

/// Copies the elements whose byte in the mask is one. Every element is written to the next free place, and counted if it
/// is to stay there, so that there is no branch on the mask.
///
/// # Safety
/// `from` has as many elements as the mask has bytes, which are zeros and ones; `to` has room for `count`, the number of
/// ones.
unsafe fn compress<T: Copy>(mask: &[u8], count: usize, from: *const T, to: *mut T) {
    let (mut position, mut written) = (0, 0);
    while written < count {
        match mask.get(position..position + 8) {
            // Eight zeros are skipped at once.
            Some([0, 0, 0, 0, 0, 0, 0, 0]) => {
                position += 8;
                continue;
            }
            // Eight ones are copied at once.
            Some([1, 1, 1, 1, 1, 1, 1, 1]) => {
                // SAFETY: the mask has eight elements from `position` on, and so has `from`. They are ones, so `count` is at least
                // `written + 8`.
                unsafe {
                    to.add(written)
                        .copy_from_nonoverlapping(from.add(position), 8);
                }
                written += 8;
                position += 8;
                continue;
            }
            _ => {}
        }
        let end = (position + 8).min(mask.len());
        while position < end && written < count {
            // SAFETY: `position < mask.len()`, the number of elements; `written < count`, for which there is room.
            unsafe { to.add(written).write(from.add(position).read()) };
            written += usize::from(mask[position]);
            position += 1;
        }
    }
}
