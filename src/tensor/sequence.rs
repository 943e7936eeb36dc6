//! Sequences of numbers, of a dtype known at run time.

use std::borrow::Cow;

use crate::array::Array;
use crate::dtype::cast::cast;
use crate::dtype::compute::Functions;
use crate::dtype::{DType, Kind};
use crate::error::{Error, named};
use crate::exec;
use crate::literals::Scalar;
use crate::rule_set::LiteralPolicy;

/// The numbers of [`Tensor::arange`](crate::Tensor::arange).
pub(crate) fn arange(dtype: DType, start: f64, end: f64, step: f64) -> Result<Array, Error> {
    let count = ((end - start) / step).ceil().max(0.0);
    let finite = start.is_finite() && end.is_finite() && step.is_finite();
    // 2^48 elements are more than any address space holds.
    if !finite || step == 0.0 || count >= 281_474_976_710_656.0 {
        return Err(Error::Arange { start, end, step });
    }
    let count = usize::try_from(cast::<f64, u64>(count)).unwrap_or(usize::MAX);
    made("arange", dtype, count, |position| {
        start + float(position) * step
    })
}

/// The numbers of [`Tensor::try_linspace`](crate::Tensor::try_linspace).
pub(crate) fn linspace(dtype: DType, start: f64, end: f64, count: usize) -> Result<Array, Error> {
    let step = equal_steps("linspace", start, end, count)?;
    made("linspace", dtype, count, step)
}

/// The numbers of [`Tensor::try_logspace`](crate::Tensor::try_logspace).
pub(crate) fn logspace(dtype: DType, start: f64, end: f64, count: usize) -> Result<Array, Error> {
    let step = equal_steps("logspace", start, end, count)?;
    made("logspace", dtype, count, |position| {
        Functions::pow(10.0, step(position))
    })
}

/// The function from positions to numbers in equal steps.
fn equal_steps(
    operation: &'static str,
    start: f64,
    end: f64,
    count: usize,
) -> Result<impl Fn(usize) -> f64, Error> {
    let length = end - start;
    if !length.is_finite() {
        return Err(Error::Linspace {
            operation,
            start,
            end,
        });
    }
    let last = count.saturating_sub(1);
    Ok(move |position| match position == last && position > 0 {
        true => end, // not rounded
        false => start + float(position) * (length / float(last).max(1.0)),
    })
}

fn float(count: usize) -> f64 {
    cast(u64::try_from(count).unwrap_or(u64::MAX))
}

/// Makes a sequence that ascends or descends.
///
/// # Errors
/// [`Error::ElementOutOfRange`]; [`Error::ShapeTooLarge`] and [`Error::OutOfMemory`].
fn made(
    operation: &'static str,
    dtype: DType,
    count: usize,
    number: impl Fn(usize) -> f64,
) -> Result<Array, Error> {
    let fits = |position: usize| fits(number(position), dtype);
    // All numbers lie between the first and the last one.
    if count > 0 && !(fits(0) && fits(count - 1)) {
        let position = if fits(0) { first_unfit(count, fits) } else { 0 };
        return Err(Error::ElementOutOfRange {
            operation,
            position,
            value: literal(number(position), dtype),
            dtype,
        });
    }
    let numbers = Array::from_positions(&[count], number);
    exec::cast(Cow::Owned(named(operation, numbers)?), dtype)
}

/// The first of `count` positions that does not fit. All that follow do not fit either.
fn first_unfit(count: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut first, mut last) = (0, count - 1);
    while first < last {
        let middle = first.midpoint(last);
        match fits(middle) {
            true => first = middle + 1,
            false => last = middle,
        }
    }
    last
}

/// Returns whether the dtype has a number, rounded. Each number but zero is `true`.
fn fits(number: f64, dtype: DType) -> bool {
    let literal = literal(number, dtype);
    let bits = literal.to_scalar_bits("", dtype, LiteralPolicy::EXACT);
    dtype == DType::Bool || (number.is_finite() && bits.is_ok())
}

/// The number as a literal of the dtype's kind: the cast to integers drops the fraction.
#[expect(
    clippy::as_conversions,
    reason = "128 bits hold the truncated number, which is below 1e38"
)]
fn literal(number: f64, dtype: DType) -> Scalar {
    match dtype.kind() {
        Kind::Signed | Kind::Unsigned if number.abs() < 1e38 => Scalar::Int(number as i128),
        _ => Scalar::Float(number),
    }
}
