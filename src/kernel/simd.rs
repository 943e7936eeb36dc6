//! Instruction sets: which there are, which to use, and the few operations that need intrinsics.
#![allow(unsafe_code, reason = "intrinsics")]

use core::sync::atomic::{AtomicU8, Ordering};

use super::pack::{LANES, lanes};
use crate::dtype::cast::{f16_to_f32, f32_to_f16, upper_half};

/// The instruction sets for which loops are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum SimdLevel {
    /// What the target guarantees.
    Baseline = 1,
    /// AVX2, FMA, F16C.
    V3 = 2,
    /// AVX-512 F, BW, VL, DQ, CD.
    V4 = 3,
}

impl SimdLevel {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 3] = [Self::Baseline, Self::V3, Self::V4];

    /// How many there are.
    pub(super) const COUNT: usize = 3;

    /// The position among them.
    #[inline]
    pub(super) const fn index(self) -> usize {
        match self {
            Self::Baseline => 0,
            Self::V3 => 1,
            Self::V4 => 2,
        }
    }

    /// The best this processor has.
    pub(crate) fn detected() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let v3 = has!("avx2")
                && has!("fma")
                && has!("f16c")
                && has!("bmi1")
                && has!("bmi2")
                && has!("lzcnt")
                && has!("popcnt");
            let v4 = has!("avx512f")
                && has!("avx512bw")
                && has!("avx512vl")
                && has!("avx512dq")
                && has!("avx512cd");
            if v3 {
                return if v4 { Self::V4 } else { Self::V3 };
            }
        }
        Self::Baseline
    }
}

/// The level in use; zero until it is asked for.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The level in use: the best there is, or less if the environment's `SUPREMUM_ISA` says so
/// (`baseline`, `v3`, `v4`).
#[inline]
pub(crate) fn level() -> SimdLevel {
    #[cfg(test)]
    if let Some(level) = test_override::get() {
        return level;
    }
    // Racing threads all find the same.
    match CHOSEN.load(Ordering::Relaxed) {
        1 => SimdLevel::Baseline,
        2 => SimdLevel::V3,
        3 => SimdLevel::V4,
        _ => choose(),
    }
}

#[cold]
#[expect(
    clippy::as_conversions,
    reason = "a fieldless enum to its discriminant"
)]
fn choose() -> SimdLevel {
    let wanted = match std::env::var("SUPREMUM_ISA").as_deref() {
        Ok("baseline") => SimdLevel::Baseline,
        Ok("v3") => SimdLevel::V3,
        _ => SimdLevel::V4,
    };
    let level = wanted.min(SimdLevel::detected());
    CHOSEN.store(level as u8, Ordering::Relaxed);
    level
}

/// What only intrinsics do well.
pub trait Isa {
    /// How many bytes all vector registers hold.
    const REGISTER_BYTES: usize;

    /// Decodes half-precision floats.
    ///
    /// # Safety
    /// The processor has this instruction set.
    unsafe fn decode_f16(bits: [u16; LANES]) -> [f32; LANES];

    /// Rounds to half precision, to nearest even.
    ///
    /// # Safety
    /// The processor has this instruction set.
    unsafe fn encode_f16(values: [f32; LANES]) -> [u16; LANES];

    /// The upper halves of words.
    ///
    /// # Safety
    /// The processor has this instruction set.
    #[inline(always)]
    unsafe fn upper_halves(words: [u32; LANES]) -> [u16; LANES] {
        lanes(|lane| upper_half(words[lane]))
    }
}

