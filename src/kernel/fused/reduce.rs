//! Compiled reductions: an expression is reduced as it is computed.
//!
//! The order in which elements are combined is that of arrays (`accumulate/`): 32 lanes within a block of 512 elements, then
//! the lanes of each block, then blocks pairwise. A compiled loop does what touches each element; what is left for each block is
//! done by the library's loops:
//!
//! ```text
//! along rows (Lanes):      each block: packs of the expression, combined lane by lane -> a vector of 16 lanes
//!                          the library: lanes of 64 blocks -> 64 elements -> one
//! across rows (Columns):   each row of the expression, combined with the result of the rows before
//! ```
//!
//! The interpreter computes what has none of these forms: rows that do not consist of whole packs but belong to one group,
//! kept axes that do not coalesce, and positions of extremes.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;
use std::borrow::Cow;

use super::operations::{self as fold, BinaryOperation, Sub};
use super::run::{Code, Loop, Pointers, code, fill_up_of};
use super::strided::gather;
use super::{
    Binary, BoundBuffers, CallSite, Cast, Input, LoopBody, LoopContext, LoopInputs, LoopRows,
    MAX_INPUTS, Node, Pack, PackSlot, Values,
};
use crate::array::alloc::vec_with_capacity;
use crate::array::{
    AllocError, Array, Dims, MAX_RANK, PerAxis, Strides, Uninit, broadcast_strides, row_major,
};
use crate::dtype::format::{Format, STAGED_PACKS};
use crate::dtype::{DType, Element, Kind};
use crate::error::Error;
use crate::kernel::accumulate::{
    self, Accumulator, BLOCKS, ColumnReducer, Element as AnyElement, FoldOp, HALF, SEGMENT,
};
use crate::kernel::binary::BinaryOp;
use crate::kernel::cast::{cast, chain};
use crate::kernel::drive::block::{BLOCK, Operand, convert};
use crate::kernel::drive::nditer::{Access, NdIter};
use crate::kernel::drive::parallel::{MIN_WORK_PER_THREAD, SendPtr, split, try_split};
use crate::kernel::elementwise::operand;
use crate::kernel::reduce::{AxisSplit, Finish, ReduceOp, divided, in_order, is_columnwise};
use crate::kernel::unary::{UnaryOp, unary};
use crate::op::each_reduction;
use crate::simd::{Isa, LANES, black_box_usize, lanes, through_memory};

/// A reduction, as a type.
pub trait Reduction: Copy + 'static {
    /// Combines two elements.
    type Fold: BinaryOperation;
    /// The elements that are combined, if elements `X` are reduced to `Out`.
    type Accumulated<X: Element, Out: Element>: Element;
    /// Its tag.
    const OP: ReduceOp;
    /// Whether squared deviations from the mean are added up, once the mean is known.
    const DEVIATES: bool = false;

    /// Whether a loop can be compiled for it.
    #[inline]
    fn compiles<X: Element, Out: Element>() -> bool {
        let accumulate = Self::OP.accumulate();
        let accumulated = <Self::Accumulated<X, Out> as Element>::DTYPE;
        let fold = Self::OP.fold().of(X::DTYPE);
        let skips_nan = matches!(
            fold,
            FoldOp::AddNumbers | FoldOp::MinimumNumber | FoldOp::MaximumNumber
        );
        let is_real = fold.has_start() && !Self::DEVIATES;
        !skips_nan
            && !accumulate.casts_first(X::DTYPE, Out::DTYPE)
            && accumulated == accumulate.dtype(X::DTYPE, Out::DTYPE)
            && (is_real || accumulated.kind() != Kind::Complex)
    }
}

/// Makes a type of each row of `op/reduction.rs`.
macro_rules! reductions {
    ($($name:ident: $Op:ident $({ $field:ident: $value:literal })?, $accumulate:ident, $fold:ident => $Finish:ident;)*) => {$(
        #[doc = concat!("[`ReduceOp::", stringify!($Op), "`].")]
        #[derive(Clone, Copy, Debug)]
        pub struct $Op;

        impl Reduction for $Op {
            type Fold = reductions!(@fold $fold);
            type Accumulated<X: Element, Out: Element> = reductions!(@$accumulate X Out);
            const OP: ReduceOp = ReduceOp::$Op $({ $field: $value })?;
            const DEVIATES: bool = matches!(stringify!($Finish).as_bytes(), b"Variance" | b"Deviation");
        }
    )*};
    (@fold Add) => { fold::Add };
    (@fold Multiply) => { fold::Mul };
    (@fold Minimum) => { fold::Min };
    (@fold Maximum) => { fold::Max };
    (@fold Or) => { fold::Or };
    (@fold And) => { fold::And };
    // Of integers, which have no NaN.
    (@fold AddNumbers) => { fold::Add };
    (@fold MinimumNumber) => { fold::Min };
    (@fold MaximumNumber) => { fold::Max };
    (@Truth $X:ident $Out:ident) => { bool };
    (@Element $X:ident $Out:ident) => { $X::Widened };
    (@$sum:ident $X:ident $Out:ident) => { $Out::SumOf<$X> };
}

each_reduction!(kernels reductions!);

/// Returns the value that leaves every other one as it is, when it is combined with it.
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

/// The results of [`Lanes`]: those of a last, partial pack, then a vector of 16 lanes for each block.
#[repr(C, align(64))]
struct LaneResults {
    part: MaybeUninit<[u8; LANES * 16]>,
    blocks: MaybeUninit<[[u8; HALF * 16]; BLOCKS]>,
}

/// The loop that reduces each group of rows to a vector of lanes for each block.
///
/// It requires in addition to [`LoopBody`]:
/// - The output is [`LaneResults`]. It has room for the vectors of all groups.
/// - `rows.len` is a multiple of [`LANES`] or, if each row is a group, at least [`LANES`].
/// - Either the elements of groups are whole packs but for at most a part of one, or there is one group.
struct Lanes<O, V, A>(PhantomData<(O, V, A)>);

