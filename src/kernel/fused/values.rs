//! Values that several parts of an expression read.
#![allow(unsafe_code, reason = "loops over raw memory")]

use super::context::{LoopContext, LoopRows, PackBuffer, for_packs};
use super::extent::{Extent, Extents};
use super::{DTypes, ElementSizes, MAX_BOUND, MAX_INPUTS, Node, sizes_of_all};
use crate::dtype::Element;
use crate::simd::{Isa, LANES, black_box_usize};

/// Values that are computed for each pack before the expression that reads them.
pub trait Values: Copy + 'static {
    /// The number of values.
    const COUNT: usize;
    /// The approximate cost of an element of all values together, in additions.
    const COST: usize;
    /// The sizes of the elements of the inputs that they read.
    const INPUT_SIZES: ElementSizes = [0; MAX_INPUTS];
    /// `true` if any of them calls a user's functions: see [`Node::CALLS`].
    const CALLS: bool;
    /// `true` if an operation of any of them can fail.
    const CAN_FAIL: bool;
    /// `true` if any node of them is staged.
    const STAGED: bool;
    /// Scratch memory of their staged nodes.
    type Stage;

    /// Returns whether the inputs have the dtypes that the values read; writes the values' dtypes to `bound`.
    fn fits(inputs: &DTypes, bound: &mut DTypes) -> bool;

    /// Writes the values' axes to `extents`, and returns the cost of the operations that they compute more than once for
    /// an element.
    fn extents(extents: &mut Extents) -> u16;

    /// Sets the values' inputs to a row.
    ///
    /// # Safety
    /// The contract of [`Node::start_row`].
    unsafe fn start_row(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        rows: &LoopRows<'_>,
        row: usize,
    );

    /// Computes the values for the packs from `to.first` up to `end` if `all`, else for the first of these packs.
    ///
    /// # Safety
    /// The contract of [`Node::stage`] for each value.
    unsafe fn bind<I: Isa>(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        end: usize,
        all: bool,
    );
}

impl Values for () {
    const COUNT: usize = 0;
    const COST: usize = 0;
    const CALLS: bool = false;
    const CAN_FAIL: bool = false;
    const STAGED: bool = false;
    type Stage = ();

    #[inline]
    fn fits(_: &DTypes, _: &mut DTypes) -> bool {
        true
    }

    #[inline]
    fn extents(_: &mut Extents) -> u16 {
        0
    }

    #[inline(always)]
    unsafe fn start_row(&self, _: &mut LoopContext, _: *mut (), _: &LoopRows<'_>, _: usize) {}

    #[inline(always)]
    unsafe fn bind<I: Isa>(&self, _: &mut LoopContext, _: *mut (), _: usize, _: bool) {}
}

/// A value that an expression does not read, in the place of its number. Nothing computes it.
#[derive(Clone, Copy, Debug)]
pub struct Unread;

impl<V: Values> Values for (V, Unread) {
    const COUNT: usize = V::COUNT + 1;
    const COST: usize = V::COST;
    const CALLS: bool = V::CALLS;
    const INPUT_SIZES: ElementSizes = V::INPUT_SIZES;
    const CAN_FAIL: bool = V::CAN_FAIL;
    const STAGED: bool = V::STAGED;
    type Stage = V::Stage;

    #[inline]
    fn fits(inputs: &DTypes, bound: &mut DTypes) -> bool {
        V::fits(inputs, bound) && V::COUNT < MAX_BOUND
    }

    #[inline]
    fn extents(extents: &mut Extents) -> u16 {
        V::extents(extents)
    }

    #[inline(always)]
    unsafe fn start_row(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        rows: &LoopRows<'_>,
        row: usize,
    ) {
        // SAFETY: the caller guarantees a row whose elements can be read, and `stage` for the values before.
        unsafe { self.0.start_row(to, stage, rows, row) }
    }

    #[inline(always)]
    unsafe fn bind<I: Isa>(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        end: usize,
        all: bool,
    ) {
        // SAFETY: the caller guarantees what `Node::stage` requires for the values before.
        unsafe { self.0.bind::<I>(to, stage, end, all) }
    }
}

impl<V: Values, A: Node> Values for (V, A) {
    const COUNT: usize = V::COUNT + 1;
    const COST: usize = V::COST + A::COST;
    const CALLS: bool = V::CALLS || A::CALLS;
    const INPUT_SIZES: ElementSizes = sizes_of_all(&[V::INPUT_SIZES, A::INPUT_SIZES]);
    const CAN_FAIL: bool = V::CAN_FAIL || A::CAN_FAIL;
    const STAGED: bool = V::STAGED || A::STAGED;
    type Stage = (V::Stage, A::Stage);

    #[inline]
    fn fits(inputs: &DTypes, bound: &mut DTypes) -> bool {
        let fits = V::fits(inputs, bound) && A::fits(inputs, bound);
        match bound.get_mut(V::COUNT) {
            Some(dtype) => *dtype = Some(A::Format::DTYPE),
            None => return false,
        }
        fits
    }

    #[inline]
    fn extents(extents: &mut Extents) -> u16 {
        let before = V::extents(extents);
        let mut own = A::extent(extents);
        // Parts that are repeated within the value are counted here, and not at its readers.
        let repeated = core::mem::take(&mut own.repeated);
        own.hoisted = 0;
        extents.bound[V::COUNT] = own;
        Extent::MAX_COST.min(before + repeated)
    }

    #[inline(always)]
    unsafe fn start_row(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        rows: &LoopRows<'_>,
        row: usize,
    ) {
        // SAFETY: the caller guarantees a row whose elements can be read; each value has its own part of `stage`.
        unsafe {
            self.0.start_row(to, &raw mut (*stage).0, rows, row);
            self.1.start_row(to, &raw mut (*stage).1, rows, row);
        }
    }

    #[inline(always)]
    unsafe fn bind<I: Isa>(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        end: usize,
        all: bool,
    ) {
        // SAFETY: the caller guarantees, for each value, what `Node::stage` requires of `stage`'s part for it. `pack`
        // comes after `stage` has staged its packs and after the values before were bound. A slot has room for a
        // pack, and is aligned for it; `V::COUNT` is below `MAX_BOUND` (`fits`).
        unsafe {
            let (before, own) = (&raw mut (*stage).0, &raw mut (*stage).1);
            self.0.bind::<I>(to, before, end, all);
            self.1.stage::<I>(to, own, end);
            for_packs!(at in to.first, end, if all => {
                let pack = self.1.pack::<I>(to, own, at);
                let buffer = to.buffer(V::COUNT);
                PackBuffer::slot::<A::Format>(buffer, to, at).write(pack);
            });
        }
    }
}
