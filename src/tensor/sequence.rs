//! Sequences of numbers, of a dtype known at run time.

use std::borrow::Cow;

use crate::array::Array;
use crate::dtype::cast::cast;
use crate::dtype::compute::Functions;
use crate::dtype::{DType, Element, Kind};
use crate::error::{Error, named};
use crate::exec::{self, Sequence};
use crate::literals::Scalar;
use crate::rule_set::LiteralPolicy;
use crate::simd::for_types;

/// 2^52. `f64` has the sums of two integers of at most that magnitude.
const MAX_EXACT: f64 = 4_503_599_627_370_496.0;

/// The numbers of [`Tensor::arange`](crate::Tensor::arange).
pub(crate) fn arange(dtype: DType, start: f64, end: f64, step: f64) -> Result<Array, Error> {
    let count = ((end - start) / step).ceil().max(0.0);
    let finite = start.is_finite() && end.is_finite() && step.is_finite();
    // 2^48 elements are more than any address space holds.
    if !finite || step == 0.0 || count >= 281_474_976_710_656.0 {
        return Err(Error::Arange { start, end, step });
    }
    let count = usize::try_from(cast::<f64, u64>(count)).unwrap_or(usize::MAX);
    let numbers = Sequence {
        count,
        start,
        step,
        end: None,
    };
    // `f64` computes these numbers without rounding: their sums have at most 53 bits.
    let is_exact = [start, step, float(count) * step]
        .iter()
        .all(|number| number.trunc() == *number && number.abs() <= MAX_EXACT);
    match dtype.kind() {
        Kind::Signed | Kind::Unsigned if is_exact => {
            check("arange", dtype, count, |position| numbers.number(position))?;
            named("arange", integers(dtype, count, cast(start), cast(step)))
        }
        _ => made("arange", dtype, &numbers),
    }
}

/// Integers in equal steps, which the dtype has.
fn integers(dtype: DType, count: usize, start: i64, step: i64) -> Result<Array, Error> {
    for_types!(dtype, T in [
        DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
        DType::I8 => i8, DType::I16 => i16, DType::I32 => i32,
    ] => integers_of::<T>(count, start, step), _ => integers_of::<i64>(count, start, step))
}

fn integers_of<T: Element>(count: usize, start: i64, step: i64) -> Result<Array, Error> {
    // Added up, which LLVM vectorises, other than products of 64 bits.
    let mut next = start;
    Array::from_positions(&[count], |_| {
        let number = next;
        next += step;
        cast::<i64, T>(number)
    })
}

/// The numbers of [`Tensor::try_linspace`](crate::Tensor::try_linspace).
pub(crate) fn linspace(dtype: DType, start: f64, end: f64, count: usize) -> Result<Array, Error> {
    let numbers = equal_steps("linspace", start, end, count)?;
    made("linspace", dtype, &numbers)
}

/// The numbers of [`Tensor::try_logspace`](crate::Tensor::try_logspace).
pub(crate) fn logspace(dtype: DType, start: f64, end: f64, count: usize) -> Result<Array, Error> {
    let exponents = equal_steps("logspace", start, end, count)?;
    let number = |position| Functions::pow(10.0, exponents.number(position));
    check("logspace", dtype, count, number)?;
    let numbers = Array::from_positions(&[count], number);
    exec::cast(Cow::Owned(named("logspace", numbers)?), dtype)
}

/// Numbers in equal steps, of which the last one is `end`, not rounded.
fn equal_steps(
    operation: &'static str,
    start: f64,
    end: f64,
    count: usize,
) -> Result<Sequence, Error> {
    let length = end - start;
    if !length.is_finite() {
        return Err(Error::Linspace {
            operation,
            start,
            end,
        });
    }
    let last = count.saturating_sub(1);
    Ok(Sequence {
        count,
        start,
        step: length / float(last).max(1.0),
        end: (last > 0).then_some(end),
    })
}

fn float(count: usize) -> f64 {
    cast(u64::try_from(count).unwrap_or(u64::MAX))
}

/// Makes a sequence that ascends or descends.
///
/// # Errors
/// [`Error::ElementOutOfRange`]; [`Error::ShapeTooLarge`] and [`Error::OutOfMemory`].
fn made(operation: &'static str, dtype: DType, numbers: &Sequence) -> Result<Array, Error> {
    check(operation, dtype, numbers.count, |position| {
        numbers.number(position)
    })?;
    named(operation, exec::sequence(numbers, dtype))
}

/// Checks that the dtype has the numbers of a sequence that ascends or descends.
///
/// # Errors
/// [`Error::ElementOutOfRange`].
fn check(
    operation: &'static str,
    dtype: DType,
    count: usize,
    number: impl Fn(usize) -> f64,
) -> Result<(), Error> {
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
    Ok(())
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
