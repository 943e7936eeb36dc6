//! Marks the functions that the compiler vectorises, because they are our own code.
#![allow(unsafe_code, reason = "a promise that a test is pure")]

use core::marker::PhantomData;

use crate::dtype::compute::ComputeType;
use crate::dtype::{c64, c128};
use crate::simd::{
    Baseline, EasyCase, Isa, Kernel, UnaryFunction, each1, each2, map_function, map1_by_case, map2,
};

/// The easy case of a function of the kind `near`: numbers near zero.
pub(super) struct Near<F>(PhantomData<F>);

// SAFETY: `is_near` compares numbers with a constant.
unsafe impl<F: UnaryFunction<Argument: ComputeType>> EasyCase for Near<F> {
    type Argument = F::Argument;
    type Result = F::Result;
    #[inline(always)]
    fn is_easy(x: F::Argument) -> bool {
        x.is_near()
    }
    #[inline(always)]
    fn apply<I: Isa>(x: F::Argument) -> F::Result {
        F::apply::<I>(x)
    }
}

/// The loop of functions that have code of our own for some types: plain, unless the type has.
pub(super) trait OwnCode: ComputeType {
    #[inline(always)]
    fn own_loop<F: UnaryFunction<Argument = Self>>() -> Kernel {
        each1(F::apply::<Baseline>)
    }
    #[inline(always)]
    fn own_loop_of_two<F: Fn(Self, Self) -> Self + Copy>(function: F) -> Kernel {
        each2(function)
    }
    #[inline(always)]
    fn near_loop<F: UnaryFunction<Argument = Self>>() -> Kernel {
        each1(F::apply::<Baseline>)
    }
}

impl OwnCode for f64 {}
impl OwnCode for c128 {}

/// Types whose functions vectorise.
macro_rules! vectorised {
    ($($own:ty),*) => {$(
        impl OwnCode for $own {
            #[inline(always)]
            fn own_loop<F: UnaryFunction<Argument = Self>>() -> Kernel {
                map_function::<F>()
            }
            #[inline(always)]
            fn own_loop_of_two<F: Fn(Self, Self) -> Self + Copy>(function: F) -> Kernel {
                map2(function)
            }
            #[inline(always)]
            fn near_loop<F: UnaryFunction<Argument = Self>>() -> Kernel {
                map1_by_case::<Near<F>>()
            }
        }
    )*};
}

vectorised!(f32, c64);
