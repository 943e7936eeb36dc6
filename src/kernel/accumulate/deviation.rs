//! Squared deviations from a mean, which the variance adds up.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use crate::dtype::compute::arithmetic::Float;
use crate::dtype::{DType, c128};
use crate::simd::Isa;
use crate::simd::{Body, Kernel, each_pack, for_level, lanes, map2};

struct Deviation<T>(PhantomData<T>);

impl<T: Float> Body for Deviation<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements of the first input and of the output, and a single element as
        // second input; all of type `T`.
        unsafe {
            let mean = (*inputs.add(1)).cast::<T>().read();
            each_pack((*inputs).cast::<T>(), output, len, |x| {
                lanes(|lane| {
                    let distance = x[lane] - mean;
                    distance * distance
                })
            });
        }
    }
}

struct ComplexDeviation;

impl Body for ComplexDeviation {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` `c128` elements as first input, a single one as second, and room for
        // `len` `f64`.
        unsafe {
            let mean = (*inputs.add(1)).cast::<c128>().read();
            each_pack((*inputs).cast::<c128>(), output, len, |z| {
                lanes(|lane| {
                    let (re, im) = (z[lane].re - mean.re, z[lane].im - mean.im);
                    re * re + im * im
                })
            });
        }
    }
}

/// Returns the loop from elements and a single mean to their squared deviations.
pub(in crate::kernel) fn squared_deviation(dtype: DType) -> Kernel {
    match dtype {
        DType::F32 => for_level::<Deviation<f32>>(),
        DType::F64 => for_level::<Deviation<f64>>(),
        _ => for_level::<ComplexDeviation>(),
    }
}

/// Returns the loop from elements and as many means to their squared deviations.
pub(in crate::kernel) fn squared_deviations(dtype: DType) -> Kernel {
    match dtype {
        DType::F32 => map2(|x: f32, mean: f32| (x - mean) * (x - mean)),
        DType::F64 => map2(|x: f64, mean: f64| (x - mean) * (x - mean)),
        _ => map2(|z: c128, mean: c128| {
            let (re, im) = (z.re - mean.re, z.im - mean.im);
            re * re + im * im
        }),
    }
}
