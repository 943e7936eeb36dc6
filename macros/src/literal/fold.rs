//! Constant folding: signs and operators between literals.

use proc_macro2::Span;

use super::shown::shown_value;
use super::{Literal, Value};

impl Literal {
    /// Negates the literal; `minus` is the span of the sign.
    pub(crate) fn negate(&self, minus: Span) -> syn::Result<Self> {
        let value = match &self.value {
            Value::Bool(_) => return Err(self.error("a truth value has no negative")),
            Value::Int(value) => Value::Int(
                value
                    .checked_neg()
                    .ok_or_else(|| self.error("its negative is beyond 128 bits"))?,
            ),
            Value::Float { value, shown } => Value::Float {
                value: -value,
                shown: shown.negated().unwrap_or_else(|| shown_value(-value)),
            },
            Value::Complex { re, im } => Value::Complex { re: -re, im: -im },
        };
        Ok(Self {
            value,
            start: minus,
            end: self.end,
        })
    }

    /// Folds two literals with `+`, `-`, `*` or `/` between them. Integers are computed exactly, except `/`, which is
    /// true division and gives a float. Floats are computed as `f64`.
    pub(crate) fn fold(operator: char, lhs: &Self, rhs: &Self) -> syn::Result<Self> {
        let mut folded = Self {
            value: Value::Bool(false),
            start: lhs.start,
            end: rhs.end,
        };
        folded.value = match (&lhs.value, &rhs.value) {
            (Value::Int(lhs), Value::Int(rhs)) if operator != '/' => {
                let value = match operator {
                    '+' => lhs.checked_add(*rhs),
                    '-' => lhs.checked_sub(*rhs),
                    '*' => lhs.checked_mul(*rhs),
                    _ => return Err(folded.no_operator(operator)),
                };
                Value::Int(value.ok_or_else(|| folded.error("the result is beyond 128 bits"))?)
            }
            (Value::Complex { .. }, _) | (_, Value::Complex { .. }) => {
                let ([a, b], [c, d]) = (lhs.parts()?, rhs.parts()?);
                let square = c * c + d * d;
                let [re, im] = match operator {
                    '+' => [a + c, b + d],
                    '-' => [a - c, b - d],
                    '*' => [a * c - b * d, a * d + b * c],
                    '/' if square == 0.0 => return Err(folded.error("division by zero")),
                    '/' => [(a * c + b * d) / square, (b * c - a * d) / square],
                    _ => return Err(folded.no_operator(operator)),
                };
                if !(re.is_finite() && im.is_finite()) {
                    return Err(folded.error("the result is beyond the range of every dtype"));
                }
                Value::Complex { re, im }
            }
            _ => {
                let (lhs, rhs) = (lhs.as_f64()?, rhs.as_f64()?);
                let value = match operator {
                    '+' => lhs + rhs,
                    '-' => lhs - rhs,
                    '*' => lhs * rhs,
                    '/' if rhs == 0.0 => return Err(folded.error("division by zero")),
                    '/' => lhs / rhs,
                    _ => return Err(folded.no_operator(operator)),
                };
                if !value.is_finite() {
                    return Err(folded.error("the result is beyond the range of every dtype"));
                }
                let shown = shown_value(value);
                Value::Float { value, shown }
            }
        };
        Ok(folded)
    }

    fn as_f64(&self) -> syn::Result<f64> {
        match &self.value {
            Value::Bool(_) => Err(self.error("there is no arithmetic on truth values in literals")),
            Value::Int(value) => Ok(to_f64(*value)),
            Value::Float { value, .. } => Ok(*value),
            Value::Complex { .. } => Err(self.error("a complex literal is not a real number")),
        }
    }

    /// The real and the imaginary part.
    fn parts(&self) -> syn::Result<[f64; 2]> {
        match &self.value {
            Value::Complex { re, im } => Ok([*re, *im]),
            _ => Ok([self.as_f64()?, 0.0]),
        }
    }

    fn no_operator(&self, operator: char) -> syn::Error {
        self.error(&format!(
            "literals have no `{operator}`; give one side a dtype"
        ))
    }
}

#[expect(clippy::as_conversions, reason = "rounds to nearest, which is meant")]
pub(super) fn to_f64(value: i128) -> f64 {
    value as f64
}