/// The elements that one vector of lanes is made of. If every order gives the same result, a whole segment is one block.
const fn block_of(op: BinaryOp, kind: Kind) -> usize {
    match (op, kind) {
        (BinaryOp::Add | BinaryOp::Mul, Kind::Float | Kind::Complex) => BLOCK,
        _ => SEGMENT,
    }
}

impl<O: BinaryOperation, V: Values, A: Node> Lanes<O, V, A> {
    const BLOCK: usize = block_of(O::OP, A::Format::DTYPE.kind());
    /// The number of elements whose nodes are staged and whose values are bound at a time.
    const RUN: usize = if V::STAGED || A::STAGED {
        STAGED_PACKS * LANES
    } else if V::COUNT > 0 {
        LANES
    } else {
        BLOCK
    };

    /// Whether two blocks are computed in parallel, so that an addition need not wait for the one before it: expressions of few
    /// operations whose lanes fit half of the registers. (A sum of `f16`: 0.5 of the time.)
    const fn in_pairs<I: Isa>() -> bool {
        let lanes = size_of::<[Pack<A::Format>; 2]>();
        let fit = lanes <= I::REGISTER_BYTES / 2;
        Self::BLOCK == BLOCK && Self::RUN == BLOCK && A::COST <= MAX_PAIRED_COST && fit
    }
}

/// The cost up to which two blocks are computed in parallel: in costlier expressions other operations fill the wait.
const MAX_PAIRED_COST: usize = 6;

impl<O: BinaryOperation, V: Values, A: Node> LoopBody for Lanes<O, V, A> {
    #[inline(always)]
    unsafe fn run<I: Isa>(expression: *const (), rows: &LoopRows<'_>) {
        type Lane<A> = <<A as Node>::Format as Format>::Compute;
        // SAFETY: the caller guarantees that `expression` points to a `(V, A)`.
        let (values, node) = unsafe { expression.cast::<(V, A)>().read() };
        let results = rows.output.cast::<LaneResults>();
        // SAFETY: the caller guarantees that the output is `LaneResults`, whose parts lie within it.
        let (part, mut vectors) = unsafe {
            let blocks = (&raw mut (*results).blocks).cast::<[Lane<A>; HALF]>();
            ((&raw mut (*results).part).cast::<Lane<A>>(), blocks)
        };
        let mut bound = BoundBuffers::uninit();
        let mut context = LoopContext::of_row([core::ptr::null(); MAX_INPUTS], &mut bound);
        let mut stage = MaybeUninit::<(V::Stage, A::Stage)>::uninit();
        let stage = stage.as_mut_ptr();
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
            while const { Self::in_pairs::<I>() } && in_block == 0 && end - done >= 2 * BLOCK {
                let (mut first, mut second) = (start, start);
                let last = done + BLOCK;
                // SAFETY: the caller guarantees the instruction set, dtypes that fit and inputs of `rows.len` elements, of which
                // two blocks are left. Nothing is bound or staged. The results have room for a vector for each block.
                unsafe {
                    let node_stage = &raw const (*stage).1;
                    while done < last {
                        let a = node.pack::<I>(&context, node_stage, done);
                        let b = node.pack::<I>(&context, node_stage, done + BLOCK);
                        first = lanes(|lane| O::apply::<A::Format>(first[lane], a[lane]));
                        second = lanes(|lane| O::apply::<A::Format>(second[lane], b[lane]));
                        done = black_box_usize(done + LANES);
                    }
                    vectors.write(lanes(|lane| {
                        O::apply::<A::Format>(first[lane], first[lane + HALF])
                    }));
                    let next = vectors.add(1);
                    next.write(lanes(|lane| {
                        O::apply::<A::Format>(second[lane], second[lane + HALF])
                    }));
                    vectors = vectors.add(2);
                }
                done += BLOCK;
            }
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
                        let before = folded;
                        let pack = loop {
                            let pack = node.pack::<I>(&context, node_stage, done);
                            folded = lanes(|lane| O::apply::<A::Format>(folded[lane], pack[lane]));
                            in_block += LANES;
                            done = black_box_usize(done + LANES);
                            if done >= run {
                                break pack;
                            }
                        };
                        if is_part {
                            // A run of one pack, which begins within the pack before it: its last lanes are the rest.
                            in_block -= LANES;
                            folded = before;
                            let rest = if rows.group == 0 {
                                LANES
                            } else {
                                rows.len % LANES
                            };
                            let pack = through_memory(pack);
                            let first = pack.as_ptr().add(LANES - rest);
                            if in_block == 0 {
                                part.copy_from_nonoverlapping(first, rest);
                            } else {
                                folded = through_memory(folded);
                                let mut lane = 0;
                                while lane < rest {
                                    folded[lane] =
                                        O::apply::<A::Format>(folded[lane], first.add(lane).read());
                                    lane = black_box_usize(lane + 1);
                                }
                            }
                        }
                        if in_block == Self::BLOCK {
                            vectors.write(lanes(|lane| {
                                O::apply::<A::Format>(folded[lane], folded[lane + HALF])
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
                            O::apply::<A::Format>(folded[lane], folded[lane + HALF])
                        }));
                        vectors = vectors.add(1);
                    }
                    (folded, in_block) = (start, 0);
                }
                in_group = 0;
            }
            row = black_box_usize(row + 1);
        }
    }
}

/// The loop that combines a row with the result of the rows before, or writes it if there are none.
///
/// It requires in addition to [`LoopBody`]:
/// - There is one row, of at least [`LANES`] elements; as many elements of the expression's format can be written to the output.
/// - `rows.before` is null, or as many such elements can be read there, and it is the output or does not overlap it.
struct Columns<O, V, A>(PhantomData<(O, V, A)>);

