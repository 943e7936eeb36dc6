//! Expressions whose reductions are along their last axes: evaluated for some rows at a time where that is faster.
//!
//! The macros write such an expression as a closure, which evaluates it for a [`Part`]: the whole, or some rows of its operands.

use core::cell::{Cell, RefCell};

use super::leaf::{Admitting, Bindings, Leaf, Single};
use super::run::{is_tracing, try_run};
use super::{CallSite, Evaluate, Expression, Fused};
use crate::array::Array;
use crate::dtype::{Element, StaticDType};
use crate::error::Error;
use crate::kernel::fused::{RowBlocks, RowsOutput};
use crate::rank::Rank;
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::{Tensor, or_panic};

/// The part of its operands for which an expression is evaluated: all of them, or some of their rows.
pub struct Part {
    /// The rows of each operand, by its number. `None` for an operand that is read as a whole.
    operands: Vec<Option<Array>>,
    /// Receives the results. `None` if they become a tensor of their own.
    output: RefCell<Option<RowsOutput>>,
    /// `true` if the results could not be written.
    failed: Cell<bool>,
}

/// A leaf that can be cut along its first axis.
pub trait CutLeaf {
    /// The leaf of some rows.
    type Rows<'p>: Expression
    where
        Self: 'p;

    /// Its array, if it has one.
    #[doc(hidden)]
    fn array(&self) -> LeafArray<'_>;

    /// The leaf of some rows, or of the same array.
    #[doc(hidden)]
    fn rows<'p>(&'p self, rows: LeafArray<'p>) -> Self::Rows<'p>;
}

/// The array of a leaf; opaque.
#[derive(Clone, Copy, Debug)]
pub struct LeafArray<'a>(Option<&'a Array>);

impl<const NUMBER: usize, D: StaticDType, N: Rank, R: Rules> CutLeaf for Leaf<'_, NUMBER, D, N, R> {
    type Rows<'p>
        = Leaf<'p, NUMBER, D, N, R>
    where
        Self: 'p;

    fn array(&self) -> LeafArray<'_> {
        LeafArray(Some(self.array))
    }

    fn rows<'p>(&'p self, rows: LeafArray<'p>) -> Self::Rows<'p> {
        Leaf::new(rows.0.unwrap_or(self.array))
    }
}

impl<T: Element, R: Rules> CutLeaf for Single<T, R> {
    type Rows<'p>
        = Self
    where
        Self: 'p;

    fn array(&self) -> LeafArray<'_> {
        LeafArray(None)
    }

    fn rows<'p>(&'p self, _: LeafArray<'p>) -> Self {
        *self
    }
}

impl<L: CutLeaf> CutLeaf for Admitting<L> {
    type Rows<'p>
        = Admitting<L::Rows<'p>>
    where
        Self: 'p;

    fn array(&self) -> LeafArray<'_> {
        self.0.array()
    }

    fn rows<'p>(&'p self, rows: LeafArray<'p>) -> Self::Rows<'p> {
        Admitting(self.0.rows(rows))
    }
}

/// Returns the array of a leaf.
#[inline]
pub fn array_of<L: CutLeaf>(leaf: &Fused<L>) -> LeafArray<'_> {
    leaf.0.array()
}

/// Returns the leaf with that number for a part.
#[inline]
pub fn leaf_of<'p, L: CutLeaf>(
    leaf: &'p Fused<L>,
    number: usize,
    part: &'p Part,
) -> Fused<L::Rows<'p>> {
    let rows = part.operands.get(number).and_then(Option::as_ref);
    Fused(leaf.0.rows(LeafArray(rows)))
}

/// Evaluates an expression for a part. The value is `None` if it was written to the part's output.
///
/// # Errors
/// The errors of the operations.
#[expect(clippy::type_complexity, reason = "a tensor, if there is one")]
pub fn run_part<S: CallSite, B: Bindings, E: Expression>(
    part: &Part,
    bindings: &B,
    x: &Fused<E>,
) -> Result<Option<Tensor<E::DType, E::Rank, E::Rules>>, Error> {
    let mut output = part.output.borrow_mut();
    let Some(output) = output.as_mut() else {
        return try_run::<S, B, _, _>(bindings, x).map(Some);
    };
    if const { S::COMPILED && Fused::<E>::has_loop::<B>() } {
        let is_written = x.compiled::<S, B, _>(bindings, |code| {
            code.is_some_and(|code| output.compute(code))
        });
        if is_written {
            return Ok(None);
        }
    }
    let rows = x.evaluate::<S, B>(bindings).array()?;
    part.failed.set(!output.copy(&rows));
    Ok(None)
}

