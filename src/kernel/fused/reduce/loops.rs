//! The two loops of a reduction, along rows and across them.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::{MaybeUninit, offset_of};

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
                                context.prefetch(&Self::PREFETCHED, done, rows.ahead);
                            }
                            let pack = node.pack::<I>(&context, node_stage, done);
                            folded =
                                lanes(|lane| O::apply::<A::Format, I>(folded[lane], pack[lane]));
                            in_block += LANES;
                            done = black_box_usize(done + LANES);
                            if done >= run {
                                break;
                            }
                        }
                        if is_part {
                            // A run of one pack, which begins within the pack before it: its last lanes are the rest.
                            in_block -= LANES;
                            let pack = through_memory(folded);
                            if rows.group == 0 {
                                part.cast::<Pack<A::Format>>().write(pack);
                            } else {
                                let rest = rows.len % LANES;
                                let first = pack.as_ptr().add(LANES - rest);
                                if in_block == 0 {
                                    part.copy_from_nonoverlapping(first, rest);
                                } else {
                                    let before = before.as_mut_ptr().cast::<Lane<A>>();
                                    let mut lane = 0;
                                    while lane < rest {
                                        let to = before.add(lane);
                                        let one = first.add(lane).read();
                                        to.write(O::apply::<A::Format, I>(to.read(), one));
                                        lane = black_box_usize(lane + 1);
                                    }
                                }
                            }
                            folded = before.assume_init();
                        }
                        if in_block == Self::BLOCK {
                            vectors.write(lanes(|lane| {
                                O::apply::<A::Format, I>(folded[lane], folded[lane + HALF])
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
                            O::apply::<A::Format, I>(folded[lane], folded[lane + HALF])
                        }));
                        vectors = vectors.add(1);
                    }
                    (folded, in_block) = (start, 0);
                }
                in_group = 0;
            }
            row = black_box_usize(row + 1);
        }
        // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
        unsafe { LoopExpression::<V, A>::report(expression, &context) };
    }
}

/// The loop that combines rows to one row, column by column.
///
/// It takes a pack of columns (a run of packs if nodes are staged) down all rows, so that what the rows are combined to stays in
/// registers. The order is that of a block of `accumulate/`: the rows of each lane one after another, then the lanes pairwise,
/// those first that lie farthest apart.
///
/// It requires in addition to [`LoopBody`]:
/// - There is at least one row, and rows have at least [`LANES`] elements.
/// - `rows.group` is the number of lanes, a power of two up to [`LANES`]; zero is one lane.
/// - `rows.len` elements of the expression's format can be written to the output, which overlaps no input. If `rows.continues`, they
///   can be read, and there is one lane.
/// - `PACKS`, the number of packs of a run, is one if no node is staged, else [`STAGED_PACKS`].
struct Columns<O, V, A, const PACKS: usize>(PhantomData<(O, V, A)>);

/// The distance, in bytes, at which a row is prefetched while a strip of its columns is read. The strips of eight rows are read in turns,
/// so this is 4 KiB of reads ahead. Rows lie too far apart for the processor's own prefetchers. (`docs/decisions/first-axis.md` has what
/// other distances take.)
const PREFETCH_DISTANCE: usize = 512;

/// The number of times that lanes can be halved.
const LEVELS: usize = 5;
const _: () = assert!(1 << LEVELS == LANES, "a level for each step of the tree");

/// Memory for the packs of a run. Aligned so that no vector crosses a cache line.
#[repr(C, align(64))]
struct RunPacks<T: Format, const PACKS: usize>(MaybeUninit<[Pack<T>; PACKS]>);

/// Combines the pack with this number at `to` with one that comes after it. If that is the first pack, writes it there.
///
/// # Safety
/// The packs up to `number` can be written, and read unless `is_first`.
#[inline(always)]
unsafe fn write<O: BinaryOperation, T: Format, I: Isa>(
    is_first: bool,
    mut pack: Pack<T>,
    to: *mut Pack<T>,
    number: usize,
) {
    // SAFETY: the caller guarantees a pack to write, and to read unless it is the first.
    unsafe {
        let to = to.add(number);
        if !is_first {
            let before = to.read();
            pack = lanes(|lane| O::apply::<T, I>(before[lane], pack[lane]));
        }
        to.write(pack);
    }
}

impl<O: BinaryOperation, V: Values, A: Node, const PACKS: usize> Columns<O, V, A, PACKS> {
    const INPUT_SIZES: ElementSizes = sizes_of_all(&[V::INPUT_SIZES, A::INPUT_SIZES]);

