//! Instruction sets: which there are, which to use, and the few operations that need intrinsics.
#![allow(unsafe_code, reason = "intrinsics")]

pub(crate) mod pack;
#[cfg(target_arch = "x86_64")]
mod x86;

use core::sync::atomic::{AtomicU8, Ordering};

use crate::dtype::cast::{f16_to_f32, f32_to_f16, upper_half};
pub(crate) use pack::*;

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
    pub(crate) const COUNT: usize = 3;

    /// The position among them.
    #[inline]
    pub(crate) const fn index(self) -> usize {
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
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{V3, V4};

/// Bytes in a cache line.
pub(crate) const LINE: usize = 64;

/// Whether [`stream`] writes past the caches.
pub(crate) const CAN_STREAM: bool = cfg!(target_arch = "x86_64");

/// What will be read soon, and is asked for meanwhile.
#[derive(Clone, Copy)]
pub(crate) struct Prefetch {
    /// Where the next of it begins.
    pub(crate) from: *const u8,
    /// Bytes to ask for with each line that is streamed.
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

/// Copies whole lines, written past the caches where the processor can, and asks for what is ahead on the way.
///
/// # Safety
/// That many lines can be read and written; they do not overlap, and begin where lines do.
#[inline]
pub(crate) unsafe fn stream(
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
pub(crate) fn end_streaming() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has SSE.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Asks for the line at an address, which need not be one, to be brought near.
#[inline(always)]
pub(crate) fn prefetch(address: *const u8) {
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
pub(crate) fn prefetch_all(first: *const u8, bytes: usize) {
    for at in (0..bytes).step_by(LINE) {
        prefetch(first.wrapping_add(at));
    }
}

/// Columns as rows: of as many elements, each column 16 bytes.
#[inline(always)]
pub(crate) fn transposed<T: Copy, const N: usize>(columns: [[T; N]; N]) -> [[T; N]; N] {
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

    pub(crate) fn get() -> Option<SimdLevel> {
        LEVEL.get()
    }

    pub(crate) fn set(level: Option<SimdLevel>) -> Option<SimdLevel> {
        LEVEL.replace(level)
    }
}
