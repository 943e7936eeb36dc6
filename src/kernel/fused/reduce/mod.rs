//! Compiled reductions: an expression is reduced as it is computed.
//!
//! The order in which elements are combined is that of arrays (`accumulate/`): 32 lanes within a block of 512 elements, then
//! the lanes of each block, then blocks pairwise. A compiled loop does the work for each element. The library's loops
//! do the work for each block:
//!
//! ```text
//! along rows (Lanes):      each block: packs of the expression, combined lane by lane -> a vector of 16 lanes
//!                          the library: lanes of 64 blocks -> 64 elements -> one
//! across rows (Columns):   each block of rows: packs of columns, down all rows in the order of the tree -> a row
//!                          the library: rows of blocks pairwise
//! ```
//!
//! The loops read operands in place where these are contiguous, or repeat an element, along the rows of a loop. Others are copied first: a few
//! blocks at a time (`reader`), or as a whole (`copies`). The interpreter computes positions of extremes, and what skips NaN.
//!
//! `loops` has the two loops, and `traversal` decides which one reduces an expression, in which order, and whether operands are copied. `fold`
//! runs them over all groups, `gathered` over copies, and `segment` joins the lanes and blocks of a segment. `array` reduces arrays by these loops. For few
//! elements the decision takes longer than the reduction: `short` reduces up to a segment of them along the last axes, and `small` computes up
//! to 64 elements before it combines them. `computed_rows` does that for any number of rows that are short.
#![allow(unsafe_code, reason = "loops over raw memory")]

mod array;
mod computed_rows;
mod contiguous_rows;
mod copies;
mod fold;
mod gathered;
mod loops;
mod reader;
mod segment;
mod short;
mod small;
mod step;
mod traversal;

use core::mem::MaybeUninit;

pub(in crate::kernel) use array::reduce_array;
pub(crate) use array::sum_of_squares;
pub(super) use loops::LaneResults;
use loops::{Deviation, Distance, Loops, MEANS};
pub(super) use step::ReduceStep;
use traversal::ReduceTraversal;

use super::Loop;
use super::operations::{self, BinaryOperation, UnaryOperation};
use super::{Binary, CallSite, Cast, Input, LoopExpression, LoopInputs, Node, Squared, Values};
use crate::array::{Array, Dims, MAX_RANK, OpResult, Uninit};
use crate::dtype::format::Format;
use crate::dtype::{DType, Element, Kind, c128};
use crate::error::Error;
use crate::kernel::accumulate::{self, Accumulator, FoldOp};
use crate::kernel::cast::chain;
use crate::kernel::drive::block::{BLOCK, BlockBuffer, convert};
use crate::kernel::drive::parallel::{self, MIN_WORK_PER_THREAD, SendPtr};
use crate::kernel::reduce::op::{Finish, ReduceOp};
use crate::kernel::reduce::plan::AxisSplit;
use crate::op::each_reduction;
use crate::simd::{Baseline, for_types};

/// A reduction, as a type.
pub trait Reduction: Copy + 'static {
    /// Combines two elements.
    type Fold: BinaryOperation;
    /// The elements that are combined, if elements `X` are reduced to `Out`.
    type Accumulated<X: Element, Out: Element>: Element;
    /// Its tag.
    const OP: ReduceOp;
    /// `true` if squared deviations from the mean are added up, once the mean is known.
    const DEVIATES: bool = false;
}