/// [`run_part`] of an expression that admits unsafe promotions: the result follows the rules of the tensors again.
///
/// # Errors
/// The errors of [`run_part`].
#[expect(clippy::type_complexity, reason = "a tensor, if there is one")]
pub fn run_part_admitting<S: CallSite, B: Bindings, E, R>(
    part: &Part,
    bindings: &B,
    x: &Fused<E>,
) -> Result<Option<Tensor<E::DType, E::Rank, R>>, Error>
where
    R: Rules,
    E: Expression<Rules = AllowUnsafe<R>>,
{
    let value = run_part::<S, B, E>(part, bindings, x)?;
    Ok(value.map(|value| value.with_rules()))
}

/// [`try_run_by_rows`].
#[track_caller]
pub fn run_by_rows<S, D, N, R, F>(
    min_rank: usize,
    leaves: &[LeafArray<'_>],
    evaluate: F,
) -> Tensor<D, N, R>
where
    S: CallSite,
    D: StaticDType,
    N: Rank,
    R: Rules,
    F: Fn(&Part) -> Result<Option<Tensor<D, N, R>>, Error>,
{
    or_panic(try_run_by_rows::<S, D, N, R, F>(min_rank, leaves, evaluate))
}

/// Evaluates an expression as a whole, or for some rows of its leaves at a time if that is faster and the leaves have at least
/// `min_rank` axes. From that rank on, the expression must not reduce the first axis.
///
/// # Errors
/// The errors of the operations.
pub fn try_run_by_rows<S, D, N, R, F>(
    min_rank: usize,
    leaves: &[LeafArray<'_>],
    evaluate: F,
) -> Result<Tensor<D, N, R>, Error>
where
    S: CallSite,
    D: StaticDType,
    N: Rank,
    R: Rules,
    F: Fn(&Part) -> Result<Option<Tensor<D, N, R>>, Error>,
{
    let is_large = |leaf: &LeafArray<'_>| leaf.0.is_some_and(|array| array.len() >= MIN_LEN);
    if S::COMPILED && leaves.iter().any(is_large) && !is_tracing() {
        let evaluate: &dyn Fn(&Part) -> Result<Option<Array>, Error> =
            &|part| Ok(evaluate(part)?.map(Tensor::into_array));
        if let Some(array) = in_blocks(min_rank, leaves, evaluate) {
            return Ok(Tensor::from_array(array));
        }
    }
    let whole = Part {
        operands: Vec::new(),
        output: RefCell::new(None),
        failed: Cell::new(false),
    };
    match evaluate(&whole)? {
        Some(tensor) => Ok(tensor),
        None => unreachable!("a part without an output gives a tensor"),
    }
}

/// Evaluates some rows at a time. Returns `None` if that is not faster, or if it fails: the caller then evaluates the whole, and returns
/// its error.
fn in_blocks(
    min_rank: usize,
    leaves: &[LeafArray<'_>],
    evaluate: &dyn Fn(&Part) -> Result<Option<Array>, Error>,
) -> Option<Array> {
    let arrays: [Option<&Array>; MAX_LEAVES] =
        core::array::from_fn(|number| leaves.get(number).and_then(|leaf| leaf.0));
    let arrays = arrays.get(..leaves.len())?;
    let blocks = RowBlocks::new(arrays, min_rank)?;
    let mut part = Part {
        operands: arrays.iter().map(|_| None).collect(),
        output: RefCell::new(None),
        failed: Cell::new(false),
    };
    for range in blocks.ranges() {
        blocks.rows(&range, &mut part.operands).ok()?;
        if let Some(output) = part.output.get_mut() {
            output.expect(range.len());
        }
        if let Some(first) = evaluate(&part).ok()? {
            part.output = RefCell::new(Some(blocks.output(&first)?));
        }
        if part.failed.get() {
            return None;
        }
    }
    part.output.into_inner()?.finish()
}

/// An expression is evaluated in blocks only if a leaf has at least this many elements. This check is quick and comes before the others.
const MIN_LEN: usize = 1 << 20;

/// The largest number of leaves of an expression that is evaluated in blocks. (More have no loop.)
const MAX_LEAVES: usize = crate::kernel::fused::MAX_INPUTS;
