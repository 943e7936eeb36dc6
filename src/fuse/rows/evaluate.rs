//! Evaluation of passes and results for a part of the operands.

use super::part::Part;
use crate::array::Array;
use crate::dtype::StaticDType;
use crate::error::Error;
use crate::fuse::leaf::Bindings;
use crate::fuse::observer::{Observer, PassRecorder, ResultRecorder};
use crate::fuse::output::FuseOutput;
use crate::fuse::passes::Together;
use crate::fuse::{CallSite, Compilation, Evaluate, Expression, Fused, HasDType};
use crate::kernel::fused::Loop;
pub use crate::kernel::fused::RowOperand;
use crate::rules::{AllowUnsafe, Rules};
use crate::tensor::Tensor;

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
    let recorder = PassRecorder {
        program: &part.program,
        inputs,
        value,
        mean: None,
    };
    let value = x.evaluate_observed::<S, B>(bindings, recorder).array()?;
    Ok(Tensor::from_array(value))
}

/// [`run_pass`] of two reductions that are evaluated together, with the numbers of both values.
///
/// # Errors
/// The errors of the operations.
pub fn run_pass_together<S: CallSite, B: Bindings, P: Together, O>(
    part: &Part<'_, O>,
    inputs: &[(usize, RowOperand)],
    values: [usize; 2],
    bindings: &B,
    both: P,
) -> Result<P::Values, Error> {
    let recorders = values.map(|value| PassRecorder {
        program: &part.program,
        inputs,
        value,
        mean: None,
    });
    both.evaluate::<S, B>(bindings, recorders)
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
    let recorder = ResultRecorder::<REPEATS> {
        program: &part.program,
        inputs,
    };
    let mut output = part.output.borrow_mut();
    let Some(output) = output.as_mut() else {
        let value = x.evaluate_observed::<S, B>(bindings, recorder);
        return Ok(Some(Tensor::from_array(value.array()?)));
    };
    let is_written = S::Compilation::choose(
        || {
            let has_loop = const { Fused::<E>::has_loop::<B>() };
            has_loop
                && x.compiled::<S, B, _>(bindings, (recorder, None), |code| {
                    code.is_some_and(|code| output.compute(code))
                })
        },
        || false,
    );
    if is_written {
        return Ok(None);
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
/// The errors of [`try_run_into`](crate::fuse::try_run_into).
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
pub struct FirstRows(pub(super) Array);

impl<E: Expression> Fused<E> {
    fn evaluate_part_into<S: CallSite, B: Bindings, O: FuseOutput, const REPEATS: u32>(
        &self,
        part: &Part<'_, O>,
        inputs: &[(usize, RowOperand)],
        bindings: &B,
    ) -> Result<Option<FirstRows>, Error> {
        let recorder = ResultRecorder::<REPEATS> {
            program: &part.program,
            inputs,
        };
        if let Some(output) = &mut *part.whole.borrow_mut() {
            self.evaluate_into::<S, B, O>(bindings, recorder, output)?;
            return Ok(None);
        }
        let rows = S::Compilation::choose(
            || {
                if const { !Self::has_loop::<B>() } {
                    return None;
                }
                // The output is the last operand, if the expression reads it.
                let former = part.operands.last().and_then(Option::as_ref);
                self.compiled::<S, B, _>(bindings, (recorder, None), |code| {
                    let evaluate = |code: &Loop<'_>| {
                        recorder.compute(code);
                        code.evaluate()
                    };
                    match former {
                        Some(former) => code?.with_output(former, evaluate),
                        None => evaluate(code?),
                    }
                })
            },
            || None,
        );
        Ok(rows.map(FirstRows))
    }
}
