//! Runs fused loops that write to views, whose rows need not follow one another in memory.
//!
//! ```text
//! contiguous view:  as any output
//! else, for each row of the view (axes that all operands cross with one stride are coalesced before):
//!   unit strides:   the loop writes the row where it lies
//!   else:           for each block: gather the operands, compute into scratch, copy the scratch to the view
//! ```
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::Loop;
use super::inputs::Pointers;
use super::{LoopRows, MAX_INPUTS};
use crate::array::strided::{copy_between, copy_strided};
use crate::array::{ArrayMut, Dims};
use crate::kernel::drive::block::{BLOCK, BlockBuffer, Operand};
use crate::kernel::drive::nditer::{Access, NdIter, OperandBuffer};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::kernel::elementwise::operand;

/// The axes that the inputs and the view cross, without their addresses.
struct ViewRows<'a> {
    nditer: &'a NdIter,
    /// The access of each input, then that of the view.
    accesses: &'a [Access],
    /// The number of each input.
    numbers: &'a [usize],
}

impl Loop<'_> {
    /// Overwrites the elements of a view, without memory for the result. Returns whether it did; if not, the graph gives the value or
    /// the error.
    pub(crate) fn evaluate_into_view(&self, out: &mut ArrayMut<'_>) -> bool {
        let mut shape = Dims::default();
        let fits = self.failed.is_none()
            && out.as_array().dtype() == self.dtype
            && self.has_shape(Some(out.as_array().dims()), &mut shape);
        if !fits {
            return false;
        }
        let len = out.as_array().len();
        if !out.as_array().is_contiguous() {
            // SAFETY: the view has the shape (`has_shape`) and the dtype of the value (checked above), and its elements can be
            // written. No operand reaches them: while the view exists, it alone does.
            unsafe { self.run_into_view(&shape, out) };
        } else if self.like().is_some_and(|like| *like.dims() == shape) {
            // SAFETY: all inputs are row-major (`like`) and have `len` elements, as has the view, which is contiguous, has the
            // value's dtype and alone reaches its elements.
            unsafe { self.pieces(out.as_mut_ptr(), len, false) };
        } else {
            // SAFETY: the view is contiguous, with the elements of the shape and dtype, which it alone reaches.
            unsafe { self.run_strided(&shape, out.as_mut_ptr(), false) };
        }
        true
    }

    /// Writes a view that is not contiguous.
    ///
    /// # Safety
    /// The inputs broadcast to the shape, which is that of the view; the view has the value's dtype, and its elements can be written.
    /// No input overlaps it.
    #[inline(never)]
    unsafe fn run_into_view(&self, shape: &Dims, out: &mut ArrayMut<'_>) {
        // The inputs, then the view.
        let mut operands = [Operand::none(); MAX_INPUTS + 1];
        let mut numbers = [0; MAX_INPUTS];
        let count = self
            .sources
            .write_operands(shape, &mut operands, &mut numbers);
        operands[count] = operand(out.as_array(), shape, &[]);
        let mut accesses = [Access::START; MAX_INPUTS + 1];
        let mut nditer = NdIter::START;
        nditer.coalesce(shape, &operands[..=count], &mut accesses[..=count]);
        let rows = ViewRows {
            nditer: &nditer,
            accesses: &accesses[..=count],
            numbers: &numbers[..count],
        };
        let last = nditer.rank.saturating_sub(1);
        let (inputs, to) = (&accesses[..count], &accesses[count]);
        let in_place = to.strides[last] == 1
            && inputs
                .iter()
                .all(|access| matches!(access.strides[last], 0 | 1));
        let shared = SendPtr::new((operands, out.as_mut_ptr()));
        let min_len = MIN_WORK_PER_THREAD / self.cost;
        split(nditer.total, nditer.row(), min_len, |piece| {
            let (operands, to) = shared.get();
            // SAFETY: the caller guarantees inputs that broadcast to the shape and a view of it that none of them overlaps. `split`
            // hands each piece, which lies within the shape, to one thread. If `in_place`, the strides along rows are those that
            // `write_rows` requires.
            unsafe {
                if in_place {
                    self.write_rows(&rows, &operands[..count], to, piece);
                } else {
                    self.write_blocks(&rows, &operands[..=count], to, piece);
                }
            }
        });
    }

    /// Writes rows where they lie.
    ///
    /// # Safety
    /// `operands` are the inputs. Along the shape they can be read, and the view, which begins at `to`, can be written; nothing else
    /// reaches its elements. Along rows the view has stride one, and each input one or zero. The range lies within the shape.
    unsafe fn write_rows(
        &self,
        rows: &ViewRows<'_>,
        operands: &[Operand],
        to: *mut u8,
        range: Range<usize>,
    ) {
        let (nditer, size) = (rows.nditer, self.dtype.size().cast_signed());
        let (last, view) = (
            nditer.rank.saturating_sub(1),
            &rows.accesses[operands.len()],
        );
        let mut repeats = 0;
        for (number, access) in rows.numbers.iter().zip(rows.accesses) {
            repeats |= u32::from(access.strides[last] == 0) << number;
        }
        let mut position = range.start;
        while position < range.end {
            let index = nditer.index_at(position);
            let len = (range.end - position).min(nditer.left_in_row(&index));
            let mut inputs: Pointers = [core::ptr::null(); MAX_INPUTS];
            for (number, (access, operand)) in
                rows.numbers.iter().zip(rows.accesses.iter().zip(operands))
            {
                let offset = access.offset(&index) * operand.size.cast_signed();
                inputs[*number] = operand.pointer.wrapping_offset(offset);
            }
            let to = to.wrapping_offset(view.offset(&index) * size);
            // SAFETY: `len` elements are left in this row of the range. The caller guarantees that each input has as many to read
            // there, or a single one that it repeats, and that as many can be written at `to`, which no input overlaps.
            unsafe {
                self.run_rows(&LoopRows {
                    repeats,
                    ..LoopRows::single(&inputs, to, len)
                });
            }
            position += len;
        }
    }

    /// Writes rows of any strides, block by block through scratch on the stack.
    ///
    /// # Safety
    /// `operands` are the inputs, and then the view. Along the shape the inputs can be read, and the view, which begins at `to`, can be
    /// read and written; nothing else reaches its elements. The range lies within the shape.
    unsafe fn write_blocks(
        &self,
        rows: &ViewRows<'_>,
        operands: &[Operand],
        to: *mut u8,
        range: Range<usize>,
    ) {
        let (nditer, size, count) = (rows.nditer, self.dtype.size(), rows.numbers.len());
        let (last, view) = (nditer.rank.saturating_sub(1), &rows.accesses[count]);
        let mut blocks = MaybeUninit::<[BlockBuffer; MAX_INPUTS + 1]>::uninit();
        // SAFETY: `BlockBuffer` consists of `MaybeUninit`, for which no memory is invalid.
        let blocks = unsafe { blocks.assume_init_mut() };
        let mut buffers = blocks
            .each_mut()
            .map(|block| OperandBuffer::new(block.pointer()));
        let [buffers @ .., _] = &mut buffers;
        let results = blocks[MAX_INPUTS].pointer();
        let mut position = range.start;
        while position < range.end {
            let index = nditer.index_at(position);
            let len = (range.end - position)
                .min(nditer.left_in_row(&index))
                .min(BLOCK);
            let mut inputs: Pointers = [core::ptr::null(); MAX_INPUTS];
            for (at, number) in rows.numbers.iter().enumerate() {
                let (access, place) = (&rows.accesses[at], (position, &index));
                let between = [core::ptr::null_mut(); 2];
                // SAFETY: the caller guarantees that the input can be read along the shape; it has no chain, so `between` is not
                // used. The buffer is its own, with memory for a block, and the block has at most `BLOCK` elements within the shape.
                inputs[*number] = unsafe {
                    nditer.fetch(access, &operands[at], place, len, &mut buffers[at], between)
                };
            }
            let to = to.wrapping_offset(view.offset(&index) * size.cast_signed());
            let stride = view.strides[last];
            // SAFETY: `len` elements of the view are left in this row of the range, `stride` apart from `to` on; the caller guarantees
            // that they can be read and written. `results` has room for a block. The inputs are `len` elements each (`fetch`).
            unsafe {
                if self.sources.output.is_some() {
                    copy_strided(size, to, stride, len, results);
                }
                self.run(&inputs, results, len);
                copy_between(size, (results, 1), (to, stride), len);
            }
            position += len;
        }
    }
}
