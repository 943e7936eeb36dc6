//! The driver of element-by-element loops.
//!
//! Loops see contiguous memory only. The driver merges dimensions that can be walked as one, and walks
//! the output, which is row-major, in blocks of at most [`BLOCK`] elements. What an operand has to
//! contribute to a block is read in place where it lies so; else it is gathered into scratch that
//! stays in the L1 cache, and converted there. What a block has in common with the one before (a
//! broadcast row or scalar) is not gathered again.
#![allow(unsafe_code, reason = "walks raw memory")]

use super::contiguous::{self, Source};
use super::nditer::{Access, NdIter, all_contiguous};
use super::nontemporal::{self, MAX_PIECE, StagingBuffer};
use super::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Dims, Strides};
use crate::kernel::cast::CastChain;
use crate::simd::Kernel;
use core::mem::MaybeUninit;

/// Elements in a block.
pub(in crate::kernel) const BLOCK: usize = 512;
/// Rows shorter than this are not walked one by one, but gathered several to a block.
pub(in crate::kernel) const LONG_ROW: usize = 128;
/// What the largest elements take in a block.
pub(in crate::kernel) const BLOCK_BYTES: usize = BLOCK * 16;
pub(in crate::kernel) const MAX_OPERANDS: usize = 3;

/// Something to read, element by element, along the output.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Operand {
    /// The element at index zero of the output.
    pub(in crate::kernel) pointer: *const u8,
    /// One per axis of the output.
    pub(in crate::kernel) strides: Strides,
    /// The size of an element, in bytes.
    pub(in crate::kernel) size: usize,
    /// What converts elements into those the loop takes.
    pub(in crate::kernel) chain: CastChain,
}

/// A loop, with what follows it.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Output {
    pub(in crate::kernel) pointer: *mut u8,
    pub(in crate::kernel) kernel: Kernel,
    /// What converts the loop's results; they are `f32` if there is such a conversion.
    pub(in crate::kernel) chain: CastChain,
    /// The size of an element after conversion, in bytes.
    pub(in crate::kernel) size: usize,
    /// About how long the loop takes for an element, in additions.
    pub(in crate::kernel) cost: usize,
}

/// Room for a block of any elements.
#[repr(C, align(64))]
pub(in crate::kernel) struct BlockBuffer([MaybeUninit<u8>; BLOCK_BYTES]);

/// What the loop reads, by operand; what conversions hand to each other; what the loop writes.
pub(in crate::kernel) struct Conversions {
    pub(in crate::kernel) operands: [BlockBuffer; MAX_OPERANDS],
    pub(in crate::kernel) between: [BlockBuffer; 2],
    pub(in crate::kernel) result: BlockBuffer,
}

/// The same, and what is to be streamed.
pub(in crate::kernel) struct Scratch {
    pub(in crate::kernel) blocks: Conversions,
    pub(in crate::kernel) output: StagingBuffer,
}

impl BlockBuffer {
    pub(in crate::kernel) const fn empty() -> Self {
        Self([const { MaybeUninit::uninit() }; BLOCK_BYTES])
    }

