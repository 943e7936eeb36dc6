//! Arithmetic on operands of different dtypes, or of small floats, in one loop.
//!
//! Every pair of dtypes can be converted block by block before the operation. A dedicated loop, which converts in
//! registers, is two to three times as fast. This file lists the pairs that occur in mixed-precision code.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::binary::op::BinaryOp;
use super::drive::gather::fill_up;
use super::fused::operations::{Add, BinaryOperation, Div, Mul, Sub};
use super::fused::{Binary, BoundBuffers, Cast, Input, LoopContext, MAX_INPUTS, PackSlot, packs};
use crate::dtype::{DType, Element, bf16, f16};
use crate::simd::Isa;
use crate::simd::{Body, Kernel, LANES, for_wide};

/// An operation on elements of `A` and `B`, computed in `T`.
struct Mixed<O, A, B, T>(PhantomData<(O, A, B, T)>);

impl<O, A, B, T> Body for Mixed<O, A, B, T>
where
    O: BinaryOperation,
    A: Element,
    B: Element,
    T: Element,
{
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        let node = Binary::<O, _, _>::new(
            Cast::<_, T>::new(Input::<0, A>::NEW),
            Cast::<_, T>::new(Input::<1, B>::NEW),
        );
        let (mut bound, mut stage) = (BoundBuffers::uninit(), MaybeUninit::uninit());
        let mut from = [core::ptr::null(); MAX_INPUTS];
        // SAFETY: `inputs` points to two addresses, as the caller guarantees (`Kernel`).
        (from[0], from[1]) = unsafe { (*inputs, *inputs.add(1)) };
        let (mut to, mut whole, rest) = (output, len / LANES * LANES, len % LANES);
        let mut slots = [const { MaybeUninit::<PackSlot>::uninit() }; 3];
        let [a, b, result] = &mut slots;
        let (a, b) = (a.as_mut_ptr().cast::<u8>(), b.as_mut_ptr().cast::<u8>());
        let result = result.as_mut_ptr().cast::<u8>();
        loop {
            // SAFETY: at first, the caller guarantees `whole <= len` elements of both inputs and of the output, which
            // may be an input only if its elements are no larger. The second time, `a` and `b` hold a whole pack, and
            // `result` has room for one. The processor has `I`, and the inputs have dtypes `A` and `B`.
            unsafe {
                let context = &mut LoopContext::of_row(from, &mut bound);
                packs::<I, _, _>(
                    (&(), &node),
                    context,
                    stage.as_mut_ptr(),
                    (to, false),
                    whole,
                );
            };
            if to == result {
                // SAFETY: the output has `len` elements, of which the last `rest` are copied from the pack of
                // results.
                unsafe {
                    let end = output.add((len - rest) * size_of::<T>());
                    end.copy_from_nonoverlapping(result, rest * size_of::<T>());
                }
                return;
            }
            if rest == 0 {
                return;
            }
            // The rest, less than a pack, is filled up to one and goes through the same code again.
            // SAFETY: `rest` elements, at least one and fewer than `LANES`, are left of each input from `whole` on; a
            // slot has room for a pack, and is aligned to 64 bytes.
            unsafe {
                fill_up(from[0].cast::<A>().add(whole), rest, a.cast());
                fill_up(from[1].cast::<B>().add(whole), rest, b.cast());
            }
            (from[0], from[1]) = (a.cast_const(), b.cast_const());
            (to, whole) = (result, LANES);
        }
    }
}

/// Returns the loop for operands of these dtypes that computes in a third, if there is one for the SIMD level in use.
pub(super) fn kernel(op: BinaryOp, lhs: DType, rhs: DType, compute: DType) -> Option<Kernel> {
    use DType::{BF16, F16, F32, I8, I16, I32, U8};
    macro_rules! operations {
        ($A:ty, $B:ty, $T:ty: $($operation:ident)*) => {
            match op {
                $(BinaryOp::$operation => for_wide::<Mixed<$operation, $A, $B, $T>>(),)*
                _ => None,
            }
        };
    }
    match (lhs, rhs, compute) {
        (F16, F16, F16) => operations!(f16, f16, f16: Add Sub Mul Div),
        (BF16, BF16, BF16) => operations!(bf16, bf16, bf16: Add Sub Mul Div),
        (F16, BF16, F32) => operations!(f16, bf16, f32: Add Sub Mul Div),
        (BF16, F16, F32) => operations!(bf16, f16, f32: Add Sub Mul Div),
        (F16, F32, F32) => operations!(f16, f32, f32: Add Sub Mul Div),
        (F32, F16, F32) => operations!(f32, f16, f32: Add Sub Mul Div),
        (BF16, F32, F32) => operations!(bf16, f32, f32: Add Sub Mul Div),
        (F32, BF16, F32) => operations!(f32, bf16, f32: Add Sub Mul Div),
        (I32, F32, F32) => operations!(i32, f32, f32: Add Sub Mul Div),
        (F32, I32, F32) => operations!(f32, i32, f32: Add Sub Mul Div),
        (U8, F32, F32) => operations!(u8, f32, f32: Add Sub Mul Div),
        (F32, U8, F32) => operations!(f32, u8, f32: Add Sub Mul Div),
        (I8, U8, I16) => operations!(i8, u8, i16: Add Sub Mul),
        (U8, I8, I16) => operations!(u8, i8, i16: Add Sub Mul),
        _ => None,
    }
}
