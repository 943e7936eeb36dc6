//! Values that a conversion loses, found by converting candidates with the library's own conversions.

use std::fmt;

use supremum::dtype::cast::{CastElement, cast};
use supremum::dtype::{
    bf16, c64, c128, f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f16,
};
use supremum::{DType, Kind, Loss};

/// An element's exact value. Every element of every dtype is one of these.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Int(i128),
    Float(f64),
    Complex(c128),
}

impl Number {
    /// Returns whether both are the same value. Zeros of two signs are not, if both numbers are floats.
    fn is(self, other: Self) -> bool {
        let equal = |one: f64, other: f64| {
            one == other && (one != 0.0 || one.is_sign_negative() == other.is_sign_negative())
                || one.is_nan() && other.is_nan()
        };
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Float(one), Self::Float(other)) => equal(one, other),
            (Self::Complex(one), Self::Complex(other)) => {
                equal(one.re, other.re) && equal(one.im, other.im)
            }
            (Self::Int(int), Self::Float(float)) | (Self::Float(float), Self::Int(int)) => {
                whole(float) == Some(int)
            }
            (Self::Complex(complex), real) | (real, Self::Complex(complex)) => {
                complex.im == 0.0 && Self::Float(complex.re).is(real)
            }
        }
    }

    fn is_finite(self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Float(value) => value.is_finite(),
            Self::Complex(value) => value.re.is_finite() && value.im.is_finite(),
        }
    }
}

/// Returns the integer that a float is, if it is one and 128 bits hold it.
fn whole(value: f64) -> Option<i128> {
    let bound = 2_f64.powi(126);
    (value.fract() == 0.0 && value.abs() < bound).then(|| to_i128(value))
}

#[allow(
    clippy::as_conversions,
    reason = "a whole number below 2^126, which `as` converts exactly"
)]
fn to_i128(value: f64) -> i128 {
    value as i128
}

#[allow(
    clippy::as_conversions,
    reason = "candidates whose rounding does not matter: they are converted again, exactly"
)]
fn to_f64(value: i128) -> f64 {
    value as f64
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) if value == 0.0 && value.is_sign_negative() => f.write_str("-0.0"),
            Self::Float(value) => match whole(value) {
                Some(value) if value.abs() < 1 << 64 => write!(f, "{value}"),
                _ => write!(f, "{value:?}"),
            },
            Self::Complex(value) => {
                write!(f, "{}{:+}j", Self::Float(value.re), value.im)
            }
        }
    }
}

/// Runs `$body` with `$E` the element type of a dtype.
macro_rules! with_element {
    ($dtype:expr, $E:ident => $body:expr) => {
        with_element!(@arms $dtype, $E => $body,
            Bool bool, U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64,
            F8E4M3FN f8e4m3fn, F8E5M2 f8e5m2, F8E4M3FNUZ f8e4m3fnuz, F8E5M2FNUZ f8e5m2fnuz,
            F8E4M3B11FNUZ f8e4m3b11fnuz, BF16 bf16, F16 f16, F32 f32, F64 f64, C64 c64, C128 c128)
    };
    (@arms $dtype:expr, $E:ident => $body:expr, $($tag:ident $element:ident),*) => {
        match $dtype { $(DType::$tag => { type $E = $element; $body })* }
    };
}

/// Returns the value that `value` becomes in a dtype.
pub(crate) fn convert(value: Number, to: DType) -> Number {
    with_element!(to, E => {
        let element: E = match value {
            Number::Int(value) => match (i64::try_from(value), u64::try_from(value)) {
                (Ok(value), _) => cast(value),
                (_, Ok(value)) => cast(value),
                // Beyond all integer dtypes; no dtype's element is such an integer.
                _ => cast(to_f64(value)),
            },
            Number::Float(value) => cast(value),
            Number::Complex(value) => cast(value),
        };
        number(element, to.kind())
    })
}

fn number(element: impl CastElement, kind: Kind) -> Number {
    match kind {
        Kind::Bool | Kind::Unsigned => Number::Int(cast::<_, u64>(element).into()),
        Kind::Signed => Number::Int(cast::<_, i64>(element).into()),
        Kind::Float => Number::Float(cast(element)),
        Kind::Complex => Number::Complex(cast(element)),
    }
}

/// The least and the largest element of an integer dtype, or of booleans.
fn limits(dtype: DType) -> Option<(i128, i128)> {
    let bits = 8 * dtype.size();
    match dtype.kind() {
        Kind::Bool => Some((0, 1)),
        Kind::Unsigned => Some((0, (1 << bits) - 1)),
        Kind::Signed => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        Kind::Float | Kind::Complex => None,
    }
}

