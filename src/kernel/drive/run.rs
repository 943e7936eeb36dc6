//! The driver of element-by-element loops over strided operands.
//!
//! Element loops see contiguous memory only. The driver
//!
//! 1. coalesces the axes that every operand crosses with one stride;
//! 2. visits the row-major output in blocks of at most [`BLOCK`](super::block::BLOCK) elements;
//! 3. reads an operand's part of a block in place if it is contiguous there, else gathers it into scratch that stays
//!    in the L1 cache, and converts it there;
//! 4. reuses gathered scratch while an operand repeats itself (a broadcast row or scalar).
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::ControlFlow;

use super::block::{BlockBuffer, Conversions, MAX_OPERANDS, Operand, Output};
use super::contiguous::{self, Source};
use super::nditer::{Access, NdIter, OperandBuffer, all_contiguous};
use super::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use super::plan::{Block, Memory, Plan};
use crate::array::Dims;

/// Runs a loop over whole arrays.
///
/// # Safety
/// - Along the shape, each operand's elements can be read and are aligned for their size, up to 8 bytes.
/// - The output's elements, row-major and contiguous, can be written.
/// - Each operand's chain takes the operand's elements and gives the loop's input type; the output's chain takes the
///   loop's results and gives the output's elements.
/// - The output overlaps an operand only if that operand's elements are contiguous, of the same size, and start at
///   the same address. So no thread writes elements that another one reads.
pub(in crate::kernel) unsafe fn run(shape: &Dims, operands: &[Operand], output: &Output) {
    assert!(operands.len() <= MAX_OPERANDS, "room in the scratch memory");
    let all_accesses = &mut [Access::START; MAX_OPERANDS];
    let accesses = &mut all_accesses[..operands.len()];
    let mut nditer = NdIter::START;
    nditer.coalesce(shape, operands, accesses);
    let total = nditer.total;
    if total == 0 {
        return;
    }
    if all_contiguous(accesses) {
        let mut sources = [Source::NONE; MAX_OPERANDS];
        for (source, operand) in sources.iter_mut().zip(operands) {
            *source = Source {
                pointer: operand.pointer,
                size: operand.size,
                repeats: false,
                chain: operand.chain,
            };
        }
        // SAFETY: the caller guarantees readable operands, a writable output, chains that fit, and no overlap but in
        // place; all operands are contiguous (checked above) and have `total` elements.
        return unsafe { contiguous::run(total, &sources[..operands.len()], output) };
    }
    let converts = operands.iter().any(|operand| !operand.chain.is_empty());
    let scratch_used = converts || !output.chain.is_empty();
    let cost = output.cost_with(operands.iter().map(|operand| operand.chain));
    let to = (output.pointer, output.size, cost);
    let mut plan = Plan::new(&nditer, accesses, operands, to, scratch_used);
    if output.copies(operands) {
        plan = plan.copying();
    }
    let (units, grain, min_len) = plan.pieces(MIN_WORK_PER_THREAD / cost);
    let (shared, count) = (SendPtr::new(*output), operands.len());
    split(units, grain, min_len, |piece| {
        let output = shared.get();
        let mut scratch = MaybeUninit::<Conversions>::uninit();
        // SAFETY: `Conversions` consists of `MaybeUninit`, for which no memory is invalid.
        let scratch = unsafe { scratch.assume_init_mut() };
        let blocks = scratch.operands.each_mut();
        let mut buffers = blocks.map(|block| OperandBuffer::new(block.pointer()));
        let mut addresses = [core::ptr::null(); MAX_OPERANDS];
        let memory = Memory {
            buffers: &mut buffers[..count],
            between: scratch.between.each_mut().map(BlockBuffer::pointer),
            addresses: &mut addresses[..count],
        };
        let result = &mut scratch.result;
        let mut body = |block: Block<'_>| {
            // SAFETY: the plan passes inputs of `len` converted elements and room for `len` results; `len` is at most
            // `BLOCK` if these are converted (`scratch_used`).
            unsafe { output.write(block.addresses, block.len, result, block.output) };
            ControlFlow::Continue(())
        };
        // SAFETY: the caller guarantees readable operands, a writable output, chains that fit and no overlap but in
        // place; `split` hands each piece of the output to one thread. The scratch has a block of `BLOCK` elements of
        // any type for each operand and twice for the steps between. `write` writes the whole block. `scratch_used` is true
        // if an operand has a chain.
        unsafe { plan.run(piece, memory, &mut body) };
    });
}
