//! Squares of distances, which the variance folds.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use crate::dtype::{DType, c128};
use crate::kernel::arithmetic::Float;
use crate::kernel::isa::Isa;
use crate::kernel::lanes::{Body, Kernel, each_chunk, for_level, lanes, map2};

struct Distance<T>(PhantomData<T>);

impl<T: Float> Body for Distance<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's; the second input is a single element.
        unsafe {
            let mean = (*inputs.add(1)).cast::<T>().read();
            each_chunk((*inputs).cast::<T>(), output, len, |x| {
                lanes(|lane| {
                    let distance = x[lane] - mean;
                    distance * distance
                })
            });
        }
    }
}

struct ComplexDistance;

impl Body for ComplexDistance {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's; the second input is a single element.
        unsafe {
            let mean = (*inputs.add(1)).cast::<c128>().read();
            each_chunk((*inputs).cast::<c128>(), output, len, |z| {
                lanes(|lane| {
                    let (re, im) = (z[lane].re - mean.re, z[lane].im - mean.im);
                    re * re + im * im
                })
            });
        }
    }
}

/// The loop from elements and a single mean to the squares of their distances.
pub(in crate::kernel) fn squared_distance(dtype: DType) -> Kernel {
    match dtype {
        DType::F32 => for_level::<Distance<f32>>(),
        DType::F64 => for_level::<Distance<f64>>(),
        _ => for_level::<ComplexDistance>(),
    }
}

/// The loop from elements and as many means to the squares of their distances.
pub(in crate::kernel) fn squared_distances(dtype: DType) -> Kernel {
    match dtype {
        DType::F32 => map2(|x: f32, mean: f32| (x - mean) * (x - mean)),
        DType::F64 => map2(|x: f64, mean: f64| (x - mean) * (x - mean)),
        _ => map2(|z: c128, mean: c128| {
            let (re, im) = (z.re - mean.re, z.im - mean.im);
            re * re + im * im
        }),
    }
}