    /// Combines a row with the rows before it, in the packs from `context.first` up to `end`; writes the row if it is the first.
    ///
    /// # Safety
    /// The contract of [`LoopBody::run`], for the row and these packs; the contract of [`write`](fn@write), for `to`. `stage`
    /// can be written.
    #[inline(always)]
    unsafe fn add<I: Isa>(
        (values, node): (&V, &A),
        context: &mut LoopContext,
        stage: *mut (V::Stage, A::Stage),
        (rows, row): (&LoopRows<'_>, usize),
        end: usize,
        is_first: bool,
        to: *mut Pack<A::Format>,
    ) {
        let first = context.first;
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, a row whose elements can be read up to `end`, and
        // packs to write. `stage` has room for a run, and values and nodes are bound and staged before they are read.
        unsafe {
            let (values_stage, node_stage) = (&raw mut (*stage).0, &raw mut (*stage).1);
            values.start_row(context, values_stage, rows, row);
            node.start_row(context, node_stage, rows, row);
            let mut at = first;
            while at < end {
                context.prefetch(&Self::INPUT_SIZES, at, PREFETCH_DISTANCE);
                at += LANES;
            }
            values.bind::<I>(context, values_stage, end, PACKS > 1);
            node.stage::<I>(context, node_stage, end);
            for_packs!(at in first, end, if PACKS > 1 => {
                let pack = node.pack::<I>(context, node_stage, at);
                write::<O, A::Format, I>(is_first, pack, to, (at - first) / LANES);
            });
        }
    }
}

impl<O, V, A, const PACKS: usize> LoopBody for Columns<O, V, A, PACKS>
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
        let is_staged = const { V::STAGED || A::STAGED };
        // Lanes without rows would be passed over in each step.
        let group = rows.group.max(1).min(rows.count.next_power_of_two());
        // The distance of the lanes that are computed together: control takes as long as a pack.
        let pair = group / 2;
        // The partial result of each level of the tree that waits for its right neighbour.
        let mut levels = MaybeUninit::<[RunPacks<A::Format, PACKS>; LEVELS]>::uninit();
        let levels = levels.as_mut_ptr().cast::<RunPacks<A::Format, PACKS>>();
        let whole = rows.len / LANES * LANES;
        // The last columns begin within packs that are computed once more after them, and then write what these would continue.
        // So they wait in a buffer until all are written.
        let mut last = MaybeUninit::<[<A::Format as Format>::Stored; LANES]>::uninit();
        let last = last.as_mut_ptr().cast::<<A::Format as Format>::Stored>();
        let last_start = rows.len - LANES;
        let (mut done, mut end) = match whole == rows.len {
            true => (0, whole),
            false => (last_start, rows.len),
        };
        loop {
            while done < end {
                context.first = done;
                let run = end.min(done + PACKS * LANES);
                let mut folded = RunPacks::<A::Format, PACKS>(MaybeUninit::uninit());
                let folded = folded.0.as_mut_ptr().cast::<Pack<A::Format>>();
                let mut second = RunPacks::<A::Format, PACKS>(MaybeUninit::uninit());
                let second = second.0.as_mut_ptr().cast::<Pack<A::Format>>();
                if rows.continues {
                    for_packs!(at in done, run, if is_staged => {
                        // SAFETY: the caller guarantees `rows.len` results to read, and `folded` has room for a run.
                        unsafe {
                            let before = A::Format::load_pack::<I>(output.add(at));
                            folded.add((at - done) / LANES).write(before);
                        }
                    });
                }
                let mut lane = 0;
                'tree: loop {
                    let mut row = lane;
                    while row < rows.count {
                        // SAFETY: `row < rows.count`, and so is `row + pair` where it is computed; the caller guarantees the
                        // instruction set, dtypes that fit, and readable elements of each row, of which whole packs are left up
                        // to `run`. `folded` and `second` have room for a run, and were written for their first row.
                        unsafe {
                            let x = (&values, &node);
                            Self::add::<I>(
                                x,
                                &mut context,
                                stage,
                                (rows, row),
                                run,
                                row == lane && !rows.continues,
                                folded,
                            );
                            if PACKS == 1 && pair > 0 && row + pair < rows.count {
                                let row = (rows, row + pair);
                                Self::add::<I>(
                                    x,
                                    &mut context,
                                    stage,
                                    row,
                                    run,
                                    row.1 == lane + pair,
                                    second,
                                );
                            }
                        }
                        row = black_box_usize(row + group);
                    }
                    if PACKS == 1 && pair > 0 && lane + pair < rows.count {
                        // SAFETY: both lanes have rows, so both were written.
                        unsafe { write::<O, A::Format, I>(false, second.read(), folded, 0) };
                    }
                    let mut step = if PACKS == 1 && pair > 0 { pair } else { group };
                    loop {
                        step /= 2;
                        if step == 0 {
                            break 'tree;
                        }
                        // SAFETY: `step` is a power of two below `LANES`, so its level exists. A level is read after it was
                        // written for the left neighbour, with as many packs.
                        unsafe {
                            let level = usize::try_from(step.ilog2()).unwrap_or(0);
                            let level = levels.add(level).cast::<Pack<A::Format>>();
                            if lane & step != 0 {
                                for_packs!(at in done, run, if is_staged => {
                                    let to = folded.add((at - done) / LANES);
                                    let a = level.add((at - done) / LANES).read();
                                    let b = to.read();
                                    to.write(lanes(|lane| O::apply::<A::Format, I>(a[lane], b[lane])));
                                });
                                lane -= step;
                            } else if lane + step < rows.count {
                                for_packs!(at in done, run, if is_staged => {
                                    let pack = (at - done) / LANES;
                                    level.add(pack).write(folded.add(pack).read());
                                });
                                lane += step;
                                break;
                            }
                        }
                    }
                }
                for_packs!(at in done, run, if is_staged => {
                    // SAFETY: the caller guarantees room for `rows.len` results, and the tree has written the run. `last` has
                    // room for a pack.
                    unsafe {
                        let pack = folded.add((at - done) / LANES).read();
                        let to = if end > whole { last } else { output.add(at) };
                        A::Format::store::<I>(to, pack, false);
                    }
                });
                done = black_box_usize(run);
            }
            if end == whole {
                break;
            }
            (done, end) = (0, whole);
        }
        if whole < rows.len {
            // SAFETY: the caller guarantees room for `rows.len` results, at least a pack; the last pack was written to `last`.
            unsafe { output.add(last_start).copy_from_nonoverlapping(last, LANES) };
        }
        // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
        unsafe { LoopExpression::<V, A>::report(expression, &context) };
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
            } else if const { V::STAGED || A::STAGED } {
                Some(code::<S, Columns<O, V, A, STAGED_PACKS>>())
            } else {
                Some(code::<S, Columns<O, V, A, 1>>())
            },
        }
    }
}
