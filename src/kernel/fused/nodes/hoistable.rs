//! Parts of an expression that may be computed before the loop.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use super::leaves::Input;
use crate::dtype::Element;
use crate::kernel::fused::{
    DTypes, ElementSizes, Extent, Extents, LoopContext, LoopRows, Node, Pack,
};
use crate::simd::{Isa, black_box_usize};

/// A part that either is computed in the loop or was computed before: then its elements are input `NUMBER`, and the inputs that it would
/// read are not set.
#[derive(Clone, Copy)]
pub struct Hoistable<const NUMBER: usize, X>(X);

impl<const NUMBER: usize, X> Hoistable<NUMBER, X> {
    pub fn new(x: X) -> Self {
        Self(x)
    }

    /// Returns whether the part was computed before. No input is at address zero.
    #[inline(always)]
    fn is_computed(inputs: &[*const u8]) -> bool {
        // LLVM would compile a loop for each answer.
        black_box_usize(inputs[NUMBER].addr()) != 0
    }
}

impl<const NUMBER: usize, X: Node> Node for Hoistable<NUMBER, X>
where
    X::Format: Element,
{
    type Format = X::Format;
    const COST: usize = X::COST;
    const INPUT_SIZES: ElementSizes = X::INPUT_SIZES;
    const CALLS: bool = X::CALLS;
    const CAN_FAIL: bool = X::CAN_FAIL;
    const ANY_NAN: bool = X::ANY_NAN;
    const IS_ROUNDED: bool = X::IS_ROUNDED;
    const IS_MAGNITUDE: bool = X::IS_MAGNITUDE;
    const STAGED: bool = X::STAGED;
    const ROUND_LATENCY: usize = X::ROUND_LATENCY;
    type Stage = (
        <Input<NUMBER, X::Format> as Node>::Stage,
        MaybeUninit<X::Stage>,
    );

    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        match inputs.get(NUMBER) {
            Some(None) => X::fits(inputs, bound),
            _ => Input::<NUMBER, X::Format>::fits(inputs, bound),
        }
    }

    fn extent(extents: &Extents) -> Extent {
        match Input::<NUMBER, X::Format>::extent(extents) {
            // The input is not set.
            Extent { inputs: 0, .. } => {
                let extent = X::extent(extents);
                Extent {
                    repeats_hoistable: extent.repeats_hoistable || extent.axes != extents.all,
                    ..extent
                }
            }
            extent => Extent {
                hoisted: Extent::counted(X::COST),
                ..extent
            },
        }
    }

    #[inline(always)]
    unsafe fn start_row(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        rows: &LoopRows<'_>,
        row: usize,
    ) {
        // SAFETY: the caller guarantees a row whose elements can be read, of the inputs that are set: this one, or those of the part. Each has
        // its own part of `stage`.
        unsafe {
            match Self::is_computed(rows.inputs) {
                true => {
                    Input::<NUMBER, X::Format>::NEW.start_row(to, &raw mut (*stage).0, rows, row);
                }
                false => self
                    .0
                    .start_row(to, (&raw mut (*stage).1).cast(), rows, row),
            }
        }
    }

    #[inline(always)]
    unsafe fn stage<I: Isa>(&self, from: &LoopContext, to: *mut Self::Stage, end: usize) {
        if const { X::STAGED } && !Self::is_computed(&from.inputs) {
            // SAFETY: the caller guarantees the instruction set and readable inputs for all packs up to `end`; the part is computed in the
            // loop, so its inputs are set.
            unsafe { self.0.stage::<I>(from, (&raw mut (*to).1).cast(), end) }
        }
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<X::Format> {
        // SAFETY: the caller guarantees the instruction set and 32 readable elements of the inputs that are set: this one, or those of the part,
        // which was staged.
        unsafe {
            match Self::is_computed(&from.inputs) {
                true => Input::<NUMBER, X::Format>::NEW.raw::<I>(from, &raw const (*stage).0, at),
                false => self.0.raw::<I>(from, (&raw const (*stage).1).cast(), at),
            }
        }
    }
}
