//! Records the loops of an expression.
#![allow(unsafe_code, reason = "loops over raw memory")]

use crate::array::Dims;
use crate::dtype::DType;
use crate::kernel::fused::call_site::Code;
use crate::kernel::fused::reduce::{ReduceLoop, ReduceStep};
use crate::kernel::fused::{KeptExpression, Loop, RepeatingLoop};

/// The origin of a loop's input: an operand of the whole expression, or the value of an earlier pass.
#[derive(Clone, Copy, Debug)]
pub enum RowOperand {
    /// The operand of the expression with that number.
    Given(usize),
    /// The value of a pass with that number.
    Computed(usize),
}

/// The inputs of a loop, by their number.
type RowOperands<'o> = &'o [(usize, RowOperand)];

/// The loops of the passes of an expression, in their order.
#[derive(Default)]
pub(crate) struct RowProgram {
    pub(super) steps: Vec<Step>,
    /// `true` if a pass has no loop that could be a step.
    pub(super) is_refused: bool,
}

/// A loop of a pass or of the result.
pub(super) struct Step {
    pub(super) does: Does,
    pub(super) inputs: Vec<(usize, RowOperand, DType)>,
    /// The approximate cost of an element, in additions.
    pub(super) cost: usize,
}

/// The loops of a step, and the value that they write.
pub(super) enum Does {
    /// Computes an expression.
    Compute {
        code: ComputeLoop,
        expression: KeptExpression,
        to: Value,
    },
    /// Reduces rows along this many of the last axes.
    Reduce {
        loops: ReduceStep,
        axes: usize,
        mean: Option<Value>,
        to: Value,
    },
}

/// The loop that computes an expression.
#[derive(Clone, Copy)]
pub(super) enum ComputeLoop {
    /// The loop of a pass.
    Value(Code),
    /// The loop of the result.
    Result(RepeatingLoop),
}

/// The value of a pass; the result has no number.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub(super) number: Option<usize>,
    pub(super) dtype: DType,
}

impl RowProgram {
    /// Adds the loop of a pass, whose value has this number.
    pub(crate) fn compute(&mut self, loops: &Loop<'_>, inputs: RowOperands<'_>, value: usize) {
        self.add_loop(loops, ComputeLoop::Value(loops.code), inputs, Some(value));
    }

    /// Adds the loop of the result.
    pub(crate) fn result(&mut self, loops: &Loop<'_>, inputs: RowOperands<'_>) {
        match loops.repeating {
            Some(code) => self.add_loop(loops, ComputeLoop::Result(code), inputs, None),
            None => self.is_refused = true,
        }
    }

    /// Adds a reduction of `rank` axes along some of them, which must be sorted and distinct. Its value has a number and a dtype, as has the mean
    /// of a reduction that gives both.
    pub(crate) fn reduce(
        &mut self,
        loops: &ReduceLoop<'_>,
        (rank, axes): (usize, Option<&[usize]>),
        inputs: RowOperands<'_>,
        mean: Option<(usize, DType)>,
        (value, out): (usize, DType),
    ) {
        let of = loops.elements();
        let count = axes.map_or(rank, <[usize]>::len);
        let are_last = axes.is_none_or(|axes| axes.iter().copied().eq(rank - count..rank));
        let step = loops.step().filter(|_| are_last && is_repeatable(of));
        match step {
            Some(loops) => self.add(
                of,
                inputs,
                Does::Reduce {
                    loops,
                    axes: count,
                    mean: mean.map(|(number, dtype)| Value {
                        number: Some(number),
                        dtype,
                    }),
                    to: Value {
                        number: Some(value),
                        dtype: out,
                    },
                },
            ),
            None => self.is_refused = true,
        }
    }

    fn add_loop(
        &mut self,
        loops: &Loop<'_>,
        code: ComputeLoop,
        inputs: RowOperands<'_>,
        value: Option<usize>,
    ) {
        // An expression that the interpreter computes faster has no step.
        if !is_repeatable(loops) || !loops.has_shape(None, &mut Dims::default()) {
            self.is_refused = true;
            return;
        }
        // SAFETY: a `Loop` is only passed to code that runs while its expression exists.
        let expression = unsafe { loops.expression.keep() };
        let does = Does::Compute {
            code,
            expression,
            to: Value {
                number: value,
                dtype: loops.dtype,
            },
        };
        self.add(loops, inputs, does);
    }

    fn add(&mut self, loops: &Loop<'_>, inputs: RowOperands<'_>, does: Does) {
        let dtypes = loops.sources.dtypes();
        let read = inputs.iter().filter_map(|(number, operand)| {
            let dtype = (*dtypes.get(*number)?)?;
            Some((*number, *operand, dtype))
        });
        let inputs: Vec<_> = read.collect();
        // Each input that the loop reads must be known.
        self.is_refused |= inputs.len() != dtypes.iter().flatten().count();
        self.steps.push(Step {
            does,
            inputs,
            cost: loops.cost,
        });
    }
}

/// Returns whether a loop computes the same again for other rows: no operation can fail, it calls no user's function, and reads no output.
fn is_repeatable(loops: &Loop<'_>) -> bool {
    loops.failed.is_none() && !loops.calls && loops.sources.output.is_none()
}
