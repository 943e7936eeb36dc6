//! Element loops over contiguous operands and scalars.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use core::ops::Range;

use super::block::{BLOCK, BlockBuffer, CastChain, Conversions, MAX_OPERANDS, Output, convert};
use super::nontemporal::{self, PrefetchSet};
use super::parallel::{MIN_WORK_PER_THREAD, Plain, SendPtr, split};
use crate::array::strided::copy_strided;

/// A contiguous operand, or a single element that is repeated along the output.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Source {
    pub(in crate::kernel) pointer: *const u8,
    /// The size of an element, in bytes.
    pub(in crate::kernel) size: usize,
    /// `true` if it is a single element.
    pub(in crate::kernel) repeats: bool,
    /// Converts the elements to the loop's input type.
    pub(in crate::kernel) chain: CastChain,
}

impl Plain for Source {}

impl Source {
    pub(in crate::kernel) const NONE: Self = Self {
        pointer: core::ptr::null(),
        size: 0,
        repeats: false,
        chain: &[],
    };

    /// Returns whether the loop can read the operand in place.
    fn in_place(&self) -> bool {
        !self.repeats && self.chain.is_empty()
    }

    /// Returns the address of the element at a position.
    fn at(&self, position: usize) -> *const u8 {
        let passed = if self.repeats { 0 } else { position };
        self.pointer.wrapping_add(passed * self.size)
    }
}

/// Runs a loop over contiguous operands.
///
/// # Safety
/// The contract of [`run::run`](super::run::run), for `total` elements of each source, or one if it repeats: they can
/// be read, the output can be written, chains fit, and the output overlaps sources only in place.
pub(in crate::kernel) unsafe fn run(total: usize, sources: &[Source], output: &Output) {
    let moved = sources.iter().filter(|source| !source.repeats);
    let read = moved.map(|source| source.size).sum::<usize>();
    let over = |source: &Source| core::ptr::addr_eq(source.pointer, output.pointer);
    let cost = output.cost_with(sources.iter().map(|source| source.chain));
    let bytes = (read + output.size).saturating_mul(total);
    let streams = nontemporal::is_worthwhile(bytes, output.size, cost) && !sources.iter().any(over);
    let min_len = MIN_WORK_PER_THREAD / cost;
    let mut all = [Source::NONE; MAX_OPERANDS];
    let count = sources.len();
    all[..count].copy_from_slice(sources);
    let shared = SendPtr::new((all, *output));
    split(total, BLOCK, min_len, |piece| {
        let (sources, output) = shared.get();
        // SAFETY: the caller guarantees readable sources, a writable output, chains that fit, and no overlap but in
        // place; `split` hands each piece of the output to one thread, and `streams` is false if the output is a
        // source.
        unsafe { run_piece(piece, &sources[..count], &output, streams) }
    });
}

/// Runs a loop over a piece of contiguous operands.
///
/// # Safety
/// The contract of [`run`], for the elements of the piece. If `streams`, the output overlaps no source.
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
            // SAFETY: the caller guarantees `len` readable elements from `position` on; no source repeats or is
            // converted (`in_place`), so they are the loop's inputs. `in_pieces` gives room for `len` results at
            // `to`.
            unsafe { (output.kernel)(inputs.as_ptr(), to, len) };
        } else {
            let place = (position, len, to);
            // SAFETY: the caller guarantees readable sources and chains that fit; `in_pieces` gives room for `len`
            // results at `to`. The first call lays out
            // `min(piece.len(), BLOCK)` copies of each repeated element, as many as any block takes.
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
    // SAFETY: the caller guarantees room for the piece; `write` writes all `len` elements, as the loop or
    // `run_blocks` does; if `streams`, the caller guarantees that the output overlaps no source.
    unsafe { nontemporal::in_pieces(to, piece.len(), streams.then(reads), &mut write) }
}

/// Runs a loop over contiguous operands, of which some are converted or whose results are. Meant for small arrays: it
/// neither streams nor splits.
///
/// # Safety
/// The contract of [`run`], for `len` elements; no source repeats an element.
#[inline(never)]
pub(in crate::kernel) unsafe fn run_small(len: usize, sources: &[Source], output: &Output) {
    debug_assert!(sources.iter().all(|source| !source.repeats));
    let mut scratch = MaybeUninit::<Conversions>::uninit();
    // SAFETY: `Conversions` consists of `MaybeUninit`, for which no memory is invalid.
    let scratch = unsafe { scratch.assume_init_mut() };
    // SAFETY: the caller guarantees `len` readable elements of each source, room for `len` results and chains that
    // fit; no source repeats, so nothing needs to be laid out.
    unsafe { run_blocks(scratch, 0, (0, len, output.pointer), sources, output) }
}

/// Runs a loop over contiguous operands, of which some repeat an element or are converted, or whose results are.
///
/// # Safety
/// - The contract of [`run`] holds for the `len` elements from `position` on; `to` has room for `len` results.
/// - Repeated elements: `lay_out` copies of each, at most [`BLOCK`] and at least the smaller of `len` and `BLOCK`,
///   are laid out in the scratch by this call; or `lay_out` is 0 and an earlier call has left as many there.
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
                // SAFETY: the caller guarantees that the source's one element can be read; `lay_out <= BLOCK`, so the
                // copies fit the scratch, and `used` is the second scratch pointer, which `convert` accepts as
                // source.
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
                // SAFETY: the caller guarantees that `len` elements can be read from `position` on, of which `done +
                // block <= len`; each scratch block has room for `BLOCK` elements, and `fetched` is this operand's
                // alone.
                inputs[number] =
                    unsafe { convert(source.chain, from, block, fetched, [free, used]) };
            }
        }
        // SAFETY: each input holds `block` elements of the loop's type (converted above, or laid out); `to` has room
        // for `len` elements, and `done + block <= len`.
        unsafe {
            let to = to.add(done * output.size);
            output.write(&inputs, block, &mut scratch.result, to);
        }
    }
}
