//! Tiles by intrinsics: VNNI with 512 and 256 bits for bytes, `pmaddwd` with 512, 256 and 128 bits otherwise.
#![allow(unsafe_code, reason = "intrinsics")]

use core::arch::x86_64::*;
use std::arch::is_x86_feature_detected;

use super::dots::dots;
use super::few::{Few, few};
use super::pack::{InUnit, InVector, pack, pack_by_vectors, places};
use super::{Columns, Dot, Dots, Factors, MAX_SUMS, Tiles, Units, Vector, multiply, sums};
use crate::dtype::DType;
use crate::simd::SimdLevel;

/// Selects the tiles for a level that the processor has. VNNI is not part of the levels.
pub(super) fn choose(level: SimdLevel, left: DType, right: DType) -> Tiles {
    let bytes = left.size() == 1 && right.size() == 1;
    let signed = left == DType::I8;
    match level {
        SimdLevel::V4 if bytes && is_x86_feature_detected!("avx512vnni") => match signed {
            true => SignedQuads512::with_few::<u8>(),
            false => UnsignedQuads512::with_few::<u8>(),
        },
        SimdLevel::V3 if bytes && is_x86_feature_detected!("avxvnni") => match signed {
            true => SignedQuads256::with_few::<u8>(),
            false => UnsignedQuads256::with_few::<u8>(),
        },
        level => pairs_for(level, right),
    }
}

/// Returns the tiles of 16-bit integers, to which the right operand is widened.
fn pairs_for(level: SimdLevel, right: DType) -> Tiles {
    match right {
        DType::I8 => pairs::<i8>(level),
        DType::U8 => pairs::<u8>(level),
        _ => match level {
            SimdLevel::V4 => Pairs512::with_few::<i16>(),
            SimdLevel::V3 => Pairs256::with_few::<i16>(),
            SimdLevel::Baseline => Pairs128::with_few::<i16>(),
        },
    }
}

/// [`pairs_for`] elements of this type.
fn pairs<E: InUnit<2>>(level: SimdLevel) -> Tiles {
    match level {
        SimdLevel::V4 => Pairs512::tiles::<E>(),
        SimdLevel::V3 => Pairs256::tiles::<E>(),
        SimdLevel::Baseline => Pairs128::tiles::<E>(),
    }
}

/// All tiles for these dtypes that this processor has.
#[cfg(test)]
pub(super) fn all(left: DType, right: DType) -> Vec<Tiles> {
    let levels = SimdLevel::ALL.into_iter();
    let levels = levels.filter(|level| *level <= SimdLevel::detected());
    levels
        .flat_map(|level| [choose(level, left, right), pairs_for(level, right)])
        .collect()
}

