//! Streaming stores, which bypass the caches.
#![allow(unsafe_code, reason = "intrinsics")]

#[cfg(target_arch = "x86_64")]
use super::{SimdLevel, x86};
use super::{level, prefetch_all};

/// Bytes in a cache line.
pub(crate) const LINE: usize = 64;

/// `true` if [`stream`] writes past the caches.
pub(crate) const CAN_STREAM: bool = cfg!(target_arch = "x86_64");

/// The largest number of [`Prefetch`]es at once.
pub(crate) const MAX_PREFETCHES: usize = 4;

/// A cursor over memory to prefetch while an output is streamed.
///
/// Each cursor has a prefetch instruction of its own, which is why their number is a constant where lines are streamed. Processors
/// predict by the address of an instruction which addresses it will ask for next. If one instruction serves two arrays in turns,
/// the distance between the arrays looks like a stride, and the processor may fetch what nobody reads: an addition of two arrays of 64
/// MB took 1.7 times as long, or not, depending on where the arrays lay.
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
    pub(super) fn issue<const N: usize>(cursors: &mut [Self; N]) {
        for cursor in cursors {
            prefetch_all(cursor.from, cursor.step);
            cursor.from = cursor.from.wrapping_add(cursor.step);
        }
    }
}

/// Copies whole cache lines, with streaming stores if the processor has them, and advances the prefetches by a step
/// for each line. There are at most [`MAX_PREFETCHES`].
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
    /// [`stream`] for as many prefetches as the slice must have.
    unsafe fn stream_with<const N: usize>(
        from: *const u8,
        to: *mut u8,
        lines: usize,
        prefetches: &mut [Prefetch],
    ) {
        let Ok(prefetches) = <&mut [Prefetch; N]>::try_from(prefetches) else {
            unreachable!("chosen by the number of prefetches")
        };
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

    let on_lines = from.addr().is_multiple_of(LINE) && to.addr().is_multiple_of(LINE);
    debug_assert!(on_lines || lines == 0);
    let stream = match prefetches.len() {
        0 => stream_with::<0>,
        1 => stream_with::<1>,
        2 => stream_with::<2>,
        3 => stream_with::<3>,
        _ => stream_with::<MAX_PREFETCHES>,
    };
    // SAFETY: the caller guarantees lines to read and write that begin cache lines and do not overlap.
    unsafe { stream(from, to, lines, prefetches) }
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