    pub(in crate::kernel) fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// So many blocks, on the heap.
///
/// # Errors
/// If there is no memory.
pub(in crate::kernel) fn allocate(count: usize) -> Result<Vec<BlockBuffer>, AllocError> {
    let mut blocks = vec_with_capacity(count)?;
    // SAFETY: there is room for as many; `BlockBuffer` consists of `MaybeUninit`, for which no memory is invalid.
    unsafe { blocks.set_len(count) };
    Ok(blocks)
}

/// Runs a loop over whole arrays.
///
/// # Safety
/// Along the shape, each operand's elements can be read; the output's, row-major and contiguous,
/// can be written. Paths and loop fit one another and the element types. The output overlaps an
/// operand only if that operand's elements are contiguous, of the same size, and start where it does,
/// so that no thread writes what another reads.
pub(in crate::kernel) unsafe fn run(shape: &Dims, operands: &[Operand], output: &Output) {
    assert!(operands.len() <= MAX_OPERANDS, "room in the scratch memory");
    let all_accesses = &mut [Access::START; MAX_OPERANDS];
    let accesses = &mut all_accesses[..operands.len()];
    let nditer = NdIter::coalesced(shape, operands, accesses);
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
        // SAFETY: the caller's.
        return unsafe { contiguous::run(total, &sources[..operands.len()], output) };
    }
    let read = accesses.iter().zip(operands);
    let read = read.map(|(access, operand)| access.period.min(total) * operand.size);
    let in_place = |operand: &Operand| core::ptr::addr_eq(operand.pointer, output.pointer);
    let streams = nontemporal::is_worthwhile(read.sum::<usize>() + total * output.size)
        && !operands.iter().any(in_place);
    let least = output.min_per_thread(operands.iter().map(|operand| operand.chain));
    match nditer.blocked_axis(accesses, operands) {
        Some(axis) => {
            let shared = SendPtr::new(*output);
            let write = |inputs: &[*const u8], len, to| {
                let (output, mut result) = (shared.get(), BlockBuffer::empty());
                // SAFETY: the inputs hold `len` elements such as the loop takes; there is room for as many.
                unsafe { output.write(inputs, len, &mut result, to) }
            };
            let (to, size) = (output.pointer, output.size);
            // SAFETY: the caller's.
            unsafe {
                nditer.run_tiles(
                    axis,
                    accesses,
                    operands,
                    (to, size),
                    (streams, least),
                    &write,
                )
            }
        }
        None => {
            let converts = operands.iter().any(|operand| !operand.chain.is_empty());
            let (mut longest, ends_with_row) =
                nditer.block_length(accesses, converts || !output.chain.is_empty());
            if streams {
                longest = longest.min(MAX_PIECE / output.size);
            }
            let (mut all, count) = ([operands[0]; MAX_OPERANDS], operands.len());
            all[..count].copy_from_slice(operands);
            let (shared, accesses) = (SendPtr::new((all, *output)), *all_accesses);
            split(total, longest, least, |piece| {
                let (operands, output) = shared.get();
                let (operands, mut accesses) = (&operands[..count], accesses);
                let blocks = (longest, ends_with_row);
                // SAFETY: the caller's; each piece of the output is written by one thread.
                unsafe { nditer.run(piece, blocks, &mut accesses, operands, &output, streams) }
            });
        }
    }
}

/// Elements after a chain: where they are, or in `fetched` if there are steps.
///
/// # Safety
/// The source holds `len` elements such as the chain takes; `fetched` and, with more than one step, `between` have room
/// for as many of any size. The source may be the second of these.
#[inline]
pub(in crate::kernel) unsafe fn convert(
    chain: CastChain,
    mut source: *const u8,
    len: usize,
    fetched: *mut u8,
    [mut free, mut used]: [*mut u8; 2],
) -> *const u8 {
    let Some((last, before)) = chain.split_last() else {
        return source;
    };
    for kernel in before {
        // SAFETY: the source holds `len` elements, the scratch has room for as many of any size, and is not what the
        // loop reads.
        unsafe { kernel(&source, free, len) };
        source = free;
        core::mem::swap(&mut free, &mut used);
    }
    // SAFETY: as above.
    unsafe { last(&source, fetched, len) };
    fetched
}

impl Output {
    /// How many elements a thread gets at least, which are converted along these chains.
    pub(in crate::kernel) fn min_per_thread(
        &self,
        chains: impl Iterator<Item = CastChain>,
    ) -> usize {
        let steps = self.chain.len() + chains.map(<[_]>::len).sum::<usize>();
        MIN_WORK_PER_THREAD / (self.cost + steps)
    }

    /// Writes a block.
    ///
    /// # Safety
    /// The inputs hold `len` elements such as the loop takes, and there is room for the results. If those are
    /// converted, there are at most [`BLOCK`].
    #[inline]
    pub(in crate::kernel) unsafe fn write(
        &self,
        inputs: &[*const u8],
        len: usize,
        result: &mut BlockBuffer,
        to: *mut u8,
    ) {
        match self.chain.first() {
            // SAFETY: the caller's.
            None => unsafe { (self.kernel)(inputs.as_ptr(), to, len) },
            Some(encode) => {
                let results = result.pointer();
                // SAFETY: the caller's; the results are at most a block of `f32`.
                unsafe {
                    (self.kernel)(inputs.as_ptr(), results, len);
                    encode(&results.cast_const(), to, len);
                }
            }
        }
    }
}