/// Returns whether a loop can be compiled for the reduction `O` of elements `X` to `Out`.
pub(crate) const fn compiles<O: Reduction, X: Element, Out: Element>() -> bool {
    let accumulate = O::OP.accumulate();
    let accumulated = <O::Accumulated<X, Out> as Element>::DTYPE;
    let is_complex = matches!(accumulated.kind(), Kind::Complex);
    let has_loop = match O::OP.fold().of(X::DTYPE) {
        // NaN is skipped.
        FoldOp::AddNumbers
        | FoldOp::MultiplyNumbers
        | FoldOp::MinimumNumber
        | FoldOp::MaximumNumber => false,
        // Times `1 + 0i` an infinity has a part that is NaN, so products of complex numbers have no neutral element.
        FoldOp::Multiply => !is_complex,
        fold => !is_complex || fold.has_start() && !O::DEVIATES,
    };
    has_loop
        && !accumulate.casts_first(X::DTYPE, Out::DTYPE)
        && accumulated.index() == accumulate.dtype(X::DTYPE, Out::DTYPE).index()
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
    (@fold Add) => { operations::Add };
    (@fold Multiply) => { operations::Mul };
    (@fold Minimum) => { operations::Min };
    (@fold Maximum) => { operations::Max };
    (@fold Or) => { operations::Or };
    (@fold And) => { operations::And };
    // Of integers, which have no NaN.
    (@fold AddNumbers) => { operations::Add };
    (@fold MultiplyNumbers) => { operations::Mul };
    (@fold MinimumNumber) => { operations::Min };
    (@fold MaximumNumber) => { operations::Max };
    (@Truth $X:ident $Out:ident) => { bool };
    (@Element $X:ident $Out:ident) => { $X::Widened };
    (@$sum:ident $X:ident $Out:ident) => { $Out::SumOf<$X> };
}

each_reduction!(kernels reductions!);

/// The numbers of all axes.
const ALL_AXES: [usize; MAX_RANK] = {
    let mut axes = [0; MAX_RANK];
    let mut axis = 0;
    while axis < MAX_RANK {
        axes[axis] = axis;
        axis += 1;
    }
    axes
};

/// Returns whether the loops of `O` also give the mean: `O` deviates, and computes means in the dtype in which [`Mean`] does.
pub(crate) const fn has_mean<O, X, M, Out>() -> bool
where
    O: Reduction,
    X: Element,
    M: Element,
    Out: Element,
{
    let of_mean = <<Mean as Reduction>::Accumulated<X, M> as Element>::DTYPE;
    let of_deviation = <O::Accumulated<X, Out> as Element>::DTYPE;
    O::DEVIATES && compiles::<Mean, X, M>() && of_mean.index() == of_deviation.index()
}

/// A reduction with its loops for the SIMD level in use.
#[derive(Clone, Copy)]
pub struct ReduceLoop<'e> {
    op: ReduceOp,
    /// The expression, for its inputs and its shape.
    of: Loop<'e>,
    values: Loops,
    /// The loops that add up squared deviations from means.
    deviations: Option<Loops>,
    /// The array, if nothing is computed of its elements before they are reduced.
    array: Option<&'e Array>,
    /// Also receives the means: one element of the accumulated dtype for each group.
    means: Option<SendPtr<*mut u8>>,
}

/// Calls `run` with the reduction of an expression whose elements have been cast to the accumulated dtype. Returns `None` if an
/// operation fails: then the graph gives the error.
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
    let expression = LoopExpression::new(values, Cast::<A, T>::new(node));
    let loops = Loops::new::<S, O::Fold, _, _, ALONG_AXES>(&expression);
    let mut reduction = ReduceLoop {
        op: O::OP,
        of: Loop::of_code(loops.lanes, &expression, sources),
        values: loops,
        deviations: None,
        array: const { A::INPUT }.and_then(|number| sources.arrays[number]),
        means: None,
    };
    let result = if const { O::DEVIATES } {
        let distance: Distance<A, T> = Binary::new(Cast::new(node), Input::NEW);
        let deviation: LoopExpression<V, Deviation<A, T>> =
            LoopExpression::new(values, Squared::new(distance));
        reduction.deviations = Some(Loops::new::<S, operations::Add, _, _, ALONG_AXES>(
            &deviation,
        ));
        run(&reduction)
    } else {
        run(&reduction)
    };
    result.filter(|_| !expression.has_failed())
}

