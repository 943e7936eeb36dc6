//! Runs fused loops over operands that broadcast or have strides.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::{ControlFlow, Range};

use super::MAX_INPUTS;
use super::run::{Loop, Pointers};
use crate::array::Dims;
use crate::array::strided::copy_strided;
use crate::kernel::drive::block::{BLOCK_BYTES, BlockBuffer, LONG_ROW, Operand};
use crate::kernel::drive::nditer::{Access, NdIter, Room};
use crate::kernel::drive::nontemporal::{
    self, PrefetchSet, STAGED_BYTES, StagingBuffer, StreamingWriter,
};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::kernel::drive::plan::{Block, Memory, Plan};
use crate::kernel::elementwise::operand;

/// Operands that are contiguous along rows, or repeat an element there.
struct Rows<'a> {
    nditer: &'a NdIter,
    accesses: &'a [Access],
    /// Each operand's number, and the size of its elements in bytes.
    operands: &'a [(usize, usize)],
    streams: bool,
}

impl Loop<'_> {
    /// Runs over operands that broadcast to a shape.
    ///
    /// # Safety
    /// `output` has room for the shape's elements, in memory that no array refers to. If an input is the output's
    /// former elements ([`LoopInputs::output`](super::LoopInputs)), they are initialised.
    #[inline(never)]
    pub(super) unsafe fn run_strided(&self, shape: &Dims, output: *mut u8) {
        let arrays = self.sources.arrays.iter().enumerate();
        let (numbers, operands): (Vec<usize>, Vec<Operand>) = arrays
            .filter_map(|(number, array)| Some((number, operand((*array)?, shape, &[]))))
            .unzip();
        let mut accesses = vec![Access::START; operands.len()];
        let nditer = NdIter::coalesced(shape, &operands, &mut accesses);
        if nditer.total == 0 {
            return;
        }
        let size = self.dtype.size();
        let read = accesses.iter().zip(&operands);
        let read = read.map(|(access, operand)| access.period.min(nditer.total) * operand.size);
        let streams = self.sources.output.is_none()
            && nontemporal::is_worthwhile(read.sum::<usize>() + nditer.total * size);
        let along =
            |access: &Access| matches!(access.strides[nditer.rank.saturating_sub(1)], 0 | 1);
        if nditer.row() >= LONG_ROW && accesses.iter().all(along) {
            let mut pointers: Pointers = [core::ptr::null(); MAX_INPUTS];
            for (number, operand) in numbers.iter().zip(&operands) {
                pointers[*number] = operand.pointer;
            }
            let sizes = operands.iter().map(|operand| operand.size);
            let rows = Rows {
                nditer: &nditer,
                accesses: &accesses,
                operands: &numbers.iter().copied().zip(sizes).collect::<Vec<_>>(),
                streams,
            };
            let (pointers, output) = (SendPtr::new(pointers), SendPtr::new(output));
            split(
                nditer.total,
                nditer.row(),
                MIN_WORK_PER_THREAD / self.cost,
                |piece| {
                    // SAFETY: the caller guarantees room for the shape's elements that no array refers to; the
                    // operands broadcast to the shape. `split` hands each piece of the output to one thread.
                    unsafe { self.rows(&rows, &pointers.get(), output.get(), piece) };
                },
            );
            return;
        }
        let count = operands.len();
        let mut plan = Plan::new(&nditer, &accesses, &operands, (output, size), true);
        if self.sources.output.is_some() {
            plan = plan.without_streaming();
        }
        let (units, grain, min_len) = plan.pieces(MIN_WORK_PER_THREAD / self.cost);
        split(units, grain, min_len, |piece| {
            // On the stack, where it cannot fail: the output may be an array that is overwritten.
            let mut blocks = MaybeUninit::<[BlockBuffer; MAX_INPUTS]>::uninit();
            // SAFETY: `BlockBuffer` consists of `MaybeUninit`, for which no memory is invalid.
            let blocks = unsafe { blocks.assume_init_mut() };
            let mut rooms = blocks.each_mut().map(|block| Room::new(block.pointer()));
            let mut addresses = [core::ptr::null(); MAX_INPUTS];
            let memory = Memory {
                rooms: &mut rooms[..count],
                between: [core::ptr::null_mut(); 2],
                addresses: &mut addresses[..count],
            };
            let mut body = |block: Block<'_>| {
                let mut by_number: Pointers = [core::ptr::null(); MAX_INPUTS];
                for (number, input) in numbers.iter().zip(&*block.addresses) {
                    by_number[*number] = *input;
                }
                // SAFETY: the plan passes `len` elements of each operand, of which each comes to its number, and room
                // for `len` results.
                unsafe { self.run(&by_number, block.output, block.len) };
                ControlFlow::Continue(())
            };
            // SAFETY: the operands are arrays that broadcast to the shape, and have no chains, so `between` is not
            // used. The caller guarantees room for the shape's elements that no array refers to, so the output
            // overlaps no operand; `split` hands each piece of it to one thread. Each room has memory for `BLOCK`
            // elements of any type. `run` writes all `len` elements.
            unsafe { plan.run(piece, memory, &mut body) };
        });
    }

    /// Runs over a range of positions, row by row.
    ///
    /// # Safety
    /// That of [`Self::run_strided`]. `pointers` are the operands' first elements, by number, and the range lies
    /// within the shape.
    unsafe fn rows(
        &self,
        rows: &Rows<'_>,
        pointers: &Pointers,
        output: *mut u8,
        range: Range<usize>,
    ) {
        let Rows {
            nditer, accesses, ..
        } = *rows;
        let (last, size) = (nditer.rank - 1, self.dtype.size());
        let repeats = |access: &Access| access.strides[last] == 0;
        let mut longest = if rows.streams {
            STAGED_BYTES / size
        } else {
            nditer.row()
        };
        for (access, (_, size)) in accesses.iter().zip(rows.operands) {
            if repeats(access) {
                longest = longest.min(BLOCK_BYTES / size);
            }
        }
        // On the stack, where it cannot fail: the output may be an array that is overwritten.
        let mut blocks = MaybeUninit::<[BlockBuffer; MAX_INPUTS]>::uninit();
        // SAFETY: `BlockBuffer` consists of `MaybeUninit`, for which no memory is invalid.
        let blocks = unsafe { blocks.assume_init_mut() };
        // The address of the element that each block repeats.
        let mut repeated = [core::ptr::null(); MAX_INPUTS];
        let mut staging = StagingBuffer::empty();
        let to = output.wrapping_add(range.start * size);
        let reads = || {
            let along = accesses.iter().zip(rows.operands);
            let along = along.filter(|(access, _)| access.contiguous);
            let first = |number: usize, size| pointers[number].wrapping_add(range.start * size);
            let arrays = along.map(|(_, (number, size))| (first(*number, size), *size));
            PrefetchSet::new(size, arrays)
        };
        let mut writer = StreamingWriter::new(to, rows.streams.then(|| (&mut staging, reads())));
        let mut position = range.start;
        while position < range.end {
            let index = nditer.index_at(position);
            let end = range.end.min(position + nditer.left_in_row(&index));
            let mut inputs = *pointers;
            let mut steps = [0; MAX_INPUTS];
            for (access, (number, size)) in accesses.iter().zip(rows.operands) {
                let offset = access.offset(&index) * size.cast_signed();
                let from = pointers[*number].wrapping_offset(offset);
                (inputs[*number], steps[*number]) = (from, *size);
                if repeats(access) {
                    let block = blocks[*number].pointer();
                    if repeated[*number] != from {
                        // SAFETY: the operand's element at this index can be read, as the index lies within the
                        // shape; `longest * size <= BLOCK_BYTES` for operands that repeat an element along rows, so
                        // the block has room.
                        unsafe { copy_strided(*size, from, 0, longest.min(nditer.row()), block) };
                        repeated[*number] = from;
                    }
                    (inputs[*number], steps[*number]) = (block.cast_const(), 0);
                }
            }
            while position < end {
                let len = longest.min(end - position);
                // SAFETY: `len` elements of each operand are left in the row, or lie in its block (`len <= longest`).
                // `writer.next()` has room for `len` results: `position + len <= range.end`, and a streamed piece has
                // at most `STAGED_BYTES`, less than `MAX_PIECE`.
                unsafe {
                    self.run(&inputs, writer.next(), len);
                    writer.advance(len * size);
                }
                for (input, step) in inputs.iter_mut().zip(steps) {
                    *input = input.wrapping_add(step * len);
                }
                position += len;
            }
        }
        // SAFETY: each piece that was announced by `advance` was written right before.
        unsafe { writer.finish() }
    }
}
