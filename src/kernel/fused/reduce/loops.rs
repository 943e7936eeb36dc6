//! The two loops of a reduction, along rows and across them.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::{MaybeUninit, offset_of};

use crate::dtype::compute::ComputeType;
use crate::dtype::format::{Format, STAGED_PACKS};
use crate::dtype::{Element, Kind};
use crate::kernel::accumulate::{BLOCKS, HALF, SEGMENT};
use crate::kernel::binary::op::BinaryOp;
use crate::kernel::drive::block::BLOCK;
use crate::kernel::fused::call_site::{Code, code};
use crate::kernel::fused::operations::{BinaryOperation, Sub};
use crate::kernel::fused::{
    Binary, BoundBuffers, CallSite, Cast, ElementSizes, ExpressionAt, Input, LoopBody, LoopContext,
    LoopExpression, LoopRows, MAX_INPUTS, Node, Pack, Squared, Values, for_packs, sizes_of_all,
};
use crate::simd::{Isa, LANES, black_box_usize, lanes, through_memory};

/// Returns the identity of an operation: combined with it, every value stays the same.
#[inline(always)]
fn neutral<O: BinaryOperation, T: Element>() -> T::Compute {
    let (kind, bits) = (T::DTYPE.kind(), 8 * size_of::<T>());
    let greatest = |is_max: bool| match kind {
        Kind::Float if is_max => T::convert(f64::NEG_INFINITY),
        Kind::Float => T::convert(f64::INFINITY),
        Kind::Signed if is_max => T::convert(i64::MIN >> (64 - bits)),
        Kind::Signed => T::convert(i64::MAX >> (64 - bits)),
        _ if is_max => T::convert(0_u64),
        _ => T::convert(u64::MAX),
    };
    match O::OP {
        // Zero with a positive sign would turn negative zeros into positive ones.
        BinaryOp::Add if kind == Kind::Complex => T::convert(num_complex::Complex::new(-0.0, -0.0)),
        BinaryOp::Add => T::convert(-0.0_f64),
        BinaryOp::Mul | BinaryOp::And => T::convert(1_u64),
        BinaryOp::Min => greatest(false),
        BinaryOp::Max => greatest(true),
        _ => T::convert(0_u64),
    }
}

/// Combines two elements of the expression.
#[inline(always)]
fn combine<O: BinaryOperation, A: Node, I: Isa>(
    a: <A::Format as Format>::Compute,
    b: <A::Format as Format>::Compute,
) -> <A::Format as Format>::Compute {
    if const { A::IS_MAGNITUDE && matches!(O::OP, BinaryOp::Max) } {
        return ComputeType::greater_magnitude(a, b);
    }
    O::apply::<A::Format, I>(a, b)
}

/// The results of [`Lanes`]: the lanes of a last, partial pack, and a vector of 16 lanes for each block.
#[repr(C, align(64))]
pub(in crate::kernel::fused) struct LaneResults {
    pub(super) part: MaybeUninit<[u8; LANES * 16]>,
    pub(super) blocks: MaybeUninit<[[u8; HALF * 16]; BLOCKS]>,
}

/// The loop that reduces each group of rows to a vector of lanes for each block.
///
/// It requires in addition to [`LoopBody`]:
/// - The output is [`LaneResults`], with room for the vectors of all groups; or room for a pack of elements, if `rows.group` is
///   zero: then `rows.len` is [`LANES`], and the pack itself is written.
/// - `rows.len` is a multiple of [`LANES`] or, if each row is a group, at least [`LANES`].
/// - Either the elements of groups are whole packs, except for at most a part of one, or there is one group.
struct Lanes<O, V, A>(PhantomData<(O, V, A)>);

/// The number of elements that are combined to one vector of lanes. If every order gives the same result, a whole segment
/// is one block.
pub(super) const fn block_of(op: BinaryOp, kind: Kind) -> usize {
    match (op, kind) {
        (BinaryOp::Add | BinaryOp::Mul, Kind::Float | Kind::Complex) => BLOCK,
        _ => SEGMENT,
    }
}