impl<O: BinaryOperation, V: Values, A: Node> LoopBody for Columns<O, V, A> {
    #[inline(always)]
    unsafe fn run<I: Isa>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees that `expression` points to a `(V, A)`.
        let (values, node) = unsafe { expression.cast::<(V, A)>().read() };
        let output = rows.output.cast::<<A::Format as Format>::Stored>();
        let results_before = rows.before.cast::<<A::Format as Format>::Stored>();
        let is_first = rows.before.is_null();
        let mut bound = BoundBuffers::uninit();
        let mut context = LoopContext::of_row([core::ptr::null(); MAX_INPUTS], &mut bound);
        let mut stage = MaybeUninit::<(V::Stage, A::Stage)>::uninit();
        let stage = stage.as_mut_ptr();
        let is_staged = const { V::STAGED || A::STAGED };
        // SAFETY: the caller guarantees a row whose elements can be read; `stage` can be written.
        unsafe {
            values.start_row(&mut context, &raw mut (*stage).0, rows, 0);
            node.start_row(&mut context, &raw mut (*stage).1, rows, 0);
        }
        let (mut done, mut end) = (0, rows.len / LANES * LANES);
        loop {
            while done < end {
                context.first = done;
                // SAFETY: the caller guarantees the instruction set, dtypes that fit, and inputs and output of `rows.len`
                // elements, of which whole packs are left up to `end`. `stage` has room for a run, and values and nodes are bound
                // and staged before they are read.
                unsafe {
                    let (values_stage, node_stage) = (&raw mut (*stage).0, &raw mut (*stage).1);
                    let run = end.min(done + Lanes::<O, V, A>::RUN);
                    values.bind::<I>(&mut context, values_stage, run, is_staged);
                    node.stage::<I>(&context, node_stage, run);
                    while done < run {
                        let mut pack = node.pack::<I>(&context, node_stage, done);
                        if !is_first {
                            let before = A::Format::load::<I>(results_before.add(done));
                            pack = lanes(|lane| O::apply::<A::Format>(before[lane], pack[lane]));
                        }
                        if end.is_multiple_of(LANES) {
                            A::Format::store::<I>(output.add(done), pack, false);
                        } else {
                            // The pack begins within the one before it, whose elements are combined already.
                            let mut results =
                                MaybeUninit::<[<A::Format as Format>::Stored; LANES]>::uninit();
                            let results =
                                results.as_mut_ptr().cast::<<A::Format as Format>::Stored>();
                            A::Format::store::<I>(results, pack, false);
                            let rest = rows.len % LANES;
                            output
                                .add(rows.len - rest)
                                .copy_from_nonoverlapping(results.add(LANES - rest), rest);
                        }
                        done = black_box_usize(done + LANES);
                    }
                }
            }
            if end == rows.len {
                break;
            }
            (done, end) = (rows.len - LANES, rows.len);
        }
    }
}

/// The number of the input that holds the means of groups.
const MEANS: usize = MAX_INPUTS - 1;

/// The expression whose squares are the squared deviations from the mean.
type Distance<A, T> = Binary<Sub, Cast<A, T>, Input<MEANS, T>>;
/// The squared deviations from the mean.
type Deviation<A, T> = Binary<fold::Mul, Distance<A, T>, Distance<A, T>>;

/// The loops of a reduction of one expression, and the expression.
#[derive(Clone, Copy)]
struct Loops {
    expression: SendPtr<*const ()>,
    lanes: Code,
    /// `None` if all elements are reduced to one: then they are always reduced along rows.
    columns: Option<Code>,
}

impl Loops {
    fn new<S: CallSite, O: BinaryOperation, V: Values, A: Node, const ALONG_AXES: bool>(
        expression: &(V, A),
    ) -> Self {
        Self {
            expression: SendPtr::new(core::ptr::from_ref(expression).cast()),
            lanes: code::<S, Lanes<O, V, A>>(),
            columns: if const { ALONG_AXES } {
                Some(code::<S, Columns<O, V, A>>())
            } else {
                None
            },
        }
    }
}

/// A reduction with its loops for the SIMD level in use.
pub struct ReduceLoop<'e> {
    op: ReduceOp,
    /// The expression, for its inputs and its shape.
    of: Loop<'e>,
    values: Loops,
    /// The loops that add up squared deviations from means.
    deviations: Option<Loops>,
}

