//! Vectors of integers for sorts, with the operations that LLVM does not find in plain loops: shuffles, and lanes that are moved to the
//! front.
#![allow(unsafe_code, reason = "intrinsics")]

use core::arch::x86_64::*;

use super::{SimdLevel, level};

/// Shows that the processor has AVX-512 F: a value exists only then. So does a vector, because all of them are made from one of these.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Returns a value if the level in use has AVX-512.
    #[inline]
    pub(crate) fn in_use() -> Option<Self> {
        (level() == SimdLevel::V4).then_some(Self(()))
    }

    /// Prefetches a cache line that will be written. The address need not be valid.
    #[inline(always)]
    pub(crate) fn prefetch_to_write<T>(self, address: *const T) {
        // SAFETY: a prefetch does not fault. Processors without this one ignore it.
        unsafe { _mm_prefetch::<_MM_HINT_ET0>(address.cast()) };
    }
}

/// A vector of 64 bytes. A mask has a bit for each lane, the lowest for the first.
pub(crate) trait SortVector: Copy {
    /// The type of a lane, an unsigned integer.
    type Lane: Copy + Ord + bytemuck::Pod;
    /// The number of lanes.
    const LANES: usize;
    /// The greatest integer.
    const MAX: Self::Lane;

    /// The integer plus one, if there is one.
    fn successor(lane: Self::Lane) -> Option<Self::Lane>;
    /// Repeats an integer.
    fn splat(simd: Avx512, lane: Self::Lane) -> Self;
    /// Loads the first lanes of a slice. If there are too few, the others are [`Self::MAX`].
    fn load(simd: Avx512, from: &[Self::Lane]) -> Self;
    /// Stores the first lanes, as many as the slice has room for.
    fn store(self, to: &mut [Self::Lane]);
    fn minima(self, other: Self) -> Self;
    fn maxima(self, other: Self) -> Self;
    /// The lanes that are less than those of the other vector.
    fn less(self, other: Self) -> u16;
    /// Takes the lanes of the mask from the other vector.
    fn select(self, mask: u16, other: Self) -> Self;
    /// Moves the lanes of the mask to the front.
    fn compress(self, mask: u16) -> Self;
    /// Takes for each lane the one with the number that `index` gives; the lanes of the other vector follow those of this one.
    fn shuffle(self, other: Self, index: impl Fn(usize) -> usize) -> Self;
}

/// The mask of the first lanes.
#[inline(always)]
pub(crate) fn first_lanes(count: usize) -> u16 {
    u16::try_from((1_u32 << count.min(16)) - 1).unwrap_or(u16::MAX)
}

macro_rules! sort_vectors {
    ($($(#[doc = $doc:literal])+ $Vector:ident $lane:ident $lanes:literal, |$mask:ident| $of_lanes:expr;
        $splat:ident $load:ident $store:ident $min:ident $max:ident $less:ident $blend:ident $compress:ident $permute:ident)*) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy)]
        pub(crate) struct $Vector(__m512i);

        // A vector, and an `Avx512`, exist only if the processor has AVX-512 F, which discharges the precondition of each intrinsic.
        impl SortVector for $Vector {
            type Lane = $lane;
            const LANES: usize = $lanes;
            const MAX: $lane = $lane::MAX;

            #[inline(always)]
            fn successor(lane: $lane) -> Option<$lane> {
                lane.checked_add(1)
            }
            #[inline(always)]
            fn splat(_: Avx512, lane: $lane) -> Self {
                // SAFETY: the processor has AVX-512 F.
                Self(unsafe { $splat(lane.cast_signed()) })
            }
            #[inline(always)]
            fn load(simd: Avx512, from: &[$lane]) -> Self {
                let $mask = first_lanes(from.len().min($lanes));
                // SAFETY: the processor has AVX-512 F. Lanes of the mask are elements of the slice; no others are read.
                Self(unsafe { $load(Self::splat(simd, $lane::MAX).0, $of_lanes, from.as_ptr().cast()) })
            }
            #[inline(always)]
            fn store(self, to: &mut [$lane]) {
                let $mask = first_lanes(to.len().min($lanes));
                // SAFETY: the processor has AVX-512 F. Lanes of the mask are elements of the slice; no others are written.
                unsafe { $store(to.as_mut_ptr().cast(), $of_lanes, self.0) };
            }
            #[inline(always)]
            fn minima(self, other: Self) -> Self {
                // SAFETY: the processor has AVX-512 F.
                Self(unsafe { $min(self.0, other.0) })
            }
            #[inline(always)]
            fn maxima(self, other: Self) -> Self {
                // SAFETY: the processor has AVX-512 F.
                Self(unsafe { $max(self.0, other.0) })
            }
            #[inline(always)]
            fn less(self, other: Self) -> u16 {
                // SAFETY: the processor has AVX-512 F.
                u16::from(unsafe { $less(self.0, other.0) })
            }
            #[inline(always)]
            fn select(self, $mask: u16, other: Self) -> Self {
                // SAFETY: the processor has AVX-512 F.
                Self(unsafe { $blend($of_lanes, self.0, other.0) })
            }
            #[inline(always)]
            fn compress(self, $mask: u16) -> Self {
                // SAFETY: the processor has AVX-512 F.
                Self(unsafe { $compress($of_lanes, self.0) })
            }
            #[inline(always)]
            fn shuffle(self, other: Self, index: impl Fn(usize) -> usize) -> Self {
                let numbers: [$lane; $lanes] =
                    core::array::from_fn(|lane| $lane::try_from(index(lane)).unwrap_or_default());
                // SAFETY: the processor has AVX-512 F. A vector has the size of the numbers, and every bit pattern is valid for it.
                Self(unsafe { $permute(self.0, core::mem::transmute::<[$lane; $lanes], __m512i>(numbers), other.0) })
            }
        }
    )*};
}

sort_vectors! {
    /// Sixteen `u32`.
    U32x16 u32 16, |mask| mask;
    _mm512_set1_epi32 _mm512_mask_loadu_epi32 _mm512_mask_storeu_epi32 _mm512_min_epu32 _mm512_max_epu32
    _mm512_cmplt_epu32_mask _mm512_mask_blend_epi32 _mm512_maskz_compress_epi32 _mm512_permutex2var_epi32

    /// Eight `u64`.
    U64x8 u64 8, |mask| mask.to_le_bytes()[0];
    _mm512_set1_epi64 _mm512_mask_loadu_epi64 _mm512_mask_storeu_epi64 _mm512_min_epu64 _mm512_max_epu64
    _mm512_cmplt_epu64_mask _mm512_mask_blend_epi64 _mm512_maskz_compress_epi64 _mm512_permutex2var_epi64
}