impl ReduceLoop<'_> {
    /// Calls `run` with the shape of the expression. Returns `None` if the loops should not reduce it, or if `run` returns `None`.
    pub(crate) fn with_shape<T>(&self, run: impl FnOnce(&Dims) -> Option<T>) -> Option<T> {
        let mut broadcast;
        let shape = match self.of.like() {
            Some(like) => like.dims(),
            None => {
                broadcast = Dims::default();
                if !self.of.has_shape(None, &mut broadcast) {
                    return None;
                }
                &broadcast
            }
        };
        if shape.contains(&0) || self.of.sources.end >= MEANS {
            return None;
        }
        run(shape)
    }

    /// The loop of the elements, for its inputs and its cost.
    pub(in crate::kernel::fused) fn elements(&self) -> &Loop<'_> {
        &self.of
    }

    /// Returns the operation and the array, if the loops for arrays should reduce it: nothing is computed of its elements before. Those
    /// loops read integers and extremes faster.
    pub(crate) fn of_array(&self) -> Option<(ReduceOp, &Array)> {
        let array = self.array?;
        let is_small = self.small_code(array.len()).is_some();
        (self.op.finish() == Finish::Itself && !is_small).then_some((self.op, array))
    }

    /// Returns whether the loops can reduce along axes, which must be sorted, distinct and exist.
    pub(crate) fn reduces(&self, shape: &Dims, axes: Option<&[usize]>) -> bool {
        if self.small_code(shape.iter().product()).is_some()
            || self.last_axes_as_computed_rows(shape, axes).is_some()
        {
            return true;
        }
        if self.of.like().is_none() {
            let reduces = self.with_small_copies(shape, |code| Some(code.reduces(shape, axes)));
            if reduces == Some(true) {
                return true;
            }
        }
        let axes = axes.unwrap_or(&ALL_AXES[..shape.len()]);
        let split = AxisSplit::of_existing(shape, axes, false);
        self.with_traversal(shape, &split, axes, |_| ()).is_some()
            || self.with_copies(shape, axes, |code| Some(code.reduces(shape, Some(axes))))
                == Some(true)
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
    ) -> Option<OpResult> {
        if let Some(array) = self.reduce_small(shape, axes, keep_dims, out) {
            return Some(array.into());
        }
        if self.of.like().is_none() {
            let reduced =
                self.with_small_copies(shape, |code| code.reduce(shape, axes, keep_dims, out));
            if reduced.is_some() {
                return reduced;
            }
        }
        if let Some(array) = self.reduce_short(shape, axes, keep_dims, out) {
            return Some(array.into());
        }
        if let Some(array) = self.reduce_computed_rows(shape, axes, keep_dims, out) {
            return Some(array.into());
        }
        let reduced = self.reduce_general(shape, axes, keep_dims, out);
        reduced.or_else(|| {
            let reduced = axes.unwrap_or(&ALL_AXES[..shape.len()]);
            self.with_copies(shape, reduced, |code| {
                code.reduce(shape, axes, keep_dims, out)
            })
        })
    }

    /// [`Self::reduce`] of any number of elements. Apart, because its stack frame takes longer to probe than few elements take.
    #[inline(never)]
    fn reduce_general(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
        keep_dims: bool,
        out: DType,
    ) -> Option<OpResult> {
        let axes = axes.unwrap_or(&ALL_AXES[..shape.len()]);
        let split = AxisSplit::of_existing(shape, axes, keep_dims);
        let reduced = self.with_traversal(shape, &split, axes, |traversal| {
            self.finished(traversal, &split, out)
        });
        reduced.map(OpResult::from)
    }

    /// [`Self::reduce`] for a reduction that deviates, together with the means of the groups. Returns the means and the reduction.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn reduce_with_means(
        &self,
        shape: &Dims,
        axes: Option<&[usize]>,
        keep_dims: bool,
        (of_means, out): (DType, DType),
    ) -> Option<Result<(Array, Array), Error>> {
        debug_assert!(self.deviations.is_some(), "a reduction that deviates");
        let dtype = self.of.dtype;
        let reduced = axes.unwrap_or(&ALL_AXES[..shape.len()]);
        let depth: usize = reduced.iter().map(|axis| shape[*axis]).product();
        // The shape has elements, so the depth is not zero.
        let count = shape.iter().product::<usize>() / depth;
        let mut means = Uninit::new(count * dtype.size()).ok()?;
        let pointer = means.as_mut_ptr();
        let code = Self {
            means: Some(SendPtr::new(pointer)),
            ..*self
        };
        let result = match code.reduce(shape, axes, keep_dims, out)?.array() {
            Ok(result) => result,
            Err(error) => return Some(Err(error)),
        };
        if dtype == of_means {
            // SAFETY: every way to reduce with deviations writes a mean for each group.
            let buffer = unsafe { means.assume_init() };
            return Some(Ok((
                Array::from_buffer(buffer, dtype, *result.dims()),
                result,
            )));
        }
        let mut buffer = Uninit::new(count * of_means.size()).ok()?;
        // SAFETY: every way to reduce with deviations writes a mean for each of `count` groups; the buffer has room for as many, and
        // all are converted.
        let buffer = unsafe {
            convert_all((dtype, pointer), count, (of_means, buffer.as_mut_ptr()));
            buffer.assume_init()
        };
        Some(Ok((
            Array::from_buffer(buffer, of_means, *result.dims()),
            result,
        )))
    }

    /// The reduction without its expression.
    fn combination(&self) -> Combination {
        Combination {
            op: self.op,
            dtype: self.of.dtype,
        }
    }

    /// Returns the library's loops, which combine the results of the compiled loop.
    fn accumulator(&self) -> Option<&'static Accumulator> {
        self.combination().accumulator()
    }

    /// Computes the results.
    fn finished(
        &self,
        traversal: &ReduceTraversal<'_>,
        split: &AxisSplit,
        out: DType,
    ) -> Result<Array, Error> {
        let dtype = self.of.dtype;
        let (count, depth) = (split.kept.iter().product(), split.reduced.iter().product());
        let mut folded = self.folded(traversal, count, depth)?;
        if dtype == out && self.op.finish() == Finish::Itself {
            // SAFETY: an element of each group was written.
            let buffer = unsafe { folded.assume_init() };
            return Ok(Array::from_buffer(buffer, out, split.result));
        }
        let mut buffer = Uninit::new(count * out.size())?;
        let pointers = SendPtr::new((folded.as_mut_ptr(), buffer.as_mut_ptr()));
        parallel::split(count, BLOCK, MIN_WORK_PER_THREAD, |piece| {
            let (folded, to) = pointers.get();
            // SAFETY: there is an element for each group, of the accumulated dtype, and room for a result of each. Each thread has
            // its own piece.
            unsafe {
                let folded = folded.add(piece.start * dtype.size());
                let to = to.add(piece.start * out.size());
                self.combination()
                    .finish(folded, piece.len(), depth, out, to);
            }
        });
        // SAFETY: each piece wrote its results.
        let buffer = unsafe { buffer.assume_init() };
        Ok(Array::from_buffer(buffer, out, split.result))
    }
}

