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

/// Returns whether the processor's own prefetchers keep up with a sequential read, so that a software prefetch far ahead only disturbs them:
/// those of AMD's Zen 4 do (`docs/decisions/prefetches.md`).
pub(crate) fn hardware_prefetchers_keep_up() -> bool {
    zen() == Some(4)
}

/// Returns whether a loop that reads rows a second time, from the L1 cache, should prefetch the next ones meanwhile: on AMD's Zen 3 and
/// Zen 4. On other processors that gains less than a far prefetch in the first pass.
pub(crate) fn prefetches_in_second_pass() -> bool {
    matches!(zen(), Some(3 | 4))
}

/// Returns the generation of AMD's Zen processors, if this is one that prefetches were measured on: 3 or 4.
fn zen() -> Option<u8> {
    static KNOWN: OnceLock<Option<u8>> = OnceLock::new();
    *KNOWN.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        return x86::amd_signature().and_then(x86::zen);
        #[cfg(not(target_arch = "x86_64"))]
        None
    })
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::__cpuid;

    /// Returns the signature of an AMD processor, which holds its family and model; `None` for other makers.
    pub(super) fn amd_signature() -> Option<u32> {
        let maker = __cpuid(0);
        let name = [maker.ebx, maker.edx, maker.ecx].map(u32::to_le_bytes);
        (name.as_flattened() == b"AuthenticAMD").then(|| __cpuid(1).eax)
    }

    /// Returns the generation of a Zen processor of family 25 by its signature.
    pub(super) fn zen(signature: u32) -> Option<u8> {
        // The extended family is added if the four bits of the base family are all set. The model has four bits in each of two places.
        let (base, extension) = (signature >> 8 & 0xF, signature >> 20 & 0xFF);
        let family = if base == 0xF { base + extension } else { base };
        let model = signature >> 12 & 0xF0 | signature >> 4 & 0xF;
        match (family, model) {
            (25, 0x10..=0x1F | 0x60..) => Some(4),
            (25, _) => Some(3),
            _ => None,
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn generations_are_told_apart() {
            assert_eq!(zen(0x00A0_0F11), Some(3), "EPYC 7003");
            assert_eq!(zen(0x00A2_0F12), Some(3), "Ryzen 5000");
            assert_eq!(zen(0x00A1_0F11), Some(4), "EPYC 9004");
            assert_eq!(zen(0x00A6_0F12), Some(4), "Ryzen 7000");
            assert_eq!(zen(0x00AA_0F02), Some(4), "EPYC 8004");
            assert_eq!(zen(0x0083_0F10), None, "EPYC 7002, which is Zen 2");
            assert_eq!(zen(0x00B0_0F21), None, "EPYC 9005, which is Zen 5");
            assert_eq!(zen(0x000C_06F2), None, "Emerald Rapids");
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
