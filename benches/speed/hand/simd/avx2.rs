//! Blocks of 32 numbers in registers of AVX2.

use std::arch::x86_64::*;

use super::Simd;

pub(crate) struct Avx2;

impl Avx2 {
    #[inline(always)]
    pub(super) unsafe fn store256<const STREAM: bool>(to: *mut u8, a: __m256i) {
        unsafe {
            if STREAM {
                _mm256_stream_si256(to.cast(), a);
            } else {
                _mm256_storeu_si256(to.cast(), a);
            }
        }
    }

    #[inline(always)]
    unsafe fn to_bf16(a: __m256) -> __m256i {
        unsafe {
            let bits = _mm256_castps_si256(a);
            let odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
            let rounded = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
            let quiet = _mm256_or_si256(bits, _mm256_set1_epi32(0x40_0000));
            let nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(a, a));
            _mm256_blendv_epi8(rounded, quiet, nan)
        }
    }

    /// To f8e4m3fn in 32-bit lanes; see [`Avx512::to_f8`].
    #[inline(always)]
    unsafe fn to_f8(a: __m256) -> __m256i {
        unsafe {
            let bits = _mm256_castps_si256(a);
            let abs = _mm256_and_si256(bits, _mm256_set1_epi32(0x7fff_ffff));
            let sign = _mm256_and_si256(_mm256_srli_epi32::<24>(bits), _mm256_set1_epi32(0x80));
            let odd = _mm256_and_si256(_mm256_srli_epi32::<20>(abs), _mm256_set1_epi32(1));
            let offset = _mm256_set1_epi32(0x7_ffff - (120 << 23));
            let normal =
                _mm256_srai_epi32::<20>(_mm256_add_epi32(abs, _mm256_add_epi32(odd, offset)));
            let magic = _mm256_set1_ps(16384.0);
            let small = _mm256_add_ps(_mm256_castsi256_ps(abs), magic);
            let small = _mm256_sub_epi32(_mm256_castps_si256(small), _mm256_castps_si256(magic));
            let is_small = _mm256_cmpgt_epi32(_mm256_set1_epi32(0x3c80_0000), abs);
            let found = _mm256_blendv_epi8(normal, small, is_small);
            let found = _mm256_min_epi32(found, _mm256_set1_epi32(0x7f));
            _mm256_or_si256(found, sign)
        }
    }

    /// The lanes of all, which fit bytes.
    #[inline(always)]
    unsafe fn bytes(a: [__m256i; 4]) -> __m256i {
        unsafe {
            let low = _mm256_packus_epi32(a[0], a[1]);
            let high = _mm256_packus_epi32(a[2], a[3]);
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order)
        }
    }

    #[inline(always)]
    unsafe fn transpose(r: [__m256; 8]) -> [__m256; 8] {
        unsafe {
            let mut a = r;
            for k in 0..4 {
                a[2 * k] = _mm256_unpacklo_ps(r[2 * k], r[2 * k + 1]);
                a[2 * k + 1] = _mm256_unpackhi_ps(r[2 * k], r[2 * k + 1]);
            }
            let mut b = a;
            for k in 0..2 {
                let [p, q, r, s] = [a[4 * k], a[4 * k + 1], a[4 * k + 2], a[4 * k + 3]];
                b[4 * k] = _mm256_shuffle_ps::<0b01_00_01_00>(p, r);
                b[4 * k + 1] = _mm256_shuffle_ps::<0b11_10_11_10>(p, r);
                b[4 * k + 2] = _mm256_shuffle_ps::<0b01_00_01_00>(q, s);
                b[4 * k + 3] = _mm256_shuffle_ps::<0b11_10_11_10>(q, s);
            }
            let mut out = b;
            for k in 0..4 {
                out[k] = _mm256_permute2f128_ps::<0x20>(b[k], b[4 + k]);
                out[4 + k] = _mm256_permute2f128_ps::<0x31>(b[k], b[4 + k]);
            }
            out
        }
    }
}

