//! Calls of a user's functions on elements.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::max_of;
use crate::dtype::Element;
use crate::dtype::format::Format;
use crate::kernel::fused::{DTypes, Extent, Extents, LoopContext, LoopRows, Node, Pack};
use crate::simd::{Isa, lanes};

/// Calls of a user's functions on elements.
macro_rules! calls {
    ($($Call:ident $Function:ident ($($A:ident $a:ident $number:tt),+);)*) => {$(
        /// A user's function on elements, as a type.
        pub trait $Function<$($A),+>: Copy + 'static {
            /// The type of its results.
            type Output: Element;

            /// Calls it.
            fn call($($a: $A),+) -> Self::Output;
        }

        /// A call of a user's function.
        #[derive(Clone, Copy)]
        pub struct $Call<F, $($A),+>($($A,)+ PhantomData<fn() -> F>);

        impl<F, $($A),+> $Call<F, $($A),+> {
            pub fn new($($a: $A),+) -> Self {
                Self($($a,)+ PhantomData)
            }
        }

        impl<F, $($A),+> Node for $Call<F, $($A),+>
        where
            $($A: Node,)+
            F: $Function<$($A::Format),+>,
        {
            type Format = F::Output;
            const COST: usize = $($A::COST +)+ 8;
            const CALLS: bool = true;
            const CAN_FAIL: bool = $($A::CAN_FAIL)||+;
            const IS_ROUNDED: bool = true;
            operands!($($number $A),+);

            #[inline(always)]
            unsafe fn raw<I: Isa>(
                &self,
                from: &LoopContext,
                stage: *const Self::Stage,
                at: usize,
            ) -> Pack<F::Output> {
                // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the
                // operands' bound values and staged nodes were computed; each operand has its own part of `stage`.
                $(let $a = unsafe { self.$number.pack::<I>(from, &raw const (*stage).$number, at) };)+
                lanes(|lane| F::call($(<$A::Format as Format>::of($a[lane])),+).to_compute())
            }
        }
    )*};
}

calls! {
    Called1 Function1 (A a 0);
    Called2 Function2 (A a 0, B b 1);
    Called3 Function3 (A a 0, B b 1, C c 2);
}