impl<O: BinaryOperation, V: Values, A: Node> Lanes<O, V, A> {
    /// The sizes of the elements to prefetch: all but the means of groups, which stay in the L1 cache.
    const PREFETCHED: ElementSizes = {
        let mut sizes = sizes_of_all(&[V::INPUT_SIZES, A::INPUT_SIZES]);
        sizes[MEANS] = 0;
        sizes
    };
    const BLOCK: usize = block_of(O::OP, A::Format::DTYPE.kind());
    /// The number of elements whose nodes are staged and whose values are bound at a time.
    const RUN: usize = if V::STAGED || A::STAGED {
        STAGED_PACKS * LANES
    } else if V::COUNT > 0 {
        LANES
    } else {
        BLOCK
    };
}

impl<O: BinaryOperation, V: Values, A: Node> LoopBody for Lanes<O, V, A> {
    #[inline(always)]
    unsafe fn run<I: Isa>(expression: *const (), rows: &LoopRows<'_>) {
        type Lane<A> = <<A as Node>::Format as Format>::Compute;
        // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
        let (values, node) = unsafe { LoopExpression::<V, A>::read(expression) };
        let part = rows.output.cast::<Lane<A>>();
        let vectors = rows.output.wrapping_add(offset_of!(LaneResults, blocks));
        let mut vectors = vectors.cast::<[Lane<A>; HALF]>();
        let mut bound = BoundBuffers::uninit();
        let mut context = LoopContext::of_rows(rows, &mut bound);
        context.reduces_rows = true;
        let mut stage = MaybeUninit::<(V::Stage, A::Stage)>::uninit();
        let stage = stage.as_mut_ptr();
        // Along rows the mean of a group always repeats. The compiler sees that, and keeps it in a register. (The bit means nothing to other
        // reductions.)
        let rows = &LoopRows {
            repeats: rows.repeats | 1 << MEANS,
            ..*rows
        };
        let is_staged = const { V::STAGED || A::STAGED };
        let start: Pack<A::Format> = [neutral::<O, A::Format>(); LANES];
        let (mut folded, mut in_block, mut in_group) = (start, 0, 0);
        let mut row = 0;
        while row < rows.count {
            // SAFETY: `row < rows.count`, and the caller guarantees readable elements of each row; `stage` can be written.
            unsafe {
                values.start_row(&mut context, &raw mut (*stage).0, rows, row);
                node.start_row(&mut context, &raw mut (*stage).1, rows, row);
            }
            let (mut done, mut end) = (0, rows.len / LANES * LANES);
            loop {
                // The last pack in part, or all lanes of the only one, are handed over as they are.
                let is_part = rows.group == 0 || !end.is_multiple_of(LANES);
                while done < end {
                    context.first = done;
                    let run = end.min(done + Self::RUN).min(done + Self::BLOCK - in_block);
                    // SAFETY: the caller guarantees the instruction set, dtypes that fit and inputs of `rows.len` elements, of
                    // which whole packs are left up to `end`. `stage` has room for a run, and values and nodes are bound and
                    // staged before they are read. The results have room for a part and for a vector for each block.
                    unsafe {
                        let (values_stage, node_stage) = (&raw mut (*stage).0, &raw mut (*stage).1);
                        values.bind::<I>(&mut context, values_stage, run, is_staged);
                        node.stage::<I>(&context, node_stage, run);
                        // The pack that each part is combined with, lane by lane. It is a variable of its own, so that `folded` stays in registers.
                        let mut before = MaybeUninit::<Pack<A::Format>>::uninit();
                        if is_part {
                            // Combined with the identity, the part stays as it is. (A copy of it would take the registers of a
                            // pack from the loop.)
                            before.write(folded);
                            folded = start;
                        }
                        loop {
                            if rows.ahead > 0 {
                                let ahead = rows.ahead.cast_signed();
                                context.prefetch(&Self::PREFETCHED, done, |_| ahead);
                            }
                            let pack = node.pack::<I>(&context, node_stage, done);
                            folded = lanes(|lane| combine::<O, A, I>(folded[lane], pack[lane]));
                            in_block += LANES;
                            done = black_box_usize(done + LANES);
                            if done >= run {
                                break;
                            }
                        }
                        if is_part {
                            // A run of one pack, which begins within the pack before it: its last lanes are the rest.
                            in_block -= LANES;
                            if rows.group == 0 {
                                part.cast::<Pack<A::Format>>().write(folded);
                            } else {
                                // The identity follows the rest.
                                let rest = rows.len % LANES;
                                let padded = through_memory([folded, start]);
                                let first = padded.as_ptr().cast::<Lane<A>>().add(LANES - rest);
                                if in_block == 0 {
                                    part.copy_from_nonoverlapping(first, rest);
                                } else {
                                    let pack = first.cast::<Pack<A::Format>>().read();
                                    let packs = before.assume_init();
                                    before.write(lanes(|lane| {
                                        combine::<O, A, I>(packs[lane], pack[lane])
                                    }));
                                }
                            }
                            folded = before.assume_init();
                        }
                        if in_block == Self::BLOCK {
                            vectors.write(lanes(|lane| {
                                combine::<O, A, I>(folded[lane], folded[lane + HALF])
                            }));
                            vectors = vectors.add(1);
                            (folded, in_block) = (start, 0);
                        }
                    }
                }
                if end == rows.len {
                    break;
                }
                (done, end) = (rows.len - LANES, rows.len);
            }
            in_group += 1;
            if in_group >= rows.group {
                if in_block > 0 {
                    // SAFETY: the caller guarantees room for a vector for each block of the groups.
                    unsafe {
                        vectors.write(lanes(|lane| {
                            combine::<O, A, I>(folded[lane], folded[lane + HALF])
                        }));
                        vectors = vectors.add(1);
                    }
                    (folded, in_block) = (start, 0);
                }
                in_group = 0;
            }
            row = black_box_usize(row + 1);
        }
        if const { LoopExpression::<V, A>::CAN_FAIL } {
            // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
            unsafe { LoopExpression::<V, A>::report(expression, &context) };
        }
    }
}

