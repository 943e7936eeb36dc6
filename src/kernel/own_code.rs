//! Marks the functions that the compiler vectorises, because they are our own code.
#![allow(unsafe_code, reason = "loops that tell the compiler what they tested")]

use crate::dtype::compute::ComputeType;
use crate::simd::{Kernel, each1, each2, map1, map1_tested, map2};

/// The vectorised loop of functions that have code of our own, the plain one where they call a library.
pub(super) trait OwnCode: ComputeType {
    fn own_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel;
    fn own_loop_of_two<F: Fn(Self, Self) -> Self + Copy>(function: F) -> Kernel;
    /// The same, with a shorter form for packs of numbers near zero.
    fn near_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel;
}

impl OwnCode for f32 {
    #[inline(always)]
    fn own_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel {
        map1(function)
    }
    #[inline(always)]
    fn own_loop_of_two<F: Fn(Self, Self) -> Self + Copy>(function: F) -> Kernel {
        map2(function)
    }
    #[inline(always)]
    fn near_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel {
        // SAFETY: `is_near` compares the number with a constant.
        unsafe { map1_tested(Self::is_near, function) }
    }
}

impl OwnCode for f64 {
    #[inline(always)]
    fn own_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel {
        each1(function)
    }
    #[inline(always)]
    fn own_loop_of_two<F: Fn(Self, Self) -> Self + Copy>(function: F) -> Kernel {
        each2(function)
    }
    #[inline(always)]
    fn near_loop<F: Fn(Self) -> Self + Copy>(function: F) -> Kernel {
        each1(function)
    }
}
