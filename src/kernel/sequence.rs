//! Numbers in equal steps, computed in `f64` and converted block by block.
#![allow(unsafe_code, reason = "loops over raw memory")]

use super::cast::chain;
use super::drive::block::{BLOCK, BlockBuffer, convert};
use crate::array::{Array, Dims, UNNAMED, Uninit, element_count};
use crate::dtype::DType;
use crate::error::Error;
use crate::simd::{Body, Isa, LANES, black_box_usize, for_level, lanes, store, store_part};

/// Numbers in equal steps.
#[derive(Clone, Copy)]
pub(crate) struct Sequence {
    pub(crate) count: usize,
    pub(crate) start: f64,
    pub(crate) step: f64,
    /// The last number, if it is not the start plus all steps.
    pub(crate) end: Option<f64>,
}

impl Sequence {
    /// Returns the number at a position.
    pub(crate) fn number(&self, position: usize) -> f64 {
        match self.end {
            Some(end) if position + 1 == self.count => end,
            _ => self.start + float(position) * self.step,
        }
    }
}

/// Makes a vector of the numbers, converted to a dtype.
///
/// # Errors
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn sequence(numbers: &Sequence, dtype: DType) -> Result<Array, Error> {
    let (count, size) = (numbers.count, dtype.size());
    let dims = Dims::new(&[count])?;
    element_count(UNNAMED, &dims)?;
    let mut buffer = Uninit::new(count * size)?;
    let to = buffer.as_mut_ptr();
    let (compute, chain) = (for_level::<Steps>(), chain(DType::F64, dtype));
    let mut room = [const { BlockBuffer::empty() }; 3];
    let [block, between @ ..] = room.each_mut().map(BlockBuffer::pointer);
    for first in (0..count).step_by(BLOCK) {
        let len = BLOCK.min(count - first);
        let part = Part {
            numbers: *numbers,
            first: float(first),
        };
        let to = to.wrapping_add(first * size);
        let block = if chain.is_empty() { to } else { block };
        // SAFETY: the buffer has room for `count` elements, of which `len` are left from `first` on; it is aligned to 16. A
        // `BlockBuffer` has room for `BLOCK` elements of any dtype. The chain takes the `len` numbers that the loop, and the line after it,
        // wrote to `block`.
        unsafe {
            compute(&(&raw const part).cast(), block, len);
            if let Some(end) = numbers.end
                && first + len == count
            {
                block.cast::<f64>().add(len - 1).write(end);
            }
            convert(chain, block, len, to, between);
        }
    }
    // SAFETY: the loop wrote all elements, block by block.
    let buffer = unsafe { buffer.assume_init() };
    Ok(Array::from_buffer(buffer, dtype, dims))
}

/// The numbers from a position on. The input of [`Steps`].
#[repr(C)]
struct Part {
    numbers: Sequence,
    first: f64,
}

/// Writes numbers as [`Sequence::number`] gives them, without the end.
struct Steps;

impl Body for Steps {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        /// The positions of the lanes. A position is an exact `f64`: arrays have less than 2^53 elements.
        const POSITIONS: [f64; LANES] = {
            let (mut positions, mut lane) = ([0.0; LANES], 1);
            while lane < LANES {
                positions[lane] = positions[lane - 1] + 1.0;
                lane += 1;
            }
            positions
        };
        const AT_ONCE: f64 = POSITIONS[LANES - 1] + 1.0;
        // SAFETY: the caller guarantees that the input is a `Part`, and room for `len` `f64`.
        unsafe {
            let part = &*(*inputs).cast::<Part>();
            let Sequence { start, step, .. } = part.numbers;
            let output = output.cast::<f64>();
            let (mut first, mut done) = (part.first, 0);
            while done < len {
                let pack: [f64; LANES] = lanes(|lane| start + (first + POSITIONS[lane]) * step);
                match len - done {
                    LANES.. => store(output.add(done), pack),
                    rest => store_part(output.add(done), &pack, rest),
                }
                first += AT_ONCE;
                done = black_box_usize(done + LANES);
            }
        }
    }
}

fn float(count: usize) -> f64 {
    crate::dtype::cast::cast(u64::try_from(count).unwrap_or(u64::MAX))
}
