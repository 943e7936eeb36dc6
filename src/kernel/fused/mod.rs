//! Fused loops: an expression is a type, compiled to one loop for each instruction set.
//!
//! A [`Node`] maps packs of 32 elements of its operands to a pack of 32 results, in their compute type
//! (`compute_dtype`). So a loop decodes its inputs and encodes its output, and everything between stays in registers.
//!
//! Long-latency nodes (transcendental functions, and operands that wait for f16 or bf16 results to be rounded) are
//! software-pipelined. For up to [`STAGED_PACKS`] packs they are computed first, into scratch ([`Node::Stage`]):
//!
//! ```text
//! for each run of up to STAGED_PACKS packs:
//!     stage:  for each staged node: for each pack: compute it into scratch
//!     finish: for each pack: compute the rest of the expression, store the result
//! ```
//!
//! The operations of one pack depend on one another, and a processor's out-of-order window spans a few hundred
//! instructions: staging fills it with independent work of many packs instead of two. (Six operations of f16: 0.77 of
//! the time.)
//!
//! A call computes many rows ([`LoopRows`]). An input that repeats one element along a row is read from a pack of copies: the
//! position within an input is masked, with all ones or with zero. So one loop serves operands of one shape and operands that
//! broadcast. (`m * row + column` of 128 rows of 512: 1.1 of the time of a loop by hand; 2.5 with rows of copies.)
//!
//! Integer division and powers can fail. A loop writes an arbitrary value to a lane that fails, and remembers that one did. At its end
//! it sets a flag in the expression ([`LoopExpression`]), and the caller evaluates the graph, which returns the error. For this reason
//! results go to new memory.
//!
//! A pack of a small array is computed with the array's padding. Operations that are computed lane by lane leave padding out
//! ([`LoopRows::existing`]), and padding does not fail.
//!
//! `nodes` has the nodes; `operations` names operations as types; `run` runs loops over arrays of one shape, `strided` over
//! operands that broadcast or have strides, `into_view` with views as outputs, and `reduce` has the loops of reductions. `dtype::format` says how elements of each
//! dtype are decoded, rounded and encoded.
//! The measurements are in `docs/decisions/software-pipelining.md`.
#![allow(unsafe_code, reason = "loops over raw memory")]

mod by_rows;
mod into_view;
mod nodes;
pub(crate) mod operations;
pub(crate) mod reduce;
mod run;
mod strided;

use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, Ordering};

pub(crate) use by_rows::{RowBlocks, RowsOutput};
pub(crate) use nodes::{
    Binary, Bound, Called1, Called2, Called3, Cast, Choose, Compare, Function1, Function2,
    Function3, Input, Saturate, Splat, Unary,
};
pub(crate) use run::Loop;
pub(crate) use run::LoopBody;
pub use run::{CallSite, LoopInputs};

use crate::dtype::format::{Format, STAGED_PACKS};
use crate::dtype::{DType, Element};
use crate::simd::Isa;
use crate::simd::{LANES, black_box_usize, lanes, through_memory};

/// The largest number of inputs of a loop.
pub(crate) const MAX_INPUTS: usize = 8;
/// The largest number of bound values of a loop.
pub(crate) const MAX_BOUND: usize = supremum_macros::limit!(MAX_BOUND);

/// The dtypes of inputs or of bound values, by number.
pub(crate) type DTypes = [Option<DType>; MAX_INPUTS];

/// 32 elements in their compute type.
pub(crate) type Pack<T> = [<T as Format>::Compute; LANES];

/// The rows of elements that a loop computes. Inputs either advance along a row or repeat one element there.
pub struct LoopRows<'a> {
    /// The first element of each input, by number.
    pub(super) inputs: &'a [*const u8; MAX_INPUTS],
    /// The distance from each input's row to its next one, by number, in bytes.
    pub(super) steps: &'a [isize; MAX_INPUTS],
    /// The inputs that repeat one element along a row, one bit for each number.
    pub(super) repeats: u32,
    /// The address of the first result.
    pub(super) output: *mut u8,
    /// The number of elements in a row.
    pub(super) len: usize,
    /// The number of rows. Their results follow one another.
    pub(super) count: usize,
    /// The number of rows that are reduced together; where rows are reduced to one row, the number of lanes that they are
    /// dealt to.
    pub(super) group: usize,
    /// The number of elements of a pack that exist: fewer than [`LANES`] where a single pack is filled up. Operations without
    /// vectors compute only these.
    pub(super) existing: usize,
}

