//! Arrangements of units by SSE2, which every x86-64 processor has. LLVM makes slow code of the same on arrays.
#![allow(unsafe_code, reason = "intrinsics")]

use core::arch::x86_64::*;

use super::{InUnit, SIDE};

/// [`SIDE`] units.
pub(super) type Units = __m128i;

/// Inverts these bits of each unit.
#[inline(always)]
pub(super) fn inverted(units: Units, bits: u32) -> Units {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe { _mm_xor_si128(units, _mm_set1_epi32(bits.cast_signed())) }
}

/// Exchanges rows and columns.
#[inline(always)]
pub(super) fn transposed([a, b, c, d]: [Units; SIDE]) -> [Units; SIDE] {
    // SAFETY: every x86-64 processor has SSE2.
    unsafe {
        let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
        let (more_ab, more_cd) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
        [
            _mm_unpacklo_epi64(ab, cd),
            _mm_unpackhi_epi64(ab, cd),
            _mm_unpacklo_epi64(more_ab, more_cd),
            _mm_unpackhi_epi64(more_ab, more_cd),
        ]
    }
}

impl InUnit<4> for u8 {
    #[inline(always)]
    fn unit(elements: [Self; 4]) -> u32 {
        u32::from_ne_bytes(elements)
    }

    #[inline(always)]
    unsafe fn load(from: *const Self) -> Units {
        // SAFETY: the caller guarantees 16 readable elements, and every x86-64 processor has SSE2.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn across([a, b, c, d]: [*const Self; 4]) -> [Units; 4] {
        // SAFETY: the caller guarantees 16 elements from each address on, and every x86-64 processor has SSE2.
        unsafe {
            let (a, b) = (_mm_loadu_si128(a.cast()), _mm_loadu_si128(b.cast()));
            let (c, d) = (_mm_loadu_si128(c.cast()), _mm_loadu_si128(d.cast()));
            let (ab, cd) = (_mm_unpacklo_epi8(a, b), _mm_unpacklo_epi8(c, d));
            let (more_ab, more_cd) = (_mm_unpackhi_epi8(a, b), _mm_unpackhi_epi8(c, d));
            [
                _mm_unpacklo_epi16(ab, cd),
                _mm_unpackhi_epi16(ab, cd),
                _mm_unpacklo_epi16(more_ab, more_cd),
                _mm_unpackhi_epi16(more_ab, more_cd),
            ]
        }
    }
}

/// Implements [`InUnit`] for elements that are widened to 16 bits by an expression on the address of eight of them.
macro_rules! in_pairs {
    ($($element:ident |$from:ident| $widened:expr;)*) => {$(
        impl InUnit<2> for $element {
            #[inline(always)]
            fn unit(elements: [Self; 2]) -> u32 {
                let half = |element: Self| u32::from(i16::from(element).cast_unsigned());
                half(elements[0]) | half(elements[1]) << 16
            }

            #[inline(always)]
            unsafe fn load($from: *const Self) -> Units {
                // SAFETY: the caller guarantees 8 elements, and every x86-64 processor has SSE2.
                unsafe { $widened }
            }

            #[inline(always)]
            unsafe fn across([a, b]: [*const Self; 2]) -> [Units; 2] {
                // SAFETY: the caller guarantees 8 elements from each address on, and every x86-64 processor has SSE2.
                unsafe {
                    let (a, b) = (<Self as InUnit<2>>::load(a), <Self as InUnit<2>>::load(b));
                    [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)]
                }
            }
        }
    )*};
}

in_pairs! {
    i8 |from| {
        let bytes = _mm_loadl_epi64(from.cast());
        _mm_srai_epi16::<8>(_mm_unpacklo_epi8(bytes, bytes))
    };
    u8 |from| _mm_unpacklo_epi8(_mm_loadl_epi64(from.cast()), _mm_setzero_si128());
    i16 |from| _mm_loadu_si128(from.cast());
}
