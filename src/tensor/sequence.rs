//! Sequences of numbers, of a dtype known at run time.

use std::borrow::Cow;

use crate::array::Array;
use crate::dtype::DType;
use crate::dtype::cast::cast;
use crate::dtype::compute::Functions;
use crate::error::{Error, named};
use crate::exec;

/// The numbers of [`Tensor::arange`](crate::Tensor::arange).
pub(crate) fn arange(dtype: DType, start: f64, end: f64, step: f64) -> Result<Array, Error> {
    let count = ((end - start) / step).ceil().max(0.0);
    let finite = start.is_finite() && end.is_finite() && step.is_finite();
    // 2^48 elements are more than any address space holds.
    if !finite || step == 0.0 || count >= 281_474_976_710_656.0 {
        return Err(Error::Arange { start, end, step });
    }
    let count = usize::try_from(cast::<f64, u64>(count)).unwrap_or(usize::MAX);
    let mut position = 0_u64;
    let numbers = Array::from_positions(&[count], |_| {
        let number = start + cast::<u64, f64>(position) * step;
        position += 1;
        number
    });
    let numbers = named("arange", numbers)?;
    exec::cast(Cow::Owned(numbers), dtype)
}

/// The numbers of [`Tensor::try_linspace`](crate::Tensor::try_linspace).
pub(crate) fn linspace(dtype: DType, start: f64, end: f64, count: usize) -> Result<Array, Error> {
    let numbers = equal_steps("linspace", start, end, count, |number| number)?;
    exec::cast(Cow::Owned(numbers), dtype)
}

/// The numbers of [`Tensor::try_logspace`](crate::Tensor::try_logspace).
pub(crate) fn logspace(dtype: DType, start: f64, end: f64, count: usize) -> Result<Array, Error> {
    let numbers = equal_steps("logspace", start, end, count, |number| {
        Functions::pow(10.0, number)
    })?;
    exec::cast(Cow::Owned(numbers), dtype)
}

/// A function of `count` numbers in equal steps.
fn equal_steps(
    operation: &'static str,
    start: f64,
    end: f64,
    count: usize,
    function: impl Fn(f64) -> f64,
) -> Result<Array, Error> {
    let length = end - start;
    if !length.is_finite() {
        return Err(Error::Linspace {
            operation,
            start,
            end,
        });
    }
    let last = count.saturating_sub(1);
    let steps: f64 = cast(u64::try_from(last).unwrap_or(u64::MAX));
    let mut position = 0_u64;
    let numbers = Array::from_positions(&[count], |at| {
        let number = start + cast::<u64, f64>(position) * (length / steps.max(1.0));
        position += 1;
        // The last one is not rounded.
        function(if at == last && at > 0 { end } else { number })
    });
    named(operation, numbers)
}
