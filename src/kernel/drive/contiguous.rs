//! Loops over operands that are contiguous, or a single element.
#![allow(unsafe_code, reason = "walks raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::block::{BLOCK, BlockBuffer, Conversions, MAX_OPERANDS, Output, convert};
use super::nontemporal::{self, PrefetchSet};
use super::parallel::{SendPtr, split};
use crate::array::strided::copy_strided;
use crate::kernel::cast::CastChain;

/// Contiguous elements to read along the output, or one again and again.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Source {
    pub(in crate::kernel) pointer: *const u8,
    /// The size of an element, in bytes.
    pub(in crate::kernel) size: usize,
    /// Whether there is only one.
    pub(in crate::kernel) repeats: bool,
    /// What converts elements into those the loop takes.
    pub(in crate::kernel) chain: CastChain,
}

impl Source {
    pub(in crate::kernel) const NONE: Self = Self {
        pointer: core::ptr::null(),
        size: 0,
        repeats: false,
        chain: &[],
    };

    /// Whether the loop can read it where it lies.
    fn in_place(&self) -> bool {
        !self.repeats && self.chain.is_empty()
    }

    /// The element that a block begins with.
    fn at(&self, position: usize) -> *const u8 {
        let passed = if self.repeats { 0 } else { position };
        self.pointer.wrapping_add(passed * self.size)
    }
}

/// Runs a loop over contiguous operands.
///
/// # Safety
/// That of [`block::run`](super::block::run), for this many elements.
pub(in crate::kernel) unsafe fn run(total: usize, sources: &[Source], output: &Output) {
    let moved = sources.iter().filter(|source| !source.repeats);
    let read = moved.map(|source| source.size).sum::<usize>();
    let over = |source: &Source| core::ptr::addr_eq(source.pointer, output.pointer);
    let streams = nontemporal::is_worthwhile((read + output.size).saturating_mul(total))
        && !sources.iter().any(over);
    let least = output.min_per_thread(sources.iter().map(|source| source.chain));
    let mut all = [Source::NONE; MAX_OPERANDS];
    let count = sources.len();
    all[..count].copy_from_slice(sources);
    let shared = SendPtr::new((all, *output));
    split(total, BLOCK, least, |piece| {
        let (sources, output) = shared.get();
        // SAFETY: the caller's; each piece of the output is written by one thread.
        unsafe { run_piece(piece, &sources[..count], &output, streams) }
    });
}

/// Runs a loop over a piece of contiguous operands.
///
/// # Safety
/// That of [`block::run`](super::block::run), for the elements of the piece. The output is not streamed if it is read.
unsafe fn run_piece(piece: Range<usize>, sources: &[Source], output: &Output, streams: bool) {
    let in_place = sources.iter().all(Source::in_place) && output.chain.is_empty();
    let mut scratch = MaybeUninit::<Conversions>::uninit();
    // SAFETY: `Conversions` consists of `MaybeUninit`, for which no memory is invalid.
    let scratch = unsafe { scratch.assume_init_mut() };
    let mut lay_out = piece.len().min(BLOCK);
    let mut write = |done: usize, len, to| {
        let position = piece.start + done;
        if in_place {
            let mut inputs = [core::ptr::null(); MAX_OPERANDS];
            for (input, source) in inputs.iter_mut().zip(sources) {
                *input = source.at(position);
            }
            // SAFETY: the loop takes the elements as they are.
            unsafe { (output.kernel)(inputs.as_ptr(), to, len) };
        } else {
            let place = (position, len, to);
            // SAFETY: the caller's; the first piece lays out what repeats.
            unsafe {
                run_blocks(
                    scratch,
                    core::mem::take(&mut lay_out),
                    place,
                    sources,
                    output,
                )
            };
        }
    };
    let to = output.pointer.wrapping_add(piece.start * output.size);
    let reads = || {
        let moved = sources.iter().filter(|source| !source.repeats);
        let arrays = moved.map(|source| (source.at(piece.start), source.size));
        PrefetchSet::new(output.size, arrays)
    };
    // SAFETY: the caller's; all elements are written.
    unsafe { nontemporal::in_pieces(to, piece.len(), streams.then(reads), &mut write) }
}

/// Runs a loop over few elements of contiguous operands that are to be converted, or whose results are.
///
/// # Safety
/// That of [`block::run`](super::block::run), for this many elements; no operand repeats an element.
#[inline(never)]
pub(in crate::kernel) unsafe fn run_small(len: usize, sources: &[Source], output: &Output) {
    debug_assert!(sources.iter().all(|source| !source.repeats));
    let mut scratch = MaybeUninit::<Conversions>::uninit();
    // SAFETY: `Conversions` consists of `MaybeUninit`, for which no memory is invalid.
    let scratch = unsafe { scratch.assume_init_mut() };
    // SAFETY: the caller's.
    unsafe { run_blocks(scratch, 0, (0, len, output.pointer), sources, output) }
}

/// Runs a loop over contiguous operands of which some repeat an element, or are to be converted, or whose results are.
///
/// # Safety
/// That of [`block::run`](super::block::run), for this many elements from a position on, which are written to `to`. What repeats lies in the
/// scratch, as left by an earlier call for as many or more, or is laid out there so many times.
#[inline]
unsafe fn run_blocks(
    scratch: &mut Conversions,
    lay_out: usize,
    (position, len, to): (usize, usize, *mut u8),
    sources: &[Source],
    output: &Output,
) {
    assert!(sources.len() <= MAX_OPERANDS, "room in the scratch memory");
    debug_assert!(lay_out <= BLOCK);
    let [free, used] = scratch.between.each_mut().map(BlockBuffer::pointer);
    let mut inputs = [core::ptr::null(); MAX_OPERANDS];
    for (number, source) in sources.iter().enumerate() {
        if source.repeats {
            let fetched = scratch.operands[number].pointer();
            inputs[number] = fetched.cast_const();
            if lay_out > 0 {
                let room = if source.chain.is_empty() {
                    fetched
                } else {
                    used
                };
                // SAFETY: there is an element of this size; a block fits the scratch.
                unsafe {
                    copy_strided(source.size, source.pointer, 0, lay_out, room);
                    convert(source.chain, room, lay_out, fetched, [free, used]);
                }
            }
        }
    }
    for done in (0..len).step_by(BLOCK) {
        let block = (len - done).min(BLOCK);
        for (number, source) in sources.iter().enumerate() {
            if !source.repeats {
                let fetched = scratch.operands[number].pointer();
                let from = source.at(position + done);
                // SAFETY: the caller's; a block fits the scratch.
                inputs[number] =
                    unsafe { convert(source.chain, from, block, fetched, [free, used]) };
            }
        }
        // SAFETY: the inputs are such as the loop takes; the output has as many elements left.
        unsafe {
            let to = to.add(done * output.size);
            output.write(&inputs, block, &mut scratch.result, to);
        }
    }
}