/// A reduction without its expression: what is done with the elements after the compiled loop.
#[derive(Clone, Copy)]
struct Combination {
    op: ReduceOp,
    /// The dtype in which elements are combined.
    dtype: DType,
}

impl Combination {
    /// Returns the library's loops, which combine the results of the compiled loop.
    fn accumulator(&self) -> Option<&'static Accumulator> {
        accumulate::cached_accumulator(self.op.fold().of(self.dtype), self.dtype)
    }

    /// Turns `count` combined elements, each of `depth`, into results of a dtype. Overwrites the elements.
    ///
    /// # Safety
    /// `count` elements of the accumulated dtype can be read and written at `folded`, and as many of `out` can be written to `to`.
    unsafe fn finish(&self, folded: *mut u8, count: usize, depth: usize, out: DType, to: *mut u8) {
        let dtype = self.dtype;
        // SAFETY: the caller guarantees the elements, and room for the results.
        unsafe {
            match self.op.finish() {
                Finish::Itself => {}
                Finish::Mean => divide(dtype, folded, count, depth),
                Finish::Variance { ddof } => {
                    divide(dtype, folded, count, depth.saturating_sub(ddof));
                }
                Finish::Deviation { ddof } => {
                    divide(dtype, folded, count, depth.saturating_sub(ddof));
                    roots(dtype, folded, count);
                }
            }
            convert_all((dtype, folded), count, (out, to));
        }
    }
}

