//! Loops made of expressions: each a type, compiled to one loop for each instruction set.
//!
//! A node maps 32 elements of its operands to 32 results in the form in which they compute (`compute_dtype`), so
//! that what a loop reads is decoded, what it writes is encoded, and what lies between never leaves the
//! registers. Only functions that take long, and operands that wait for results to be rounded, are computed ahead, some packs at
//! a time: while a processor waits for the operations of one pack, which depend on one another, it looks ahead a few hundred
//! instructions for others to begin with, and those are to be of many packs, not of two. (Six operations of f16: 0.77 of the
//! time.) `nodes` has the nodes; `format` says how elements of each dtype are read, rounded and written; `operations` names
//! operations as types; `run` drives loops over arrays.
//! Why slow nodes are computed several packs in advance: `docs/decisions/software-pipelining.md`.
#![allow(unsafe_code, reason = "loops over raw memory")]

mod nodes;
pub(crate) mod operations;
mod run;
mod strided;

use core::mem::MaybeUninit;

pub(crate) use nodes::{
    Binary, Bound, Called1, Called2, Called3, Cast, Choose, Compare, Function1, Function2,
    Function3, Input, Splat, Unary,
};
pub(crate) use run::Loop;
pub use run::{CallSite, LoopInputs};

use crate::dtype::format::{Format, STAGED_PACKS};
use crate::dtype::{DType, Element};
use crate::simd::Isa;
use crate::simd::{LANES, black_box_usize, through_memory};

/// What a loop reads at most.
pub(crate) const MAX_INPUTS: usize = 8;
/// What a loop binds at most.
pub(crate) const MAX_BOUND: usize = MAX_INPUTS;

/// The dtypes of inputs or of what is bound, by number.
pub(crate) type DTypes = [Option<DType>; MAX_INPUTS];

/// 32 elements in the form in which they compute.
pub(crate) type Pack<T> = [<T as Format>::Compute; LANES];

/// What a pack is computed from.
pub struct LoopContext {
    inputs: [*const u8; MAX_INPUTS],
    /// Where the packs begin of which there is something ahead.
    first: usize,
    bound: MaybeUninit<[PackBuffer; MAX_BOUND]>,
}

impl LoopContext {
    /// Which of the packs ahead begins at a position.
    #[inline(always)]
    fn number(&self, at: usize) -> usize {
        let number = (at - self.first) / LANES;
        debug_assert!(number < STAGED_PACKS, "one of the staged packs");
        number
    }

    /// What is bound under a number.
    #[inline(always)]
    fn buffer(&self, number: usize) -> *const PackBuffer {
        self.bound
            .as_ptr()
            .cast::<PackBuffer>()
            .wrapping_add(number)
    }
}

/// Room for a pack of any elements.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct PackSlot(MaybeUninit<[u8; LANES * 16]>);

/// Room for what is computed ahead.
pub struct PackBuffer(
    #[expect(dead_code, reason = "reached by its address")] [PackSlot; STAGED_PACKS],
);

impl PackBuffer {
    /// The place of the pack at a position.
    #[inline(always)]
    fn slot<T: Format>(buffer: *const Self, from: &LoopContext, at: usize) -> *mut Pack<T> {
        let slots = buffer.cast::<PackSlot>().cast_mut();
        slots.wrapping_add(from.number(at)).cast()
    }
}

/// Runs for each pack from the first one on: for all up to the end, or for that one alone.
macro_rules! for_packs {
    ($at:ident in $first:expr, $end:expr, if $more:expr => $body:block) => {
        let mut $at = $first;
        loop {
            $body
            if !$more {
                break;
            }
            $at = black_box_usize($at + LANES);
            if $at >= $end {
                break;
            }
        }
    };
}

use for_packs;

/// Part of an expression.
pub trait Node: Copy + Sync {
    /// What its elements are.
    type Format: Element;
    /// About how long an element takes, in additions.
    const COST: usize;
    /// Whether it calls functions of the user's, which are to see no elements that are not there.
    const CALLS: bool;
    /// Whether a NaN of it may have more bits than its format: by a conversion, not by arithmetic.
    const ANY_NAN: bool = false;
    /// Whether it gives elements of its format, so that nothing is to be rounded.
    const IS_ROUNDED: bool = false;
    /// Whether parts of it are computed ahead.
    const STAGED: bool;
    /// How long it waits for results to be rounded, one after the other, that are not computed ahead: [`Format::ROUND_LATENCY`] each.
    const ROUND_LATENCY: usize;
    /// Room for what is computed ahead.
    type Stage;

    /// Whether inputs and what is bound have the dtypes that it reads.
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool;

    /// Computes what is computed ahead, for all packs from the environment's first up to an end.
    ///
    /// # Safety
    /// That of [`Self::raw`] for each of the packs, of which there are no more than [`STAGED_PACKS`]; the room can be written.
    unsafe fn stage<I: Isa>(&self, from: &LoopContext, to: *mut Self::Stage, end: usize);

    /// 32 elements from a position on, not rounded to the format yet.
    ///
    /// # Safety
    /// The processor has the instruction set. Inputs and what is bound [fit](Self::fits). From the position on, 32
    /// elements of each input can be read; what is bound was bound before, and what is [ahead](Self::ahead) was computed
    /// for this position.
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<Self::Format>;

    /// The same, rounded.
    ///
    /// # Safety
    /// That of [`Self::raw`].
    #[inline(always)]
    unsafe fn pack<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<Self::Format> {
        // SAFETY: the caller's.
        unsafe {
            let pack = self.raw::<I>(from, stage, at);
            if const { Self::IS_ROUNDED } {
                return pack;
            }
            Self::Format::round::<I>(pack, Self::ANY_NAN)
        }
    }
}