/// The loop that combines rows to one row, a run of packs of columns at a time.
///
/// The order is that of a block of `accumulate/`: the rows of each lane one after another, then the lanes pairwise, those first that lie
/// farthest apart. Partial results wait on a stack in the L1 cache, with a level for each left neighbor that is complete. A pack of a row
/// takes from the stack, one after another, all that it completes, and replaces them:
///
/// ```text
/// for each run of packs of columns:
///     for each lane, in the order in which the tree needs them:
///         for each row of the lane:
///             count = 1 if it is not the lane's first, plus the levels that the lane completes if it is its last
///             for each pack of the run:
///                 pack = the expression's elements
///                 count times: pack = pop() + pack
///                 push(pack)
/// ```
///
/// So each row costs little control beside its packs, and the tree costs no stores. While a row is read, the next one of its lane is
/// prefetched: it lies too far away for the processor's own prefetchers.
///
/// It requires in addition to [`LoopBody`]:
/// - There is at least one row, and rows have at least [`LANES`] elements.
/// - `rows.group` is the number of lanes, a power of two up to [`LANES`]; zero is one lane.
/// - `rows.len` elements of the expression's format can be written to the output, which overlaps no input. If `rows.continues`, they
///   can be read, and there is one lane.
struct Columns<O, V, A>(PhantomData<(O, V, A)>);

/// The number of packs of a run if inputs come from memory and no node is staged. Short runs keep several rows in flight
/// (`docs/decisions/first-axis.md` has the figures).
const FROM_MEMORY: usize = 2;

