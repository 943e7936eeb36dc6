//! The driver of element-by-element loops.
//!
//! Loops see contiguous memory only. The driver merges dimensions that can be walked as one, and walks
//! the output, which is row-major, in blocks of at most [`BLOCK`] elements. What an operand has to
//! contribute to a block is read in place where it lies so; else it is gathered into scratch that
//! stays in the L1 cache, and converted there. What a block has in common with the one before (a
//! broadcast row or scalar) is not gathered again.
#![allow(unsafe_code, reason = "walks raw memory")]

use super::cast::CastChain;
use super::contiguous::{self, Source};
use super::nditer::{Access, NdIter, all_contiguous};
use super::nontemporal::{self, MAX_PIECE, StagingBuffer};
use super::pack::{Kernel, for_types};
use super::parallel::{MIN_WORK_PER_THREAD, SendPtr, split};
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Dims, Strides};
use core::mem::MaybeUninit;

/// Elements in a block.
pub(super) const BLOCK: usize = 512;
/// Rows shorter than this are not walked one by one, but gathered several to a block.
pub(super) const LONG_ROW: usize = 128;
/// What the largest elements take in a block.
pub(super) const BLOCK_BYTES: usize = BLOCK * 16;
pub(super) const MAX_OPERANDS: usize = 3;

/// Something to read, element by element, along the output.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    /// The element at index zero of the output.
    pub(super) pointer: *const u8,
    /// One per axis of the output.
    pub(super) strides: Strides,
    /// The size of an element, in bytes.
    pub(super) size: usize,
    /// What converts elements into those the loop takes.
    pub(super) chain: CastChain,
}

/// A loop, with what follows it.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub(super) pointer: *mut u8,
    pub(super) kernel: Kernel,
    /// What converts the loop's results; they are `f32` if there is such a conversion.
    pub(super) chain: CastChain,
    /// The size of an element after conversion, in bytes.
    pub(super) size: usize,
    /// About how long the loop takes for an element, in additions.
    pub(super) cost: usize,
}

/// Room for a block of any elements.
#[repr(C, align(64))]
pub(super) struct BlockBuffer([MaybeUninit<u8>; BLOCK_BYTES]);

/// What the loop reads, by operand; what conversions hand to each other; what the loop writes.
pub(super) struct Conversions {
    pub(super) operands: [BlockBuffer; MAX_OPERANDS],
    pub(super) between: [BlockBuffer; 2],
    pub(super) result: BlockBuffer,
}

/// The same, and what is to be streamed.
pub(super) struct Scratch {
    pub(super) blocks: Conversions,
    pub(super) output: StagingBuffer,
}

impl BlockBuffer {
    pub(super) const fn empty() -> Self {
        Self([const { MaybeUninit::uninit() }; BLOCK_BYTES])
    }

    pub(super) fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// So many blocks, on the heap.
///
/// # Errors
/// If there is no memory.
pub(super) fn allocate(count: usize) -> Result<Vec<BlockBuffer>, AllocError> {
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
pub(super) unsafe fn run(shape: &Dims, operands: &[Operand], output: &Output) {
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
pub(super) unsafe fn convert(
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
    pub(super) fn min_per_thread(&self, chains: impl Iterator<Item = CastChain>) -> usize {
        let steps = self.chain.len() + chains.map(<[_]>::len).sum::<usize>();
        MIN_WORK_PER_THREAD / (self.cost + steps)
    }

    /// Writes a block.
    ///
    /// # Safety
    /// The inputs hold `len` elements such as the loop takes, and there is room for the results. If those are
    /// converted, there are at most [`BLOCK`].
    #[inline]
    pub(super) unsafe fn write(
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

/// Copies elements of a size that lie `stride` apart.
///
/// # Safety
/// `len` elements, aligned for their size up to that of `u64`, can be read and written, and do not overlap.
#[inline]
pub(super) unsafe fn copy_strided(
    size: usize,
    from: *const u8,
    stride: isize,
    len: usize,
    to: *mut u8,
) {
    for_types!(size, T in [1 => u8, 2 => u16, 4 => u32, 8 => u64] =>
        // SAFETY: the caller's; this has their size and at most their alignment.
        unsafe { copy_row::<T>(from.cast(), stride, len, to.cast()) },
        // SAFETY: as above, elements of 16 bytes.
        _ => unsafe { copy_row::<[u64; 2]>(from.cast(), stride, len, to.cast()) }
    );
}

/// Copies elements that lie `stride` apart.
///
/// # Safety
/// `len` elements can be read and written, and do not overlap.
#[inline(always)]
unsafe fn copy_row<T: Copy>(from: *const T, stride: isize, len: usize, to: *mut T) {
    // SAFETY: the caller's.
    unsafe {
        match stride {
            1 => to.copy_from_nonoverlapping(from, len),
            0 => core::slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), len)
                .fill(MaybeUninit::new(from.read())),
            _ => {
                for at in 0..len {
                    to.add(at)
                        .write(from.offset(at.cast_signed() * stride).read());
                }
            }
        }
    }
}
