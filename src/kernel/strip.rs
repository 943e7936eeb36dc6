//! The driver of element-by-element loops.
//!
//! Loops see contiguous memory only. The driver merges dimensions that can be walked as one, and walks
//! the output, which is row-major, in strips of at most [`STRIP`] elements. What an operand has to
//! contribute to a strip is read in place where it lies so; else it is gathered into scratch that
//! stays in the L1 cache, and converted there. What a strip has in common with the one before (a
//! broadcast row or scalar) is not gathered again.
#![allow(unsafe_code, reason = "walks raw memory")]

use super::cast::Path;
use super::contiguous::{self, Source};
use super::lanes::{Kernel, for_types};
use super::parallel::{LEAST, Shared, split};
use super::stream::{self, Block, LARGEST_PIECE};
use super::walk::{Walk, Way, all_contiguous};
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Dims, Strides};
use core::mem::MaybeUninit;

/// Elements in a strip.
pub(super) const STRIP: usize = 512;
/// Rows shorter than this are not walked one by one, but gathered several to a strip.
pub(super) const LONG_ROW: usize = 128;
/// What the largest elements take in a strip.
pub(super) const STRIP_BYTES: usize = STRIP * 16;
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
    pub(super) path: Path,
}

/// A loop, with what follows it.
#[derive(Clone, Copy)]
pub(super) struct Output {
    pub(super) pointer: *mut u8,
    pub(super) kernel: Kernel,
    /// What converts the loop's results; they are `f32` if there is such a conversion.
    pub(super) path: Path,
    /// The size of an element after conversion, in bytes.
    pub(super) size: usize,
    /// About how long the loop takes for an element, in additions.
    pub(super) cost: usize,
}

/// Room for a strip of any elements.
#[repr(C, align(64))]
pub(super) struct Strip([MaybeUninit<u8>; STRIP_BYTES]);

/// What the loop reads, by operand; what conversions hand to each other; what the loop writes.
pub(super) struct Conversions {
    pub(super) operands: [Strip; MAX_OPERANDS],
    pub(super) between: [Strip; 2],
    pub(super) result: Strip,
}

/// The same, and what is to be streamed.
pub(super) struct Scratch {
    pub(super) strips: Conversions,
    pub(super) output: Block,
}

impl Strip {
    pub(super) const fn empty() -> Self {
        Self([const { MaybeUninit::uninit() }; STRIP_BYTES])
    }

    pub(super) fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// So many strips, on the heap.
///
/// # Errors
/// If there is no memory.
pub(super) fn allocate(count: usize) -> Result<Vec<Strip>, AllocError> {
    let mut strips = vec_with_capacity(count)?;
    // SAFETY: there is room for as many; `Strip` consists of `MaybeUninit`, for which no memory is invalid.
    unsafe { strips.set_len(count) };
    Ok(strips)
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
    let all_ways = &mut [Way::START; MAX_OPERANDS];
    let ways = &mut all_ways[..operands.len()];
    let walk = Walk::merged(shape, operands, ways);
    let total = walk.total;
    if total == 0 {
        return;
    }
    if all_contiguous(ways) {
        let mut sources = [Source::NONE; MAX_OPERANDS];
        for (source, operand) in sources.iter_mut().zip(operands) {
            *source = Source {
                pointer: operand.pointer,
                size: operand.size,
                repeats: false,
                path: operand.path,
            };
        }
        // SAFETY: the caller's.
        return unsafe { contiguous::run(total, &sources[..operands.len()], output) };
    }
    let read = ways.iter().zip(operands);
    let read = read.map(|(way, operand)| way.period.min(total) * operand.size);
    let in_place = |operand: &Operand| core::ptr::addr_eq(operand.pointer, output.pointer);
    let streams = stream::is_worthwhile(read.sum::<usize>() + total * output.size)
        && !operands.iter().any(in_place);
    let least = output.least(operands.iter().map(|operand| operand.path));
    match walk.across(ways, operands) {
        Some(axis) => {
            let shared = Shared::new(*output);
            let write = |inputs: &[*const u8], len, to| {
                let (output, mut result) = (shared.get(), Strip::empty());
                // SAFETY: the inputs hold `len` elements such as the loop takes; there is room for as many.
                unsafe { output.write(inputs, len, &mut result, to) }
            };
            let (to, size) = (output.pointer, output.size);
            // SAFETY: the caller's.
            unsafe { walk.run_tiles(axis, ways, operands, (to, size), (streams, least), &write) }
        }
        None => {
            let converts = operands.iter().any(|operand| !operand.path.is_empty());
            let (mut longest, ends_with_row) =
                walk.strip_length(ways, converts || !output.path.is_empty());
            if streams {
                longest = longest.min(LARGEST_PIECE / output.size);
            }
            let (mut all, count) = ([operands[0]; MAX_OPERANDS], operands.len());
            all[..count].copy_from_slice(operands);
            let (shared, ways) = (Shared::new((all, *output)), *all_ways);
            split(total, longest, least, |piece| {
                let (operands, output) = shared.get();
                let (operands, mut ways) = (&operands[..count], ways);
                let strips = (longest, ends_with_row);
                // SAFETY: the caller's; each piece of the output is written by one thread.
                unsafe { walk.run(piece, strips, &mut ways, operands, &output, streams) }
            });
        }
    }
}

/// Elements after a path: where they are, or in `fetched` if there are steps.
///
/// # Safety
/// The source holds `len` elements such as the path takes; `fetched` and, with more than one step, `between` have room
/// for as many of any size. The source may be the second of these.
#[inline]
pub(super) unsafe fn convert(
    path: Path,
    mut source: *const u8,
    len: usize,
    fetched: *mut u8,
    [mut free, mut used]: [*mut u8; 2],
) -> *const u8 {
    let Some((last, before)) = path.split_last() else {
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
    /// How many elements a thread gets at least, which are converted along these paths.
    pub(super) fn least(&self, paths: impl Iterator<Item = Path>) -> usize {
        let steps = self.path.len() + paths.map(<[_]>::len).sum::<usize>();
        LEAST / (self.cost + steps)
    }

    /// Writes a strip.
    ///
    /// # Safety
    /// The inputs hold `len` elements such as the loop takes, and there is room for the results. If those are
    /// converted, there are at most [`STRIP`].
    #[inline]
    pub(super) unsafe fn write(
        &self,
        inputs: &[*const u8],
        len: usize,
        result: &mut Strip,
        to: *mut u8,
    ) {
        match self.path.first() {
            // SAFETY: the caller's.
            None => unsafe { (self.kernel)(inputs.as_ptr(), to, len) },
            Some(encode) => {
                let results = result.pointer();
                // SAFETY: the caller's; the results are at most a strip of `f32`.
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
