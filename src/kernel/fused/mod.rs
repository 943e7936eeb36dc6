//! Fused loops: an expression is a type, compiled to one loop for each instruction set.
//!
//! A [`Node`] maps packs of 32 elements of its operands to a pack of 32 results, in their compute type
//! (`compute_dtype`). So a loop decodes its inputs and encodes its output, and everything between stays in registers.
//!
//! Long-latency nodes (transcendental functions, and operands that wait for f16 or bf16 results to be rounded) are
//! software-pipelined. They are computed first, into scratch ([`Node::Stage`]), for up to
//! [`STAGED_PACKS`](crate::dtype::format::STAGED_PACKS) packs:
//!
//! ```text
//! for each run of up to STAGED_PACKS packs:
//!     stage:  for each staged node: for each pack: compute it into scratch
//!     finish: for each pack: compute the rest of the expression, store the result
//! ```
//!
//! The operations of one pack depend on one another, and a processor's out-of-order window spans a few hundred
//! instructions: staging fills it with independent work of many packs instead of two. (Six operations of f16: 0.77 of
//! the time.) If the whole expression is one function, and neither its operands nor its results are rounded, its packs are independent
//! anyway. Then they are computed without scratch ([`Node::IS_DIRECT`]; `exp(x - max)` of f32: 0.85 of the time). So are quotients of an input
//! by one number, which are products there (softmax in one expression: 0.87).
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
//! - `nodes` has the nodes; `operations` names operations as types; `values` has the parts that several nodes read;
//! - `context` has the memory that loops read, `extent` the axes along which parts of an expression extend;
//! - `elementwise` is the loop that writes the values of an expression, `reduce` has the loops of reductions;
//! - `call_site` compiles the loops for each instruction set, and `inputs` has the arrays that they read;
//! - `run` evaluates an expression, by `rows` over arrays of one shape, `strided` over operands that broadcast or have strides,
//!   `into_view` with views as outputs. `by_rows` evaluates several loops for some rows at a time, and `row_program` runs the same loops for
//!   the other rows.
//!
//! `dtype::format` says how elements of each dtype are decoded, rounded and encoded.
//! The measurements are in `docs/decisions/software-pipelining.md`.
#![allow(unsafe_code, reason = "loops over raw memory")]

mod by_rows;
mod call_site;
mod context;
mod elementwise;
mod extent;
mod inputs;
mod into_view;
mod nodes;
pub(crate) mod operations;
pub(crate) mod reduce;
mod row_program;
mod rows;
mod run;
mod strided;
mod values;

use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, Ordering};

pub(crate) use by_rows::{OutputMemory, RowBlocks, RowsOutput};
pub(crate) use call_site::LoopBody;
pub use call_site::{CallSite, Compilation, Compiled};
pub(super) use context::{BoundBuffers, PackSlot};
pub(crate) use context::{LoopContext, LoopRows};
use context::{PackBuffer, for_packs};
pub(super) use elementwise::{Elementwise, PackByPack, packs};
pub(crate) use extent::{Extent, Extents};
pub use inputs::LoopInputs;
pub(crate) use nodes::{
    Binary, Bound, Called1, Called2, Called3, Cast, Choose, Compare, Function1, Function2,
    Function3, Hoistable, Input, Saturate, Splat, Squared, Unary,
};
pub use row_program::RowOperand;
pub(crate) use row_program::RowProgram;
pub(crate) use run::{Loop, RepeatingLoop};
pub use values::Unread;
pub(crate) use values::Values;

use crate::dtype::format::Format;
use crate::dtype::{DType, Element};
use crate::kernel::drive::parallel::SendPtr;
use crate::simd::Isa;
use crate::simd::LANES;

/// The largest number of inputs of a loop.
pub(crate) const MAX_INPUTS: usize = supremum_macros::limit!(MAX_INPUTS);
/// The largest number of bound values of a loop.
pub(crate) const MAX_BOUND: usize = supremum_macros::limit!(MAX_BOUND);

/// The dtypes of inputs or of bound values, by number.
pub(crate) type DTypes = [Option<DType>; MAX_INPUTS];

/// The sizes of inputs' elements in bytes, by number; zero for inputs that are not read.
pub(crate) type ElementSizes = [usize; MAX_INPUTS];

/// Returns the sizes of the inputs that any part of an expression reads.
pub(crate) const fn sizes_of_all(parts: &[ElementSizes]) -> ElementSizes {
    let mut all = [0; MAX_INPUTS];
    let mut part = 0;
    while part < parts.len() {
        let mut number = 0;
        while number < MAX_INPUTS {
            // Parts that read the same input agree (`Node::fits`).
            if parts[part][number] > 0 {
                all[number] = parts[part][number];
            }
            number += 1;
        }
        part += 1;
    }
    all
}

