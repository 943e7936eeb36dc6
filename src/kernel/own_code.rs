//! Marks the functions that the compiler vectorises, because they are our own code.
#![allow(unsafe_code, reason = "a promise that a test is pure")]

use core::marker::PhantomData;

use crate::dtype::compute::ComputeType;
use crate::dtype::{c64, c128};
use crate::simd::{EasyCase, Kernel, each1, each2, map1, map1_by_case, map2};

/// A function of the kind `near`.
pub(super) trait NearFunction {
    type Argument: ComputeType;
    type Result: Copy;
    fn apply(x: Self::Argument) -> Self::Result;
}

/// The easy case of such a function: numbers near zero.
pub(super) struct Near<F>(PhantomData<F>);

// SAFETY: `is_near` compares numbers with a constant.
unsafe impl<F: NearFunction> EasyCase for Near<F> {
    type Argument = F::Argument;
    type Result = F::Result;
    #[inline(always)]
    fn is_easy(x: F::Argument) -> bool {
        x.is_near()
    }
    #[inline(always)]
    fn apply(x: F::Argument) -> F::Result {
        F::apply(x)
    }
}

/// The loop of functions that have code of our own for some types: plain, unless the type has.
pub(super) trait OwnCode: ComputeType {
    #[inline(always)]
    fn own_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel {
        each1(function)
    }
    #[inline(always)]
    fn own_loop_of_two<F: Fn(Self, Self) -> Self + Copy>(function: F) -> Kernel {
        each2(function)
    }
    #[inline(always)]
    fn near_loop<F: NearFunction<Argument = Self>>() -> Kernel {
        each1(F::apply)
    }
}

impl OwnCode for c128 {}
impl OwnCode for f64 {
    #[inline(always)]
    fn near_loop<F: NearFunction<Argument = Self>>() -> Kernel {
        map1_by_case::<Near<F>>()
    }
}

/// Types whose functions vectorise.
macro_rules! vectorised {
    ($($own:ty),*) => {$(
        impl OwnCode for $own {
            #[inline(always)]
            fn own_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel {
                map1(function)
            }
            #[inline(always)]
            fn own_loop_of_two<F: Fn(Self, Self) -> Self + Copy>(function: F) -> Kernel {
                map2(function)
            }
            #[inline(always)]
            fn near_loop<F: NearFunction<Argument = Self>>() -> Kernel {
                map1_by_case::<Near<F>>()
            }
        }
    )*};
}

vectorised!(f32, c64);
