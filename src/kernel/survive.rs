//! Conversion that checks every value.

use std::borrow::Cow;

use super::cast::cast;
use crate::array::Array;
use crate::dtype::{
    DType, Element, Kind, Loss, StaticDType, c128, cast as elements, dispatch_dtype,
};

/// Converts every element, if each value survives: is exactly a value of the dtype. NaN survives as
/// NaN; negative zero as zero.
///
/// # Errors
/// The position, in row-major order, of the first that does not.
pub(crate) fn try_cast(x: &Array, to: DType) -> Result<Array, usize> {
    let converted = cast(Cow::Borrowed(x), to);
    if x.dtype().loss_to(to) == Loss::None {
        return Ok(converted);
    }
    let survives = dispatch_dtype!(x.dtype(), D => values::<<D as StaticDType>::Element>(x))
        .into_iter()
        .zip(dispatch_dtype!(to, D => values::<<D as StaticDType>::Element>(&converted)));
    match { survives }.position(|(before, after)| before != after) {
        Some(position) => Err(position),
        None => Ok(converted),
    }
}

/// An element's exact value.
#[derive(Clone, Copy, Debug)]
enum Value {
    Integer(i128),
    Number(c128),
}

fn values<E: Element>(x: &Array) -> Vec<Value> {
    let value = |element: E| match E::DTYPE.kind() {
        Kind::Bool | Kind::Unsigned => Value::Integer(elements::cast::<E, u64>(element).into()),
        Kind::Signed => Value::Integer(elements::cast::<E, i64>(element).into()),
        Kind::Float | Kind::Complex => Value::Number(elements::cast(element)),
    };
    x.iter().map(value).collect()
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