/// 32 elements in their compute type.
pub(crate) type Pack<T> = [<T as Format>::Compute; LANES];

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

    /// Sets the flag of an expression if an operation has failed. A loop calls it at its end if one [can fail](Self::CAN_FAIL).
    ///
    /// # Safety
    /// `expression` points to such an expression.
    #[inline(always)]
    unsafe fn report(expression: *const (), context: &LoopContext) {
        if context.has_failed() {
            // SAFETY: the caller guarantees the expression.
            unsafe { &(*expression.cast::<Self>()).failed }.store(true, Ordering::Relaxed);
        }
    }
}

/// The place of a [`LoopExpression`] in memory, without its types.
#[derive(Clone, Copy)]
struct ExpressionAt {
    address: SendPtr<*const ()>,
    /// The size of the expression, in bytes.
    size: usize,
}

impl ExpressionAt {
    #[inline]
    fn new<V: Values, A: Node>(expression: &LoopExpression<V, A>) -> Self {
        const { assert!(align_of::<LoopExpression<V, A>>() <= align_of::<u128>()) };
        Self {
            address: SendPtr::new((&raw const *expression).cast()),
            size: const { size_of::<LoopExpression<V, A>>() },
        }
    }

    #[inline]
    fn get(self) -> *const () {
        self.address.get()
    }

    /// Copies the expression, which consists of constants.
    ///
    /// # Safety
    /// The expression still exists.
    unsafe fn keep(self) -> KeptExpression {
        let words = self.size.div_ceil(size_of::<u128>());
        let mut copy = vec![MaybeUninit::<u128>::uninit(); words].into_boxed_slice();
        // SAFETY: the caller guarantees the expression, of `size` bytes; `words` words have room for them.
        unsafe {
            let to = copy.as_mut_ptr().cast::<MaybeUninit<u8>>();
            to.copy_from_nonoverlapping(self.get().cast(), self.size);
        }
        KeptExpression {
            copy,
            size: self.size,
        }
    }
}

/// A copy of a [`LoopExpression`], which stays when the call that made the expression returns.
struct KeptExpression {
    copy: Box<[MaybeUninit<u128>]>,
    size: usize,
}

impl KeptExpression {
    /// The place of the copy, which is valid as long as `self` is.
    fn at(&self) -> ExpressionAt {
        ExpressionAt {
            address: SendPtr::new(self.copy.as_ptr().cast()),
            size: self.size,
        }
    }
}

/// A node of an expression, with its operands.
pub trait Node: Copy + Sync + 'static {
    /// The dtype of its results.
    type Format: Element;
    /// The approximate cost of an element, in additions.
    const COST: usize;
    /// The number of the input that the node reads, if it does nothing else.
    const INPUT: Option<usize> = None;
    /// The sizes of the elements of the inputs that it reads.
    const INPUT_SIZES: ElementSizes = [0; MAX_INPUTS];
    /// `true` if it calls a user's functions. These must only see elements that exist, not padding.
    const CALLS: bool;
    /// `true` if an operation of it can fail, such as integer division.
    const CAN_FAIL: bool;
    /// `true` if its NaNs may have payload bits that the format lacks. Conversions produce such NaNs, arithmetic does
    /// not.
    const ANY_NAN: bool = false;
    /// `true` if its results are elements of the format already and need no rounding.
    const IS_ROUNDED: bool = false;
    /// `true` if its results are floats whose sign bit is clear, also that of NaN.
    const IS_MAGNITUDE: bool = false;
    /// `true` if any node of it is staged.
    const STAGED: bool;
    /// `true` if its packs are computed [directly](Self::direct) where it is the whole expression: because it is staged, but waits for nothing
    /// that is, or because there is a faster way to results that are stored at once.
    const IS_DIRECT: bool = false;
    /// The length of the longest chain of dependent rounding steps in it that is not staged. Each step counts its
    /// [`Format::ROUND_LATENCY`].
    const ROUND_LATENCY: usize;
    /// Scratch memory of its staged nodes.
    type Stage;

    /// Returns whether the inputs and bound values have the dtypes that it reads.
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool;

    /// The axes of the result along which its operands extend, and the cost of the operations that it computes more than
    /// once.
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
    /// The contract of [`Self::raw`] for each of these packs, of which there are at most [`STAGED_PACKS`](crate::dtype::format::STAGED_PACKS), except that
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

    /// [`Self::raw`] of a node that [is direct](Self::IS_DIRECT) and the whole expression, without its having been staged.
    ///
    /// # Safety
    /// The contract of [`Self::raw`], but the node need not have been staged.
    #[inline(always)]
    unsafe fn direct<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<Self::Format> {
        // SAFETY: a node that is not direct is staged, as the caller guarantees.
        unsafe { self.raw::<I>(from, stage, at) }
    }

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
            // Returned as it is, the pack is not copied. (A copy costs nothing in the loop, but time to compile.)
            if const { Self::IS_ROUNDED } {
                return self.raw::<I>(from, stage, at);
            }
            Self::Format::round::<I>(self.raw::<I>(from, stage, at), Self::ANY_NAN)
        }
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
