//! Streaming stores, which bypass the caches, and prefetches.
#![allow(unsafe_code, reason = "intrinsics")]

use super::level;
#[cfg(target_arch = "x86_64")]
use super::{SimdLevel, x86};

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

#[cfg(target_arch = "x86_64")]
impl Prefetch {
    #[inline(always)]
    pub(super) fn issue(all: &mut [Self]) {
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
