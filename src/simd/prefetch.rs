//! Prefetches, and the distances at which they pay.
#![allow(unsafe_code, reason = "intrinsics")]

use std::sync::OnceLock;

use super::LINE;

/// The distance at which sequential reads are prefetched on processors whose own prefetchers keep up with them.
const NEAR: usize = 256;

/// Returns the distance, in bytes, at which a loop prefetches memory that it reads in sequence. Most processors' own prefetchers fetch too
/// little or too late, so it is `far`; less where [`hardware_prefetchers_keep_up`].
pub(crate) fn prefetch_distance(far: usize) -> usize {
    if hardware_prefetchers_keep_up() {
        far.min(NEAR)
    } else {
        far
    }
}

/// Returns whether the processor's own prefetchers keep up with a sequential read, so that a software prefetch far ahead only disturbs them.
/// AMD's family 25 counts as such: Zen 4, which was measured, and Zen 3, which was not (`docs/decisions/prefetches.md`).
pub(crate) fn hardware_prefetchers_keep_up() -> bool {
    static KNOWN: OnceLock<bool> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        return x86::amd_family() == Some(25);
        #[cfg(not(target_arch = "x86_64"))]
        false
    })
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::__cpuid;

    /// Returns the family of an AMD processor; `None` for other makers.
    pub(super) fn amd_family() -> Option<u32> {
        let maker = __cpuid(0);
        let name = [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes);
        (name.as_flattened() == b"AuthenticAMD").then(|| family(__cpuid(1).eax))
    }

    /// Returns the family in a processor's signature. The extended family is added if the four bits of the base family are all set.
    fn family(signature: u32) -> u32 {
        let (base, extension) = (signature >> 8 & 0xF, signature >> 20 & 0xFF);
        if base == 0xF { base + extension } else { base }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn families_are_found() {
            // The signatures of Zen 4 (EPYC 9004), Zen 5 (EPYC 9005) and Emerald Rapids.
            assert_eq!(family(0x00A1_0F11), 25);
            assert_eq!(family(0x00B0_0F21), 26);
            assert_eq!(family(0x000C_06F2), 6);
        }
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

/// [`prefetch`] into the second-level cache, of a line that is used later than others of the first-level one.
#[inline(always)]
pub(crate) fn prefetch_far(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has SSE, and a prefetch of any address does not fault.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(address.cast());
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