impl Simd for Avx2 {
    type Floats = [__m256; 4];
    type Doubles = [__m256d; 8];

    #[inline(always)]
    unsafe fn splat(value: f32) -> [__m256; 4] {
        unsafe { [_mm256_set1_ps(value); 4] }
    }
    #[inline(always)]
    unsafe fn add(a: [__m256; 4], b: [__m256; 4]) -> [__m256; 4] {
        unsafe { each!(4, |k| _mm256_add_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn sub(a: [__m256; 4], b: [__m256; 4]) -> [__m256; 4] {
        unsafe { each!(4, |k| _mm256_sub_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn mul(a: [__m256; 4], b: [__m256; 4]) -> [__m256; 4] {
        unsafe { each!(4, |k| _mm256_mul_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn div(a: [__m256; 4], b: [__m256; 4]) -> [__m256; 4] {
        unsafe { each!(4, |k| _mm256_div_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn mul_add(a: [__m256; 4], b: [__m256; 4], c: [__m256; 4]) -> [__m256; 4] {
        unsafe { each!(4, |k| _mm256_fmadd_ps(a[k], b[k], c[k]), a) }
    }
    #[inline(always)]
    unsafe fn max(a: [__m256; 4], b: [__m256; 4]) -> [__m256; 4] {
        unsafe { each!(4, |k| _mm256_max_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn abs(a: [__m256; 4]) -> [__m256; 4] {
        unsafe { each!(4, |k| _mm256_andnot_ps(_mm256_set1_ps(-0.0), a[k]), a) }
    }
    #[inline(always)]
    unsafe fn copy_sign(a: [__m256; 4], sign: [__m256; 4]) -> [__m256; 4] {
        unsafe {
            let mask = _mm256_set1_ps(-0.0);
            each!(4, |k| _mm256_or_ps(a[k], _mm256_and_ps(sign[k], mask)), a)
        }
    }
    #[inline(always)]
    unsafe fn where_greater(a: [__m256; 4], b: [__m256; 4]) -> [__m256; 4] {
        unsafe {
            each!(
                4,
                |k| _mm256_and_ps(a[k], _mm256_cmp_ps::<_CMP_GT_OQ>(a[k], b[k])),
                a
            )
        }
    }
    #[inline(always)]
    unsafe fn round(a: [__m256; 4]) -> [__m256; 4] {
        unsafe {
            each!(
                4,
                |k| _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT }>(a[k]),
                a
            )
        }
    }
    #[inline(always)]
    unsafe fn scale(a: [__m256; 4], exponent: [__m256; 4]) -> [__m256; 4] {
        unsafe {
            each!(
                4,
                |k| {
                    let biased =
                        _mm256_add_epi32(_mm256_cvtps_epi32(exponent[k]), _mm256_set1_epi32(127));
                    _mm256_mul_ps(a[k], _mm256_castsi256_ps(_mm256_slli_epi32::<23>(biased)))
                },
                a
            )
        }
    }
    #[inline(always)]
    unsafe fn sum(a: [__m256; 4]) -> f32 {
        unsafe {
            let all = _mm256_add_ps(_mm256_add_ps(a[0], a[1]), _mm256_add_ps(a[2], a[3]));
            let half = _mm_add_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps::<1>(all));
            let half = _mm_hadd_ps(half, half);
            _mm_cvtss_f32(_mm_hadd_ps(half, half))
        }
    }
    #[inline(always)]
    unsafe fn maximum(a: [__m256; 4]) -> f32 {
        unsafe {
            let all = _mm256_max_ps(_mm256_max_ps(a[0], a[1]), _mm256_max_ps(a[2], a[3]));
            let half = _mm_max_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps::<1>(all));
            let pair = _mm_max_ps(half, _mm_movehl_ps(half, half));
            _mm_cvtss_f32(_mm_max_ss(pair, _mm_movehdup_ps(pair)))
        }
    }
    #[inline(always)]
    unsafe fn widen(a: [__m256; 4]) -> [__m256d; 8] {
        unsafe {
            let mut out = [_mm256_setzero_pd(); 8];
            for (k, a) in a.into_iter().enumerate() {
                out[2 * k] = _mm256_cvtps_pd(_mm256_castps256_ps128(a));
                out[2 * k + 1] = _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(a));
            }
            out
        }
    }
    #[inline(always)]
    unsafe fn splat_f64(value: f64) -> [__m256d; 8] {
        unsafe { [_mm256_set1_pd(value); 8] }
    }
    #[inline(always)]
    unsafe fn add_f64(a: [__m256d; 8], b: [__m256d; 8]) -> [__m256d; 8] {
        unsafe { each!(8, |k| _mm256_add_pd(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn sub_f64(a: [__m256d; 8], b: [__m256d; 8]) -> [__m256d; 8] {
        unsafe { each!(8, |k| _mm256_sub_pd(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn mul_f64(a: [__m256d; 8], b: [__m256d; 8]) -> [__m256d; 8] {
        unsafe { each!(8, |k| _mm256_mul_pd(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn sum_f64(a: [__m256d; 8]) -> f64 {
        unsafe {
            let [low, high] = [[a[0], a[1], a[2], a[3]], [a[4], a[5], a[6], a[7]]];
            let four = each!(4, |k| _mm256_add_pd(low[k], high[k]), low);
            let pairs = [
                _mm256_add_pd(four[0], four[1]),
                _mm256_add_pd(four[2], four[3]),
            ];
            let all = _mm256_add_pd(pairs[0], pairs[1]);
            let half = _mm_add_pd(_mm256_castpd256_pd128(all), _mm256_extractf128_pd::<1>(all));
            _mm_cvtsd_f64(_mm_hadd_pd(half, half))
        }
    }
    #[inline(always)]
    unsafe fn load_f64(from: *const f64) -> [__m256d; 8] {
        unsafe {
            let first = [_mm256_setzero_pd(); 8];
            each!(8, |k| _mm256_loadu_pd(from.add(4 * k)), first)
        }
    }
    #[inline(always)]
    unsafe fn store_f64(to: *mut f64, a: [__m256d; 8]) {
        unsafe {
            for (k, a) in a.into_iter().enumerate() {
                _mm256_storeu_pd(to.add(4 * k), a);
            }
        }
    }
    #[inline(always)]
    unsafe fn round_f16(a: [__m256; 4]) -> [__m256; 4] {
        unsafe { each!(4, |k| _mm256_cvtph_ps(_mm256_cvtps_ph::<0>(a[k])), a) }
    }
    #[inline(always)]
    unsafe fn round_bf16(a: [__m256; 4]) -> [__m256; 4] {
        unsafe {
            let upper = _mm256_set1_epi32(-0x1_0000);
            each!(
                4,
                |k| _mm256_castsi256_ps(_mm256_and_si256(Self::to_bf16(a[k]), upper)),
                a
            )
        }
    }

    #[inline(always)]
    unsafe fn load_f32(from: *const f32) -> [__m256; 4] {
        unsafe {
            let first = [_mm256_setzero_ps(); 4];
            each!(4, |k| _mm256_loadu_ps(from.add(8 * k)), first)
        }
    }
    #[inline(always)]
    unsafe fn load_f16(from: *const u16) -> [__m256; 4] {
        unsafe {
            let first = [_mm256_setzero_ps(); 4];
            each!(
                4,
                |k| _mm256_cvtph_ps(_mm_loadu_si128(from.add(8 * k).cast())),
                first
            )
        }
    }
    #[inline(always)]
    unsafe fn load_bf16(from: *const u16) -> [__m256; 4] {
        unsafe {
            let first = [_mm256_setzero_ps(); 4];
            each!(
                4,
                |k| {
                    let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(from.add(8 * k).cast()));
                    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(wide))
                },
                first
            )
        }
    }
    #[inline(always)]
    unsafe fn load_u8(from: *const u8) -> [__m256; 4] {
        unsafe {
            let first = [_mm256_setzero_ps(); 4];
            each!(
                4,
                |k| _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64(
                    from.add(8 * k).cast()
                ))),
                first
            )
        }
    }
    #[inline(always)]
    unsafe fn load_i32(from: *const i32) -> [__m256; 4] {
        unsafe {
            let first = [_mm256_setzero_ps(); 4];
            each!(
                4,
                |k| _mm256_cvtepi32_ps(_mm256_loadu_si256(from.add(8 * k).cast())),
                first
            )
        }
    }

    #[inline(always)]
    unsafe fn store_f32<const STREAM: bool>(to: *mut f32, a: [__m256; 4]) {
        unsafe {
            for (k, a) in a.into_iter().enumerate() {
                Self::store256::<STREAM>(to.add(8 * k).cast(), _mm256_castps_si256(a));
            }
        }
    }
    #[inline(always)]
    unsafe fn store_f16<const STREAM: bool>(to: *mut u16, a: [__m256; 4]) {
        unsafe {
            for k in [0, 2] {
                let [low, high] = [_mm256_cvtps_ph::<0>(a[k]), _mm256_cvtps_ph::<0>(a[k + 1])];
                Self::store256::<STREAM>(to.add(8 * k).cast(), _mm256_set_m128i(high, low));
            }
        }
    }
    #[inline(always)]
    unsafe fn store_bf16<const STREAM: bool>(to: *mut u16, a: [__m256; 4]) {
        unsafe {
            for k in [0, 2] {
                let low = _mm256_srli_epi32::<16>(Self::to_bf16(a[k]));
                let high = _mm256_srli_epi32::<16>(Self::to_bf16(a[k + 1]));
                let both =
                    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(low, high));
                Self::store256::<STREAM>(to.add(8 * k).cast(), both);
            }
        }
    }
    #[inline(always)]
    unsafe fn store_f8<const STREAM: bool>(to: *mut u8, a: [__m256; 4]) {
        unsafe {
            let first = [_mm256_setzero_si256(); 4];
            Self::store256::<STREAM>(to, Self::bytes(each!(4, |k| Self::to_f8(a[k]), first)));
        }
    }

    #[inline(always)]
    unsafe fn add_i8_u8<const STREAM: bool>(to: *mut i16, a: *const i8, b: *const u8) {
        unsafe {
            for k in [0, 16] {
                let a = _mm256_cvtepi8_epi16(_mm_loadu_si128(a.add(k).cast()));
                let b = _mm256_cvtepu8_epi16(_mm_loadu_si128(b.add(k).cast()));
                Self::store256::<STREAM>(to.add(k).cast(), _mm256_add_epi16(a, b));
            }
        }
    }
    #[inline(always)]
    unsafe fn truncate_i32<const STREAM: bool>(to: *mut u8, from: *const i32) {
        unsafe {
            let first = [_mm256_setzero_si256(); 4];
            let low = _mm256_set1_epi32(0xff);
            let load = each!(
                4,
                |k| _mm256_and_si256(_mm256_loadu_si256(from.add(8 * k).cast()), low),
                first
            );
            Self::store256::<STREAM>(to, Self::bytes(load));
        }
    }

    const SIDE: usize = 8;
    #[inline(always)]
    unsafe fn add_transposed<const STREAM: bool>(
        to: *mut f32,
        a: *const f32,
        b: *const f32,
        stride: usize,
    ) {
        unsafe {
            let mut rows = [_mm256_setzero_ps(); 8];
            for (k, row) in rows.iter_mut().enumerate() {
                *row = _mm256_loadu_ps(a.add(k * stride));
            }
            for (k, row) in Self::transpose(rows).into_iter().enumerate() {
                let sum = _mm256_add_ps(row, _mm256_loadu_ps(b.add(k * stride)));
                Self::store256::<STREAM>(to.add(k * stride).cast(), _mm256_castps_si256(sum));
            }
        }
    }
}
