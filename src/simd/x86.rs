//! AVX2 and AVX-512, which are levels V3 and V4, and streaming stores.
#![allow(unsafe_code, reason = "intrinsics")]

use core::arch::x86_64::*;
use core::mem::{transmute, transmute_copy};

use bytemuck::Pod;

use super::{Isa, LANES, LINE, Prefetch};

/// Interleaves the elements of two vectors.
#[inline(always)]
fn interleaved(size: usize, a: __m128i, b: __m128i) -> [__m128i; 2] {
    // SAFETY: these are SSE2 instructions, which every x86-64 processor has.
    unsafe {
        match size {
            1 => [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)],
            2 => [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)],
            4 => [_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)],
            _ => [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)],
        }
    }
}

/// Transposes a square of `N` by `N` elements. Columns are 16 bytes each.
#[inline(always)]
pub(super) fn transposed<T: Pod, const N: usize>(columns: [[T; N]; N]) -> [[T; N]; N] {
    const { assert!(N.is_power_of_two() && N * size_of::<T>() == size_of::<__m128i>()) };
    // SAFETY: `N` vectors have the size of the columns (asserted), and every bit pattern is valid for them; elements are `Pod`, so
    // they have no padding.
    let mut vectors: [__m128i; N] = unsafe { transmute_copy(&columns) };
    // Interleaving the two halves of the vectors rotates the bits of an element's index (column, then row) by one
    // place. After half of the bits, row and column are exchanged.
    for _ in 0..N.ilog2() {
        let halves = vectors;
        for pair in 0..N / 2 {
            let (a, b) = (halves[pair], halves[pair + N / 2]);
            let [low, high] = interleaved(size_of::<T>(), a, b);
            (vectors[2 * pair], vectors[2 * pair + 1]) = (low, high);
        }
    }
    // SAFETY: the sizes are equal (asserted), and every bit pattern is valid for elements that are `Pod`.
    unsafe { transmute_copy(&vectors) }
}

/// Streams lines as one vector each.
///
/// # Safety
/// The contract of [`stream`](super::stream): `lines` whole lines that do not overlap; and the processor has AVX-512 F.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn stream_lines<const N: usize>(
    from: *const u8,
    to: *mut u8,
    lines: usize,
    prefetches: &mut [Prefetch; N],
) {
    let mut cursors = *prefetches;
    for at in (0..lines * LINE).step_by(LINE) {
        // SAFETY: the caller guarantees lines to read and write; each is aligned for a vector of its size, 64 bytes.
        unsafe { _mm512_stream_si512(to.add(at).cast(), _mm512_load_si512(from.add(at).cast())) };
        Prefetch::issue(&mut cursors);
    }
    *prefetches = cursors;
}

/// Streams lines as two vectors each.
///
/// # Safety
/// The contract of [`stream`](super::stream): `lines` whole lines that do not overlap; and the processor has AVX.
#[target_feature(enable = "avx")]
pub(super) unsafe fn stream_halves<const N: usize>(
    from: *const u8,
    to: *mut u8,
    lines: usize,
    prefetches: &mut [Prefetch; N],
) {
    let mut cursors = *prefetches;
    for at in (0..lines * LINE).step_by(LINE) {
        let half = at + LINE / 2;
        // SAFETY: the caller guarantees lines to read and write; both halves are aligned for vectors of 32 bytes.
        unsafe {
            _mm256_stream_si256(to.add(at).cast(), _mm256_load_si256(from.add(at).cast()));
            _mm256_stream_si256(
                to.add(half).cast(),
                _mm256_load_si256(from.add(half).cast()),
            );
        }
        Prefetch::issue(&mut cursors);
    }
    *prefetches = cursors;
}

/// Streams lines as four vectors each.
///
/// # Safety
/// The contract of [`stream`](super::stream): `lines` whole lines that do not overlap.
pub(super) unsafe fn stream_quarters<const N: usize>(
    from: *const u8,
    to: *mut u8,
    lines: usize,
    prefetches: &mut [Prefetch; N],
) {
    let mut cursors = *prefetches;
    for line in (0..lines * LINE).step_by(LINE) {
        for at in (line..line + LINE).step_by(LINE / 4) {
            // SAFETY: the caller guarantees lines to read and write; each quarter is aligned for a vector of 16
            // bytes.
            unsafe { _mm_stream_si128(to.add(at).cast(), _mm_load_si128(from.add(at).cast())) };
        }
        Prefetch::issue(&mut cursors);
    }
    *prefetches = cursors;
}