/// [`SimdLevel::Baseline`].
pub(super) struct Baseline;

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
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{V3, V4};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;
    use core::mem::{transmute, transmute_copy};

    use super::{Isa, LANES, LINE, Prefetch};

    /// The elements of two vectors by turns.
    ///
    /// # Safety
    /// None: every processor of this architecture has these instructions.
    #[inline(always)]
    unsafe fn interleaved(size: usize, a: __m128i, b: __m128i) -> [__m128i; 2] {
        // SAFETY: see above.
        unsafe {
            match size {
                1 => [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)],
                2 => [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)],
                4 => [_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b)],
                _ => [_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)],
            }
        }
    }

    #[inline(always)]
    pub(super) fn transposed<T: Copy, const N: usize>(columns: [[T; N]; N]) -> [[T; N]; N] {
        const { assert!(N.is_power_of_two() && N * size_of::<T>() == size_of::<__m128i>()) };
        // SAFETY: `N` vectors have the size of the columns, and no invalid values.
        let mut vectors: [__m128i; N] = unsafe { transmute_copy(&columns) };
        // To interleave the halves moves each bit of an element's index up by one place, so that after half of all
        // places row and column have changed places.
        for _ in 0..N.ilog2() {
            let halves = vectors;
            for pair in 0..N / 2 {
                let (a, b) = (halves[pair], halves[pair + N / 2]);
                // SAFETY: there is nothing to fulfil.
                let [low, high] = unsafe { interleaved(size_of::<T>(), a, b) };
                (vectors[2 * pair], vectors[2 * pair + 1]) = (low, high);
            }
        }
        // SAFETY: as above; an element has no invalid values that were not there before.
        unsafe { transmute_copy(&vectors) }
    }

    /// # Safety
    /// That of [`stream`](super::stream), and the processor has AVX-512.
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn stream_lines(
        from: *const u8,
        to: *mut u8,
        lines: usize,
        prefetches: &mut [Prefetch],
    ) {
        for at in (0..lines * LINE).step_by(LINE) {
            // SAFETY: the caller's; a line is aligned for a vector of its size.
            unsafe {
                _mm512_stream_si512(to.add(at).cast(), _mm512_load_si512(from.add(at).cast()))
            };
            Prefetch::issue(prefetches);
        }
    }

    /// # Safety
    /// That of [`stream`](super::stream), and the processor has AVX.
    #[target_feature(enable = "avx")]
    pub(super) unsafe fn stream_halves(
        from: *const u8,
        to: *mut u8,
        lines: usize,
        prefetches: &mut [Prefetch],
    ) {
        for at in (0..lines * LINE).step_by(LINE) {
            let half = at + LINE / 2;
            // SAFETY: the caller's; a line is aligned for a vector of half its size.
            unsafe {
                _mm256_stream_si256(to.add(at).cast(), _mm256_load_si256(from.add(at).cast()));
                _mm256_stream_si256(
                    to.add(half).cast(),
                    _mm256_load_si256(from.add(half).cast()),
                );
            }
            Prefetch::issue(prefetches);
        }
    }

    /// # Safety
    /// That of [`stream`](super::stream).
    pub(super) unsafe fn stream_quarters(
        from: *const u8,
        to: *mut u8,
        lines: usize,
        prefetches: &mut [Prefetch],
    ) {
        for line in (0..lines * LINE).step_by(LINE) {
            for at in (line..line + LINE).step_by(LINE / 4) {
                // SAFETY: the caller's; a line is aligned for a vector of a quarter of its size.
                unsafe { _mm_stream_si128(to.add(at).cast(), _mm_load_si128(from.add(at).cast())) };
            }
            Prefetch::issue(prefetches);
        }
    }

    /// [`SimdLevel::V3`](super::SimdLevel::V3).
    pub(in super::super) struct V3;
    /// [`SimdLevel::V4`](super::SimdLevel::V4).
    pub(in super::super) struct V4;

    // SAFETY of all blocks below: the caller vouches for the instruction set; the transmuted types
    // have the same size and no invalid values.
    impl Isa for V3 {
        const REGISTER_BYTES: usize = 16 * 32;

        #[inline(always)]
        unsafe fn decode_f16(bits: [u16; LANES]) -> [f32; LANES] {
            // SAFETY: see above.
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
            // SAFETY: see above.
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
        const REGISTER_BYTES: usize = 32 * 64;

        #[inline(always)]
        unsafe fn decode_f16(bits: [u16; LANES]) -> [f32; LANES] {
            // SAFETY: see above.
            unsafe {
                let bits: [__m256i; LANES / 16] = transmute(bits);
                transmute([_mm512_cvtph_ps(bits[0]), _mm512_cvtph_ps(bits[1])])
            }
        }
        #[inline(always)]
        unsafe fn encode_f16(values: [f32; LANES]) -> [u16; LANES] {
            // SAFETY: see above.
            unsafe {
                let values: [__m512; LANES / 16] = transmute(values);
                let low = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[0]);
                let high = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[1]);
                // Joined, as the instruction is slow if it writes to memory what it converts.
                transmute(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
            }
        }
        /// One instruction; LLVM makes four of plain code.
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
            // SAFETY: see above.
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
}