impl<'a> LoopRows<'a> {
    /// Makes a single row, along which all inputs advance.
    #[inline(always)]
    pub(super) fn single(inputs: &'a [*const u8; MAX_INPUTS], output: *mut u8, len: usize) -> Self {
        Self {
            inputs,
            steps: &[0; MAX_INPUTS],
            repeats: 0,
            output,
            len,
            count: 1,
            group: 1,
            existing: LANES,
        }
    }

    /// Makes a single pack, of which only some elements exist, at least one.
    #[inline(always)]
    pub(super) fn part(
        inputs: &'a [*const u8; MAX_INPUTS],
        output: *mut u8,
        existing: usize,
    ) -> Self {
        Self {
            existing,
            ..Self::single(inputs, output, LANES)
        }
    }
}

/// The memory that a loop's packs are computed from: its inputs and its bound values.
pub struct LoopContext {
    /// The first element of each input in the current row. Of an input that repeats one element this is a pack of copies.
    inputs: [*const u8; MAX_INPUTS],
    /// All ones for inputs that advance along the row; zero for those that repeat an element, so that the position in the
    /// pack of copies is always zero.
    masks: [usize; MAX_INPUTS],
    /// The position of the first pack of the current run of staged packs.
    first: usize,
    /// Memory for the bound values, which is not part of the context: else LLVM would not keep the context in registers.
    bound: *mut PackBuffer,
    /// The number of lanes that exist, see [`LoopRows::existing`].
    existing: usize,
    /// The lanes in which an operation has failed, each zero or one.
    failed: Cell<[u8; LANES]>,
}

/// Memory for bound values.
pub(super) type BoundBuffers = MaybeUninit<[PackBuffer; MAX_BOUND]>;

impl LoopContext {
    /// Makes the context of rows that are not started yet.
    #[inline(always)]
    fn of_rows(rows: &LoopRows<'_>, bound: &mut BoundBuffers) -> Self {
        Self {
            existing: rows.existing,
            ..Self::of_row([core::ptr::null(); MAX_INPUTS], bound)
        }
    }

    /// Makes the context of a single row, along which all inputs advance.
    #[inline(always)]
    pub(super) fn of_row(inputs: [*const u8; MAX_INPUTS], bound: &mut BoundBuffers) -> Self {
        Self {
            inputs,
            masks: [usize::MAX; MAX_INPUTS],
            first: 0,
            bound: bound.as_mut_ptr().cast(),
            existing: LANES,
            failed: Cell::new([0; LANES]),
        }
    }

    /// Notes the lanes in which an operation fails.
    #[inline(always)]
    fn fail(&self, fails: impl Fn(usize) -> bool + Copy) {
        let before = self.failed.get();
        self.failed.set(lanes(|lane| {
            before[lane] | u8::from(fails(lane) & (lane < self.existing))
        }));
    }

    /// Returns the number of the pack at a position within the current run.
    #[inline(always)]
    fn number(&self, at: usize) -> usize {
        let number = (at - self.first) / LANES;
        debug_assert!(number < STAGED_PACKS, "one of the staged packs");
        number
    }

    /// Returns the buffer of the bound value with this number.
    #[inline(always)]
    fn buffer(&self, number: usize) -> *const PackBuffer {
        self.bound.wrapping_add(number)
    }
}

/// Scratch memory for a pack of any elements.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct PackSlot(MaybeUninit<[u8; LANES * 16]>);

/// Scratch memory for a run of staged packs.
pub struct PackBuffer(
    #[expect(dead_code, reason = "reached by its address")] [PackSlot; STAGED_PACKS],
);