/// Values that are computed before an expression, for each pack.
pub trait Values: Copy {
    /// How many there are.
    const COUNT: usize;
    /// About how long an element of each takes together, in additions.
    const COST: usize;
    /// As [`Node::CALLS`].
    const CALLS: bool;
    /// Whether parts of them are computed ahead.
    const STAGED: bool;
    /// Room for what is computed ahead.
    type Stage;

    /// Whether inputs have the dtypes that they read; writes their own.
    fn fits(inputs: &DTypes, bound: &mut DTypes) -> bool;

    /// Computes them for the environment's first pack, or for all up to an end.
    ///
    /// # Safety
    /// That of [`Node::ahead`].
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
    const STAGED: bool = false;
    type Stage = ();

    #[inline]
    fn fits(_: &DTypes, _: &mut DTypes) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn bind<I: Isa>(&self, _: &mut LoopContext, _: *mut (), _: usize, _: bool) {}
}

impl<V: Values, A: Node> Values for (V, A) {
    const COUNT: usize = V::COUNT + 1;
    const COST: usize = V::COST + A::COST;
    const CALLS: bool = V::CALLS || A::CALLS;
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

    #[inline(always)]
    unsafe fn bind<I: Isa>(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        end: usize,
        all: bool,
    ) {
        // SAFETY: the caller's; a slot has room for a pack, and is aligned for it.
        unsafe {
            let (before, own) = (&raw mut (*stage).0, &raw mut (*stage).1);
            self.0.bind::<I>(to, before, end, all);
            self.1.stage::<I>(to, own, end);
            for_packs!(at in to.first, end, if all => {
                let pack = self.1.pack::<I>(to, own, at);
                let buffer = to.bound.as_mut_ptr().cast::<PackBuffer>().add(V::COUNT);
                PackBuffer::slot::<A::Format>(buffer, to, at).write(pack);
            });
        }
    }
}

/// Where a pack costs no more, counting takes as long as computing: two are done at a time.
const MAX_PAIRED_COST: usize = 4;

/// The loop of an expression over whole packs.
///
/// # Safety
/// The processor has the instruction set. `expression` points to one of this type, with what it binds; the inputs' dtypes
/// [fit](Node::fits) it. `len` elements of each input can be read, and as many of the expression's format can be written
/// to `output`. That may be an input if its elements are no larger, but must not overlap one otherwise. `len` is
/// a multiple of [`LANES`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn body<I: Isa, V: Values, A: Node>(
    expression: *const (),
    inputs: &[*const u8; MAX_INPUTS],
    output: *mut u8,
    len: usize,
) {
    // A copy, which the output cannot overwrite.
    // SAFETY: the caller's.
    unsafe { packs::<I, V, A>(expression.cast::<(V, A)>().read(), inputs, output, len) }
}

/// Whether elements are smaller in memory than while they compute.
const fn narrows<T: Format>() -> bool {
    size_of::<T::Stored>() < size_of::<T::Compute>()
}

/// [`body`] of an expression that is known.
///
/// # Safety
/// That of [`body`].
#[inline(always)]
pub(super) unsafe fn packs<I: Isa, V: Values, A: Node>(
    (values, node): (V, A),
    inputs: &[*const u8; MAX_INPUTS],
    output: *mut u8,
    len: usize,
) {
    debug_assert!(len.is_multiple_of(LANES), "whole packs");
    let mut context = LoopContext {
        inputs: *inputs,
        first: 0,
        bound: MaybeUninit::uninit(),
    };
    let mut stage = MaybeUninit::<(V::Stage, A::Stage)>::uninit();
    let stage = stage.as_mut_ptr();
    let output = output.cast::<<A::Format as Format>::Stored>();
    let is_staged = const { V::STAGED || A::STAGED };
    let in_pairs = const { V::COUNT == 0 && A::COST <= MAX_PAIRED_COST && !A::STAGED };
    // Of pairs, the pack that is left over, if there is one.
    let single = len / (2 * LANES) * (2 * LANES);
    let mut done = 0;
    while done < len {
        context.first = done;
        // SAFETY: the caller's; whole packs are left, two unless it is a single one; there is room for what is ahead.
        unsafe {
            let (values_stage, node_stage) = (&raw mut (*stage).0, &raw mut (*stage).1);
            let end = len.min(done + STAGED_PACKS * LANES);
            values.bind::<I>(&mut context, values_stage, end, is_staged);
            node.stage::<I>(&context, node_stage, end);
            for_packs!(at in done, end, if is_staged => {
                let mut pack = node.raw::<I>(&context, node_stage, at);
                // LLVM fails to choose vectors for what was ahead and ends in an instruction of ours.
                if is_staged && const { narrows::<A::Format>() } {
                    pack = through_memory(pack);
                }
                A::Format::store::<I>(output.add(at), pack, A::ANY_NAN);
                done = at + LANES;
            });
            if in_pairs {
                if done > single {
                    break;
                }
                let pack = node.raw::<I>(&context, node_stage, done);
                A::Format::store::<I>(output.add(done), pack, A::ANY_NAN);
                done += LANES;
            }
        }
        done = black_box_usize(done);
    }
}

/// Copies elements and repeats the last, so that they are a pack.
///
/// # Safety
/// `len` elements, at least one and less than a pack, can be read, and a pack can be written.
#[inline]
pub(super) unsafe fn fill_up<T: Copy>(from: *const T, len: usize, to: *mut T) {
    debug_assert!(0 < len && len < LANES, "part of a pack");
    // SAFETY: the caller's.
    unsafe {
        // A whole pack takes fewer instructions than what is missing.
        to.cast::<[T; LANES]>()
            .write([from.add(len - 1).read(); LANES]);
        to.copy_from_nonoverlapping(from, len);
    }
}
