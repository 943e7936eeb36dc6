//! Expressions whose reductions are along their last axes: evaluated for some rows at a time where that is faster.
//!
//! The macros write such an expression as a closure, which evaluates it for a [`Part`]: the whole, or some rows of its operands. While it
//! evaluates the first rows, a [`RowProgram`](crate::kernel::fused::RowProgram) records the loops of its passes, and computes the other rows
//! if it can. Else the closure evaluates block after block, or the whole if there is an output.
//!
//! `part` has the parts and their operands, `evaluate` what the closure calls for each pass and for the result. The functions here call the
//! closure.

mod evaluate;
mod part;

use core::cell::RefCell;

pub use evaluate::{
    FirstRows, RowOperand, run_part, run_part_admitting, run_part_admitting_into, run_part_into,
    run_pass, run_pass_together,
};
pub use part::{
    CutLeaf, Former, LeafArray, Part, array_of, former_leaf, former_leaf_admitting, former_of,
    leaf_of,
};

use super::output::FuseOutput;
use super::run::is_tracing;
use super::{CallSite, Compilation};
use crate::array::Array;
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::kernel::fused::{MAX_INPUTS, RowBlocks};
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::{Tensor, or_panic};

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
    if S::Compilation::COMPILED && leaves.iter().any(is_large) && !is_tracing() {
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
/// The errors of [`try_run_into`](crate::fuse::try_run_into).
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
    if S::Compilation::COMPILED && O::array(out).0.len() >= MIN_LEN && !is_tracing() {
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
            let mut output = blocks.output(&first)?;
            let plan = part
                .program
                .take()
                .and_then(|program| program.plan(&arrays));
            if plan.is_some_and(|plan| output.run(&plan)) {
                return output.finish();
            }
            if !blocks.are_fast {
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
    let mut output = blocks.output_at(&memory, &first.0)?;
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
const MIN_LEN: usize = 1 << 18;
