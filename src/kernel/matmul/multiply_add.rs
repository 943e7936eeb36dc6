//! Sums of products, a term at a time.

use crate::simd::{Baseline, Isa};

/// A number whose products are added one after another.
pub(in crate::kernel) trait MultiplyAdd:
    Copy + PartialEq + Send + Sync + 'static
{
    const ZERO: Self;

    /// Adds a product to a sum. Floats are rounded once if the instruction set can, else twice; integers wrap.
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
