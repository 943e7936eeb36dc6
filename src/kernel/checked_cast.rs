//! Conversion that checks every value.

use std::borrow::Cow;

use super::cast::cast;
use crate::array::Array;
use crate::dtype::{DType, Kind, Loss, c128, cast as elements};
use crate::error::Error;

/// Converts every element, if each value survives: is exactly a value of the dtype. NaN survives as
/// NaN; negative zero as zero.
///
/// # Errors
/// What `inexact` makes of the position, in row-major order, of the first that does not; [`Error::OutOfMemory`].
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

/// An element's exact value.
#[derive(Clone, Copy, Debug)]
enum Value {
    Integer(i128),
    Number(c128),
}

/// The same values in the widest dtype of their kind.
fn exactly(x: &Array) -> Result<Array, Error> {
    let widest = match x.dtype().kind() {
        Kind::Bool | Kind::Unsigned => DType::U64,
        Kind::Signed => DType::I64,
        Kind::Float | Kind::Complex => DType::C128,
    };
    cast(Cow::Borrowed(x), widest)
}

/// The values of what [`exactly`] gives.
fn values(x: &Array) -> Box<dyn Iterator<Item = Value> + '_> {
    match x.dtype() {
        DType::U64 => Box::new(x.iter().map(|integer: u64| Value::Integer(integer.into()))),
        DType::I64 => Box::new(x.iter().map(|integer: i64| Value::Integer(integer.into()))),
        _ => Box::new(x.iter().map(Value::Number)),
    }
}

impl PartialEq for Value {
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

/// Whether a float is exactly an integer of at most 64 bits and a sign.
fn is_integer(float: f64, integer: i128) -> bool {
    // The high and the low half of any such integer are exact, and so is the difference from the high
    // half if the float is near; far from it, no rounding makes it equal to the low half.
    let low = i64::try_from(integer % (1 << 32)).map(elements::cast::<i64, f64>);
    let high = i64::try_from(integer / (1 << 32)).map(elements::cast::<i64, f64>);
    matches!((low, high), (Ok(low), Ok(high)) if float - high * 4_294_967_296.0 == low)
}