impl PackBuffer {
    /// Returns the slot of the pack at a position.
    #[inline(always)]
    fn slot<T: Format>(buffer: *const Self, from: &LoopContext, at: usize) -> *mut Pack<T> {
        let slots = buffer.cast::<PackSlot>().cast_mut();
        slots.wrapping_add(from.number(at)).cast()
    }
}

/// Runs the body for each pack from the first one up to the end if `$more`, else for the first one alone.
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

/// An expression with the values that it reads, as its loops take it.
#[repr(C)]
pub(crate) struct LoopExpression<V, A> {
    expression: (V, A),
    /// `true` if a loop has found that an operation fails.
    failed: AtomicBool,
}

impl<V: Values, A: Node> LoopExpression<V, A> {
    /// `true` if an operation of it can fail.
    pub(crate) const CAN_FAIL: bool = V::CAN_FAIL || A::CAN_FAIL;
    /// `true` if its loops may compute elements that do not exist, such as those in the padding of buffers.
    const COMPUTES_PADDING: bool = !(V::CALLS || A::CALLS);

    /// Makes the expression `node`, which reads `values`.
    #[inline]
    pub(crate) const fn new(values: V, node: A) -> Self {
        Self {
            expression: (values, node),
            failed: AtomicBool::new(false),
        }
    }

    /// Returns whether a loop has found that an operation fails.
    #[inline]
    fn has_failed(&self) -> bool {
        Self::CAN_FAIL && self.failed.load(Ordering::Relaxed)
    }

    /// Copies the values and the node, so that the output of a loop cannot overwrite them.
    ///
    /// # Safety
    /// `expression` points to such an expression.
    #[inline(always)]
    unsafe fn read(expression: *const ()) -> (V, A) {
        // SAFETY: the caller guarantees the expression.
        unsafe { (*expression.cast::<Self>()).expression }
    }

