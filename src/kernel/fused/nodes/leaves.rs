//! Nodes without operands: inputs, constants and bound values.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use crate::dtype::Element;
use crate::dtype::format::Format;
use crate::kernel::fused::{
    DTypes, ElementSizes, Extent, Extents, LoopContext, LoopRows, MAX_INPUTS, Node, Pack,
    PackBuffer,
};
use crate::simd::{Isa, LANES};

/// An input's elements.
#[derive(Clone, Copy)]
pub struct Input<const NUMBER: usize, T>(PhantomData<fn() -> T>);

impl<const NUMBER: usize, T> Input<NUMBER, T> {
    pub const NEW: Self = Self(PhantomData);
}

impl<const NUMBER: usize, T: Element> Node for Input<NUMBER, T> {
    type Format = T;
    const COST: usize = 1;
    const INPUT: Option<usize> = Some(NUMBER);
    const INPUT_SIZES: ElementSizes = {
        let mut sizes = [0; MAX_INPUTS];
        sizes[NUMBER] = size_of::<T::Stored>();
        sizes
    };
    const CALLS: bool = false;
    const CAN_FAIL: bool = false;
    leaf!();
    /// The copies of the element that the current row repeats, if it does.
    type Stage = Copies<T::Stored>;

    #[inline]
    fn fits(inputs: &DTypes, _: &DTypes) -> bool {
        inputs.get(NUMBER) == Some(&Some(T::DTYPE))
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, from: &LoopContext, _: *const Self::Stage, at: usize) -> Pack<T> {
        let at = at & from.masks[NUMBER];
        // SAFETY: the caller guarantees that input `NUMBER` has elements of `T` (`fits`), of which 32 can be read
        // from `at` on; if it repeats an element, `at` is zero and the pack of copies can be read.
        unsafe { T::load_pack::<I>(from.inputs[NUMBER].cast::<T::Stored>().add(at)) }
    }

    #[inline(always)]
    unsafe fn start_row(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        rows: &LoopRows<'_>,
        row: usize,
    ) {
        let first = rows.inputs[NUMBER].wrapping_offset(row.cast_signed() * rows.steps[NUMBER]);
        (to.inputs[NUMBER], to.masks[NUMBER]) = (first, usize::MAX);
        if rows.repeats >> NUMBER & 1 == 1 {
            // SAFETY: the caller guarantees that the row's element can be read, and `stage` written.
            unsafe { (&raw mut (*stage).0).write([first.cast::<T::Stored>().read(); LANES]) };
            (to.inputs[NUMBER], to.masks[NUMBER]) = (stage.cast_const().cast(), 0);
        }
    }

    #[inline]
    fn extent(extents: &Extents) -> Extent {
        extents.inputs[NUMBER]
    }
}

/// Memory for copies of an element.
#[repr(C, align(64))]
pub struct Copies<T>([T; LANES]);

/// A constant, the same in every lane.
#[derive(Clone, Copy)]
pub struct Splat<T: Format>(T::Compute);

impl<T: Format> Splat<T> {
    pub fn new(element: T) -> Self {
        Self(element.to_compute())
    }
}

impl<T: Element> Node for Splat<T> {
    type Format = T;
    const COST: usize = 0;
    const CALLS: bool = false;
    const CAN_FAIL: bool = false;
    leaf!(constant);

    #[inline]
    fn fits(_: &DTypes, _: &DTypes) -> bool {
        true
    }

    #[inline]
    fn extent(_: &Extents) -> Extent {
        Extent::operand(0, 0)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, _: &LoopContext, _: *const (), _: usize) -> Pack<T> {
        [self.0; LANES]
    }
}

/// The value that was bound under a number.
#[derive(Clone, Copy)]
pub struct Bound<const NUMBER: usize, T>(PhantomData<fn() -> T>);

impl<const NUMBER: usize, T> Bound<NUMBER, T> {
    pub const NEW: Self = Self(PhantomData);
}

impl<const NUMBER: usize, T: Element> Node for Bound<NUMBER, T> {
    type Format = T;
    const COST: usize = 0;
    const CALLS: bool = false;
    const CAN_FAIL: bool = false;
    leaf!(constant);

    #[inline]
    fn fits(_: &DTypes, bound: &DTypes) -> bool {
        bound.get(NUMBER) == Some(&Some(T::DTYPE))
    }

    #[inline]
    fn extent(extents: &Extents) -> Extent {
        extents.bound[NUMBER]
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, from: &LoopContext, _: *const (), at: usize) -> Pack<T> {
        // SAFETY: the caller guarantees that value `NUMBER` has elements of `T` (`fits`) and was bound for this
        // position; a slot has room for a pack, and is aligned for it.
        unsafe { PackBuffer::slot::<T>(from.buffer(NUMBER), from, at).read() }
    }
}
