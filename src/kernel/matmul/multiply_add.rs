//! Sums of products, a term at a time.

use core::ops::Neg;

use num_complex::Complex;

use crate::simd::{Baseline, Isa};

/// A number whose products are added one after another.
pub(in crate::kernel) trait MultiplyAdd:
    Copy + PartialEq + Send + Sync + 'static
{
    const ZERO: Self;

    /// Adds a product to a sum. Floats are rounded once if the instruction set can, else twice; so is each of the two products that a part of
    /// a complex number is made of. Integers wrap.
    fn multiply_add<I: Isa>(a: Self, b: Self, sum: Self) -> Self;
}

macro_rules! floats {
    ($($number:ident)*) => {$(
        impl MultiplyAdd for $number {
            const ZERO: Self = 0.0;

            #[inline(always)]
            fn multiply_add<I: Isa>(a: Self, b: Self, sum: Self) -> Self {
                if const { I::REGISTER_BYTES > Baseline::REGISTER_BYTES } {
                    a.mul_add(b, sum)
                } else {
                    a * b + sum
                }
            }
        }
    )*};
}

macro_rules! integers {
    ($($number:ident)*) => {$(
        impl MultiplyAdd for $number {
            const ZERO: Self = 0;

            #[inline(always)]
            fn multiply_add<I: Isa>(a: Self, b: Self, sum: Self) -> Self {
                a.wrapping_mul(b).wrapping_add(sum)
            }
        }
    )*};
}

floats! { f32 f64 }
integers! { u32 u64 }

impl<T: MultiplyAdd + Neg<Output = T>> MultiplyAdd for Complex<T> {
    const ZERO: Self = Self::new(T::ZERO, T::ZERO);

    #[inline(always)]
    fn multiply_add<I: Isa>(a: Self, b: Self, sum: Self) -> Self {
        let re = T::multiply_add::<I>(a.re, b.re, sum.re);
        let im = T::multiply_add::<I>(a.re, b.im, sum.im);
        Self {
            re: T::multiply_add::<I>(-a.im, b.im, re),
            im: T::multiply_add::<I>(a.im, b.re, im),
        }
    }
}
