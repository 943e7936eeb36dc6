//! The loop that writes the values of an expression.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::context::{BoundBuffers, LoopContext, LoopRows, PackSlot, for_packs};
use super::{LoopBody, LoopExpression, Node, Values};
use crate::dtype::format::{Format, STAGED_PACKS};
use crate::simd::{Isa, LANES, black_box_usize, through_memory};

/// The cost up to which loops compute two packs an iteration: counting takes as long as such a pack.
const MAX_PAIRED_COST: usize = 4;

/// The loop that writes the values of an expression.
///
/// It requires in addition to [`LoopBody`]:
/// - As many elements of the expression's format as the rows have can be written to the output, and are aligned.
/// - The output may be an input if its elements are no larger, but must not overlap one otherwise.
/// - `rows.len` is a multiple of [`LANES`], or it is larger than [`LANES`] and the output is not an input.
/// - The inputs that `REPEATS` has a bit for repeat an element along rows. The compiler keeps these elements in registers.
/// - If `rows.streams`, the loop `CAN_STREAM`, `rows.len` is a multiple of [`LANES`], and the output begins at a multiple of the size of a
///   pack or of a cache line.
pub(in crate::kernel) struct Elementwise<
    V,
    A,
    const CAN_STREAM: bool = false,
    const REPEATS: u32 = 0,
>(PhantomData<(V, A)>);

impl<V, A, const CAN_STREAM: bool, const REPEATS: u32> LoopBody
    for Elementwise<V, A, CAN_STREAM, REPEATS>
where
    V: Values,
    A: Node,
{
    #[inline(always)]
    unsafe fn run<I: Isa>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
        let (values, node) = unsafe { LoopExpression::<V, A>::read(expression) };
        let mut bound = BoundBuffers::uninit();
        let mut context = LoopContext::of_rows(rows, &mut bound);
        let mut stage = MaybeUninit::<(V::Stage, A::Stage)>::uninit();
        let stage = stage.as_mut_ptr();
        let rows = &LoopRows {
            repeats: rows.repeats | REPEATS,
            ..*rows
        };
        let streams = CAN_STREAM && rows.streams;
        let mut row = 0;
        while row < rows.count {
            // SAFETY: `row < rows.count`, and the caller guarantees readable elements of each row, room for its results, the
            // instruction set, and the length.
            unsafe {
                values.start_row(&mut context, &raw mut (*stage).0, rows, row);
                node.start_row(&mut context, &raw mut (*stage).1, rows, row);
                let size = size_of::<<A::Format as Format>::Stored>();
                let output = rows.output.add(row * rows.len * size);
                packs::<I, V, A>(
                    (&values, &node),
                    &mut context,
                    stage,
                    (output, streams),
                    rows.len,
                );
            }
            row = black_box_usize(row + 1);
        }
        if const { LoopExpression::<V, A>::CAN_FAIL } {
            // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
            unsafe { LoopExpression::<V, A>::report(expression, &context) };
        }
    }
}

/// [`Elementwise`] without bound values, a pack at a time. It takes longer, and the compiler takes less time for it. So short loops use it: parts
/// that are computed before the whole, and tests of single operations, of which there are more than a thousand.
pub(in crate::kernel) struct PackByPack<A>(PhantomData<A>);

impl<A: Node> LoopBody for PackByPack<A> {
    #[inline(always)]
    unsafe fn run<I: Isa>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
        let (_, node) = unsafe { LoopExpression::<(), A>::read(expression) };
        let mut bound = BoundBuffers::uninit();
        let mut context = LoopContext::of_rows(rows, &mut bound);
        let mut stage = MaybeUninit::<A::Stage>::uninit();
        let stage = stage.as_mut_ptr();
        let output = rows.output.cast::<<A::Format as Format>::Stored>();
        let mut row = 0;
        while row < rows.count {
            // SAFETY: `row < rows.count`, and the caller guarantees readable elements of each row. The stage is that of a pack.
            unsafe { node.start_row(&mut context, stage, rows, row) };
            let mut done = 0;
            while done < rows.len {
                let at = done.min(rows.len - LANES);
                context.first = at;
                // SAFETY: the caller guarantees the instruction set, and rows with no elements or at least a pack of them, readable and
                // with room for results. The row is started, and the stage is written before it is read.
                unsafe {
                    let pack = if const { A::IS_DIRECT } {
                        node.direct::<I>(&context, stage, at)
                    } else {
                        if const { A::STAGED } {
                            node.stage::<I>(&context, stage, at + LANES);
                        }
                        node.raw::<I>(&context, stage, at)
                    };
                    A::Format::store::<I>(output.add(row * rows.len + at), pack, A::ANY_NAN);
                }
                done = black_box_usize(at + LANES);
            }
            row = black_box_usize(row + 1);
        }
        if const { LoopExpression::<(), A>::CAN_FAIL } {
            // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
            unsafe { LoopExpression::<(), A>::report(expression, &context) };
        }
    }
}