/// Returns the loss of one value in a dtype, by the definitions of [`Loss`].
pub(crate) fn loss_of(value: Number, to: DType) -> Loss {
    let converted = convert(value, to);
    if value.is(converted) {
        return Loss::None;
    }
    let overflows = value.is_finite() && !converted.is_finite();
    let real = match value {
        Number::Int(value) => to_f64(value),
        Number::Float(value) => value,
        Number::Complex(value) => value.re,
    };
    // A fraction beyond the largest integer rounds to it; the next integer is out of range.
    let integer = match value {
        Number::Int(value) => Some(value),
        _ => whole(real.trunc()),
    };
    let out_of_limits = limits(to).is_some_and(|(least, largest)| {
        integer.is_none_or(|integer| !(least..=largest).contains(&integer))
    });
    let part_dropped =
        matches!(value, Number::Complex(value) if value.im != 0.0 && to.kind() != Kind::Complex);
    let sign_dropped = real == 0.0;
    if overflows || out_of_limits || part_dropped || sign_dropped {
        Loss::Range
    } else {
        Loss::Precision
    }
}

/// A value of one dtype that another one does not have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Witness {
    pub(crate) value: Number,
    pub(crate) becomes: Number,
}

/// Finds a value of `from` that conversion to `to` loses, in the way that [`DType::loss_to`] says; none if it loses none.
///
/// It is the integer of the smallest magnitude if integers are lost, else a small power of two, else minus zero. Of values
/// that overflow it is the least.
pub(crate) fn find(from: DType, to: DType) -> Option<Witness> {
    let loss = from.loss_to(to);
    if loss == Loss::None {
        return None;
    }
    let mut kept = None;
    for candidate in candidates(from) {
        let value = convert(candidate, from);
        if !value.is(candidate) {
            continue;
        }
        if loss_of(value, to) == loss {
            let value = match kept {
                Some(kept) if loss == Loss::Range => least_lost(kept, value, from, to),
                _ => value,
            };
            let becomes = convert(value, to);
            return Some(Witness { value, becomes });
        }
        kept = Some(value);
    }
    None
}

/// Values to try: the imaginary unit, integers around powers of two by magnitude, large numbers, fractions and minus zero.
fn candidates(from: DType) -> impl Iterator<Item = Number> {
    let kind = from.kind();
    let integers = (0..64).flat_map(|power| {
        let power = 1_i128 << power;
        [power - 1, power, power + 1]
    });
    let integers = [-1_i128].into_iter().chain(integers).map(Number::Int);
    let integers = integers.map(move |integer| match (kind, integer) {
        (Kind::Float | Kind::Complex, Number::Int(value)) => Number::Float(to_f64(value)),
        (_, integer) => integer,
    });
    let large = (64..1024).map(|power| Number::Float(2_f64.powi(power)));
    let largest = [Number::Float(largest(from))];
    let fractions = (1..1075).flat_map(|power| {
        let small = 2_f64.powi(-power);
        [1.0 + small, small].map(Number::Float)
    });
    let inexact = large
        .chain(largest)
        .chain(fractions)
        .chain([Number::Float(-0.0)]);
    let parts = [c128::new(0.0, 1.0)].map(Number::Complex);
    let inexact = inexact.filter(move |_| kind.is_inexact());
    let parts = parts.into_iter().filter(move |_| kind == Kind::Complex);
    parts
        .chain(integers)
        .chain(inexact)
        .map(move |number| match number {
            Number::Float(value) if kind == Kind::Complex => Number::Complex(c128::new(value, 0.0)),
            number => number,
        })
}

/// The largest finite number of a float dtype, or of the parts of a complex one: powers of two are added while they fit.
fn largest(dtype: DType) -> f64 {
    let fits = |value: f64| {
        let number = Number::Float(value);
        value.is_finite() && convert(number, dtype).is(number)
    };
    let mut sum = 1.0;
    while fits(2.0 * sum) {
        sum *= 2.0;
    }
    let mut step = sum / 2.0;
    while sum + step > sum {
        if fits(sum + step) {
            sum += step;
        }
        step /= 2.0;
    }
    sum
}

/// Finds the least value above `kept` that is lost, by bisection between a value that is kept and one that is lost.
fn least_lost(mut kept: Number, mut lost: Number, from: DType, to: DType) -> Number {
    loop {
        let middle = match (kept, lost) {
            (Number::Int(low), Number::Int(high)) => Number::Int(low + (high - low) / 2),
            (Number::Float(low), Number::Float(high)) => Number::Float(low + (high - low) / 2.0),
            (Number::Complex(low), Number::Complex(high)) => {
                Number::Complex(low + (high - low) / 2.0)
            }
            _ => return lost,
        };
        let middle = convert(middle, from);
        if middle.is(kept) || middle.is(lost) {
            return lost;
        }
        if loss_of(middle, to) == Loss::Range {
            lost = middle;
        } else {
            kept = middle;
        }
    }
}
