//! Expressions whose reductions are along their last axes: evaluated for some rows at a time where that is faster.
//!
//! The macros write such an expression as a closure, which evaluates it for a [`Part`]: the whole, or some rows of its operands. While it
//! evaluates the first rows, a [`RowProgram`] records the loops of its passes, and computes the other rows if it can. Else the closure
//! evaluates block after block, or the whole if there is an output.

use core::cell::{Cell, Ref, RefCell};

use super::leaf::{Admitting, Bindings, Leaf, Single};
use super::observer::{Observer, Recorded, Recorder};
use super::output::FuseOutput;
use super::passes::try_run_together_observed;
use super::reduce::Reduced;
use super::run::is_tracing;
use super::{CallSite, ElementOf, Evaluate, Expression, Fused, HasDType};
use crate::array::Array;
use crate::dtype::{Element, StaticDType};
use crate::error::Error;
pub use crate::kernel::fused::RowOperand;
use crate::kernel::fused::reduce::Reduction;
use crate::kernel::fused::{Cast, Loop, MAX_INPUTS, RowBlocks, RowProgram, RowsOutput};
use crate::rank::Rank;
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::{Tensor, or_panic};

/// The part of its operands for which an expression is evaluated: all of them, or some of their rows. `O` is the type of the output of
/// `fuse!(out = ..)`.
pub struct Part<'o, O = ()> {
    /// The rows of each operand, by its number. `None` for an operand that is read as a whole. The output is the last one, if it is read.
    operands: Vec<Option<Array>>,
    /// Receives the results. `None` if they become a tensor of their own.
    output: RefCell<Option<RowsOutput>>,
    /// `true` if the results could not be written.
    failed: Cell<bool>,
    /// Records the loops, while the first rows are evaluated.
    program: RefCell<Option<RowProgram>>,
    /// Receives the result of all operands, if there is an output.
    whole: RefCell<Option<&'o mut O>>,
}

impl<O> Part<'_, O> {
    /// Makes the part of some rows of operands, which must still be set.
    fn rows(operands: usize) -> Self {
        Self {
            operands: (0..operands).map(|_| None).collect(),
            output: RefCell::new(None),
            failed: Cell::new(false),
            program: RefCell::new(Some(RowProgram::default())),
            whole: RefCell::new(None),
        }
    }
}

impl<'o, O> Part<'o, O> {
    /// Makes the part of all operands.
    fn whole(output: Option<&'o mut O>) -> Self {
        Self {
            operands: Vec::new(),
            output: RefCell::new(None),
            failed: Cell::new(false),
            program: RefCell::new(None),
            whole: RefCell::new(output),
        }
    }
}

/// The elements of an output before it is written, as passes read them. It must be dropped before the output is written.
pub struct Former<'p, 'o, O> {
    rows: Option<&'p Array>,
    whole: Ref<'p, Option<&'o mut O>>,
}

impl<O: FuseOutput> Former<'_, '_, O> {
    fn array(&self) -> &Array {
        match (self.rows, &*self.whole) {
            (Some(rows), _) => rows,
            (None, Some(output)) => O::array(output).0,
            (None, None) => unreachable!("an output that is read has rows"),
        }
    }
}

/// Returns the former elements of the output for a part. `number` is the output's as an operand.
#[inline]
pub fn former_of<'p, 'o, O>(part: &'p Part<'o, O>, number: usize) -> Former<'p, 'o, O> {
    Former {
        rows: part.operands.get(number).and_then(Option::as_ref),
        whole: part.whole.borrow(),
    }
}

/// Makes an operand of the former elements.
#[inline]
pub fn former_leaf<'f, const NUMBER: usize, O: FuseOutput>(
    former: &'f Former<'_, '_, O>,
) -> Fused<Leaf<'f, NUMBER, O::DType, O::Rank, O::Rules>> {
    Fused(Leaf::new(former.array()))
}

/// [`former_leaf`] in an expression that admits unsafe promotions.
#[inline]
pub fn former_leaf_admitting<'f, const NUMBER: usize, O: FuseOutput>(
    former: &'f Former<'_, '_, O>,
) -> Fused<Admitting<Leaf<'f, NUMBER, O::DType, O::Rank, O::Rules>>> {
    Fused(Admitting(Leaf::new(former.array())))
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
pub fn leaf_of<'p, L: CutLeaf, O>(
    leaf: &'p Fused<L>,
    number: usize,
    part: &'p Part<'_, O>,
) -> Fused<L::Rows<'p>> {
    let rows = part.operands.get(number).and_then(Option::as_ref);
    Fused(leaf.0.rows(LeafArray(rows)))
}

