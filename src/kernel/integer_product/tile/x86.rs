//! Tiles by intrinsics: VNNI with 512 and 256 bits for bytes, `pmaddwd` with 512, 256 and 128 bits otherwise.
#![allow(unsafe_code, reason = "intrinsics")]

use core::arch::x86_64::*;
use std::arch::is_x86_feature_detected;

use super::{Columns, Dot, Factors, Tiles, Units, multiply, pack, sum};
use crate::simd::SimdLevel;

/// Selects the tiles for a level that the processor has. VNNI is no part of the levels.
pub(super) fn choose(level: SimdLevel, bytes: bool) -> Tiles {
    match level {
        SimdLevel::V4 if bytes && is_x86_feature_detected!("avx512vnni") => QUADS_512,
        SimdLevel::V4 => PAIRS_512,
        SimdLevel::V3 if bytes && is_x86_feature_detected!("avxvnni") => QUADS_256,
        SimdLevel::V3 => PAIRS_256,
        SimdLevel::Baseline => PAIRS_128,
    }
}

/// All tiles that this processor has.
#[cfg(test)]
pub(super) fn all() -> Vec<Tiles> {
    let levels = SimdLevel::ALL.into_iter();
    let levels = levels.filter(|level| *level <= SimdLevel::detected());
    levels
        .flat_map(|level| [true, false].map(|bytes| choose(level, bytes)))
        .collect()
}

/// Defines the instructions of tiles, and their loops as functions with the features.
macro_rules! tiles {
    ($(
        $TILES:ident: $Dot:ident = $doc:literal, $Vector:ident $lanes:literal, $units:ident of $E:ty, $elements:literal, rows $full:literal,
        features $features:literal,
        $load:ident $store:ident $splat:ident $add:ident, |$sums:ident, $b:ident, $a:ident| $dot:expr;
    )*) => {$(
        #[doc = $doc]
        struct $Dot;

        // Callers of these methods have the features enabled.
        impl Dot for $Dot {
            type Vector = $Vector;
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn load(from: *const u32) -> $Vector {
                // SAFETY: the caller guarantees the processor's features, and a vector to read; it need not be aligned.
                unsafe { $load(from.cast()) }
            }
            #[inline(always)]
            unsafe fn store(to: *mut u32, vector: $Vector) {
                // SAFETY: the caller guarantees the processor's features, and room for a vector; it need not be aligned.
                unsafe { $store(to.cast(), vector) }
            }
            #[inline(always)]
            unsafe fn splat(unit: u32) -> $Vector {
                // SAFETY: the caller guarantees the processor's features.
                unsafe { $splat(unit.cast_signed()) }
            }
            #[inline(always)]
            unsafe fn add(a: $Vector, b: $Vector) -> $Vector {
                // SAFETY: the caller guarantees the processor's features.
                unsafe { $add(a, b) }
            }
            #[inline(always)]
            unsafe fn dot($sums: $Vector, $b: $Vector, $a: $Vector) -> $Vector {
                // SAFETY: the caller guarantees the processor's features.
                unsafe { $dot }
            }
        }

        const $TILES: Tiles = {
            #[target_feature(enable = $features)]
            unsafe fn multiply_rows(factors: &Factors) {
                // SAFETY: the caller guarantees what `Tiles::multiply` requires, and so the features.
                unsafe { multiply::<$Dot, $full>(factors) }
            }
            #[target_feature(enable = $features)]
            unsafe fn sum_units(first: *const u8, units: usize) -> u32 {
                // SAFETY: the caller guarantees what `Tiles::sum` requires, and so the features.
                unsafe { sum::<$Dot>(first, units) }
            }
            #[target_feature(enable = $features)]
            unsafe fn pack_columns(columns: &Columns, panel: *mut u32) {
                // SAFETY: the caller guarantees what `Tiles::pack` requires, and so the features; the elements of these
                // units have this type.
                unsafe { pack::<$E, $elements, { 2 * $lanes }>(columns, panel) }
            }
            Tiles {
                units: Units::$units,
                width: 2 * $lanes,
                multiply: multiply_rows,
                sum: sum_units,
                pack: pack_columns,
            }
        };
    )*};
}

tiles! {
    QUADS_512: Quads512 = "AVX-512 VNNI.", __m512i 16, Quads of u8, 4, rows 12,
        features "avx2,fma,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni",
        _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi32 _mm512_add_epi32,
        |sums, b, a| _mm512_dpbusd_epi32(sums, b, a);
    PAIRS_512: Pairs512 = "AVX-512 BW.", __m512i 16, Pairs of u16, 2, rows 12,
        features "avx2,fma,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512dq,avx512cd",
        _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi32 _mm512_add_epi32,
        |sums, b, a| _mm512_add_epi32(sums, _mm512_madd_epi16(b, a));
    QUADS_256: Quads256 = "AVX-VNNI.", __m256i 8, Quads of u8, 4, rows 6,
        features "avx2,fma,bmi1,bmi2,avxvnni",
        _mm256_loadu_si256 _mm256_storeu_si256 _mm256_set1_epi32 _mm256_add_epi32,
        |sums, b, a| _mm256_dpbusd_avx_epi32(sums, b, a);
    PAIRS_256: Pairs256 = "AVX2.", __m256i 8, Pairs of u16, 2, rows 4,
        features "avx2,fma,bmi1,bmi2",
        _mm256_loadu_si256 _mm256_storeu_si256 _mm256_set1_epi32 _mm256_add_epi32,
        |sums, b, a| _mm256_add_epi32(sums, _mm256_madd_epi16(b, a));
    PAIRS_128: Pairs128 = "SSE2, which every x86-64 processor has.", __m128i 4, Pairs of u16, 2, rows 4,
        features "sse2",
        _mm_loadu_si128 _mm_storeu_si128 _mm_set1_epi32 _mm_add_epi32,
        |sums, b, a| _mm_add_epi32(sums, _mm_madd_epi16(b, a));
}
