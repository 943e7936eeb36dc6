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
//!
//! `loops` has the two loops, `walk` decides which one walks an expression and in which order, and `fold` runs them and joins their
//! results.
#![allow(unsafe_code, reason = "loops over raw memory")]

mod fold;
mod loops;
mod walk;

use core::mem::MaybeUninit;
use std::borrow::Cow;

use loops::{Deviation, Distance, LaneResults, Loops, MEANS};
use walk::Way;

use super::operations::{self, BinaryOperation};
use super::run::Loop;
use super::{Binary, CallSite, Cast, Input, LoopExpression, LoopInputs, LoopRows, Node, Values};
use crate::array::{Array, Dims, PerAxis, Uninit};
use crate::dtype::{DType, Element, Kind};
use crate::error::Error;
use crate::kernel::accumulate::{self, Accumulator, Element as AnyElement, FoldOp, SEGMENT};
use crate::kernel::cast::{cast, chain};
use crate::kernel::drive::block::convert;
use crate::kernel::reduce::{AxisSplit, Finish, ReduceOp, divided};
use crate::kernel::unary::{UnaryOp, unary};
use crate::op::each_reduction;
use crate::simd::LANES;

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
    (@fold Add) => { operations::Add };
    (@fold Multiply) => { operations::Mul };
    (@fold Minimum) => { operations::Min };
    (@fold Maximum) => { operations::Max };
    (@fold Or) => { operations::Or };
    (@fold And) => { operations::And };
    // Of integers, which have no NaN.
    (@fold AddNumbers) => { operations::Add };
    (@fold MinimumNumber) => { operations::Min };
    (@fold MaximumNumber) => { operations::Max };
    (@Truth $X:ident $Out:ident) => { bool };
    (@Element $X:ident $Out:ident) => { $X::Widened };
    (@$sum:ident $X:ident $Out:ident) => { $Out::SumOf<$X> };
}

each_reduction!(kernels reductions!);

/// A reduction with its loops for the SIMD level in use.
pub struct ReduceLoop<'e> {
    op: ReduceOp,
    /// The expression, for its inputs and its shape.
    of: Loop<'e>,
    values: Loops,
    /// The loops that add up squared deviations from means.
    deviations: Option<Loops>,
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
    };
    let result = if const { O::DEVIATES } {
        let distance: Distance<A, T> = Binary::new(Cast::new(node), Input::NEW);
        let deviation: LoopExpression<V, Deviation<A, T>> =
            LoopExpression::new(values, Binary::new(distance, distance));
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

    /// Whether a whole pack can be computed of arrays of fewer elements.
    fn reads_padding(&self) -> bool {
        self.of.sources.is_padded() && self.of.computes_padding
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
}