/// Converts `count` elements from a dtype to another.
///
/// # Safety
/// As many elements of the first dtype can be read, and of the second written. They do not overlap.
unsafe fn convert_all(
    (dtype, from): (DType, *const u8),
    count: usize,
    (out, to): (DType, *mut u8),
) {
    let chain = chain(dtype, out);
    // SAFETY: the caller guarantees the elements, and room for the results. A chain of more than a step converts at most a block, for
    // which there is scratch.
    unsafe {
        match chain {
            [] => return to.copy_from_nonoverlapping(from, count * out.size()),
            [convert] => return convert(&from, to, count),
            _ => {}
        }
        let mut between = [const { MaybeUninit::<BlockBuffer>::uninit() }; 2];
        let between = between.each_mut().map(|block| block.as_mut_ptr().cast());
        for done in (0..count).step_by(BLOCK) {
            let from = from.add(done * dtype.size());
            let to = to.add(done * out.size());
            convert(chain, from, BLOCK.min(count - done), to, between);
        }
    }
}

/// Divides `count` elements by a number.
///
/// # Safety
/// They are of this dtype, one that sums of floats or complex numbers have, and can be read and written.
unsafe fn divide(dtype: DType, elements: *mut u8, count: usize, by: usize) {
    let by = u64::try_from(by).unwrap_or(u64::MAX);
    if by.is_power_of_two() && dtype.kind() == Kind::Float {
        // The reciprocal is exact, so the product is rounded from the same number as the quotient.
        for_types!(dtype, T in [DType::F32 => f32, DType::F64 => f64] => {
            let factor = operations::Div::apply::<T, Baseline>(T::convert(1_u64), T::convert(by));
            // SAFETY: the caller guarantees elements of this dtype.
            return unsafe { each(elements.cast::<T>(), count, |x| operations::Mul::apply::<T, Baseline>(x, factor)) }
        }, _ => unreachable!("a dtype of sums of floats"));
    }
    for_types!(dtype, T in [DType::F32 => f32, DType::F64 => f64, DType::C128 => c128] => {
        let by = T::convert(by);
        // SAFETY: the caller guarantees elements of this dtype.
        unsafe { each(elements.cast::<T>(), count, |x| operations::Div::apply::<T, Baseline>(x, by)) }
    }, _ => unreachable!("a dtype of sums"));
}

/// Replaces `count` elements by their square roots.
///
/// # Safety
/// They are of this dtype, one that sums of floats have, and can be read and written.
unsafe fn roots(dtype: DType, elements: *mut u8, count: usize) {
    for_types!(dtype, T in [DType::F32 => f32, DType::F64 => f64] => {
        // SAFETY: the caller guarantees elements of this dtype.
        unsafe { each(elements.cast::<T>(), count, operations::Sqrt::apply::<T, Baseline>) }
    }, _ => unreachable!("a dtype of sums of floats"));
}

/// Applies a function to each of `count` elements, in place.
///
/// # Safety
/// They can be read and written.
unsafe fn each<T: Copy>(elements: *mut T, count: usize, function: impl Fn(T) -> T) {
    for at in 0..count {
        // SAFETY: `at < count`, and the caller guarantees the elements.
        unsafe { elements.add(at).write(function(elements.add(at).read())) };
    }
}
