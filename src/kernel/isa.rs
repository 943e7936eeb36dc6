//! Instruction sets: which there are, which to use, and the few operations that need intrinsics.
#![allow(unsafe_code, reason = "intrinsics")]

use core::sync::atomic::{AtomicU8, Ordering};

use super::lanes::LANES;
use crate::dtype::cast::{f16_to_f32, f32_to_f16};

/// The instruction sets for which loops are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Level {
    /// What the target guarantees.
    Baseline = 1,
    /// AVX2, FMA, F16C.
    V3 = 2,
    /// AVX-512 F, BW, VL, DQ, CD.
    V4 = 3,
}

impl Level {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 3] = [Self::Baseline, Self::V3, Self::V4];

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
pub(crate) fn level() -> Level {
    #[cfg(test)]
    if let Some(level) = test_override::get() {
        return level;
    }
    // Racing threads all find the same.
    match CHOSEN.load(Ordering::Relaxed) {
        1 => Level::Baseline,
        2 => Level::V3,
        3 => Level::V4,
        _ => choose(),
    }
}

#[cold]
#[expect(
    clippy::as_conversions,
    reason = "a fieldless enum to its discriminant"
)]
fn choose() -> Level {
    let wanted = match std::env::var("SUPREMUM_ISA").as_deref() {
        Ok("baseline") => Level::Baseline,
        Ok("v3") => Level::V3,
        _ => Level::V4,
    };
    let level = wanted.min(Level::detected());
    CHOSEN.store(level as u8, Ordering::Relaxed);
    level
}

/// What only intrinsics do well.
pub(super) trait Isa {
    /// Whether a register holds more than a few elements.
    const WIDE: bool;

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
}

/// [`Level::Baseline`].
pub(super) struct Baseline;

impl Isa for Baseline {
    const WIDE: bool = false;

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
    use core::mem::transmute;

    use super::{Isa, LANES};

    /// [`Level::V3`](super::Level::V3).
    pub(in super::super) struct V3;
    /// [`Level::V4`](super::Level::V4).
    pub(in super::super) struct V4;

    // SAFETY of all blocks below: the caller vouches for the instruction set; the transmuted types
    // have the same size and no invalid values.
    impl Isa for V3 {
        const WIDE: bool = true;

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
        const WIDE: bool = true;

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
                transmute([
                    _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[0]),
                    _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(values[1]),
                ])
            }
        }
    }
}

/// Runs with another level on this thread, if the processor has it; else does nothing.
#[cfg(test)]
pub(crate) fn with_level(level: Level, run: impl FnOnce()) {
    if level <= Level::detected() {
        let before = test_override::set(Some(level));
        run();
        test_override::set(before);
    }
}

#[cfg(test)]
mod test_override {
    use core::cell::Cell;

    use super::Level;

    std::thread_local! {
        static LEVEL: Cell<Option<Level>> = const { Cell::new(None) };
    }

    pub(super) fn get() -> Option<Level> {
        LEVEL.get()
    }

    pub(super) fn set(level: Option<Level>) -> Option<Level> {
        LEVEL.replace(level)
    }
}
