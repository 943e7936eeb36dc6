//! Expressions whose reductions are along their last axes: evaluated for some rows at a time where that is faster.
//!
//! The macros write such an expression as a closure, which evaluates it for a [`Part`]: the whole, or some rows of its operands. While it
//! evaluates the first rows, a [`RowProgram`] records the loops of its passes, and computes the other rows if it can. Else the closure
//! evaluates block after block.

use core::cell::{Cell, RefCell};

use super::leaf::{Admitting, Bindings, Leaf, Single};
use super::observer::{Recorded, Recorder};
use super::passes::try_run_together_observed;
use super::reduce::Reduced;
use super::run::is_tracing;
use super::{CallSite, ElementOf, Evaluate, Expression, Fused, HasDType};
use crate::array::Array;
use crate::dtype::{Element, StaticDType};
use crate::error::Error;
pub use crate::kernel::fused::RowOperand;
use crate::kernel::fused::reduce::Reduction;
use crate::kernel::fused::{Cast, Loop, RowBlocks, RowProgram, RowsOutput};
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
    /// Records the loops, while the first rows are evaluated.
    program: RefCell<Option<RowProgram>>,
}

impl Part {
    /// Makes the part of some rows of operands, which must still be set.
    fn new(operands: usize, program: Option<RowProgram>) -> Self {
        Self {
            operands: (0..operands).map(|_| None).collect(),
            output: RefCell::new(None),
            failed: Cell::new(false),
            program: RefCell::new(program),
        }
    }
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

/// Evaluates a pass for a part. `inputs` has the origin of each input of its loop, and `value` is the number of its value.
///
/// # Errors
/// The errors of the operations.
pub fn run_pass<S: CallSite, B: Bindings, E: Evaluate, Out: StaticDType>(
    part: &Part,
    inputs: &[(usize, RowOperand)],
    value: usize,
    bindings: &B,
    x: &E,
) -> Result<Tensor<Out, E::Rank, E::Rules>, Error>
where
    E::DType: HasDType<Out>,
{
    let recorder = Recorder::new(&part.program, inputs, Recorded::value(value));
    let value = x.evaluate_observed::<S, B>(bindings, recorder).array()?;
    Ok(Tensor::from_array(value))
}

/// [`run_pass`] of a mean and a variance or standard deviation, with the numbers of both values.
///
/// # Errors
/// The errors of the operations.
#[expect(clippy::type_complexity, reason = "two tensors")]
pub fn run_pass_together<S, B, E, First, Second, Out, Other, N, const ALONG_AXES: bool>(
    part: &Part,
    inputs: &[(usize, RowOperand)],
    values: [usize; 2],
    bindings: &B,
    first: &Reduced<E, First, Out, N, ALONG_AXES>,
    second: &Reduced<E, Second, Other, N, ALONG_AXES>,
) -> Result<(Tensor<Out, N, E::Rules>, Tensor<Other, N, E::Rules>), Error>
where
    S: CallSite,
    B: Bindings,
    E: Expression,
    First: Reduction,
    Second: Reduction,
    Out: StaticDType,
    Other: StaticDType,
    N: Rank,
{
    let recorders =
        values.map(|value| Recorder::new(&part.program, inputs, Recorded::value(value)));
    try_run_together_observed::<S, B, _, _, _, _, _, _, ALONG_AXES>(
        bindings, first, second, recorders,
    )
}

/// Evaluates an expression for a part. `inputs` has the origin of each input of its loop, and `REPEATS` has a bit for each that is the value of
/// a pass, one element for each row. The value is `None` if it was written to the part's output.
///
/// # Errors
/// The errors of the operations.
#[expect(clippy::type_complexity, reason = "a tensor, if there is one")]
pub fn run_part<S: CallSite, B: Bindings, E: Expression, const REPEATS: u32>(
    part: &Part,
    inputs: &[(usize, RowOperand)],
    bindings: &B,
    x: &Fused<E>,
) -> Result<Option<Tensor<E::DType, E::Rank, E::Rules>>, Error> {
    let mut output = part.output.borrow_mut();
    let Some(output) = output.as_mut() else {
        let value = if const { S::COMPILED && Fused::<E>::has_loop::<B>() } {
            let streaming =
                Loop::streaming::<S, B::Loops, Cast<E::Loop, ElementOf<E::DType>>, REPEATS>();
            let recorder = Recorder::new(&part.program, inputs, Recorded::Result(streaming));
            x.evaluate_observed::<S, B>(bindings, recorder)
        } else {
            x.evaluate::<S, B>(bindings)
        };
        return Ok(Some(Tensor::from_array(value.array()?)));
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
pub fn run_part_admitting<S: CallSite, B: Bindings, E, R, const REPEATS: u32>(
    part: &Part,
    inputs: &[(usize, RowOperand)],
    bindings: &B,
    x: &Fused<E>,
) -> Result<Option<Tensor<E::DType, E::Rank, R>>, Error>
where
    R: Rules,
    E: Expression<Rules = AllowUnsafe<R>>,
{
    let value = run_part::<S, B, E, REPEATS>(part, inputs, bindings, x)?;
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
    match evaluate(&Part::new(0, None))? {
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
    let mut part = Part::new(arrays.len(), Some(RowProgram::default()));
    for range in blocks.ranges() {
        blocks.rows(&range, &mut part.operands).ok()?;
        if let Some(output) = part.output.get_mut() {
            output.expect(range.len());
        }
        if let Some(first) = evaluate(&part).ok()? {
            let mut output = blocks.output(&first)?;
            let plan = part.program.take().and_then(|program| program.plan(arrays));
            if plan.is_some_and(|plan| output.run(&plan)) {
                return output.finish();
            }
            // On several threads, each pass is split among them.
            if blocks.is_split {
                return None;
            }
            part.output = RefCell::new(Some(output));
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
