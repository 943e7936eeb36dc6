//! Squared deviations from a mean, which the variance adds up.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::fold::MaybeNan;
use crate::dtype::compute::arithmetic::Float;
use crate::dtype::{DType, c128};
use crate::simd::Isa;
use crate::simd::{Body, Kernel, each_pack, for_level, lanes, map2};

/// Elements with squared deviations, which are real.
trait Deviates: MaybeNan {
    type Square: Copy;
    const ZERO: Self::Square;
    fn squared_deviation(self, mean: Self) -> Self::Square;
}

impl<T: Float + MaybeNan> Deviates for T {
    type Square = T;
    const ZERO: T = T::ZERO;
    #[inline(always)]
    fn squared_deviation(self, mean: T) -> T {
        let distance = self - mean;
        distance * distance
    }
}

impl Deviates for c128 {
    type Square = f64;
    const ZERO: f64 = 0.0;
    #[inline(always)]
    fn squared_deviation(self, mean: Self) -> f64 {
        let (re, im) = (self.re - mean.re, self.im - mean.im);
        re * re + im * im
    }
}

/// The squared deviation of an element; zero for NaN if `SKIPS_NAN`. An element that is not NaN may deviate by NaN: an infinity from an
/// infinite mean.
#[inline(always)]
fn deviation<T: Deviates, const SKIPS_NAN: bool>(x: T, mean: T) -> T::Square {
    if SKIPS_NAN && x.is_nan() {
        return T::ZERO;
    }
    x.squared_deviation(mean)
}

struct FromOneMean<T, const SKIPS_NAN: bool>(PhantomData<T>);

impl<T: Deviates, const SKIPS_NAN: bool> Body for FromOneMean<T, SKIPS_NAN> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements of type `T` as first input, a single one as second, and room for `len`
        // squares at the output.
        unsafe {
            let mean = (*inputs.add(1)).cast::<T>().read();
            each_pack((*inputs).cast::<T>(), output, len, |x| {
                lanes(|lane| deviation::<T, SKIPS_NAN>(x[lane], mean))
            });
        }
    }
}

/// Returns the loop from elements and a single mean to their squared deviations.
pub(in crate::kernel) fn squared_deviation(dtype: DType, skips_nan: bool) -> Kernel {
    match (dtype, skips_nan) {
        (DType::F32, false) => for_level::<FromOneMean<f32, false>>(),
        (DType::F32, true) => for_level::<FromOneMean<f32, true>>(),
        (DType::F64, false) => for_level::<FromOneMean<f64, false>>(),
        (DType::F64, true) => for_level::<FromOneMean<f64, true>>(),
        (_, false) => for_level::<FromOneMean<c128, false>>(),
        (_, true) => for_level::<FromOneMean<c128, true>>(),
    }
}

/// Returns the loop from elements and as many means to their squared deviations.
pub(in crate::kernel) fn squared_deviations(dtype: DType, skips_nan: bool) -> Kernel {
    match (dtype, skips_nan) {
        (DType::F32, false) => map2(deviation::<f32, false>),
        (DType::F32, true) => map2(deviation::<f32, true>),
        (DType::F64, false) => map2(deviation::<f64, false>),
        (DType::F64, true) => map2(deviation::<f64, true>),
        (_, false) => map2(deviation::<c128, false>),
        (_, true) => map2(deviation::<c128, true>),
    }
}
