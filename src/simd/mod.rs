//! Instruction sets: detection, the choice among them, and the few operations that need intrinsics.
#![allow(unsafe_code, reason = "intrinsics")]

mod by_case;
pub(crate) mod cache;
pub(crate) mod pack;
#[cfg(target_arch = "x86_64")]
mod x86;

use core::sync::atomic::{AtomicU8, Ordering};

use crate::codec::{f16_to_f32, f32_to_f16, upper_half};
pub(crate) use by_case::*;
pub(crate) use pack::*;

/// The instruction sets that loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum SimdLevel {
    /// The instruction set that the compilation target guarantees.
    Baseline = 1,
    /// AVX2, FMA, F16C.
    V3 = 2,
    /// AVX-512 F, BW, VL, DQ, CD.
    V4 = 3,
}

impl SimdLevel {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 3] = [Self::Baseline, Self::V3, Self::V4];

    /// The number of levels.
    pub(crate) const COUNT: usize = 3;

    /// The position among the levels, from zero.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        match self {
            Self::Baseline => 0,
            Self::V3 => 1,
            Self::V4 => 2,
        }
    }

    /// The highest level that this processor has.
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

/// The level in use; zero until the first call of [`level`].
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// Returns the level in use: the highest that the processor has, or a lower one if the environment variable
/// `SUPREMUM_ISA` says so (`baseline`, `v3`, `v4`).
#[inline]
pub(crate) fn level() -> SimdLevel {
    #[cfg(test)]
    if let Some(level) = test_override::get() {
        return level;
    }
    // Relaxed: threads that race all compute the same level.
    match CHOSEN.load(Ordering::Relaxed) {
        1 => SimdLevel::Baseline,
        2 => SimdLevel::V3,
        3 => SimdLevel::V4,
        _ => choose_level(),
    }
}

#[cold]
#[expect(
    clippy::as_conversions,
    reason = "a fieldless enum to its discriminant"
)]
fn choose_level() -> SimdLevel {
    let wanted = match std::env::var("SUPREMUM_ISA").as_deref() {
        Ok("baseline") => SimdLevel::Baseline,
        Ok("v3") => SimdLevel::V3,
        _ => SimdLevel::V4,
    };
    let level = wanted.min(SimdLevel::detected());
    CHOSEN.store(level as u8, Ordering::Relaxed);
    level
}

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

    /// Returns the upper halves of 32 words.
    ///
    /// # Safety
    /// The processor has this instruction set.
    #[inline(always)]
    unsafe fn upper_halves(words: [u32; LANES]) -> [u16; LANES] {
        lanes(|lane| upper_half(words[lane]))
    }
}

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

/// Bytes in a cache line.
pub(crate) const LINE: usize = 64;

/// `true` if [`stream`] writes past the caches.
pub(crate) const CAN_STREAM: bool = cfg!(target_arch = "x86_64");

/// A cursor over memory to prefetch while an output is streamed.
#[derive(Clone, Copy)]
pub(crate) struct Prefetch {
    /// The address to prefetch next.
    pub(crate) from: *const u8,
    /// The number of bytes to prefetch for each line that is streamed.
    pub(crate) step: usize,
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

/// Copies whole cache lines, with streaming stores if the processor has them, and advances the prefetches by a step
/// for each line.
///
/// # Safety
/// `lines` lines can be read at `from` and written at `to`; they do not overlap, and both addresses begin a cache
/// line if there are lines.
#[inline]
pub(crate) unsafe fn stream(
    from: *const u8,
    to: *mut u8,
    lines: usize,
    prefetches: &mut [Prefetch],
) {
    let on_lines = from.addr().is_multiple_of(LINE) && to.addr().is_multiple_of(LINE);
    debug_assert!(on_lines || lines == 0);
    // SAFETY: the caller guarantees lines to read and write that begin cache lines and do not overlap; `level` is one
    // that the processor has, so V4 has AVX-512 F and V3 has AVX.
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

/// Makes streamed lines visible to other threads before this thread's next stores.
#[inline]
pub(crate) fn end_streaming() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: `sfence` only needs SSE, which every x86-64 processor has.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Prefetches the cache line at an address, which need not be valid.
#[inline(always)]
pub(crate) fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE, and a prefetch of any address does not fault.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Prefetches the cache lines of `bytes` bytes.
#[inline(always)]
pub(crate) fn prefetch_all(first: *const u8, bytes: usize) {
    for at in (0..bytes).step_by(LINE) {
        prefetch(first.wrapping_add(at));
    }
}

/// Transposes a square of `N` by `N` elements, whose columns are 16 bytes each.
#[inline(always)]
pub(crate) fn transposed<T: Copy, const N: usize>(columns: [[T; N]; N]) -> [[T; N]; N] {
    #[cfg(target_arch = "x86_64")]
    return x86::transposed(columns);
    #[cfg(not(target_arch = "x86_64"))]
    core::array::from_fn(|row| columns.map(|column| column[row]))
}

/// Runs a function with another level on this thread, if the processor has it; else does nothing.
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

    pub(crate) fn get() -> Option<SimdLevel> {
        LEVEL.get()
    }

    pub(crate) fn set(level: Option<SimdLevel>) -> Option<SimdLevel> {
        LEVEL.replace(level)
    }
}
