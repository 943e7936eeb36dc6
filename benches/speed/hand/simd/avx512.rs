//! Blocks of 32 numbers in registers of AVX-512.

use std::arch::x86_64::*;

use super::Simd;
use super::avx2::Avx2;

pub(crate) struct Avx512;

impl Avx512 {
    /// To bf16 in the upper halves of 32-bit lanes; the lower ones are left over.
    #[inline(always)]
    unsafe fn to_bf16(a: __m512) -> __m512i {
        unsafe {
            let bits = _mm512_castps_si512(a);
            let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
            let rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
            let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(a, a);
            _mm512_mask_or_epi32(rounded, nan, bits, _mm512_set1_epi32(0x40_0000))
        }
    }

    #[inline(always)]
    unsafe fn to_f8(a: __m512) -> __m128i {
        unsafe {
            let bits = _mm512_castps_si512(a);
            let abs = _mm512_and_si512(bits, _mm512_set1_epi32(0x7fff_ffff));
            let sign = _mm512_and_si512(_mm512_srli_epi32::<24>(bits), _mm512_set1_epi32(0x80));
            let odd = _mm512_and_si512(_mm512_srli_epi32::<20>(abs), _mm512_set1_epi32(1));
            // The exponent of f8e4m3fn is biased by 7, that of f32 by 127.
            let offset = _mm512_set1_epi32(0x7_ffff - (120 << 23));
            let normal =
                _mm512_srai_epi32::<20>(_mm512_add_epi32(abs, _mm512_add_epi32(odd, offset)));
            // Added to 2^14 the last bit is 2^-9, the least number.
            let magic = _mm512_set1_ps(16384.0);
            let small = _mm512_add_ps(_mm512_castsi512_ps(abs), magic);
            let small = _mm512_sub_epi32(_mm512_castps_si512(small), _mm512_castps_si512(magic));
            let is_small = _mm512_cmplt_epi32_mask(abs, _mm512_set1_epi32(0x3c80_0000));
            let found = _mm512_mask_mov_epi32(normal, is_small, small);
            // Beyond the greatest number there is NaN.
            let found = _mm512_min_epi32(found, _mm512_set1_epi32(0x7f));
            _mm512_cvtepi32_epi8(_mm512_or_si512(found, sign))
        }
    }

    #[inline(always)]
    unsafe fn store512<const STREAM: bool>(to: *mut u8, a: __m512i) {
        unsafe {
            if STREAM {
                _mm512_stream_si512(to.cast(), a);
            } else {
                _mm512_storeu_si512(to.cast(), a);
            }
        }
    }

    #[inline(always)]
    unsafe fn join(low: __m256i, high: __m256i) -> __m512i {
        unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high) }
    }

    #[inline(always)]
    unsafe fn transpose(r: [__m512; 16]) -> [__m512; 16] {
        unsafe {
            let mut a = r;
            for k in 0..8 {
                a[2 * k] = _mm512_unpacklo_ps(r[2 * k], r[2 * k + 1]);
                a[2 * k + 1] = _mm512_unpackhi_ps(r[2 * k], r[2 * k + 1]);
            }
            let mut b = a;
            for k in 0..4 {
                let [p, q, r, s] = [a[4 * k], a[4 * k + 1], a[4 * k + 2], a[4 * k + 3]];
                b[4 * k] = _mm512_shuffle_ps::<0b01_00_01_00>(p, r);
                b[4 * k + 1] = _mm512_shuffle_ps::<0b11_10_11_10>(p, r);
                b[4 * k + 2] = _mm512_shuffle_ps::<0b01_00_01_00>(q, s);
                b[4 * k + 3] = _mm512_shuffle_ps::<0b11_10_11_10>(q, s);
            }
            // Now a quarter of each register is in place: quarter `q` of `b[4 * g + c]` has column `4 * q + c` of
            // rows `4 * g` and on.
            let mut out = b;
            for c in 0..4 {
                let p = _mm512_shuffle_f32x4::<0b10_00_10_00>(b[c], b[4 + c]);
                let q = _mm512_shuffle_f32x4::<0b11_01_11_01>(b[c], b[4 + c]);
                let r = _mm512_shuffle_f32x4::<0b10_00_10_00>(b[8 + c], b[12 + c]);
                let s = _mm512_shuffle_f32x4::<0b11_01_11_01>(b[8 + c], b[12 + c]);
                out[c] = _mm512_shuffle_f32x4::<0b10_00_10_00>(p, r);
                out[4 + c] = _mm512_shuffle_f32x4::<0b10_00_10_00>(q, s);
                out[8 + c] = _mm512_shuffle_f32x4::<0b11_01_11_01>(p, r);
                out[12 + c] = _mm512_shuffle_f32x4::<0b11_01_11_01>(q, s);
            }
            out
        }
    }
}