/// The number of times that lanes can be halved.
const LEVELS: usize = 5;
const _: () = assert!(1 << LEVELS == LANES, "a level for each step of the tree");

/// Memory for the packs of a run. Aligned so that no vector crosses a cache line.
#[repr(C, align(64))]
struct RunPacks<T: Format>(MaybeUninit<[Pack<T>; STAGED_PACKS]>);

impl<O: BinaryOperation, V: Values, A: Node> Columns<O, V, A> {
    const INPUT_SIZES: ElementSizes = sizes_of_all(&[V::INPUT_SIZES, A::INPUT_SIZES]);

    /// Combines a row with the `count` partial results on top of the stack, in the packs from `context.first` up to `end`. `top` is the
    /// highest of these results. The new one replaces the lowest of them, or is written above `top` if `count` is zero. The loop
    /// prefetches the lane's next row, whose elements lie `next_row` bytes (for each input) after this row's.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`], for the row and these packs. `count` partial results can be read at `top` and below it, and the
    /// new one can be written. `stage` can be written.
    #[inline(always)]
    unsafe fn add<I: Isa>(
        (values, node): (&V, &A),
        context: &mut LoopContext,
        stage: *mut (V::Stage, A::Stage),
        (rows, row): (&LoopRows<'_>, usize),
        end: usize,
        next_row: &[isize; MAX_INPUTS],
        (top, count): (*mut RunPacks<A::Format>, usize),
    ) {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, a row whose elements can be read up to `end`, and
        // packs to read and write. `stage` has room for a run, and values and nodes are bound and staged before they are read.
        unsafe {
            let (values_stage, node_stage) = (&raw mut (*stage).0, &raw mut (*stage).1);
            values.start_row(context, values_stage, rows, row);
            node.start_row(context, node_stage, rows, row);
            values.bind::<I>(context, values_stage, end, true);
            node.stage::<I>(context, node_stage, end);
            let mut top = top.cast::<Pack<A::Format>>();
            for_packs!(at in context.first, end, if true => {
                context.prefetch(&Self::INPUT_SIZES, at, |number| next_row[number]);
                let mut pack = node.pack::<I>(context, node_stage, at);
                let (mut partial, mut left) = (top, count);
                while left > 0 {
                    let before = partial.read();
                    pack = lanes(|lane| combine::<O, A, I>(before[lane], pack[lane]));
                    partial = partial.wrapping_sub(STAGED_PACKS);
                    left = black_box_usize(left - 1);
                }
                partial.wrapping_add(STAGED_PACKS).write(pack);
                top = top.wrapping_add(1);
            });
        }
    }
}

impl<O, V, A> LoopBody for Columns<O, V, A>
where
    O: BinaryOperation,
    V: Values,
    A: Node,
{
    #[inline(always)]
    unsafe fn run<I: Isa>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
        let (values, node) = unsafe { LoopExpression::<V, A>::read(expression) };
        let output = rows.output.cast::<<A::Format as Format>::Stored>();
        let mut bound = BoundBuffers::uninit();
        let mut context = LoopContext::of_rows(rows, &mut bound);
        let mut stage = MaybeUninit::<(V::Stage, A::Stage)>::uninit();
        let stage = stage.as_mut_ptr();
        // Lanes without rows would be passed over in each step.
        let group = rows.group.max(1).min(rows.count.next_power_of_two());
        // The stack: the partial results that wait for their right neighbors, and above them that of the current lane.
        let mut levels = MaybeUninit::<[RunPacks<A::Format>; LEVELS + 1]>::uninit();
        let levels = levels.as_mut_ptr().cast::<RunPacks<A::Format>>();
        let next_row = rows.steps_of(group);
        let is_staged = const { V::STAGED || A::STAGED };
        let packs = rows.len.div_ceil(LANES);
        let runs = packs.div_ceil(match rows.ahead > 0 && !is_staged {
            true => FROM_MEMORY,
            false => STAGED_PACKS,
        });
        // Runs have about as many packs each, and the last one is not shorter: a part of a pack is never alone.
        let (mut number, mut done) = (0, 0);
        while number < runs {
            context.first = done;
            number += 1;
            let run = black_box_usize(rows.len.min(packs * number / runs * LANES));
            let result = levels.cast::<Pack<A::Format>>();
            if rows.continues {
                for_packs!(at in done, run, if true => {
                    // SAFETY: the caller guarantees `rows.len` results to read, and a level has room for a run.
                    unsafe {
                        let before = A::Format::load_pack::<I>(output.add(at));
                        result.add(context.number(at)).write(before);
                    }
                });
            }
            let (mut lane, mut level) = (0, 0_usize);
            'tree: loop {
                // The next lane of the tree, and the number of partial results that this one completes.
                let (mut next, mut step, mut completed) = (lane, group, 0);
                loop {
                    step /= 2;
                    if step == 0 {
                        break;
                    }
                    if next & step != 0 {
                        completed += 1;
                        next -= step;
                    } else if next + step < rows.count {
                        next += step;
                        break;
                    }
                }
                let mut row = lane;
                loop {
                    let is_last = row + group >= rows.count;
                    let waits = row != lane || rows.continues;
                    let count = usize::from(waits) + if is_last { completed } else { 0 };
                    // SAFETY: `row < rows.count`; the caller guarantees the instruction set, dtypes that fit, and readable
                    // elements of each row, of which whole packs are left up to `run`. The rows before this one wrote the
                    // lane's level, and the left neighbors that it completes theirs, below it. There is a level more than
                    // the tree is deep, each with room for a run.
                    unsafe {
                        let top = levels.wrapping_add(level).wrapping_sub(usize::from(!waits));
                        Self::add::<I>(
                            (&values, &node),
                            &mut context,
                            stage,
                            (rows, row),
                            run,
                            &next_row,
                            (top, count),
                        );
                    }
                    if is_last {
                        break;
                    }
                    row = black_box_usize(row + group);
                }
                if step == 0 {
                    break 'tree;
                }
                level = level + 1 - completed;
                lane = next;
            }
            for_packs!(at in done, run, if true => {
                // SAFETY: the caller guarantees room for `rows.len` results, and the tree has written the run.
                unsafe {
                    let pack = result.add(context.number(at)).read();
                    A::Format::store::<I>(output.add(at), pack, false);
                }
            });
            done = run;
        }
        if const { LoopExpression::<V, A>::CAN_FAIL } {
            // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
            unsafe { LoopExpression::<V, A>::report(expression, &context) };
        }
    }
}

/// The number of the input that holds the means of groups.
pub(super) const MEANS: usize = MAX_INPUTS - 1;

/// The expression whose squares are the squared deviations from the mean.
pub(super) type Distance<A, T> = Binary<Sub, Cast<A, T>, Input<MEANS, T>>;
/// The squared deviations from the mean.
pub(super) type Deviation<A, T> = Squared<Distance<A, T>>;

/// The loops of a reduction of one expression, and the expression.
#[derive(Clone, Copy)]
pub(super) struct Loops {
    pub(super) expression: ExpressionAt,
    pub(super) lanes: Code,
    /// `None` if all elements are reduced to one: then they are always reduced along rows.
    pub(super) columns: Option<Code>,
}

impl Loops {
    pub(super) fn new<
        S: CallSite,
        O: BinaryOperation,
        V: Values,
        A: Node,
        const ALONG_AXES: bool,
    >(
        expression: &LoopExpression<V, A>,
    ) -> Self {
        Self {
            expression: ExpressionAt::new(expression),
            lanes: code::<S, Lanes<O, V, A>>(),
            columns: if const { !ALONG_AXES } {
                None
            } else {
                Some(code::<S, Columns<O, V, A>>())
            },
        }
    }
}
