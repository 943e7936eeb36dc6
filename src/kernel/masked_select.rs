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
        unsafe { compress(bytes, count, |at| from.cast::<T>().add(at).read(), to.cast()) },
        // SAFETY: `x` is contiguous, with as many elements as the mask has, and the new buffer has room for `count`, the
        // number of ones. The elements have 16 bytes, the only other size, and buffers are aligned to at least 8.
        _ => unsafe { compress(bytes, count, |at| from.cast::<[u64; 2]>().add(at).read(), to.cast()) }
    );
    // SAFETY: `compress` wrote `count` elements.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, dtype, Dims::new(&[count])?))
}

/// Writes the elements at the positions whose byte in the mask is one. Every element is written to the next free place, and counted if it
/// is to stay there, so that there is no branch on the mask.
///
/// # Safety
/// The mask consists of zeros and ones; `to` has room for `count`, the number of ones. `element` can be called for each position in the mask.
#[inline(always)]
pub(super) unsafe fn compress<T: Copy>(
    mask: &[u8],
    count: usize,
    element: impl Fn(usize) -> T,
    to: *mut T,
) {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let (mut position, mut written) = (0, 0);
    while written < count {
        let rest = mask.get(position..).unwrap_or_default();
        if let Some(eight) = rest.first_chunk::<8>() {
            // As one number: a pattern of bytes would be a branch for each.
            let is_done = match u64::from_ne_bytes(*eight) {
                0 => true,
                ONES => {
                    for next in 0..8 {
                        // SAFETY: eight ones begin at `position`, so `count` is at least `written + 8`.
                        unsafe { to.add(written + next).write(element(position + next)) };
                    }
                    written += 8;
                    true
                }
                _ if written + 8 <= count => {
                    for (next, is_true) in eight.iter().enumerate() {
                        // SAFETY: there is room for eight elements, and at most as many are written.
                        unsafe { to.add(written).write(element(position + next)) };
                        written += usize::from(*is_true);
                    }
                    true
                }
                _ => false,
            };
            if is_done {
                position += 8;
                continue;
            }
        }
        let end = (position + 8).min(mask.len());
        while position < end && written < count {
            // SAFETY: `written < count`, for which there is room.
            unsafe { to.add(written).write(element(position)) };
            written += usize::from(mask[position]);
            position += 1;
        }
    }
}