/// Implements [`Vector`] by intrinsics: load, store, splat, xor, add; then the unpacking ones, for each number of bytes; then the permutation
/// of units.
macro_rules! vectors {
    ($(
        $Vector:ident $lanes:literal $load:ident $store:ident $splat:ident $xor:ident $add:ident,
        $($bytes:literal $low:ident $high:ident)*, |$units:ident, $places:ident| $permuted:expr;
    )*) => {$(
        // Callers of these methods have the features enabled.
        impl Vector for $Vector {
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn load(from: *const u32) -> Self {
                // SAFETY: the caller guarantees the processor's features, and a vector to read; it need not be aligned.
                unsafe { $load(from.cast()) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut u32) {
                // SAFETY: the caller guarantees the processor's features, and room for a vector; it need not be aligned.
                unsafe { $store(to.cast(), self) }
            }
            #[inline(always)]
            unsafe fn splat(unit: u32) -> Self {
                // SAFETY: the caller guarantees the processor's features.
                unsafe { $splat(unit.cast_signed()) }
            }
            #[inline(always)]
            unsafe fn xor(a: Self, b: Self) -> Self {
                // SAFETY: the caller guarantees the processor's features.
                unsafe { $xor(a, b) }
            }
            #[inline(always)]
            unsafe fn add(a: Self, b: Self) -> Self {
                // SAFETY: the caller guarantees the processor's features.
                unsafe { $add(a, b) }
            }
            #[inline(always)]
            unsafe fn in_turns<const BYTES: usize>(a: Self, b: Self) -> [Self; 2] {
                match BYTES {
                    $(
                        // SAFETY: the caller guarantees the processor's features.
                        $bytes => unsafe { [$low(a, b), $high(a, b)] },
                    )*
                    _ => unreachable!("elements of 1, 2, 4 or 8 bytes"),
                }
            }
            #[inline(always)]
            unsafe fn to_arrange<const ELEMENTS: usize>(self) -> Self {
                let ($units, places) = (self, const { places::<$lanes>(ELEMENTS) });
                // SAFETY: the caller guarantees the processor's features, and there is a place for each unit of a vector.
                unsafe {
                    let $places = Self::load(places.as_ptr());
                    $permuted
                }
            }
        }
    )*};
}

vectors! {
    __m512i 16 _mm512_loadu_si512 _mm512_storeu_si512 _mm512_set1_epi32 _mm512_xor_si512 _mm512_add_epi32,
        1 _mm512_unpacklo_epi8 _mm512_unpackhi_epi8 2 _mm512_unpacklo_epi16 _mm512_unpackhi_epi16
        4 _mm512_unpacklo_epi32 _mm512_unpackhi_epi32 8 _mm512_unpacklo_epi64 _mm512_unpackhi_epi64,
        |units, places| _mm512_permutexvar_epi32(places, units);
    __m256i 8 _mm256_loadu_si256 _mm256_storeu_si256 _mm256_set1_epi32 _mm256_xor_si256 _mm256_add_epi32,
        1 _mm256_unpacklo_epi8 _mm256_unpackhi_epi8 2 _mm256_unpacklo_epi16 _mm256_unpackhi_epi16
        4 _mm256_unpacklo_epi32 _mm256_unpackhi_epi32 8 _mm256_unpacklo_epi64 _mm256_unpackhi_epi64,
        |units, places| _mm256_permutevar8x32_epi32(units, places);
    __m128i 4 _mm_loadu_si128 _mm_storeu_si128 _mm_set1_epi32 _mm_xor_si128 _mm_add_epi32,
        1 _mm_unpacklo_epi8 _mm_unpackhi_epi8 2 _mm_unpacklo_epi16 _mm_unpackhi_epi16
        4 _mm_unpacklo_epi32 _mm_unpackhi_epi32 8 _mm_unpacklo_epi64 _mm_unpackhi_epi64,
        |units, _places| units;
}

/// Defines the instructions of tiles, and their loops as functions with the features: the rows of [`multiply`]'s tiles and of
/// [`few`]'s follow from the number of vectors that a tile keeps in registers.
macro_rules! tiles {
    ($(
        $Dot:ident = $doc:literal, $Vector:ident $lanes:literal, $units:ident of $elements:literal, rows $full:literal few $few:literal,
        features $features:literal, |$sums:ident, $b:ident, $a:ident| $dot:expr;
    )*) => {$(
        #[doc = $doc]
        struct $Dot;

        impl Dot for $Dot {
            type Vector = $Vector;

            #[inline(always)]
            unsafe fn dot($sums: $Vector, $b: $Vector, $a: $Vector) -> $Vector {
                // SAFETY: the caller guarantees the processor's features.
                unsafe { $dot }
            }
        }

        impl $Dot {
            /// Returns the tiles for elements of the right matrix that are not widened.
            fn with_few<E: InVector<$elements>>() -> Tiles {
                #[target_feature(enable = $features)]
                unsafe fn multiply_few<E: InVector<$elements>>(by: &Few) {
                    // SAFETY: the caller guarantees the features, at most `MAX_FEW` rows, columns of `E` side by side, and the result.
                    unsafe { few::<$Dot, E, $elements, $few>(by) }
                }
                #[target_feature(enable = $features)]
                unsafe fn pack_vectors<E: InVector<$elements>>(columns: &Columns, panels: *mut u32) {
                    // SAFETY: the caller guarantees the features, columns of `E`, and room for the panels.
                    unsafe { pack_by_vectors::<$Vector, E, $elements, { 2 * $lanes }>(columns, panels) }
                }
                Tiles {
                    few: Some(multiply_few::<E>),
                    pack: pack_vectors::<E>,
                    ..Self::tiles::<E>()
                }
            }

            /// Returns the tiles for elements of the right matrix.
            fn tiles<E: InUnit<$elements>>() -> Tiles {
                #[target_feature(enable = $features)]
                unsafe fn multiply_rows(factors: &Factors) {
                    // SAFETY: the caller guarantees the features, the factors and the result.
                    unsafe { multiply::<$Dot, $full>(factors) }
                }
                #[target_feature(enable = $features)]
                unsafe fn multiply_dots<E: InUnit<$elements>>(by: &Dots) {
                    // SAFETY: the caller guarantees the features, at most `MAX_FEW` rows, columns of neighbouring `E`, and the result.
                    unsafe { dots::<$Dot, E, $elements, $lanes>(by) }
                }
                #[target_feature(enable = $features)]
                unsafe fn sum_rows(first: *const u8, stride: isize, rows: usize, bytes: usize) -> [u32; MAX_SUMS] {
                    // SAFETY: the caller guarantees the features and the rows.
                    unsafe { sums::<$Dot>(first, stride, rows, bytes) }
                }
                #[target_feature(enable = $features)]
                unsafe fn pack_columns<E: InUnit<$elements>>(columns: &Columns, panels: *mut u32) {
                    // SAFETY: the caller guarantees the features, columns of `E`, and room for the panels.
                    unsafe { pack::<E, $elements, { 2 * $lanes }>(columns, panels) }
                }
                Tiles {
                    units: Units::$units,
                    width: 2 * $lanes,
                    multiply: multiply_rows,
                    few: None,
                    dots: multiply_dots::<E>,
                    sums: sum_rows,
                    pack: pack_columns::<E>,
                }
            }
        }
    )*};
}

tiles! {
    SignedQuads512 = "AVX-512 VNNI, signed bytes by unsigned ones.", __m512i 16, Quads of 4, rows 12 few 6,
        features "avx2,fma,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni",
        |sums, b, a| _mm512_dpbusd_epi32(sums, b, a);
    UnsignedQuads512 = "AVX-512 VNNI, unsigned bytes by signed ones.", __m512i 16, Quads of 4, rows 12 few 6,
        features "avx2,fma,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512dq,avx512cd,avx512vnni",
        |sums, b, a| _mm512_dpbusd_epi32(sums, a, b);
    Pairs512 = "AVX-512 BW.", __m512i 16, Pairs of 2, rows 12 few 12,
        features "avx2,fma,bmi1,bmi2,avx512f,avx512bw,avx512vl,avx512dq,avx512cd",
        |sums, b, a| _mm512_add_epi32(sums, _mm512_madd_epi16(b, a));
    SignedQuads256 = "AVX-VNNI, signed bytes by unsigned ones.", __m256i 8, Quads of 4, rows 6 few 2,
        features "avx2,fma,bmi1,bmi2,avxvnni",
        |sums, b, a| _mm256_dpbusd_avx_epi32(sums, b, a);
    UnsignedQuads256 = "AVX-VNNI, unsigned bytes by signed ones.", __m256i 8, Quads of 4, rows 6 few 2,
        features "avx2,fma,bmi1,bmi2,avxvnni",
        |sums, b, a| _mm256_dpbusd_avx_epi32(sums, a, b);
    Pairs256 = "AVX2.", __m256i 8, Pairs of 2, rows 4 few 4,
        features "avx2,fma,bmi1,bmi2",
        |sums, b, a| _mm256_add_epi32(sums, _mm256_madd_epi16(b, a));
    Pairs128 = "SSE2, which every x86-64 processor has.", __m128i 4, Pairs of 2, rows 4 few 4,
        features "sse2",
        |sums, b, a| _mm_add_epi32(sums, _mm_madd_epi16(b, a));
}
