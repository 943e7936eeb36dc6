//! Nodes without operands: inputs, constants and bound values.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use crate::dtype::Element;
use crate::dtype::format::Format;
use crate::kernel::fused::{
    DTypes, ElementSizes, Extent, Extents, LoopContext, LoopRows, MAX_INPUTS, Node, Pack,
    PackBuffer,
};
use crate::simd::{Isa, LANES, MAX_REGISTER_BYTES, opaque_beside};

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
    type Stage = Repeated<T>;

    #[inline]
    fn fits(inputs: &DTypes, _: &DTypes) -> bool {
        inputs.get(NUMBER) == Some(&Some(T::DTYPE))
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<T> {
        let mask = from.masks[NUMBER];
        // SAFETY: the caller guarantees that input `NUMBER` has elements of `T` (`fits`), of which 32 can be read
        // from `at` on, and that `start_row::<I>` started this row with this `stage`. If the row repeats an element, the mask is zero, and
        // by the same test of `in_register` that call wrote the element to `stage`, or a pack of copies, to which the input points.
        unsafe {
            let input = from.inputs[NUMBER].cast::<T::Stored>();
            if const { in_register::<T, I>() } {
                if opaque_beside(mask, at) == 0 {
                    core::hint::cold_path();
                    return [(*stage).element; LANES];
                }
                return T::load_pack::<I>(input.add(at));
            }
            T::load_pack::<I>(input.add(at & mask))
        }
    }

    #[inline(always)]
    unsafe fn start_row<I: Isa>(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        rows: &LoopRows<'_>,
        row: usize,
    ) {
        let first = rows.inputs[NUMBER].wrapping_offset(row.cast_signed() * rows.steps[NUMBER]);
        (to.inputs[NUMBER], to.masks[NUMBER]) = (first, usize::MAX);
        if rows.repeats >> NUMBER & 1 == 1 {
            to.masks[NUMBER] = 0;
            // SAFETY: the caller guarantees that the row's element can be read, and `stage` written. A pack can be decoded from the
            // 32 copies.
            unsafe {
                let copies = [first.cast::<T::Stored>().read(); LANES];
                if const { in_register::<T, I>() } {
                    (*stage).element = T::load_pack::<I>(copies.as_ptr())[0];
                } else {
                    (*stage).copies = copies;
                    to.inputs[NUMBER] = stage.cast_const().cast();
                }
            }
        }
    }

    #[inline]
    fn extent(extents: &Extents) -> Extent {
        extents.inputs[NUMBER]
    }
}

/// The element that the current row repeats.
#[repr(C, align(64))]
pub union Repeated<T: Format> {
    /// Copies of it, if loops read it from memory.
    copies: [T::Stored; LANES],
    /// Itself, if loops [keep it in a register](in_register).
    element: T::Compute,
}

/// Returns whether a loop keeps an element that a row repeats in a register.
///
/// Such a loop tests for each pack whether the row repeats the element. The processor predicts the tests, and the loop loads less.
/// (`m * row + column` of 128 rows of 512: 0.77 of the time. The tests take 4 % of the time to compile an expression.) The registers must
/// hold packs of all [`MAX_INPUTS`] inputs, and they must be those of AVX-512: if there were fewer, LLVM would write the packs to memory.
const fn in_register<T: Format, I: Isa>() -> bool {
    I::REGISTER_BYTES >= MAX_REGISTER_BYTES
        && MAX_INPUTS * size_of::<Pack<T>>() <= I::REGISTER_BYTES
}

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