impl Simd for Avx512 {
    type Floats = [__m512; 2];
    type Doubles = [__m512d; 4];

    #[inline(always)]
    unsafe fn splat(value: f32) -> [__m512; 2] {
        unsafe { [_mm512_set1_ps(value); 2] }
    }
    #[inline(always)]
    unsafe fn add(a: [__m512; 2], b: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_add_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn sub(a: [__m512; 2], b: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_sub_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn mul(a: [__m512; 2], b: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_mul_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn div(a: [__m512; 2], b: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_div_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn mul_add(a: [__m512; 2], b: [__m512; 2], c: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_fmadd_ps(a[k], b[k], c[k]), a) }
    }
    #[inline(always)]
    unsafe fn max(a: [__m512; 2], b: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_max_ps(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn abs(a: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_abs_ps(a[k]), a) }
    }
    #[inline(always)]
    unsafe fn copy_sign(a: [__m512; 2], sign: [__m512; 2]) -> [__m512; 2] {
        unsafe {
            let mask = _mm512_set1_ps(-0.0);
            each!(2, |k| _mm512_or_ps(a[k], _mm512_and_ps(sign[k], mask)), a)
        }
    }
    #[inline(always)]
    unsafe fn where_greater(a: [__m512; 2], b: [__m512; 2]) -> [__m512; 2] {
        unsafe {
            each!(
                2,
                |k| _mm512_maskz_mov_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a[k], b[k]), a[k]),
                a
            )
        }
    }
    #[inline(always)]
    unsafe fn round(a: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_roundscale_ps::<0>(a[k]), a) }
    }
    #[inline(always)]
    unsafe fn scale(a: [__m512; 2], exponent: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_scalef_ps(a[k], exponent[k]), a) }
    }
    #[inline(always)]
    unsafe fn sum(a: [__m512; 2]) -> f32 {
        unsafe { _mm512_reduce_add_ps(_mm512_add_ps(a[0], a[1])) }
    }
    #[inline(always)]
    unsafe fn maximum(a: [__m512; 2]) -> f32 {
        unsafe { _mm512_reduce_max_ps(_mm512_max_ps(a[0], a[1])) }
    }
    #[inline(always)]
    unsafe fn widen(a: [__m512; 2]) -> [__m512d; 4] {
        unsafe {
            let mut out = [_mm512_setzero_pd(); 4];
            for (k, a) in a.into_iter().enumerate() {
                out[2 * k] = _mm512_cvtps_pd(_mm512_castps512_ps256(a));
                out[2 * k + 1] = _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(a));
            }
            out
        }
    }
    #[inline(always)]
    unsafe fn splat_f64(value: f64) -> [__m512d; 4] {
        unsafe { [_mm512_set1_pd(value); 4] }
    }
    #[inline(always)]
    unsafe fn add_f64(a: [__m512d; 4], b: [__m512d; 4]) -> [__m512d; 4] {
        unsafe { each!(4, |k| _mm512_add_pd(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn sub_f64(a: [__m512d; 4], b: [__m512d; 4]) -> [__m512d; 4] {
        unsafe { each!(4, |k| _mm512_sub_pd(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn mul_f64(a: [__m512d; 4], b: [__m512d; 4]) -> [__m512d; 4] {
        unsafe { each!(4, |k| _mm512_mul_pd(a[k], b[k]), a) }
    }
    #[inline(always)]
    unsafe fn sum_f64(a: [__m512d; 4]) -> f64 {
        unsafe {
            let pairs = [_mm512_add_pd(a[0], a[1]), _mm512_add_pd(a[2], a[3])];
            _mm512_reduce_add_pd(_mm512_add_pd(pairs[0], pairs[1]))
        }
    }
    #[inline(always)]
    unsafe fn load_f64(from: *const f64) -> [__m512d; 4] {
        unsafe {
            let first = [_mm512_setzero_pd(); 4];
            each!(4, |k| _mm512_loadu_pd(from.add(8 * k)), first)
        }
    }
    #[inline(always)]
    unsafe fn store_f64(to: *mut f64, a: [__m512d; 4]) {
        unsafe {
            for (k, a) in a.into_iter().enumerate() {
                _mm512_storeu_pd(to.add(8 * k), a);
            }
        }
    }
    #[inline(always)]
    unsafe fn round_f16(a: [__m512; 2]) -> [__m512; 2] {
        unsafe { each!(2, |k| _mm512_cvtph_ps(_mm512_cvtps_ph::<0>(a[k])), a) }
    }
    #[inline(always)]
    unsafe fn round_bf16(a: [__m512; 2]) -> [__m512; 2] {
        unsafe {
            let upper = _mm512_set1_epi32(-0x1_0000);
            each!(
                2,
                |k| _mm512_castsi512_ps(_mm512_and_si512(Self::to_bf16(a[k]), upper)),
                a
            )
        }
    }

    #[inline(always)]
    unsafe fn load_f32(from: *const f32) -> [__m512; 2] {
        unsafe { [_mm512_loadu_ps(from), _mm512_loadu_ps(from.add(16))] }
    }
    #[inline(always)]
    unsafe fn load_f16(from: *const u16) -> [__m512; 2] {
        unsafe {
            let load = |at: usize| _mm512_cvtph_ps(_mm256_loadu_si256(from.add(at).cast()));
            [load(0), load(16)]
        }
    }
    #[inline(always)]
    unsafe fn load_bf16(from: *const u16) -> [__m512; 2] {
        unsafe {
            let load = |at: usize| {
                let wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.add(at).cast()));
                _mm512_castsi512_ps(_mm512_slli_epi32::<16>(wide))
            };
            [load(0), load(16)]
        }
    }
    #[inline(always)]
    unsafe fn load_u8(from: *const u8) -> [__m512; 2] {
        unsafe {
            let load = |at: usize| {
                _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128(from.add(at).cast())))
            };
            [load(0), load(16)]
        }
    }
    #[inline(always)]
    unsafe fn load_i32(from: *const i32) -> [__m512; 2] {
        unsafe {
            let load = |at: usize| _mm512_cvtepi32_ps(_mm512_loadu_si512(from.add(at).cast()));
            [load(0), load(16)]
        }
    }

    #[inline(always)]
    unsafe fn store_f32<const STREAM: bool>(to: *mut f32, a: [__m512; 2]) {
        unsafe {
            Self::store512::<STREAM>(to.cast(), _mm512_castps_si512(a[0]));
            Self::store512::<STREAM>(to.add(16).cast(), _mm512_castps_si512(a[1]));
        }
    }
    #[inline(always)]
    unsafe fn store_f16<const STREAM: bool>(to: *mut u16, a: [__m512; 2]) {
        unsafe {
            let both = Self::join(_mm512_cvtps_ph::<0>(a[0]), _mm512_cvtps_ph::<0>(a[1]));
            Self::store512::<STREAM>(to.cast(), both);
        }
    }
    #[inline(always)]
    unsafe fn store_bf16<const STREAM: bool>(to: *mut u16, a: [__m512; 2]) {
        unsafe {
            // The upper half of each lane of both.
            const ODD: [u16; 32] = {
                let mut odd = [0; 32];
                let mut k = 0;
                while k < 32 {
                    odd[k] = 2 * k as u16 + 1;
                    k += 1;
                }
                odd
            };
            let odd = _mm512_loadu_si512(ODD.as_ptr().cast());
            let both = _mm512_permutex2var_epi16(Self::to_bf16(a[0]), odd, Self::to_bf16(a[1]));
            Self::store512::<STREAM>(to.cast(), both);
        }
    }
    #[inline(always)]
    unsafe fn store_f8<const STREAM: bool>(to: *mut u8, a: [__m512; 2]) {
        unsafe {
            Avx2::store256::<STREAM>(to, _mm256_set_m128i(Self::to_f8(a[1]), Self::to_f8(a[0])))
        }
    }

    #[inline(always)]
    unsafe fn add_i8_u8<const STREAM: bool>(to: *mut i16, a: *const i8, b: *const u8) {
        unsafe {
            let a = _mm512_cvtepi8_epi16(_mm256_loadu_si256(a.cast()));
            let b = _mm512_cvtepu8_epi16(_mm256_loadu_si256(b.cast()));
            Self::store512::<STREAM>(to.cast(), _mm512_add_epi16(a, b));
        }
    }
    #[inline(always)]
    unsafe fn truncate_i32<const STREAM: bool>(to: *mut u8, from: *const i32) {
        unsafe {
            let load = |at: usize| _mm512_cvtepi32_epi8(_mm512_loadu_si512(from.add(at).cast()));
            Avx2::store256::<STREAM>(to, _mm256_set_m128i(load(16), load(0)));
        }
    }

    const SIDE: usize = 16;
    #[inline(always)]
    unsafe fn add_transposed<const STREAM: bool>(
        to: *mut f32,
        a: *const f32,
        b: *const f32,
        stride: usize,
    ) {
        unsafe {
            let mut rows = [_mm512_setzero_ps(); 16];
            for (k, row) in rows.iter_mut().enumerate() {
                *row = _mm512_loadu_ps(a.add(k * stride));
            }
            for (k, row) in Self::transpose(rows).into_iter().enumerate() {
                let sum = _mm512_add_ps(row, _mm512_loadu_ps(b.add(k * stride)));
                Self::store512::<STREAM>(to.add(k * stride).cast(), _mm512_castps_si512(sum));
            }
        }
    }
}