/// Evaluates a pass for a part. `inputs` has the origin of each input of its loop, and `value` is the number of its value.
///
/// # Errors
/// The errors of the operations.
pub fn run_pass<S: CallSite, B: Bindings, E: Evaluate, Out: StaticDType, O>(
    part: &Part<'_, O>,
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
pub fn run_pass_together<S, B, E, First, Second, Out, Other, N, O, const ALONG_AXES: bool>(
    part: &Part<'_, O>,
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
    part: &Part<'_>,
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
    part: &Part<'_>,
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

/// Evaluates an expression for a part: into the output if the part is the whole. Else it returns the value of some rows; `None` if they are
/// not evaluated by a loop. `inputs` and `REPEATS` are those of [`run_part`].
///
/// # Errors
/// The errors of [`try_run_into`](super::try_run_into).
pub fn run_part_into<S: CallSite, B: Bindings, E, O: FuseOutput, const REPEATS: u32>(
    part: &Part<'_, O>,
    inputs: &[(usize, RowOperand)],
    bindings: &B,
    x: &Fused<E>,
) -> Result<Option<FirstRows>, Error>
where
    E: Expression<Rules = O::Rules, DType: HasDType<O::DType>>,
{
    x.evaluate_part_into::<S, B, O, REPEATS>(part, inputs, bindings)
}

/// [`run_part_into`] of an expression that admits unsafe promotions.
///
/// # Errors
/// The errors of [`run_part_into`].
pub fn run_part_admitting_into<S: CallSite, B: Bindings, E, O: FuseOutput, const REPEATS: u32>(
    part: &Part<'_, O>,
    inputs: &[(usize, RowOperand)],
    bindings: &B,
    x: &Fused<E>,
) -> Result<Option<FirstRows>, Error>
where
    E: Expression<Rules = AllowUnsafe<O::Rules>, DType: HasDType<O::DType>>,
{
    x.evaluate_part_into::<S, B, O, REPEATS>(part, inputs, bindings)
}

/// The value of an expression for the first rows of its operands.
pub struct FirstRows(Array);

impl<E: Expression> Fused<E> {
    fn evaluate_part_into<S: CallSite, B: Bindings, O: FuseOutput, const REPEATS: u32>(
        &self,
        part: &Part<'_, O>,
        inputs: &[(usize, RowOperand)],
        bindings: &B,
    ) -> Result<Option<FirstRows>, Error> {
        if let Some(output) = &mut *part.whole.borrow_mut() {
            self.evaluate_into::<S, B, O>(bindings, output)?;
            return Ok(None);
        }
        if const { !(S::COMPILED && Self::has_loop::<B>()) } {
            return Ok(None);
        }
        let streaming =
            Loop::streaming::<S, B::Loops, Cast<E::Loop, ElementOf<E::DType>>, REPEATS>();
        let recorder = Recorder::new(&part.program, inputs, Recorded::Result(streaming));
        // The output is the last operand, if the expression reads it.
        let former = part.operands.last().and_then(Option::as_ref);
        let rows = self.compiled::<S, B, _>(bindings, |code| {
            let evaluate = |code: &Loop<'_>| {
                recorder.compute(code);
                code.evaluate()
            };
            match former {
                Some(former) => code?.with_output(former, evaluate),
                None => evaluate(code?),
            }
        });
        Ok(rows.map(FirstRows))
    }
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
    F: Fn(&Part<'_>) -> Result<Option<Tensor<D, N, R>>, Error>,
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
    F: Fn(&Part<'_>) -> Result<Option<Tensor<D, N, R>>, Error>,
{
    let is_large = |leaf: &LeafArray<'_>| leaf.0.is_some_and(|array| array.len() >= MIN_LEN);
    if S::COMPILED && leaves.iter().any(is_large) && !is_tracing() {
        let evaluate: &dyn Fn(&Part<'_>) -> Result<Option<Array>, Error> =
            &|part| Ok(evaluate(part)?.map(Tensor::into_array));
        if let Some(array) = in_blocks(min_rank, leaves, evaluate) {
            return Ok(Tensor::from_array(array));
        }
    }
    match evaluate(&Part::whole(None))? {
        Some(tensor) => Ok(tensor),
        None => unreachable!("a part without an output gives a tensor"),
    }
}

/// [`try_run_by_rows_into`].
#[track_caller]
pub fn run_by_rows_into<S, O, F>(
    min_rank: usize,
    reads_output: bool,
    out: &mut O,
    leaves: &[LeafArray<'_>],
    evaluate: F,
) where
    S: CallSite,
    O: FuseOutput,
    F: Fn(&Part<'_, O>) -> Result<Option<FirstRows>, Error>,
{
    or_panic(try_run_by_rows_into::<S, O, F>(
        min_rank,
        reads_output,
        out,
        leaves,
        evaluate,
    ));
}

/// [`try_run_by_rows`] into an output, which the expression may read as an operand after its leaves.
///
/// # Errors
/// The errors of [`try_run_into`](super::try_run_into).
pub fn try_run_by_rows_into<S, O, F>(
    min_rank: usize,
    reads_output: bool,
    out: &mut O,
    leaves: &[LeafArray<'_>],
    evaluate: F,
) -> Result<(), Error>
where
    S: CallSite,
    O: FuseOutput,
    F: Fn(&Part<'_, O>) -> Result<Option<FirstRows>, Error>,
{
    if S::COMPILED && O::array(out).0.len() >= MIN_LEN && !is_tracing() {
        let evaluate: &dyn Fn(&Part<'_, O>) -> Result<Option<FirstRows>, Error> = &evaluate;
        if by_program_into(min_rank, reads_output, out, leaves, evaluate).is_some() {
            return Ok(());
        }
    }
    evaluate(&Part::whole(Some(out))).map(|_| ())
}

/// Evaluates some rows at a time. Returns `None` if that is not faster, or if it fails: the caller then evaluates the whole, and returns
/// its error.
fn in_blocks(
    min_rank: usize,
    leaves: &[LeafArray<'_>],
    evaluate: &dyn Fn(&Part<'_>) -> Result<Option<Array>, Error>,
) -> Option<Array> {
    let arrays = arrays_of(leaves, None)?;
    let blocks = RowBlocks::new(&arrays, min_rank)?;
    let mut part = Part::rows(arrays.len());
    for range in blocks.ranges() {
        blocks.rows(&range, &mut part.operands).ok()?;
        if let Some(output) = part.output.get_mut() {
            output.expect(range.len());
        }
        if let Some(first) = evaluate(&part).ok()? {
            let mut output = blocks.output(&first, None)?;
            let plan = part
                .program
                .take()
                .and_then(|program| program.plan(&arrays));
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

/// Evaluates the first rows, and computes the others by the program that they record, into an output. `None` if no program computes them;
/// the output is unchanged then.
fn by_program_into<O: FuseOutput>(
    min_rank: usize,
    reads_output: bool,
    out: &mut O,
    leaves: &[LeafArray<'_>],
    evaluate: &dyn Fn(&Part<'_, O>) -> Result<Option<FirstRows>, Error>,
) -> Option<()> {
    let mut out = out.as_output();
    let memory = out.memory()?;
    let arrays = arrays_of(leaves, reads_output.then_some(memory.array()))?;
    let blocks = RowBlocks::new(&arrays, min_rank)?;
    let mut part = Part::rows(arrays.len());
    blocks
        .rows(&blocks.ranges().next()?, &mut part.operands)
        .ok()?;
    if reads_output && part.operands.last()?.is_none() {
        return None;
    }
    let first = evaluate(&part).ok()??;
    let plan = part.program.take()?.plan(&arrays)?;
    // These rows share the elements that are overwritten.
    drop(part);
    let mut output = blocks.output(&first.0, Some(&memory))?;
    output.run(&plan).then_some(())
}

/// Returns the arrays of leaves, and behind them that of an output. `None` if there are more than a loop has inputs.
fn arrays_of<'a>(
    leaves: &[LeafArray<'a>],
    output: Option<&'a Array>,
) -> Option<Vec<Option<&'a Array>>> {
    let leaves = leaves.iter().map(|leaf| leaf.0);
    let arrays: Vec<_> = leaves.chain(output.map(Some)).collect();
    (arrays.len() <= MAX_INPUTS).then_some(arrays)
}

/// An expression is evaluated in blocks only if a leaf has at least this many elements. This check is quick and comes before the others.
const MIN_LEN: usize = 1 << 20;