    /// Sets the flag of an expression if an operation has failed. A loop calls it at its end.
    ///
    /// # Safety
    /// `expression` points to such an expression.
    #[inline(always)]
    unsafe fn report(expression: *const (), context: &LoopContext) {
        if const { Self::CAN_FAIL } {
            let failed: [u64; LANES / 8] = bytemuck::cast(context.failed.get());
            if failed.iter().fold(0, |all, lanes| all | lanes) != 0 {
                // SAFETY: the caller guarantees the expression.
                unsafe { &(*expression.cast::<Self>()).failed }.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// A node of an expression, with its operands.
pub trait Node: Copy + Sync {
    /// The dtype of its results.
    type Format: Element;
    /// The approximate cost of an element, in additions.
    const COST: usize;
    /// `true` if it calls a user's functions. These must only see elements that exist, not padding.
    const CALLS: bool;
    /// `true` if an operation of it can fail, such as integer division.
    const CAN_FAIL: bool;
    /// `true` if its NaNs may have payload bits that the format lacks. Conversions produce such NaNs, arithmetic does
    /// not.
    const ANY_NAN: bool = false;
    /// `true` if its results are elements of the format already and need no rounding.
    const IS_ROUNDED: bool = false;
    /// `true` if any node of it is staged.
    const STAGED: bool;
    /// The length of the longest chain of dependent rounding steps in it that is not staged. Each step counts its
    /// [`Format::ROUND_LATENCY`].
    const ROUND_LATENCY: usize;
    /// Scratch memory of its staged nodes.
    type Stage;

    /// Returns whether the inputs and bound values have the dtypes that it reads.
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool;

    /// The axes of the result along which its operands extend, and what it computes more than once.
    fn extent(extents: &Extents) -> Extent;

    /// Sets its inputs to a row.
    ///
    /// # Safety
    /// The row is below `rows.count`, and its elements can be read: one of an input that repeats it, else `rows.len`.
    /// `stage` can be written, and stays where it is while the row is computed.
    unsafe fn start_row(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        rows: &LoopRows<'_>,
        row: usize,
    );

    /// Computes its staged nodes for all packs from `from.first` up to `end`.
    ///
    /// # Safety
    /// The contract of [`Self::raw`] for each of these packs, of which there are at most [`STAGED_PACKS`], except that
    /// nothing is staged yet. `to` can be written.
    unsafe fn stage<I: Isa>(&self, from: &LoopContext, to: *mut Self::Stage, end: usize);

    /// Computes the pack at a position, not yet rounded to the format.
    ///
    /// # Safety
    /// - The processor has the instruction set `I`.
    /// - Inputs and bound values [fit](Self::fits).
    /// - 32 elements of each input can be read from the position on, and are aligned.
    /// - Bound values were bound and [staged](Self::stage) nodes were staged for this position.
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<Self::Format>;

    /// [`Self::raw`], rounded to the format.
    ///
    /// # Safety
    /// The contract of [`Self::raw`].
    #[inline(always)]
    unsafe fn pack<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<Self::Format> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that bound values
        // and staged nodes were computed.
        unsafe {
            let pack = self.raw::<I>(from, stage, at);
            if const { Self::IS_ROUNDED } {
                return pack;
            }
            Self::Format::round::<I>(pack, Self::ANY_NAN)
        }
    }
}

/// Values that are computed for each pack before the expression that reads them.
pub trait Values: Copy {
    /// The number of values.
    const COUNT: usize;
    /// The approximate cost of an element of all values together, in additions.
    const COST: usize;
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

    /// Writes the values' axes to `extents`, and returns the cost of what they compute more than once for an element.
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

/// The axes of an expression's result along which its inputs and bound values extend.
#[derive(Clone, Copy, Debug)]
pub struct Extents {
    inputs: [Extent; MAX_INPUTS],
    bound: [Extent; MAX_BOUND],
    /// The axes of the result whose size is not one.
    all: u8,
}

/// The axes along which a node extends, and the cost of its operations that are repeated.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// One bit for each axis, from the last one on.
    axes: u8,
    /// The inputs that it reads, one bit for each number.
    inputs: u8,
    /// The cost, in additions, of the operations that do not extend along all axes: the loop computes them anew for each
    /// element of the result. At most [`Self::MAX_COST`].
    repeated: u16,
}

impl Extent {
    /// The largest cost that is counted.
    const MAX_COST: u16 = 1 << 12;

    /// The extent of an operand.
    #[inline]
    const fn operand(axes: u8, inputs: u8) -> Self {
        Self {
            axes,
            inputs,
            repeated: 0,
        }
    }

    /// The extent of an operation on these operands, which costs `cost` together with them.
    #[inline]
    fn operation<const N: usize>(extents: &Extents, operands: [Self; N], cost: usize) -> Self {
        let mut all = Self::operand(0, 0);
        for operand in operands {
            all.axes |= operand.axes;
            all.inputs |= operand.inputs;
            all.repeated = Self::MAX_COST.min(all.repeated + operand.repeated);
        }
        if all.axes != extents.all {
            all.repeated =
                u16::try_from(cost).map_or(Self::MAX_COST, |cost| cost.min(Self::MAX_COST));
        }
        all
    }
}

/// The cost up to which loops compute two packs an iteration: counting takes as long as such a pack.
const MAX_PAIRED_COST: usize = 4;

/// The loop that writes the values of an expression.
///
/// It requires in addition to [`LoopBody`]:
/// - As many elements of the expression's format as the rows have can be written to the output, and are aligned.
/// - The output may be an input if its elements are no larger, but must not overlap one otherwise.
/// - `rows.len` is a multiple of [`LANES`], or it is larger than [`LANES`] and the output is no input.
pub(super) struct Elementwise<V, A>(PhantomData<(V, A)>);

impl<V: Values, A: Node> LoopBody for Elementwise<V, A> {
    #[inline(always)]
    unsafe fn run<I: Isa>(expression: *const (), rows: &LoopRows<'_>) {
        // SAFETY: the caller guarantees that `expression` points to the expression that the loop is for.
        let (values, node) = unsafe { LoopExpression::<V, A>::read(expression) };
        let mut bound = BoundBuffers::uninit();
        let mut context = LoopContext::of_rows(rows, &mut bound);
        let mut stage = MaybeUninit::<(V::Stage, A::Stage)>::uninit();
        let stage = stage.as_mut_ptr();
        let mut row = 0;
        while row < rows.count {
            // SAFETY: `row < rows.count`, and the caller guarantees readable elements of each row, room for its results, the
            // instruction set, and the length.
            unsafe {
                values.start_row(&mut context, &raw mut (*stage).0, rows, row);
                node.start_row(&mut context, &raw mut (*stage).1, rows, row);
                let size = size_of::<<A::Format as Format>::Stored>();
                let output = rows.output.add(row * rows.len * size);
                packs::<I, V, A>((&values, &node), &mut context, stage, output, rows.len);
            }
            row = black_box_usize(row + 1);
        }
        // SAFETY: as for `read`.
        unsafe { LoopExpression::<V, A>::report(expression, &context) };
    }
}

/// Returns whether elements are smaller in memory than in their compute type.
const fn narrows<T: Format>() -> bool {
    size_of::<T::Stored>() < size_of::<T::Compute>()
}

/// Computes a row. If its length is not a multiple of [`LANES`], the last pack begins within the one before it, whose last
/// elements are computed twice.
///
/// # Safety
/// The contract of [`Elementwise`] for the row that the context was set to: the instruction set, dtypes that fit,
/// readable inputs, a
/// writable output, and the length. `stage` can be written, and is the one that the row was started with.
#[inline(always)]
pub(super) unsafe fn packs<I: Isa, V: Values, A: Node>(
    (values, node): (&V, &A),
    context: &mut LoopContext,
    stage: *mut (V::Stage, A::Stage),
    output: *mut u8,
    len: usize,
) {
    let output = output.cast::<<A::Format as Format>::Stored>();
    let is_staged = const { V::STAGED || A::STAGED };
    let in_pairs = const { V::COUNT == 0 && A::COST <= MAX_PAIRED_COST && !A::STAGED };
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
                node.stage::<I>(context, node_stage, staged);
                for_packs!(at in done, staged, if is_staged => {
                    let mut pack = node.raw::<I>(context, node_stage, at);
                    // Through memory, because LLVM fails to pick vectors for staged packs whose last step is one of our
                    // intrinsics.
                    if is_staged && const { narrows::<A::Format>() } {
                        pack = through_memory(pack);
                    }
                    A::Format::store::<I>(output.add(at), pack, A::ANY_NAN);
                    done = at + LANES;
                });
                if in_pairs {
                    if done == end {
                        break;
                    }
                    let pack = node.raw::<I>(context, node_stage, done);
                    A::Format::store::<I>(output.add(done), pack, A::ANY_NAN);
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

/// Copies elements and repeats the last one up to a whole pack.
///
/// # Safety
/// `len` elements, at least one and fewer than [`LANES`], can be read from `from`, and [`LANES`] can be written to
/// `to`; both are aligned and do not overlap.
#[inline]
pub(super) unsafe fn fill_up<T: Copy>(from: *const T, len: usize, to: *mut T) {
    debug_assert!(0 < len && len < LANES, "part of a pack");
    // SAFETY: the caller guarantees `len >= 1` readable elements, so the last one exists, and room for `LANES`; `len
    // < LANES`.
    unsafe {
        // Writing a whole pack takes fewer instructions than writing the missing part.
        to.cast::<[T; LANES]>()
            .write([from.add(len - 1).read(); LANES]);
        to.copy_from_nonoverlapping(from, len);
    }
}

/// Returns the function of a type that holds no data: a function item, or a closure that captures nothing. A type that holds
/// data is a compile error.
///
/// Callers were given a value of the type before: nodes of calls are made from the function, and name only its type.
#[inline(always)]
pub(crate) fn function_of_type<F: Copy + 'static>() -> F {
    const {
        assert!(
            size_of::<F>() == 0,
            "a function of elements captures nothing"
        )
    };
    // SAFETY: the type has no size, so a dangling pointer, which is aligned, is valid for a read of it. It has a value, because
    // callers were given one; it is `Copy`, so another one may be made.
    unsafe { NonNull::<F>::dangling().read() }
}
