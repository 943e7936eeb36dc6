//! Assignment to the elements of a view.
#![allow(unsafe_code, reason = "copies raw memory")]

use super::cast::{copied, copy};
use super::drive::block::{Operand, Output};
use super::drive::nditer::{Access, NdIter};
use super::drive::run;
use super::elementwise::operand;
use crate::array::strided::{copy_between, copy_contiguous_rows};
use crate::array::{Array, ArrayMut, Dims, ScalarBits};
use crate::dtype::DType;
use crate::error::Error;

/// Copies the elements of an array, which broadcasts, to those of a view.
///
/// # Errors
/// The errors of [`assigned`]; [`Error::OutOfMemory`] if both have the same buffer, for a copy of the array. The elements are
/// unchanged then.
pub(crate) fn assign(
    operation: &'static str,
    to: &mut ArrayMut<'_>,
    from: &Array,
) -> Result<(), Error> {
    let dtype = to.as_array().dtype();
    if dtype == from.dtype() && copy_small(to, from) {
        return Ok(());
    }
    let shape = *to.as_array().dims();
    let from = assigned(operation, dtype, &shape, from)?;
    let from = match from.shares_buffer(to.as_array()) {
        true => copied(&from)?,
        false => from,
    };
    let operands = [
        operand(to.as_array(), &shape, &[]),
        operand(&from, &shape, &[]),
    ];
    if to.as_array().is_contiguous() {
        let output = Output {
            pointer: to.as_mut_ptr(),
            kernel: copy(dtype),
            chain: &[],
            size: dtype.size(),
            cost: 1,
        };
        // SAFETY: `from` has the shape of the view (`broadcast_to`) and its dtype (checked above); the view is contiguous, and
        // its elements can be written. The buffers are two (`shares_buffer`), so nothing overlaps. The loop copies.
        unsafe { run::run(&shape, &operands[1..], &output) };
        return Ok(());
    }
    // SAFETY: `operands` are the view, whose elements can be written, and an array of the same shape and dtype in another buffer.
    unsafe { copy_rows(&shape, &operands, to.as_mut_ptr()) };
    Ok(())
}

/// Broadcasts an array to the shape of the part that it is assigned to.
///
/// # Errors
/// [`Error::DTypeMismatch`]; [`Error::ShapeMismatch`] if it does not broadcast to that shape.
pub(crate) fn assigned(
    operation: &'static str,
    dtype: DType,
    shape: &Dims,
    from: &Array,
) -> Result<Array, Error> {
    if dtype != from.dtype() {
        return Err(Error::DTypeMismatch {
            operation,
            expected: dtype,
            found: from.dtype(),
        });
    }
    from.broadcast_to(shape).map_err(|_| Error::ShapeMismatch {
        operation,
        lhs: shape.to_vec(),
        rhs: from.shape().to_vec(),
    })
}

/// The largest number of bytes that are copied at once, without threads or streaming stores.
const SMALL_BYTES: usize = 1 << 16;

/// Copies the elements if both arrays are small, contiguous and of one shape: preparing the loop takes longer than they do. Returns
/// whether it did. The dtypes are the same.
fn copy_small(to: &mut ArrayMut<'_>, from: &Array) -> bool {
    let view = to.as_array();
    let bytes = view.len() * view.dtype().size();
    let is_small = bytes <= SMALL_BYTES
        && view.is_contiguous()
        && from.is_contiguous()
        && view.dims() == from.dims()
        && !from.shares_buffer(view);
    if is_small {
        // SAFETY: both arrays are contiguous, of one shape and dtype, so they have `bytes` bytes of elements; those of the view can be
        // written; the buffers are two, so they do not overlap.
        unsafe {
            to.as_mut_ptr()
                .copy_from_nonoverlapping(from.as_ptr(), bytes)
        };
    }
    is_small
}

/// Writes one element at every index if the view is small and contiguous, and of the element's dtype: an array of the element, and the
/// loop that broadcasts it, take longer. Returns whether it did.
pub(crate) fn fill_small(to: &mut ArrayMut<'_>, element: ScalarBits) -> bool {
    let view = to.as_array();
    let len = view.len();
    let is_small = len * view.dtype().size() <= SMALL_BYTES
        && view.is_contiguous()
        && view.dtype() == element.dtype();
    if is_small {
        // SAFETY: the view has `len` contiguous elements of the element's dtype, which can be written and are aligned for it.
        unsafe { element.repeat(len, to.as_mut_ptr()) };
    }
    is_small
}

/// Copies row by row, where the axes that both arrays cross with one stride count as one.
///
/// # Safety
/// `to` is the address of the first operand's element at index zero. Its elements along the shape can be written. The
/// elements of the second operand can be read, and have the same size. The two do not overlap.
pub(super) unsafe fn copy_rows(shape: &Dims, operands: &[Operand; 2], to: *mut u8) {
    let mut accesses = [Access::START; 2];
    let mut nditer = NdIter::START;
    nditer.coalesce(shape, operands, &mut accesses);
    let (row, last) = (nditer.row(), nditer.rank.saturating_sub(1));
    let size = operands[0].size;
    let [along_to, along_from] = accesses.each_ref().map(|access| access.strides[last]);
    // The rows along the axis before the last one, and their distances in bytes.
    let rows = last.checked_sub(1).map_or(1, |outer| nditer.sizes[outer]);
    let [down_to, down_from] = accesses.each_ref().map(|access| {
        let down = last.checked_sub(1).map_or(0, |outer| access.strides[outer]);
        down * size.cast_signed()
    });
    let are_contiguous = along_to == 1 && along_from == 1;
    for position in (0..nditer.total).step_by((rows * row).max(1)) {
        let index = nditer.index_at(position);
        let [offset_to, offset_from] = accesses
            .each_ref()
            .map(|access| access.offset(&index) * size.cast_signed());
        let (mut from, mut to) = (
            operands[1].pointer.wrapping_offset(offset_from),
            to.wrapping_offset(offset_to),
        );
        if are_contiguous {
            // SAFETY: the caller guarantees that the elements along the shape can be read and written, do not overlap and have this
            // size. `index` begins `rows` rows of the shape, whose elements are next to one another.
            unsafe { copy_contiguous_rows((from, down_from), (to, down_to), rows, row * size) };
            continue;
        }
        for _ in 0..rows {
            // SAFETY: the caller guarantees that the elements along the shape can be read and written, do not overlap and have this
            // size; these are a row of the shape.
            unsafe { copy_between(size, (from, along_from), (to, along_to), row) };
            (from, to) = (from.wrapping_offset(down_from), to.wrapping_offset(down_to));
        }
    }
}
