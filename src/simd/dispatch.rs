//! The choice among instruction sets: each loop is compiled once for each, and the highest that the processor has is used.
#![allow(unsafe_code, reason = "loops that need an instruction set")]

use core::sync::atomic::{AtomicU8, Ordering};

use super::{Baseline, Isa};
#[cfg(target_arch = "x86_64")]
use super::{V3, V4};

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

/// A compiled loop: from inputs of `len` elements to an output of `len` elements (or of one, for reductions).
///
/// # Safety
/// - `inputs` points to one address for each input of the loop.
/// - `len` elements can be read from each input and written to the output; they are of the types that the loop was
///   made for, and aligned for them.
/// - The output may be one of the inputs if its elements are no larger than theirs, but must not overlap an input
///   otherwise.
pub(crate) type Kernel = unsafe fn(inputs: *const *const u8, output: *mut u8, len: usize);

/// The code of a loop.
///
/// The functions that compile it for each instruction set are provided methods, because rustc counts those to the module of the type that
/// implements the trait. With functions of this module all loops of the library would be in one codegen unit.
pub(crate) trait Body {
    /// # Safety
    /// The contract of [`Kernel`], and the processor has the instruction set.
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize);

    /// The loop for the baseline.
    ///
    /// # Safety
    /// The contract of [`Kernel`].
    unsafe fn baseline(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees inputs of `len` readable elements and a writable output, as `Kernel` requires;
        // every processor has the baseline.
        unsafe { Self::run::<Baseline>(inputs, output, len) }
    }

    /// The loop for AVX2.
    ///
    /// # Safety
    /// The contract of [`Kernel`], and the processor has the features that this function enables.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn v3(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees inputs of `len` readable elements and a writable output, as `Kernel` requires,
        // and a processor with the features that this function enables.
        unsafe { Self::run::<V3>(inputs, output, len) }
    }

    /// The loop for AVX-512.
    ///
    /// # Safety
    /// As of [`Self::v3`].
    #[cfg(target_arch = "x86_64")]
    #[target_feature(
        enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd"
    )]
    unsafe fn v4(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees inputs of `len` readable elements and a writable output, as `Kernel` requires,
        // and a processor with the features that this function enables.
        unsafe { Self::run::<V4>(inputs, output, len) }
    }
}

/// The versions of a loop by level, without the one for the baseline.
const fn wide<B: Body>() -> [Option<Kernel>; SimdLevel::COUNT] {
    #[cfg(target_arch = "x86_64")]
    {
        let (v3, v4): (Kernel, Kernel) = (B::v3, B::v4);
        [None, Some(v3), Some(v4)]
    }
    #[cfg(not(target_arch = "x86_64"))]
    [None; SimdLevel::COUNT]
}

/// Selects the version for the level in use.
fn in_use(versions: &[Option<Kernel>; SimdLevel::COUNT]) -> Option<Kernel> {
    versions[level().index()]
}

/// Selects the loop for the level in use, if that is above the baseline. No loop is compiled for the baseline.
#[inline]
pub(crate) fn for_wide<B: Body>() -> Option<Kernel> {
    in_use(const { &wide::<B>() })
}

/// Returns the loop for the baseline: for operations that no higher level makes faster.
#[inline]
pub(crate) fn for_baseline<B: Body>() -> Kernel {
    B::baseline
}

/// Selects the loop for the level in use.
#[inline]
pub(crate) fn for_level<B: Body>() -> Kernel {
    in_use(const { &wide::<B>() }).unwrap_or(B::baseline)
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