/// Returns whether elements are smaller in memory than in their compute type.
const fn narrows<T: Format>() -> bool {
    size_of::<T::Stored>() < size_of::<T::Compute>()
}

/// Stores the results of a pack, past the caches if it `streams`.
///
/// # Safety
/// The contract of [`Format::store`]. If it `streams`, the address is a multiple of the size of a pack or of a cache line.
#[inline(always)]
unsafe fn store<T: Format, I: Isa>(
    (to, streams): (*mut T::Stored, bool),
    pack: [T::Compute; LANES],
    any_nan: bool,
) {
    // SAFETY: the caller guarantees the instruction set, room for a pack, and its alignment. A slot has room for a pack of any elements.
    unsafe {
        if !streams {
            return T::store::<I>(to, pack, any_nan);
        }
        let mut slot = MaybeUninit::<PackSlot>::uninit();
        let from = slot.as_mut_ptr();
        T::store::<I>(from.cast(), pack, any_nan);
        I::stream(from.cast(), to.cast(), LANES * size_of::<T::Stored>());
    }
}

/// Computes a row. If its length is not a multiple of [`LANES`], the last pack begins within the one before it, whose last
/// elements are computed twice.
///
/// # Safety
/// The contract of [`Elementwise`] for the row that the context was set to: the instruction set, dtypes that fit, readable
/// inputs, a writable output, and the length. `stage` can be written, and is the one that the row was started with.
#[inline(always)]
pub(in crate::kernel) unsafe fn packs<I: Isa, V: Values, A: Node>(
    (values, node): (&V, &A),
    context: &mut LoopContext,
    stage: *mut (V::Stage, A::Stage),
    (output, streams): (*mut u8, bool),
    len: usize,
) {
    let output = output.cast::<<A::Format as Format>::Stored>();
    let is_direct = const { !V::STAGED && A::IS_DIRECT };
    let is_staged = const { V::STAGED || A::STAGED } && !is_direct;
    let (mut done, mut end) = (0, len / LANES * LANES);
    loop {
        while done < end {
            context.first = done;
            // SAFETY: the caller guarantees the instruction set, dtypes that fit, and inputs and output of `len` elements.
            // `end - done` is a multiple of `LANES`: so a whole pack is left while `done < end`. `stage` has room for a run
            // of up to `STAGED_PACKS` packs, and values and nodes are bound and staged before they are read.
            unsafe {
                let (values_stage, node_stage) = (&raw mut (*stage).0, &raw mut (*stage).1);
                let staged = end.min(done + STAGED_PACKS * LANES);
                values.bind::<I>(context, values_stage, staged, is_staged);
                if const { A::STAGED && (V::STAGED || !A::IS_DIRECT) } {
                    node.stage::<I>(context, node_stage, staged);
                }
                for_packs!(at in done, staged, if is_staged => {
                    let mut pack = if const { !V::STAGED && A::IS_DIRECT } {
                        node.direct::<I>(context, node_stage, at)
                    } else {
                        node.raw::<I>(context, node_stage, at)
                    };
                    // Through memory, because LLVM fails to pick vectors for staged packs whose last step is one of our
                    // intrinsics.
                    if is_staged && const { narrows::<A::Format>() } {
                        pack = through_memory(pack);
                    }
                    store::<A::Format, I>((output.add(at), streams), pack, A::ANY_NAN);
                    done = at + LANES;
                });
                if const { V::COUNT == 0 && A::COST <= MAX_PAIRED_COST && !A::STAGED } {
                    if done == end {
                        break;
                    }
                    let pack = node.direct::<I>(context, node_stage, done);
                    store::<A::Format, I>((output.add(done), streams), pack, A::ANY_NAN);
                    done += LANES;
                }
            }
            done = black_box_usize(done);
        }
        if end == len {
            break;
        }
        (done, end) = (len - LANES, len);
    }
}
