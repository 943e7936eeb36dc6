//! Conversions between dtypes.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::max_of;
use crate::dtype::format::{Format, is_exact};
use crate::dtype::{DType, Element, Kind};
use crate::kernel::fused::{DTypes, Extent, Extents, LoopContext, LoopRows, Node, Pack};
use crate::simd::{Baseline, Isa, MAX_REGISTER_BYTES, lanes, through_memory};

/// A conversion, with the semantics of `dtype/cast.rs`.
#[derive(Clone, Copy)]
pub struct Cast<A, T>(A, PhantomData<fn() -> T>);

impl<A: Node, T: Element> Cast<A, T> {
    pub fn new(x: A) -> Self {
        Self(x, PhantomData)
    }

    const SAME: bool = same(A::Format::DTYPE, T::DTYPE);
    const EXACT: bool = is_exact(A::Format::DTYPE, T::DTYPE);
    /// `true` if it widens `f32` to `f64`, and its operand converts 16-bit elements of an input to `f32`.
    const WIDENS_CONVERTED: bool = A::COST == 1
        && A::INPUT.is_none()
        && max_of(&A::INPUT_SIZES) == 2
        && matches!((A::Format::DTYPE, T::DTYPE), (DType::F32, DType::F64));
}

const fn same(a: DType, b: DType) -> bool {
    a.index() == b.index()
}

/// Returns whether registers are those of AVX2: longer than those of the baseline, but not the longest.
const fn is_avx2<I: Isa>() -> bool {
    Baseline::REGISTER_BYTES < I::REGISTER_BYTES && I::REGISTER_BYTES < MAX_REGISTER_BYTES
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
    const IS_MAGNITUDE: bool =
        A::IS_MAGNITUDE && Self::EXACT && matches!(T::DTYPE.kind(), Kind::Float);
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
                let mut x = self.0.pack::<I>(from, &raw const (*stage).0, at);
                // Converted, a vector of 16-bit floats is as long as a register. AVX2 widens half of a register: the upper half takes an
                // instruction to extract, and each half an operation that moves it within the register. From memory it takes
                // neither. (The sum of 65,536 elements as `f32`, on an AMD EPYC of family 26: 0.82 of the time for `f16`, 0.78 for
                // `bf16`. Sums along the first axis take 1.23, and with AVX-512 sums along rows 1.06.)
                if const { Self::WIDENS_CONVERTED && is_avx2::<I>() } && from.reduces_rows {
                    x = through_memory(x);
                }
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
