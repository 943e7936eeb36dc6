//! Conversion that fails unless every value is preserved.

use std::borrow::Cow;

use super::cast::cast;
use crate::array::Array;
use crate::dtype::{DType, Kind, Loss, c128, cast as elements};
use crate::error::Error;

/// Converts every element if the dtype represents each value exactly. NaN counts as preserved if it stays NaN, and
/// negative zero if it becomes zero.
///
/// # Errors
/// The error that `inexact` makes from the position, in row-major order, of the first value that is not preserved;
/// [`Error::OutOfMemory`].
pub(crate) fn try_cast(
    x: &Array,
    to: DType,
    inexact: impl FnOnce(usize) -> Error,
) -> Result<Array, Error> {
    let converted = cast(Cow::Borrowed(x), to)?;
    if x.dtype().loss_to(to) == Loss::None {
        return Ok(converted);
    }
    let (before, after) = (exactly(x)?, exactly(&converted)?);
    match values(&before)
        .zip(values(&after))
        .position(|(before, after)| before != after)
    {
        Some(position) => Err(inexact(position)),
        None => Ok(converted),
    }
}

/// The exact value of an element.
#[derive(Clone, Copy, Debug)]
enum ExactValue {
    Integer(i128),
    Number(c128),
}

/// Converts values to the widest dtype of their kind, exactly.
fn exactly(x: &Array) -> Result<Array, Error> {
    let widest = match x.dtype().kind() {
        Kind::Bool | Kind::Unsigned => DType::U64,
        Kind::Signed => DType::I64,
        Kind::Float | Kind::Complex => DType::C128,
    };
    cast(Cow::Borrowed(x), widest)
}

/// Returns the values of an array that [`exactly`] returned.
fn values(x: &Array) -> Box<dyn Iterator<Item = ExactValue> + '_> {
    match x.dtype() {
        DType::U64 => Box::new(
            x.iter()
                .map(|integer: u64| ExactValue::Integer(integer.into())),
        ),
        DType::I64 => Box::new(
            x.iter()
                .map(|integer: i64| ExactValue::Integer(integer.into())),
        ),
        _ => Box::new(x.iter().map(ExactValue::Number)),
    }
}

impl PartialEq for ExactValue {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        match (*self, *other) {
            (Self::Integer(a), Self::Integer(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => same(a.re, b.re) && same(a.im, b.im),
            (Self::Integer(integer), Self::Number(number))
            | (Self::Number(number), Self::Integer(integer)) => {
                number.im == 0.0 && is_integer(number.re, integer)
            }
        }
    }
}

/// Returns whether a float is exactly this integer, which has at most 64 bits and a sign.
fn is_integer(float: f64, integer: i128) -> bool {
    // The high and the low 32 bits of such an integer are exact floats. If the float is near the high part, so is
    // their difference; if it is far from it, no rounding makes the difference equal to the low part.
    let low = i64::try_from(integer % (1 << 32)).map(elements::cast::<i64, f64>);
    let high = i64::try_from(integer / (1 << 32)).map(elements::cast::<i64, f64>);
    matches!((low, high), (Ok(low), Ok(high)) if float - high * 4_294_967_296.0 == low)
}
