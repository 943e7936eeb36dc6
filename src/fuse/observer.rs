//! Observers of loops: evaluation shows each loop to one before it runs, and so a row program records the loops of an expression.

use core::cell::RefCell;

use super::CallSite;
use crate::dtype::DType;
use crate::kernel::fused::reduce::ReduceLoop;
use crate::kernel::fused::{Loop, Node, RepeatingLoop, RowOperand, RowProgram, Values};

/// Sees the loops of a pass before they run.
pub trait Observer: Copy {
    /// Returns the loop of an expression for rows along which values of passes repeat, if there are such values.
    fn repeating<S: CallSite, V: Values, A: Node>(self) -> Option<RepeatingLoop> {
        None
    }

    /// Sees the loop of an expression.
    fn compute(self, code: &Loop<'_>);

    /// Sees the loops of a reduction of that many axes along some of them, to a dtype. A reduction that also gives a mean has the mean's dtype.
    fn reduce(
        self,
        code: &ReduceLoop<'_>,
        of: (usize, Option<&[usize]>),
        mean: Option<DType>,
        out: DType,
    );

    /// The observer of a reduction that also gives the mean which another observer was for.
    fn with_mean(self, mean: Self) -> Self;
}

impl Observer for () {
    fn compute(self, _: &Loop<'_>) {}

    fn reduce(self, _: &ReduceLoop<'_>, _: (usize, Option<&[usize]>), _: Option<DType>, _: DType) {}

    fn with_mean(self, (): Self) {}
}

/// Records the loops of a pass in a program, if there is one.
#[derive(Clone, Copy)]
pub(super) struct PassRecorder<'p> {
    pub(super) program: &'p RefCell<Option<RowProgram>>,
    /// The origin of each input of the loops, by the input's number.
    pub(super) inputs: &'p [(usize, RowOperand)],
    /// The number of the value that the loops compute.
    pub(super) value: usize,
    /// The number of the mean that comes with it.
    pub(super) mean: Option<usize>,
}

impl Observer for PassRecorder<'_> {
    fn compute(self, code: &Loop<'_>) {
        if let Some(program) = &mut *self.program.borrow_mut() {
            program.compute(code, self.inputs, self.value);
        }
    }

    fn reduce(
        self,
        code: &ReduceLoop<'_>,
        of: (usize, Option<&[usize]>),
        mean: Option<DType>,
        out: DType,
    ) {
        if let Some(program) = &mut *self.program.borrow_mut() {
            program.reduce(
                code,
                of,
                self.inputs,
                self.mean.zip(mean),
                (self.value, out),
            );
        }
    }

    fn with_mean(self, mean: Self) -> Self {
        Self {
            mean: Some(mean.value),
            ..self
        }
    }
}

/// Records the loop of the result in a program, if there is one. The inputs that `REPEATS` has a bit for are values of passes, which have one
/// element for each row.
#[derive(Clone, Copy)]
pub(super) struct ResultRecorder<'p, const REPEATS: u32> {
    pub(super) program: &'p RefCell<Option<RowProgram>>,
    /// The origin of each input of the loop, by the input's number.
    pub(super) inputs: &'p [(usize, RowOperand)],
}

impl<const REPEATS: u32> Observer for ResultRecorder<'_, REPEATS> {
    fn repeating<S: CallSite, V: Values, A: Node>(self) -> Option<RepeatingLoop> {
        Some(RepeatingLoop::new::<S, V, A, REPEATS>())
    }

    fn compute(self, code: &Loop<'_>) {
        if let Some(program) = &mut *self.program.borrow_mut() {
            program.result(code, self.inputs);
        }
    }

    // A result is no reduction, so its program gets no step for it, and no plan.
    fn reduce(self, _: &ReduceLoop<'_>, _: (usize, Option<&[usize]>), _: Option<DType>, _: DType) {}

    fn with_mean(self, _: Self) -> Self {
        self
    }
}
