//! The operands and the output of a driven loop, the conversions between their dtypes, and scratch memory for a block.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::parallel::Plain;
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Strides};
use crate::simd::{self, Kernel};

/// The number of elements in a block.
pub(in crate::kernel) const BLOCK: usize = 512;
/// Rows of at least this many elements are visited one by one; shorter rows are gathered several to a block.
pub(in crate::kernel) const LONG_ROW: usize = 128;
/// The size of a block of the largest elements (16 bytes each), in bytes.
pub(in crate::kernel) const BLOCK_BYTES: usize = BLOCK * 16;
/// The largest number of operands of a driven loop.
pub(in crate::kernel) const MAX_OPERANDS: usize = 3;

/// The loops of a conversion, first to last; none if the bytes stay the same.
pub(in crate::kernel) type CastChain = &'static [Kernel];

/// An operand, read element by element along the output.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Operand {
    /// The operand's element at index zero of the output.
    pub(in crate::kernel) pointer: *const u8,
    /// Strides in elements, one per axis of the output.
    pub(in crate::kernel) strides: Strides,
    /// The size of an element, in bytes.
    pub(in crate::kernel) size: usize,
    /// Converts the operand's elements to the loop's input type.
    pub(in crate::kernel) chain: CastChain,
}

impl Operand {
    /// An entry of a list that has no operand yet.
    pub(in crate::kernel) fn none() -> Self {
        Self {
            pointer: core::ptr::null(),
            strides: Strides::default(),
            size: 0,
            chain: &[],
        }
    }
}

/// An element loop, the memory it writes and the conversion of its results.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct Output {
    pub(in crate::kernel) pointer: *mut u8,
    pub(in crate::kernel) kernel: Kernel,
    /// Converts the loop's results to the output's elements. If it is not empty, the results are `f32`.
    pub(in crate::kernel) chain: CastChain,
    /// The size of an element after conversion, in bytes.
    pub(in crate::kernel) size: usize,
    /// The approximate cost of the loop for one element, in additions.
    pub(in crate::kernel) cost: usize,
}

/// Scratch memory for a block of elements of any type.
#[repr(C, align(64))]
pub(in crate::kernel) struct BlockBuffer([MaybeUninit<u8>; BLOCK_BYTES]);

/// Scratch memory of a block: the converted operands, the intermediate steps of conversions, and the loop's results.
pub(in crate::kernel) struct Conversions {
    pub(in crate::kernel) operands: [BlockBuffer; MAX_OPERANDS],
    pub(in crate::kernel) between: [BlockBuffer; 2],
    pub(in crate::kernel) result: BlockBuffer,
}

impl BlockBuffer {
    pub(in crate::kernel) const fn empty() -> Self {
        Self([const { MaybeUninit::uninit() }; BLOCK_BYTES])
    }

    pub(in crate::kernel) fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Allocates `count` blocks on the heap.
///
/// # Errors
/// If there is no memory.
pub(in crate::kernel) fn allocate(count: usize) -> Result<Vec<BlockBuffer>, AllocError> {
    let mut blocks = vec_with_capacity(count)?;
    // SAFETY: the vector's capacity is at least `count`; `BlockBuffer` consists of `MaybeUninit`, which needs no
    // initialisation.
    unsafe { blocks.set_len(count) };
    Ok(blocks)
}

impl Plain for Operand {}
impl Plain for Output {}

/// Applies a conversion chain to `len` elements. Returns `source` itself if the chain is empty, else `fetched`.
///
/// # Safety
/// - `source` holds `len` elements of the chain's input type.
/// - `fetched` and, if the chain has more than one step, both scratch pointers have room for `len` elements of any
///   size.
/// - `source` may be the second scratch pointer, but overlaps neither the first one nor `fetched`.
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
        // SAFETY: `source` holds `len` elements of this step's input type: the caller's, or those that the previous
        // step wrote. `free` has room for `len` results; `source` is the caller's or `used`, so the two do not
        // overlap.
        unsafe { kernel(&source, free, len) };
        source = free;
        core::mem::swap(&mut free, &mut used);
    }
    // SAFETY: `source` holds `len` elements of the last step's input type, and `fetched` has room for its results.
    // `source` is the caller's or a scratch pointer, so it does not overlap `fetched`.
    unsafe { last(&source, fetched, len) };
    fetched
}

impl Output {
    /// Returns whether the loop copies the elements of the only operand. If LLVM compiled that loop twice, the answer may be `false`, which
    /// costs time alone; loops of one address have the same code.
    pub(super) fn copies(&self, operands: &[Operand]) -> bool {
        let is_plain = |operand: &Operand| operand.chain.is_empty() && operand.size == self.size;
        matches!(operands, [operand] if is_plain(operand))
            && self.chain.is_empty()
            && core::ptr::fn_addr_eq(self.kernel, simd::copy(self.size))
    }

    /// Returns the approximate cost of one element with its conversions, in additions, given the chains of the operands.
    pub(in crate::kernel) fn cost_with(&self, chains: impl Iterator<Item = CastChain>) -> usize {
        let steps = self.chain.len() + chains.map(<[_]>::len).sum::<usize>();
        self.cost + steps
    }

    /// Writes one block.
    ///
    /// # Safety
    /// The inputs hold `len` elements of the loop's input types, and `to` has room for `len` elements of the output.
    /// If the output's chain is not empty, `len` is at most [`BLOCK`].
    #[inline]
    pub(in crate::kernel) unsafe fn write(
        &self,
        inputs: &[*const u8],
        len: usize,
        result: &mut BlockBuffer,
        to: *mut u8,
    ) {
        match self.chain.first() {
            // SAFETY: the caller guarantees `len` elements of each input and room for as many results at `to`.
            None => unsafe { (self.kernel)(inputs.as_ptr(), to, len) },
            Some(encode) => {
                let results = result.pointer();
                // SAFETY: the caller guarantees `len <= BLOCK` elements of each input and room for as many at `to`;
                // `result` has room for `BLOCK` elements of any type, so for `len` results of type `f32`.
                unsafe {
                    (self.kernel)(inputs.as_ptr(), results, len);
                    encode(&results.cast_const(), to, len);
                }
            }
        }
    }
}