/// Streams vectors of 16 bytes.
///
/// # Safety
/// The contract of [`Isa::stream`], for the baseline.
#[inline(always)]
pub(super) unsafe fn stream_vectors(from: *const u8, to: *mut u8, bytes: usize) {
    let mut at = 0;
    while at < bytes {
        // SAFETY: the caller guarantees the bytes, whose addresses are multiples of 16. Every x86-64 processor has SSE2.
        unsafe { _mm_stream_si128(to.add(at).cast(), _mm_load_si128(from.add(at).cast())) };
        at += 16;
    }
}

/// [`SimdLevel::V3`](super::SimdLevel::V3).
pub(crate) struct V3;
/// [`SimdLevel::V4`](super::SimdLevel::V4).
pub(crate) struct V4;

// The methods of both `impl`s require a processor with the instruction set, which discharges that of each intrinsic.
// Transmuted types have the same size, which `transmute` checks, and every bit pattern is valid for them.
impl Isa for V3 {
    const REGISTER_BYTES: usize = 16 * 32;

    #[inline(always)]
    unsafe fn stream(from: *const u8, to: *mut u8, bytes: usize) {
        let mut at = 0;
        while at < bytes {
            // SAFETY: the caller guarantees V3, which has AVX, and the bytes, whose addresses are multiples of 32.
            unsafe {
                _mm256_stream_si256(to.add(at).cast(), _mm256_load_si256(from.add(at).cast()))
            };
            at += 32;
        }
    }

    #[inline(always)]
    unsafe fn decode_f16(bits: [u16; LANES]) -> [f32; LANES] {
        // SAFETY: the caller guarantees V3, which has F16C; integers, floats and vectors have no invalid bit
        // patterns.
        unsafe {
            let bits: [__m128i; LANES / 8] = transmute(bits);
            transmute([
                _mm256_cvtph_ps(bits[0]),
                _mm256_cvtph_ps(bits[1]),
                _mm256_cvtph_ps(bits[2]),
                _mm256_cvtph_ps(bits[3]),
            ])
        }
    }
    #[inline(always)]
    unsafe fn encode_f16(values: [f32; LANES]) -> [u16; LANES] {
        // SAFETY: the caller guarantees V3, which has F16C; integers, floats and vectors have no invalid bit
        // patterns.
        unsafe {
            let values: [__m256; LANES / 8] = transmute(values);
            transmute([
                _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[0]),
                _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[1]),
                _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[2]),
                _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[3]),
            ])
        }
    }
}

impl Isa for V4 {
    const REGISTER_BYTES: usize = super::MAX_REGISTER_BYTES;

    #[inline(always)]
    unsafe fn stream(from: *const u8, to: *mut u8, bytes: usize) {
        if bytes < LINE {
            // SAFETY: V4 has what V3 has; the caller guarantees the bytes.
            return unsafe { V3::stream(from, to, bytes) };
        }
        let mut at = 0;
        while at < bytes {
            // SAFETY: the caller guarantees V4, which has AVX-512 F, and the bytes, which are whole lines.
            unsafe {
                _mm512_stream_si512(to.add(at).cast(), _mm512_load_si512(from.add(at).cast()))
            };
            at += LINE;
        }
    }

    #[inline(always)]
    unsafe fn decode_f16(bits: [u16; LANES]) -> [f32; LANES] {
        // SAFETY: the caller guarantees V4, which has AVX-512 F; integers, floats and vectors have no invalid bit
        // patterns.
        unsafe {
            let bits: [__m256i; LANES / 16] = transmute(bits);
            transmute([_mm512_cvtph_ps(bits[0]), _mm512_cvtph_ps(bits[1])])
        }
    }
    #[inline(always)]
    unsafe fn encode_f16(values: [f32; LANES]) -> [u16; LANES] {
        // SAFETY: the caller guarantees V4, which has AVX-512 F; integers, floats and vectors have no invalid bit
        // patterns.
        unsafe {
            let values: [__m512; LANES / 16] = transmute(values);
            let low = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[0]);
            let high = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[1]);
            // Joined into one vector, because the conversion is slow if it writes its result to memory.
            transmute(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
        }
    }
    /// One instruction; LLVM would emit four for plain code.
    #[inline(always)]
    unsafe fn upper_halves(words: [u32; LANES]) -> [u16; LANES] {
        const ODD: [u16; LANES] = {
            let mut odd = [1; LANES];
            let mut lane = 1;
            while lane < LANES {
                odd[lane] = odd[lane - 1] + 2;
                lane += 1;
            }
            odd
        };
        // SAFETY: the caller guarantees V4, which has AVX-512 BW; integers and vectors have no invalid bit patterns.
        unsafe {
            let words: [__m512i; LANES / 16] = transmute(words);
            transmute(_mm512_permutex2var_epi16(
                words[0],
                transmute::<[u16; LANES], __m512i>(ODD),
                words[1],
            ))
        }
    }
}