/// Calls `run` with the reduction of an expression whose elements have been cast to the accumulated dtype.
///
/// With `ALONG_AXES` false there must be one group.
pub(crate) fn with_loops<S, O, V, A, T, Out, const ALONG_AXES: bool>(
    (values, node): (V, A),
    sources: &LoopInputs<'_>,
    run: impl FnOnce(&ReduceLoop<'_>) -> Option<Out>,
) -> Option<Out>
where
    S: CallSite,
    O: Reduction,
    V: Values,
    A: Node,
    T: Element,
{
    let expression = (values, Cast::<A, T>::new(node));
    let loops = Loops::new::<S, O::Fold, _, _, ALONG_AXES>(&expression);
    let mut reduction = ReduceLoop {
        op: O::OP,
        of: Loop::of_code(loops.lanes, &expression, sources),
        values: loops,
        deviations: None,
    };
    if const { O::DEVIATES } {
        let distance: Distance<A, T> = Binary::new(Cast::new(node), Input::NEW);
        let deviation: (V, Deviation<A, T>) = (values, Binary::new(distance, distance));
        reduction.deviations = Some(Loops::new::<S, fold::Add, _, _, ALONG_AXES>(&deviation));
        return run(&reduction);
    }
    run(&reduction)
}

/// The operands of a reduction, in the order in which it walks them.
struct Operands {
    operands: SendPtr<[Operand; MAX_INPUTS]>,
    accesses: [Access; MAX_INPUTS],
    numbers: [usize; MAX_INPUTS],
    count: usize,
    nditer: NdIter,
}

/// The elements of each group along rows.
#[derive(Clone, Copy)]
struct Groups {
    /// The number of elements in a group.
    depth: usize,
    /// The length of the rows that make up a group.
    row: usize,
}

impl Operands {
    fn each(&self) -> impl Iterator<Item = (usize, &Operand, &Access)> {
        let numbers = self.numbers[..self.count].iter().copied();
        let operands = self.operands.get_ref().iter().zip(&self.accesses);
        numbers
            .zip(operands)
            .map(|(number, (operand, access))| (number, operand, access))
    }

    /// Whether all operands advance by one element along rows or repeat one there.
    fn along_rows(&self) -> bool {
        let last = self.nditer.rank.saturating_sub(1);
        self.each()
            .all(|(_, _, access)| matches!(access.strides[last], 0 | 1))
    }

    /// Returns the groups of `depth` elements, if the loops can walk each along rows.
    fn groups(&self, depth: usize) -> Option<Groups> {
        let nditer = &self.nditer;
        let row = nditer.row().min(depth);
        let is_whole = nditer.row().is_multiple_of(depth);
        // Where a group has several rows, these are whole packs, one axis, and fit segments.
        let outer = nditer
            .rank
            .checked_sub(2)
            .map_or(1, |outer| nditer.sizes[outer]);
        let fits = depth.is_multiple_of(row)
            && row.is_multiple_of(LANES)
            && outer.is_multiple_of(depth / row)
            && (depth <= SEGMENT || SEGMENT.is_multiple_of(row) || row.is_multiple_of(SEGMENT));
        ((is_whole || fits) && self.along_rows()).then_some(Groups { depth, row })
    }

    /// Returns the addresses of the elements at a position, and the inputs that repeat one along rows.
    fn at(&self, position: usize) -> (Pointers, u32) {
        let index = self.nditer.index_at(position);
        let last = self.nditer.rank.saturating_sub(1);
        let (mut addresses, mut repeats): (Pointers, u32) = ([core::ptr::null(); MAX_INPUTS], 0);
        for (number, operand, access) in self.each() {
            let offset = access.offset(&index) * operand.size.cast_signed();
            addresses[number] = operand.pointer.wrapping_offset(offset);
            repeats |= u32::from(access.strides[last] == 0) << number;
        }
        (addresses, repeats)
    }

    /// Returns the distance in bytes between elements that lie a number of elements apart along rows, or a row apart if that is
    /// the length of rows.
    fn steps(&self, elements: usize) -> [isize; MAX_INPUTS] {
        let last = self.nditer.rank.saturating_sub(1);
        let mut steps = [0; MAX_INPUTS];
        for (number, operand, access) in self.each() {
            let stride = match last.checked_sub(1) {
                Some(outer) if elements == self.nditer.row() => access.strides[outer],
                _ => access.strides[last] * elements.cast_signed(),
            };
            steps[number] = stride * operand.size.cast_signed();
        }
        steps
    }
}

/// How the elements of an expression are reduced, with the operands in that order.
struct Way {
    operands: Operands,
    walk: Walk,
}

/// The order in which elements are combined.
#[derive(Clone, Copy)]
enum Walk {
    /// Group by group, each along rows.
    Rows(Groups),
    /// All groups side by side, row by row.
    Columns(Code),
    /// All elements are computed first.
    Few(Code),
}

impl ReduceLoop<'_> {
    /// Returns the shape of the expression, if the loops should reduce it.
    pub(crate) fn shape(&self) -> Option<Dims> {
        let shape = match self.of.like() {
            Some(like) => *like.dims(),
            None => self.of.shape(None)?,
        };
        (!shape.contains(&0) && self.of.sources.end < MEANS).then_some(shape)
    }

    /// Whether the loops can reduce along axes, which must be sorted, distinct and exist.
    pub(crate) fn reduces(&self, shape: &Dims, axes: Option<&[usize]>) -> bool {
        let axes = match axes {
            Some(axes) => PerAxis::new(axes),
            None => PerAxis::numbers(shape.len()),
        };
        let Ok(axes) = axes else { return false };
        AxisSplit::new(self.op.name(), shape, &axes, false)
            .is_ok_and(|split| self.with_way(shape, &split, &axes, |_| ()).is_some())
    }

    /// Reduces along axes, which must be sorted, distinct and exist; along all axes if none are given. `None` if the loops cannot
    /// do it; then the graph is reduced.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn reduce(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
        keep_dims: bool,
        out: DType,
    ) -> Option<Result<Array, Error>> {
        let is_all = axes.is_none_or(|axes| axes.iter().copied().eq(0..shape.len()));
        if is_all && let Some(array) = self.reduce_short(shape, keep_dims, out) {
            return Some(Ok(array));
        }
        let axes = match axes {
            Some(axes) => PerAxis::new(axes).ok()?,
            None => PerAxis::numbers(shape.len()).ok()?,
        };
        let split = AxisSplit::new(self.op.name(), shape, &axes, keep_dims).ok()?;
        self.with_way(shape, &split, &axes, |way| self.finished(way, &split, out))
    }

    /// Fast path of [`Self::reduce`] for all elements of contiguous arrays of one shape, of at most a segment: for few elements the
    /// general preparation takes longer than the reduction. `None` if it does not apply, or without memory.
    fn reduce_short(&self, shape: &Dims, keep_dims: bool, out: DType) -> Option<Array> {
        let (len, dtype) = (self.of.like()?.len(), self.of.dtype);
        let is_mean = matches!(self.op.finish(), Finish::Mean);
        if len > SEGMENT || self.deviations.is_some() || is_mean && dtype.kind() == Kind::Complex {
            return None;
        }
        let accumulator = self.accumulator()?;
        let mut results = MaybeUninit::<LaneResults>::uninit();
        let mut elements = [AnyElement::ZERO; 3];
        let [folded, between @ ..] = elements.each_mut().map(AnyElement::pointer);
        let mut buffer = Uninit::new(out.size()).ok()?;
        let to = buffer.as_mut_ptr();
        let row = LoopRows::single(
            self.of.sources.addresses(),
            results.as_mut_ptr().cast(),
            len,
        );
        // SAFETY: the arrays have `len` elements, at most a segment, or a pack that can be read, whose lanes are the first results.
        // `elements` have room for elements of any dtype, aligned to
        // 16, and `buffer` for one of `out`. Means are accumulated in `f32` or `f64`.
        unsafe {
            if len < LANES && self.reads_padding() {
                let pack = LoopRows {
                    group: 0,
                    ..LoopRows::single(self.of.sources.addresses(), row.output, LANES)
                };
                (self.values.lanes)(self.values.expression.get(), &pack);
                accumulator.join_lanes(row.output, len);
                folded.copy_from_nonoverlapping(row.output, dtype.size());
            } else {
                self.fold_segment(&self.values, &accumulator, &row, len, folded);
            }
            if is_mean {
                // At most `SEGMENT` elements, so that the number is exact.
                let count = u16::try_from(len).ok()?;
                match dtype {
                    DType::F32 => *folded.cast::<f32>() /= f32::from(count),
                    _ => *folded.cast::<f64>() /= f64::from(count),
                }
            }
            let chain = chain(dtype, out);
            if chain.is_empty() {
                to.copy_from_nonoverlapping(folded, out.size());
            } else {
                convert(chain, folded, 1, to, between);
            }
        }
        // SAFETY: an element of `out` was copied or converted.
        let buffer = unsafe { buffer.assume_init() };
        let shape = if keep_dims { *shape } else { Dims::default() };
        Some(Array::of_one(buffer, out, &shape))
    }

    /// Whether a whole pack can be computed of arrays of fewer elements. A user's functions must not see their padding.
    fn reads_padding(&self) -> bool {
        self.of.sources.is_padded() && !self.of.calls
    }

    /// Returns the library's loops for what the compiled loop leaves.
    fn accumulator(&self) -> Option<Accumulator> {
        let dtype = self.of.dtype;
        accumulate::accumulator(self.op.fold().of(dtype), dtype, dtype)
    }

    /// Computes the results.
    fn finished(&self, way: &Way, split: &AxisSplit, out: DType) -> Result<Array, Error> {
        let count: usize = split.reduced.iter().product();
        let folded = self.folded(&self.values, way, split, None)?;
        let result = match (self.op.finish(), &self.deviations) {
            (Finish::Mean, _) => divided(folded, count)?,
            (Finish::Variance { ddof } | Finish::Deviation { ddof }, Some(deviations)) => {
                let means = divided(folded, count)?;
                let squares = self.folded(deviations, way, split, Some(&means))?;
                let variance = divided(squares, count.saturating_sub(ddof))?;
                if matches!(self.op.finish(), Finish::Deviation { .. }) {
                    let dtype = variance.dtype();
                    unary(UnaryOp::Sqrt, dtype, dtype, Cow::Owned(variance)).array()?
                } else {
                    variance
                }
            }
            _ => folded,
        };
        cast(Cow::Owned(result), out)
    }

    /// Makes `run` of the way in which the loops reduce along the axes, if they can. (Moving a way takes longer than few elements.)
    #[inline(always)]
    fn with_way<T>(
        &self,
        shape: &Dims,
        split: &AxisSplit,
        axes: &[usize],
        run: impl FnOnce(&Way) -> T,
    ) -> Option<T> {
        let (count, depth): (usize, usize) =
            (split.kept.iter().product(), split.reduced.iter().product());
        let arrays = self.of.sources.arrays.iter().flatten();
        let largest = arrays.max_by_key(|array| array.len());
        let strides = largest.map_or_else(
            || row_major(shape),
            |array| broadcast_strides(array.shape(), Array::strides(array), shape),
        );
        let is_few = count * depth <= SMALL_LEN;
        let columns = self.values.columns;
        let is_columnwise = !is_few && is_columnwise(shape, &strides, split, axes);
        let (outer, inner) = match (columns, is_columnwise) {
            (Some(_), true) => (axes, &*split.kept_axes),
            _ => (&*split.kept_axes, axes),
        };
        let mut order = PerAxis::filled(0, shape.len()).ok()?;
        for (to, axis) in order.iter_mut().zip(outer.iter().chain(inner)) {
            *to = *axis;
        }
        let operands = self.operands(shape, &order);
        let walk = match columns {
            Some(code) if is_few => Walk::Few(code),
            Some(code) if is_columnwise => {
                let nditer = &operands.nditer;
                let is_one = nditer.rank <= 1 && nditer.row() == count * depth;
                let is_plain = nditer.rank == 2 && nditer.row() == count;
                let fits = count >= LANES && (is_one || is_plain) && operands.along_rows();
                fits.then_some(Walk::Columns(code))?
            }
            _ => Walk::Rows(operands.groups(depth)?),
        };
        Some(run(&Way { operands, walk }))
    }

    /// Combines the elements of each group. With means, one for each group, the squared deviations from them are combined
    /// instead. `way` is that of the reduction.
    fn folded(
        &self,
        loops: &Loops,
        way: &Way,
        split: &AxisSplit,
        means: Option<&Array>,
    ) -> Result<Array, Error> {
        let dtype = self.of.dtype;
        let unsupported = Error::UnsupportedDType {
            operation: self.op.name(),
            dtype,
        };
        let accumulator = &self.accumulator().ok_or(unsupported)?;
        let counts = (split.kept.iter().product(), split.reduced.iter().product());
        let mut buffer = Uninit::new(split.kept.iter().product::<usize>() * dtype.size())?;
        let to = buffer.as_mut_ptr();
        let operands = &way.operands;
        // SAFETY: the buffer has room for an element of each group. `way` has the operands in the order that it needs, and `means`
        // has an element for each group.
        unsafe {
            match way.walk {
                Walk::Rows(groups) => {
                    self.fold_rows(loops, accumulator, operands, groups, counts, means, to)?;
                }
                // The loop of values or of deviations, as `loops` is.
                Walk::Columns(code) => {
                    let code = (loops.columns.unwrap_or(code), loops.expression);
                    self.fold_columns(code, accumulator, operands, counts, means, to)?;
                }
                Walk::Few(code) => {
                    let code = (loops.columns.unwrap_or(code), loops.expression);
                    self.fold_few(code, accumulator, operands, counts, means, to);
                }
            }
        }
        // SAFETY: an element of each group was written.
        let buffer = unsafe { buffer.assume_init() };
        Ok(Array::from_buffer(buffer, dtype, split.result))
    }

    /// Returns the operands along a shape, with its axes in another order. Inlined, because moving them takes longer than few elements.
    #[inline(always)]
    fn operands(&self, shape: &Dims, order: &[usize]) -> Operands {
        let none = Operand {
            pointer: core::ptr::null(),
            strides: Strides::default(),
            size: 0,
            chain: &[],
        };
        let (mut operands, mut numbers, mut count) = ([none; MAX_INPUTS], [0; MAX_INPUTS], 0);
        for (number, array) in self.of.sources.arrays.iter().enumerate() {
            if let Some(array) = array {
                let mut operand = operand(array, shape, &[]);
                operand.strides = in_order(&operand.strides, order);
                (operands[count], numbers[count]) = (operand, number);
                count += 1;
            }
        }
        let mut accesses = [Access::START; MAX_INPUTS];
        let ordered = in_order(shape, order);
        let nditer = NdIter::coalesced(&ordered, &operands[..count], &mut accesses[..count]);
        Operands {
            operands: SendPtr::new(operands),
            accesses,
            numbers,
            count,
            nditer,
        }
    }

    /// Combines the elements of each group along rows.
    ///
    /// # Safety
    /// The operands are walked group by group, of which there are `count` of `depth` elements. At `to` an element of each can be
    /// written, and `means` has one for each.
    #[expect(
        clippy::too_many_arguments,
        reason = "what the loops of all threads share"
    )]
    unsafe fn fold_rows(
        &self,
        loops: &Loops,
        accumulator: &Accumulator,
        operands: &Operands,
        groups: Groups,
        (count, depth): (usize, usize),
        means: Option<&Array>,
        to: *mut u8,
    ) -> Result<(), AllocError> {
        let size = self.of.dtype.size();
        let means = means.map(|means| SendPtr::new(means.as_ptr()));
        let shared = SendPtr::new(to);
        let one_after_another = |range: Range<usize>| {
            let to = shared.get();
            let mut results = MaybeUninit::<LaneResults>::uninit();
            let mut group = range.start;
            while group < range.end {
                let means = means.map(|means| means.get().wrapping_add(group * size));
                let to = to.wrapping_add(group * size);
                let left = range.end - group;
                // SAFETY: the groups from `group` on are in the range, and the caller guarantees room for an element of each at
                // `to`, and means.
                group += unsafe {
                    self.fold_groups(
                        loops,
                        accumulator,
                        operands,
                        groups,
                        (group, left),
                        means,
                        &mut results,
                        to,
                    )
                };
            }
        };
        if count == 1 && depth > SEGMENT && groups.row == depth {
            // SAFETY: the caller guarantees one group, and room for its element at `to`.
            return unsafe { self.fold_segments(loops, accumulator, operands, depth, means, to) };
        }
        let min_len = (MIN_WORK_PER_THREAD / self.of.cost / depth).max(1);
        split(count, 1, min_len, one_after_another);
        Ok(())
    }

    /// Combines the elements of one long group whose elements make up a single row, on several threads if it is long enough.
    ///
    /// # Safety
    /// That of [`Self::fold_rows`], for one group.
    unsafe fn fold_segments(
        &self,
        loops: &Loops,
        accumulator: &Accumulator,
        operands: &Operands,
        depth: usize,
        means: Option<SendPtr<*const u8>>,
        to: *mut u8,
    ) -> Result<(), AllocError> {
        let count = depth.div_ceil(SEGMENT);
        let mut segments = vec_with_capacity(count)?;
        segments.resize(count, AnyElement::ZERO);
        let shared = SendPtr::new(segments.as_mut_ptr());
        let min_len = MIN_WORK_PER_THREAD / self.of.cost;
        split(depth, SEGMENT, min_len, |piece| {
            let mut results = MaybeUninit::<LaneResults>::uninit();
            for start in piece.clone().step_by(SEGMENT) {
                let len = SEGMENT.min(piece.end - start);
                let (mut inputs, mut repeats) = operands.at(start);
                if let Some(means) = means {
                    inputs[MEANS] = means.get();
                    repeats |= 1 << MEANS;
                }
                let row = LoopRows {
                    repeats,
                    ..LoopRows::single(&inputs, results.as_mut_ptr().cast(), len)
                };
                // SAFETY: the `len` elements from `start` on are part of the row. Each segment writes its own element.
                unsafe {
                    let to = shared.get().add(start / SEGMENT).cast();
                    self.fold_segment(loops, accumulator, &row, len, to);
                }
            }
        });
        let mut all = accumulator.start();
        for segment in segments {
            // SAFETY: each segment's result is an element of the accumulator's dtype.
            unsafe { all.push(segment) };
        }
        // SAFETY: the caller guarantees room for the group's element.
        unsafe { all.finish(to) };
        Ok(())
    }

    /// Combines the elements of a segment, which are rows of one group, to one element.
    ///
    /// # Safety
    /// `rows` are what the loops require, and make up `len` elements, at most a segment; their output is [`LaneResults`]. An
    /// element can be written to `to`.
    unsafe fn fold_segment(
        &self,
        loops: &Loops,
        accumulator: &Accumulator,
        rows: &LoopRows<'_>,
        len: usize,
        to: *mut u8,
    ) {
        let block = self.block();
        let size = self.of.dtype.size();
        let results = rows.output.cast::<LaneResults>();
        let mut elements = MaybeUninit::<[AnyElement; BLOCKS + 1]>::uninit();
        let elements = elements.as_mut_ptr().cast::<u8>();
        // SAFETY: the code is for the SIMD level in use. The caller guarantees rows that can be read, and results to write. The loop
        // writes a vector for each block of at least a pack, and the lanes of a part that is less; `elements` has room for an
        // element of each. Without a whole pack the inputs are filled up to one.
        unsafe {
            let (part, blocks) = (&raw mut (*results).part, &raw mut (*results).blocks);
            if len < LANES {
                let mut room = [const { MaybeUninit::<PackSlot>::uninit() }; MAX_INPUTS];
                let mut inputs = *rows.inputs;
                // A pack can be read of arrays that are padded to one, but not of a part of them.
                let is_whole = self.of.like().is_some_and(|array| array.len() == len);
                if !(is_whole && self.reads_padding()) {
                    for (number, dtype) in self.of.sources.dtypes().iter().enumerate() {
                        if let Some(dtype) = dtype
                            && rows.repeats >> number & 1 == 0
                        {
                            let to = room[number].as_mut_ptr().cast::<u8>();
                            fill_up_of(dtype.size(), inputs[number], len, to);
                            inputs[number] = to.cast_const();
                        }
                    }
                }
                let rows = LoopRows {
                    inputs: &inputs,
                    len: LANES,
                    group: 0,
                    ..*rows
                };
                (loops.lanes)(loops.expression.get(), &rows);
                accumulator.join_lanes(part.cast(), len);
                to.copy_from_nonoverlapping(part.cast(), size);
                return;
            }
            (loops.lanes)(loops.expression.get(), rows);
            let rest = len % block;
            let vectors = len / block + usize::from(rest >= LANES);
            accumulator.join_blocks(blocks.cast(), vectors, elements);
            let mut count = vectors;
            if 0 < rest && rest < LANES {
                accumulator.join_lanes(part.cast(), rest);
                let element = elements.add(count * size);
                element.copy_from_nonoverlapping(part.cast(), size);
                count += 1;
            }
            accumulator.join_elements(elements, count);
            to.copy_from_nonoverlapping(elements, size);
        }
    }

    /// The number of elements that a vector of lanes is made of.
    fn block(&self) -> usize {
        let op = match self.op.fold() {
            FoldOp::Multiply => BinaryOp::Mul,
            FoldOp::Add => BinaryOp::Add,
            _ => BinaryOp::Max,
        };
        block_of(op, self.of.dtype.kind())
    }

    /// Combines the elements of as many groups as one call of the loop can do, at most `left`, and returns how many.
    ///
    /// # Safety
    /// That of [`Self::fold_rows`] for the groups from `group` on; `means` and `to` are those of the first one.
    #[expect(
        clippy::too_many_arguments,
        reason = "what the loops of a thread share"
    )]
    unsafe fn fold_groups(
        &self,
        loops: &Loops,
        accumulator: &Accumulator,
        operands: &Operands,
        groups: Groups,
        (group, left): (usize, usize),
        means: Option<*const u8>,
        results: &mut MaybeUninit<LaneResults>,
        to: *mut u8,
    ) -> usize {
        let Groups { depth, row } = groups;
        let (nditer, size, block) = (&operands.nditer, self.of.dtype.size(), self.block());
        let index = nditer.index_at(group * depth);
        let (mut inputs, mut repeats) = operands.at(group * depth);
        let mut steps = operands.steps(row);
        if let Some(means) = means {
            inputs[MEANS] = means;
            repeats |= 1 << MEANS;
        }
        let output = results.as_mut_ptr().cast::<u8>();
        let rest = depth % block;
        let vectors = depth / block + usize::from(rest >= LANES);
        let is_even = rest == 0 || rest >= LANES;
        if depth <= SEGMENT && is_even && row == depth {
            // Several groups at a time: the lanes of their blocks are joined together.
            let last = nditer.rank.saturating_sub(1);
            let along = match last.checked_sub(1) {
                Some(outer) if nditer.row() == depth => nditer.sizes[outer] - index[outer],
                _ => (nditer.row() - index[last]) / depth,
            };
            let count = left.min(along).min(BLOCKS / vectors);
            if means.is_some() {
                steps[MEANS] = size.cast_signed();
            }
            let rows = LoopRows {
                steps: &steps,
                repeats,
                count,
                ..LoopRows::single(&inputs, output, depth)
            };
            let mut elements = MaybeUninit::<[AnyElement; BLOCKS]>::uninit();
            let elements = elements.as_mut_ptr().cast::<u8>();
            // SAFETY: the code is for the SIMD level in use. `count` groups of `depth` elements, each a row, can be read at these
            // steps. The loop writes `vectors` vectors for each, at most `BLOCKS` together, and `elements` has room for an element
            // of each; the caller guarantees room for the groups' elements at `to`.
            unsafe {
                (loops.lanes)(loops.expression.get(), &rows);
                let blocks = (&raw mut (*results.as_mut_ptr()).blocks).cast::<u8>();
                if vectors == 1 {
                    accumulator.join_blocks(blocks, count, to);
                    return count;
                }
                accumulator.join_blocks(blocks, count * vectors, elements);
                for group in 0..count {
                    let first = elements.add(group * vectors * size);
                    accumulator.join_elements(first, vectors);
                    to.add(group * size).copy_from_nonoverlapping(first, size);
                }
            }
            return count;
        }
        // One group, segment by segment.
        let mut all = accumulator.start();
        let mut done = 0;
        while done < depth {
            let len = SEGMENT.min(depth - done);
            let (mut inputs, _) = operands.at(group * depth + done);
            if let Some(means) = means {
                inputs[MEANS] = means;
            }
            let of_row = row.min(len);
            let rows = LoopRows {
                steps: &steps,
                repeats,
                count: len / of_row,
                group: len / of_row,
                ..LoopRows::single(&inputs, output, of_row)
            };
            let mut element = AnyElement::ZERO;
            // SAFETY: the rows make up the segment's `len` elements, from `done` on: a group is a single row, or its rows are whole
            // packs of which a number makes up a segment. The caller guarantees room for the group's element.
            unsafe {
                self.fold_segment(loops, accumulator, &rows, len, element.pointer());
                all.push(element);
            }
            done += len;
        }
        // SAFETY: the caller guarantees room for the group's element.
        unsafe { all.finish(to) };
        1
    }

    /// Combines the elements of all groups side by side, row by row.
    ///
    /// # Safety
    /// The operands are walked row by row, of which there are `depth`, each with an element of all `count` groups. At `to` an
    /// element of each group can be written, and `means` has one for each.
    unsafe fn fold_columns(
        &self,
        (code, expression): (Code, SendPtr<*const ()>),
        accumulator: &Accumulator,
        operands: &Operands,
        (count, depth): (usize, usize),
        means: Option<&Array>,
        to: *mut u8,
    ) -> Result<(), AllocError> {
        let size = self.of.dtype.size();
        let (first, repeats) = operands.at(0);
        let steps = operands.steps(count);
        let means = means.map(Array::as_ptr);
        let shared = SendPtr::new(((first, means.unwrap_or(core::ptr::null())), to));
        // Pieces of nearly the same width, so that none is less than a pack.
        let width = count.div_ceil(count.div_ceil(accumulator.widest()));
        let min_len = MIN_WORK_PER_THREAD / self.of.cost / depth;
        try_split(
            count.div_ceil(width),
            1,
            min_len.div_ceil(width),
            |pieces| {
                let ((first, means), to) = shared.get();
                let mut columns = ColumnReducer::new(accumulator, depth)?;
                for piece in pieces {
                    let (start, end) = (piece * width, count.min((piece + 1) * width));
                    let len = end - start;
                    let mut add = |before: *const u8, at: usize, to: *mut u8| {
                        let mut inputs: Pointers = [core::ptr::null(); MAX_INPUTS];
                        for (number, operand, _) in operands.each() {
                            let along = if repeats >> number & 1 == 1 {
                                0
                            } else {
                                start * operand.size
                            };
                            let down = steps[number] * at.cast_signed();
                            inputs[number] =
                                first[number].wrapping_offset(down).wrapping_add(along);
                        }
                        if !means.is_null() {
                            inputs[MEANS] = means.wrapping_add(start * size);
                        }
                        let row = LoopRows {
                            repeats,
                            before,
                            ..LoopRows::single(&inputs, to, len)
                        };
                        // SAFETY: the code is for the SIMD level in use. The row has `len` elements at these addresses, at least a pack
                        // unless there is one piece; `fold_computed` gives rows to read and write.
                        unsafe { code(expression.get(), &row) };
                    };
                    // SAFETY: there are `depth` rows, at least one, of `len <= widest` elements; `add` writes a row. The caller
                    // guarantees room for the groups' elements.
                    unsafe {
                        columns.fold_computed(depth, len, &mut add, to.wrapping_add(start * size));
                    }
                }
                Ok(())
            },
        )
    }

    /// Combines few elements: all of them are computed first.
    ///
    /// # Safety
    /// That of [`Self::fold_rows`], for at most [`SMALL_LEN`] elements together.
    unsafe fn fold_few(
        &self,
        (code, expression): (Code, SendPtr<*const ()>),
        accumulator: &Accumulator,
        operands: &Operands,
        (count, depth): (usize, usize),
        means: Option<&Array>,
        to: *mut u8,
    ) {
        let (total, size) = (count * depth, self.of.dtype.size());
        let mut room = MaybeUninit::<[Few; MAX_INPUTS + 1]>::uninit();
        let room = room.as_mut_ptr().cast::<Few>();
        let mut inputs: Pointers = [core::ptr::null(); MAX_INPUTS];
        let nditer = &operands.nditer;
        let (mut sizes, mut strides) = ([1; MAX_RANK], [0; MAX_RANK]);
        let coalesced = &nditer.sizes[..nditer.rank];
        for (to, size) in sizes.iter_mut().zip(coalesced.iter().rev()) {
            *to = *size;
        }
        // SAFETY: `Few` has room for `SMALL_LEN` elements of any dtype, at least a pack, and each input has its own. The elements
        // along the coalesced axes can be read at their strides. The loop writes as many elements as it reads, and `means` has one
        // for each group.
        unsafe {
            for (number, operand, access) in operands.each() {
                let values = room.add(number).cast::<u8>();
                let coalesced = access.strides[..nditer.rank].iter().rev();
                for (to, stride) in strides.iter_mut().zip(coalesced) {
                    *to = *stride;
                }
                gather(
                    operand.size,
                    operand.pointer,
                    nditer.rank,
                    (&sizes, &strides),
                    total,
                    values,
                );
                inputs[number] = values.cast_const();
            }
            if let Some(means) = means {
                let values = room.add(MEANS).cast::<u8>();
                (sizes, strides) = ([1; MAX_RANK], [0; MAX_RANK]);
                (sizes[0], sizes[1], strides[1]) = (depth, count, 1);
                gather(size, means.as_ptr(), 2, (&sizes, &strides), total, values);
                inputs[MEANS] = values.cast_const();
            }
            let values = room.add(MAX_INPUTS).cast::<u8>();
            code(
                expression.get(),
                &LoopRows::single(&inputs, values, total.max(LANES)),
            );
            for group in 0..count {
                let group_values = values.add(group * depth * size).cast_const();
                accumulator.fold(group_values, size, depth, to.add(group * size));
            }
        }
    }
}

/// The largest number of elements that are computed before they are combined.
const SMALL_LEN: usize = 64;

/// Room for [`SMALL_LEN`] elements of any dtype.
#[repr(C, align(64))]
struct Few(MaybeUninit<[u8; SMALL_LEN * 16]>);
