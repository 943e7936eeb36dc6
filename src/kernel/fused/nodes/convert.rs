//! Conversions between dtypes.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::max_of;
use crate::dtype::format::{Format, is_exact};
use crate::dtype::{DType, Element};
use crate::kernel::fused::{DTypes, Extent, Extents, LoopContext, LoopRows, Node, Pack};
use crate::simd::{Isa, lanes};

/// A conversion, with the semantics of `dtype/cast.rs`.
#[derive(Clone, Copy)]
pub struct Cast<A, T>(A, PhantomData<fn() -> T>);

impl<A: Node, T: Element> Cast<A, T> {
    pub fn new(x: A) -> Self {
        Self(x, PhantomData)
    }

    const SAME: bool = same(A::Format::DTYPE, T::DTYPE);
    const EXACT: bool = is_exact(A::Format::DTYPE, T::DTYPE);
}

const fn same(a: DType, b: DType) -> bool {
    a.index() == b.index()
}

/// Returns the pack, as one of the same type under another name.
///
/// # Safety
/// `A` and `T` are the same type.
#[inline(always)]
unsafe fn identical<A: Format, T: Format>(pack: Pack<A>) -> Pack<T> {
    debug_assert_eq!(size_of::<A::Compute>(), size_of::<T::Compute>());
    // SAFETY: the caller guarantees that `A` and `T` are one type, so their packs are.
    unsafe { core::mem::transmute_copy(&pack) }
}

impl<A: Node, T: Element> Node for Cast<A, T> {
    type Format = T;
    const COST: usize = A::COST;
    const INPUT: Option<usize> = match Self::SAME {
        true => A::INPUT,
        false => None,
    };
    const CALLS: bool = A::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL;
    const IS_ROUNDED: bool = if Self::SAME {
        A::IS_ROUNDED
    } else {
        Self::EXACT
    };
    const ANY_NAN: bool = !Self::SAME || A::ANY_NAN;
    const IS_DIRECT: bool = Self::SAME && A::IS_DIRECT;
    operands!(0 A);

    #[inline(always)]
    unsafe fn direct<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<T> {
        // SAFETY: the caller guarantees what `direct` of the operand requires, and what `raw` requires if the node is not direct. A node that is
        // direct has the operand's dtype (`SAME`), and a dtype has one element type.
        unsafe {
            if const { !Self::IS_DIRECT } {
                return self.raw::<I>(from, stage, at);
            }
            identical::<A::Format, T>(self.0.direct::<I>(from, &raw const (*stage).0, at))
        }
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<T> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the operand's
        // bound values and staged nodes were computed; its stage is the first part of `stage`. `SAME` says that both
        // formats have one dtype, and a dtype has one element type.
        unsafe {
            if const { Self::SAME } {
                identical::<A::Format, T>(self.0.raw::<I>(from, &raw const (*stage).0, at))
            } else {
                let x = self.0.pack::<I>(from, &raw const (*stage).0, at);
                lanes(|lane| T::convert(x[lane]))
            }
        }
    }
}

/// A conversion that saturates.
#[derive(Clone, Copy)]
pub struct Saturate<A, T>(A, PhantomData<fn() -> T>);

impl<A: Node, T: Element> Saturate<A, T> {
    pub fn new(x: A) -> Self {
        Self(x, PhantomData)
    }
}

impl<A: Node, T: Element> Node for Saturate<A, T> {
    type Format = T;
    const COST: usize = A::COST;
    const CALLS: bool = A::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL;
    const IS_ROUNDED: bool = !T::DTYPE.is_small_float();
    const ANY_NAN: bool = true;
    operands!(0 A);

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<T> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the operand's
        // bound values and staged nodes were computed; its stage is the first part of `stage`.
        let x = unsafe { self.0.pack::<I>(from, &raw const (*stage).0, at) };
        lanes(|lane| T::saturate(x[lane]))
    }
}
