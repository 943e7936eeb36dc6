//! Computes matrices of few elements in blocks of whole rows.
//!
//! Coalescing axes and planning take as long as a thousand sums. An operand of a matrix has just two strides, so neither is needed here.
//! Operands that are not contiguous are copied, many rows at a time, and the loop is called for thousands of elements. A row that all rows
//! of the matrix share is copied once. (Matrix + row of `f32`, on an Intel Xeon with AVX-512: 0.18 us for 16 x 16, and 0.28 by the plan;
//! 0.40 and 0.56 for 64 x 64.)
#![allow(unsafe_code, reason = "loops over raw memory")]

use super::block::{BLOCK_BYTES, LONG_ROW};
use super::gather::{copy_axes, matrix_strides};
use crate::array::Array;

/// An operand of a matrix.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct MatrixOperand {
    /// The first element.
    pointer: *const u8,
    /// The size of an element, in bytes.
    size: usize,
    /// The strides from row to row and along rows, in elements.
    strides: [isize; 2],
}

impl MatrixOperand {
    /// In place of an operand: its address is not set.
    pub(in crate::kernel) const NONE: Self = Self {
        pointer: core::ptr::null(),
        size: 0,
        strides: [0; 2],
    };

    /// An array that broadcasts to a shape of at most two axes.
    #[inline]
    pub(in crate::kernel) fn new(array: &Array) -> Self {
        Self {
            pointer: array.as_ptr(),
            size: array.dtype().size(),
            strides: matrix_strides(array),
        }
    }

    /// Returns whether blocks of `height` rows can be read where they are.
    #[inline]
    fn is_in_place(&self, columns: usize, height: usize) -> bool {
        let [down, along] = self.strides;
        along == 1 && (height == 1 || down == columns.cast_signed())
    }
}

/// Returns whether a matrix with rows of so many elements can be computed in blocks: a row fits a block, and elements that lie apart are not
/// better read by tiles.
#[inline]
pub(in crate::kernel) fn has_blocks(columns: usize, operands: &[MatrixOperand]) -> bool {
    operands.iter().all(|operand| {
        let [_, along] = operand.strides;
        columns * operand.size <= BLOCK_BYTES && (columns < LONG_ROW || matches!(along, 0 | 1))
    })
}

/// Calls a function with blocks of rows, one after another: with the address of each operand's elements, which are contiguous, with the
/// position of the first one and with their number. In place of an operand that is [`MatrixOperand::NONE`] the address is null.
///
/// # Safety
/// - The operands have `rows` rows of `columns` elements, at least one. A row [has at most](has_blocks) [`BLOCK_BYTES`].
/// - From each address in `room`, which are at least as many as operands, [`BLOCK_BYTES`] can be written. They are aligned for the elements.
/// - The function writes to memory of an operand only if that is contiguous, and no more of it than it was given.
pub(in crate::kernel) unsafe fn for_each_block<const N: usize>(
    [rows, columns]: [usize; 2],
    operands: &[MatrixOperand],
    room: [*mut u8; N],
    body: &mut dyn FnMut(&[*const u8; N], usize, usize),
) {
    let sizes = operands.iter().map(|operand| operand.size);
    let height = BLOCK_BYTES / sizes.fold(1, usize::max) / columns;
    let mut addresses = [core::ptr::null(); N];
    let mut row = 0;
    while row < rows {
        let count = height.min(rows - row);
        for (number, operand) in operands.iter().enumerate() {
            if operand.pointer.is_null() {
                continue;
            }
            let [down, along] = operand.strides;
            let bytes = row.cast_signed() * down * operand.size.cast_signed();
            let first = operand.pointer.wrapping_offset(bytes);
            if operand.is_in_place(columns, height) {
                addresses[number] = first;
                continue;
            }
            addresses[number] = room[number];
            if row > 0 && down == 0 {
                continue;
            }
            let axes = (&[columns, count][..], &[along, down][..]);
            // SAFETY: the caller guarantees the rows, and room for a block of them.
            unsafe { copy_axes(operand.size, first, axes, room[number]) };
        }
        body(&addresses, row * columns, count * columns);
        row += count;
    }
}