/// Bytes in a cache line.
pub(super) const LINE: usize = 64;

/// Whether [`stream`] writes past the caches.
pub(super) const CAN_STREAM: bool = cfg!(target_arch = "x86_64");

/// What will be read soon, and is asked for meanwhile.
#[derive(Clone, Copy)]
pub(super) struct Prefetch {
    /// Where the next of it begins.
    pub(super) from: *const u8,
    /// Bytes to ask for with each line that is streamed.
    pub(super) step: usize,
}

impl Prefetch {
    #[inline(always)]
    fn issue(all: &mut [Self]) {
        for prefetches in all {
            prefetch_all(prefetches.from, prefetches.step);
            prefetches.from = prefetches.from.wrapping_add(prefetches.step);
        }
    }
}

/// Copies whole lines, written past the caches where the processor can, and asks for what is ahead on the way.
///
/// # Safety
/// That many lines can be read and written; they do not overlap, and begin where lines do.
#[inline]
pub(super) unsafe fn stream(
    from: *const u8,
    to: *mut u8,
    lines: usize,
    prefetches: &mut [Prefetch],
) {
    let on_lines = from.addr().is_multiple_of(LINE) && to.addr().is_multiple_of(LINE);
    debug_assert!(on_lines || lines == 0);
    // SAFETY: the caller's; the processor has what the level stands for.
    unsafe {
        match level() {
            #[cfg(target_arch = "x86_64")]
            SimdLevel::V4 => x86::stream_lines(from, to, lines, prefetches),
            #[cfg(target_arch = "x86_64")]
            SimdLevel::V3 => x86::stream_halves(from, to, lines, prefetches),
            #[cfg(target_arch = "x86_64")]
            _ => x86::stream_quarters(from, to, lines, prefetches),
            #[cfg(not(target_arch = "x86_64"))]
            _ => {
                let _ = prefetches;
                to.copy_from_nonoverlapping(from, lines * LINE);
            }
        }
    }
}

/// Makes what was streamed visible to other threads before what this one stores next.
#[inline]
pub(super) fn end_streaming() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has SSE.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Asks for the line at an address, which need not be one, to be brought near.
#[inline(always)]
pub(super) fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has SSE, and a prefetch does not fault.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// The same for all lines of so many bytes.
#[inline(always)]
pub(super) fn prefetch_all(first: *const u8, bytes: usize) {
    for at in (0..bytes).step_by(LINE) {
        prefetch(first.wrapping_add(at));
    }
}

/// Columns as rows: of as many elements, each column 16 bytes.
#[inline(always)]
pub(super) fn transposed<T: Copy, const N: usize>(columns: [[T; N]; N]) -> [[T; N]; N] {
    #[cfg(target_arch = "x86_64")]
    return x86::transposed(columns);
    #[cfg(not(target_arch = "x86_64"))]
    core::array::from_fn(|row| columns.map(|column| column[row]))
}

/// Runs with another level on this thread, if the processor has it; else does nothing.
#[cfg(test)]
pub(crate) fn with_level(level: SimdLevel, run: impl FnOnce()) {
    if level <= SimdLevel::detected() {
        let before = test_override::set(Some(level));
        run();
        test_override::set(before);
    }
}

#[cfg(test)]
mod test_override {
    use core::cell::Cell;

    use super::SimdLevel;

    std::thread_local! {
        static LEVEL: Cell<Option<SimdLevel>> = const { Cell::new(None) };
    }

    pub(super) fn get() -> Option<SimdLevel> {
        LEVEL.get()
    }

    pub(super) fn set(level: Option<SimdLevel>) -> Option<SimdLevel> {
        LEVEL.replace(level)
    }
}
