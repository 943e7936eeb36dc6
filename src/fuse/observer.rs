//! Observers of loops: evaluation shows each loop to one before it runs, and so a row program records the loops of an expression.

use core::cell::RefCell;

use crate::dtype::DType;
use crate::kernel::fused::reduce::ReduceLoop;
use crate::kernel::fused::{Loop, RowOperand, RowProgram, StreamingLoop};

/// Sees the loops of a pass before they run.
pub trait Observer: Copy {
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

/// Records loops in a program, if there is one.
#[derive(Clone, Copy)]
pub(super) struct Recorder<'p> {
    program: &'p RefCell<Option<RowProgram>>,
    /// The origin of each input of the loops, by the input's number.
    inputs: &'p [(usize, RowOperand)],
    /// The value or the result that the loops write.
    of: Recorded,
}

/// The value that recorded loops compute.
#[derive(Clone, Copy)]
pub(super) enum Recorded {
    /// The value of a pass, and the mean that comes with it, by their numbers.
    Value { number: usize, mean: Option<usize> },
    /// The result, which also has a loop that writes past the caches.
    Result(StreamingLoop),
}

impl Recorded {
    /// The value of a pass without a mean.
    pub(super) fn value(number: usize) -> Self {
        Self::Value { number, mean: None }
    }
}

impl<'p> Recorder<'p> {
    pub(super) fn new(
        program: &'p RefCell<Option<RowProgram>>,
        inputs: &'p [(usize, RowOperand)],
        of: Recorded,
    ) -> Self {
        Self {
            program,
            inputs,
            of,
        }
    }
}

impl Observer for Recorder<'_> {
    fn compute(self, code: &Loop<'_>) {
        if let Some(program) = &mut *self.program.borrow_mut() {
            match self.of {
                Recorded::Value { number, .. } => program.compute(code, self.inputs, number),
                Recorded::Result(streaming) => program.result(code, streaming, self.inputs),
            }
        }
    }

    // A result is no reduction, so its program gets no step for it, and no plan.
    fn reduce(
        self,
        code: &ReduceLoop<'_>,
        of: (usize, Option<&[usize]>),
        mean: Option<DType>,
        out: DType,
    ) {
        if let Some(program) = &mut *self.program.borrow_mut()
            && let Recorded::Value {
                number,
                mean: of_mean,
            } = self.of
        {
            program.reduce(code, of, self.inputs, of_mean.zip(mean), (number, out));
        }
    }

    fn with_mean(self, mean: Self) -> Self {
        let (Recorded::Value { number, .. }, Recorded::Value { number: mean, .. }) =
            (self.of, mean.of)
        else {
            return self;
        };
        Self {
            of: Recorded::Value {
                number,
                mean: Some(mean),
            },
            ..self
        }
    }
}
