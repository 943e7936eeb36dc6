//! The places of expressions in the source, at which their loops are compiled for each instruction set.
#![allow(unsafe_code, reason = "loops over raw memory")]

use super::LoopRows;
use crate::simd;

/// The code of a fused loop. [`LoopBody::run`] has its safety contract.
pub(super) type Code = unsafe fn(*const (), &LoopRows<'_>);

/// The place of an expression in the source.
///
/// Each macro invocation has a type of its own that implements this trait. So the loops of an expression are compiled
/// with the module it is in, and not all in one place.
pub trait CallSite {
    /// Decides whether its loops are compiled.
    type Compilation: Compilation;
    /// `true` if any of them has parts that may be [computed before](crate::fuse::Hoistable) the loop.
    const HOISTS: bool = false;

    /// The loop for the baseline.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`].
    #[doc(hidden)]
    unsafe fn baseline<B: LoopBody>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees what the body requires; every processor has the baseline.
        unsafe { B::run::<simd::Baseline>(expression, rows) }
    }

    /// The loop for AVX2.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`]. The processor has AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
    unsafe fn v3<B: LoopBody>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees what the body requires; the processor has V3, as this function requires.
        unsafe { B::run::<simd::V3>(expression, rows) }
    }

    /// The loop for AVX-512.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`]. The processor has what [`Self::v3`] requires, and AVX-512 F, BW, VL, DQ and
    /// CD.
    #[cfg(target_arch = "x86_64")]
    #[doc(hidden)]
    #[target_feature(
        enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd"
    )]
    unsafe fn v4<B: LoopBody>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees what the body requires; the processor has V4, as this function requires.
        unsafe { B::run::<simd::V4>(expression, rows) }
    }
}

/// Decides whether a call site compiles loops or interprets its expression. Both give the same bits. Crates that are built with optimisation
/// compile loops.
///
/// A type decides this, because a constant would not keep the functions of a loop from rustc: it looks for all functions that code mentions,
/// even behind a condition that is always false. For a crate with many expressions, that took a third of the time of a debug build.
pub trait Compilation {
    /// `true` if loops are compiled.
    const COMPILED: bool;

    /// Calls the first function if loops are compiled, else the second.
    fn choose<T>(compiled: impl FnOnce() -> T, interpreted: impl FnOnce() -> T) -> T;
}

/// The [`Compilation`] of call sites whose loops are compiled, if `true`, or whose expressions are interpreted.
#[derive(Clone, Copy, Debug)]
pub struct Compiled<const LOOPS: bool>;

impl Compilation for Compiled<true> {
    const COMPILED: bool = true;

    #[inline(always)]
    fn choose<T>(compiled: impl FnOnce() -> T, _: impl FnOnce() -> T) -> T {
        compiled()
    }
}

impl Compilation for Compiled<false> {
    const COMPILED: bool = false;

    #[inline(always)]
    fn choose<T>(_: impl FnOnce() -> T, interpreted: impl FnOnce() -> T) -> T {
        interpreted()
    }
}

/// A loop over the rows of an expression, to be compiled for each instruction set.
pub trait LoopBody {
    /// Runs over the rows.
    ///
    /// # Safety
    /// - The processor has the instruction set `I`.
    /// - `expression` points to the [`LoopExpression`](super::LoopExpression) that the loop is for; the inputs' dtypes [fit](super::Node::fits) it.
    /// - The elements of all rows can be read from each input (a single one for each row if it repeats); all are aligned.
    /// - What else the loop requires.
    unsafe fn run<I: simd::Isa>(expression: *const (), rows: &LoopRows<'_>);
}

/// Returns the loop of a part that is computed before the whole, if the processor [has it](has_code_of_parts).
pub(super) fn code_of_part<S: CallSite, B: LoopBody>() -> Option<Code> {
    #[cfg(target_arch = "x86_64")]
    let code = S::v3::<B>;
    #[cfg(not(target_arch = "x86_64"))]
    let code = S::baseline::<B>;
    has_code_of_parts().then_some(code)
}

/// Returns whether the processor has the instruction set for which the loops of parts are compiled. This is a single one, because such parts
/// are short, and each loop takes time to compile.
pub(super) fn has_code_of_parts() -> bool {
    cfg!(not(target_arch = "x86_64")) || simd::level() != simd::SimdLevel::Baseline
}

/// Returns the loop for the SIMD level in use.
pub(super) fn code<S: CallSite, B: LoopBody>() -> Code {
    match simd::level() {
        #[cfg(target_arch = "x86_64")]
        simd::SimdLevel::V4 => S::v4::<B>,
        #[cfg(target_arch = "x86_64")]
        simd::SimdLevel::V3 => S::v3::<B>,
        _ => S::baseline::<B>,
    }
}
