//! Instruction sets: the choice among them (`dispatch`), loops over packs (`pack`), prefetches, streaming stores, the operations that
//! need intrinsics (`x86`), and those of sorts (`sort_vectors`).
#![allow(unsafe_code, reason = "intrinsics")]

mod by_case;
pub(crate) mod cache;
mod dispatch;
pub(crate) mod pack;
mod prefetch;
#[cfg(target_arch = "x86_64")]
mod sort_vectors;
mod streaming;
#[cfg(target_arch = "x86_64")]
mod x86;

use bytemuck::Pod;

use crate::codec::{f16_to_f32, f32_to_f16, upper_half};
pub(crate) use by_case::*;
pub(crate) use dispatch::*;
pub(crate) use pack::*;
pub(crate) use prefetch::*;
#[cfg(target_arch = "x86_64")]
pub(crate) use sort_vectors::*;
pub(crate) use streaming::*;

/// Operations for which LLVM does not find the best instructions.
pub trait Isa {
    /// The size of all vector registers together, in bytes.
    const REGISTER_BYTES: usize;

    /// Decodes 32 half-precision floats.
    ///
    /// # Safety
    /// The processor has this instruction set.
    unsafe fn decode_f16(bits: [u16; LANES]) -> [f32; LANES];

    /// Rounds 32 floats to half precision, to nearest even.
    ///
    /// # Safety
    /// The processor has this instruction set.
    unsafe fn encode_f16(values: [f32; LANES]) -> [u16; LANES];

    /// Returns `a * b + c`, rounded once. Where the processor may lack an instruction for that, it is computed in `f64` and rounded twice,
    /// which gives another float for about one of 2²⁹ operands. Callers are functions of one `f32`, of which all arguments were
    /// tried: no result differs (`kernel/tests/mul_add.rs`).
    #[inline(always)]
    fn mul_add(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }

    /// Copies bytes with streaming stores, if the processor has them. [`end_streaming`] comes after the last ones.
    ///
    /// # Safety
    /// The processor has this instruction set. `bytes` bytes, a multiple of 32, can be read at `from` and written at `to`; they do not
    /// overlap. Both addresses are multiples of 64, or of 32 if there are 32 bytes.
    #[inline(always)]
    unsafe fn stream(from: *const u8, to: *mut u8, bytes: usize) {
        // SAFETY: the caller guarantees the bytes and their alignment. Every x86-64 processor has vectors of 16 bytes.
        unsafe {
            #[cfg(target_arch = "x86_64")]
            x86::stream_vectors(from, to, bytes);
            #[cfg(not(target_arch = "x86_64"))]
            to.copy_from_nonoverlapping(from, bytes);
        }
    }

    /// Returns the upper halves of 32 words.
    ///
    /// # Safety
    /// The processor has this instruction set.
    #[inline(always)]
    unsafe fn upper_halves(words: [u32; LANES]) -> [u16; LANES] {
        lanes(|lane| upper_half(words[lane]))
    }
}

/// The bytes of the registers of AVX-512: 32 of 64 bytes. No instruction set has more.
pub(crate) const MAX_REGISTER_BYTES: usize = 32 * 64;

/// [`SimdLevel::Baseline`].
pub(crate) struct Baseline;

impl Isa for Baseline {
    const REGISTER_BYTES: usize = 16 * 16;

    #[inline(always)]
    unsafe fn decode_f16(bits: [u16; LANES]) -> [f32; LANES] {
        bits.map(f16_to_f32)
    }
    #[inline(always)]
    unsafe fn encode_f16(values: [f32; LANES]) -> [u16; LANES] {
        values.map(f32_to_f16)
    }
    // `f32::mul_add` calls a library there, for one element after the other.
    #[cfg(not(any(target_feature = "fma", target_arch = "aarch64")))]
    #[inline(always)]
    #[expect(clippy::as_conversions, reason = "the last rounding, to `f32`")]
    fn mul_add(a: f32, b: f32, c: f32) -> f32 {
        (f64::from(a) * f64::from(b) + f64::from(c)) as f32
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{V3, V4};

/// Transposes a square of `N` by `N` elements, whose columns are 16 bytes each.
#[inline(always)]
pub(crate) fn transposed<T: Pod, const N: usize>(columns: [[T; N]; N]) -> [[T; N]; N] {
    #[cfg(target_arch = "x86_64")]
    return x86::transposed(columns);
    #[cfg(not(target_arch = "x86_64"))]
    core::array::from_fn(|row| columns.map(|column| column[row]))
}
