//! Operations element by element.

use supremum::__private::{FUNCTIONS, Function};
use supremum::{DType, DynTensor, F64, Operation, Rank1, RuleSet, Tensor};

use super::{Answer, Expected, Judge, Refusal, exact};
use crate::element::Element;
use crate::exact::{Kind, Number, Value};
use crate::naive::{Op, broadcast, converted};
use crate::reference::Reference;

/// Operations on two operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Binary {
    Arithmetic(Op),
    Pow,
    Compare(Compare),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

fn group(op: Op) -> Operation {
    match op {
        Op::Add => Operation::Add,
        Op::Sub => Operation::Subtract,
        Op::Mul => Operation::Multiply,
        Op::Div => Operation::Divide,
        Op::Rem | Op::FloorDiv => Operation::FloorDivide,
        Op::Atan2
        | Op::Hypot
        | Op::LogAddExp
        | Op::CopySign
        | Op::NextAfter
        | Op::LeakyRelu
        | Op::Elu => Operation::Atan2,
        Op::Min | Op::Max => Operation::MinMax,
        Op::And | Op::Or | Op::Xor => Operation::Bitwise,
        Op::Shl | Op::Shr => Operation::Shift,
    }
}

/// Each element converted, once.
pub(crate) fn cast(x: &Reference, to: DType) -> Reference {
    let (from, to) = (x.element(), Element::of(to));
    if from.dtype == to.dtype {
        return x.clone();
    }
    x.map(to.dtype, |element| {
        converted((from.value)(element), to.kind)
    })
}

/// Both in one dtype and one shape.
fn meet(a: &Reference, b: &Reference, dtype: DType) -> Result<[Reference; 2], Refusal> {
    let shape = broadcast(&a.shape, &b.shape).ok_or(Refusal::Values)?;
    Ok([a, b].map(|x| cast(x, dtype).broadcast_to(&shape)))
}

fn zip(
    [a, b]: &[Reference; 2],
    to: DType,
    mut f: impl FnMut(u128, u128) -> Option<u128>,
) -> Result<Reference, Refusal> {
    let elements: Option<Vec<u128>> = a
        .elements()
        .zip(b.elements())
        .map(|(a, b)| f(a, b))
        .collect();
    let elements = elements.ok_or(Refusal::Values)?;
    Ok(Reference::new(to, &a.shape, &elements))
}

pub(crate) fn binary(op: Binary, rules: &RuleSet, a: &Reference, b: &Reference) -> Answer {
    let result = |group| {
        let promotion = rules.binary(group, a.operand(), b.operand());
        promotion
            .map(|promotion| promotion.operand())
            .map_err(|_| Refusal::Rules)
    };
    match op {
        Binary::Arithmetic(op) => {
            let result = result(group(op))?;
            let element = Element::of(result.dtype);
            let of_reals = op != Op::Atan2 && group(op) == Operation::Atan2;
            if of_reals && element.is_complex() {
                return Err(Refusal::Values);
            }
            // JAX's table has an angle of complex numbers; the reference has none.
            let unknown = op == Op::Atan2 && element.is_complex();
            let value = zip(&meet(a, b, result.dtype)?, result.dtype, |a, b| {
                if unknown {
                    Some(0)
                } else {
                    (element.binary)(op, a, b)
                }
            })?;
            let judge = match op {
                _ if unknown => Judge::Shape,
                Op::Div if element.is_complex() => near(element, 1 << 4),
                Op::Atan2 | Op::Hypot | Op::Elu => Judge::Ulps(2),
                // Where both cancel, only the distance is small.
                Op::LogAddExp if element.size >= 4 => Judge::Near {
                    relative: 1e-6,
                    absolute: 1e-7,
                },
                Op::LogAddExp => Judge::Ulps(2),
                _ => Judge::Exact,
            };
            let value = value.with_operand(result);
            Ok(Expected { value, judge })
        }
        Binary::Pow => {
            let result = result(Operation::Power)?;
            let element = Element::of(result.dtype);
            let operands = meet(a, b, result.dtype)?;
            if !element.is_integer() {
                let value = operands[0].clone().with_operand(result);
                let judge = Judge::Shape;
                return Ok(Expected { value, judge });
            }
            let value = zip(&operands, result.dtype, |a, b| {
                let exponent = u64::try_from(element.integer(b)).ok()?;
                let mut power = 1_i128;
                for bit in (0..64).rev() {
                    power = power.wrapping_mul(power);
                    if exponent >> bit & 1 == 1 {
                        power = power.wrapping_mul(element.integer(a));
                    }
                }
                Some(element.from_integer(power))
            })?;
            exact(value.with_operand(result))
        }
        Binary::Compare(compare) => {
            let result = result(match compare {
                Compare::Eq | Compare::Ne => Operation::Equality,
                _ => Operation::Ordering,
            })?;
            let promotion = rules.promote(a.operand(), b.operand());
            let promoted = promotion.map_err(|_| Refusal::Rules)?.dtype;
            let element = Element::of(promoted);
            let value = zip(&meet(a, b, promoted)?, DType::Bool, |a, b| {
                let equal = element.equal(a, b);
                Some(u128::from(match compare {
                    Compare::Eq => equal,
                    Compare::Ne => !equal,
                    Compare::Lt => (element.less)(a, b),
                    Compare::Le => (element.less)(a, b) || equal,
                    Compare::Gt => (element.less)(b, a),
                    Compare::Ge => (element.less)(b, a) || equal,
                }))
            })?;
            exact(value.with_operand(result))
        }
    }
}

/// Within some units in the last place of a complex number's greater part.
pub(super) fn near(element: &Element, units: u32) -> Judge {
    let epsilon = if element.size == 8 {
        f64::from(f32::EPSILON)
    } else {
        f64::EPSILON
    };
    Judge::Near {
        relative: f64::from(units) * epsilon,
        absolute: 0.0,
    }
}

/// Functions of one operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unary {
    Neg,
    Not,
    Abs,
    Sign,
    Floor,
    Ceil,
    Round,
    Trunc,
    Real,
    Imag,
    IsNan,
    IsInfinite,
    IsFinite,
    Sqrt,
    Recip,
    /// A function that rounds: its number in [`functions`].
    Rounded(usize),
}

/// Functions that are computed in other words here. `tests/accuracy` compares the library's functions of `f64` with exact values.
const REFERENCES: &[(&str, fn(f64) -> f64)] = &[
    ("sigmoid", |x| 1.0 / (1.0 + (-x).exp())),
    ("rsqrt", |x| 1.0 / x.sqrt()),
    ("gelu", |x| {
        let x = if x < -40.0 { -40.0 } else { x };
        0.5 * x * libm::erfc(-x / core::f64::consts::SQRT_2)
    }),
    ("gelu_tanh", |x| {
        let x = if x < -40.0 { -40.0 } else { x };
        let inner = (2.0 / core::f64::consts::PI).sqrt() * (x + 0.044_715 * x * x * x);
        x / (1.0 + (-2.0 * inner).exp())
    }),
    ("silu", |x| {
        let x = if x < -800.0 { -800.0 } else { x };
        x / (1.0 + (-x).exp())
    }),
    ("softplus", |x| {
        if x.is_nan() {
            x
        } else {
            x.max(0.0) + (-x.abs()).exp().ln_1p()
        }
    }),
];

/// The functions that round, but for the square root.
pub(crate) fn functions() -> Vec<&'static Function> {
    let all = FUNCTIONS.iter();
    all.filter(|function| {
        let group = function.group;
        matches!(group, Operation::UnaryFloat | Operation::Activation) && function.name != "sqrt"
    })
    .collect()
}

/// A function of a number, to within some units of `f64`.
fn of_number(function: &Function, x: f64) -> f64 {
    if let Some((_, reference)) = REFERENCES.iter().find(|(name, _)| *name == function.name) {
        return reference(x);
    }
    let number = DynTensor::full(DType::F64, [1], x).and_then(|x| (function.call)(&x));
    let number: Tensor<F64, Rank1> = number.and_then(|x| x.typed()).expect("a number");
    number.to_vec()[0]
}

pub(crate) fn unary(op: Unary, rules: &RuleSet, x: &Reference) -> Answer {
    use Unary::*;
    let group = match op {
        Neg => Operation::Negate,
        Not => Operation::Invert,
        Abs | Real | Imag => Operation::Absolute,
        Sign => Operation::Sign,
        Floor | Ceil | Trunc => Operation::Floor,
        Round => Operation::Round,
        IsNan | IsInfinite | IsFinite => Operation::FloatClass,
        Recip => Operation::Reciprocal,
        Sqrt => Operation::UnaryFloat,
        Rounded(number) => functions()[number].group,
    };
    let result = rules.operation(group, x.operand());
    let result = result.map_err(|_| Refusal::Rules)?;
    let to = Element::of(result.dtype);
    if let Rounded(number) = op
        && !(functions()[number].is_defined)(result.dtype)
    {
        return Err(Refusal::Values);
    }
    let of_operand = matches!(group, Operation::Absolute | Operation::FloatClass);
    // Booleans that become numbers, and numbers that become real, aside, it is computed in the result's dtype.
    let x = if of_operand {
        x.clone()
    } else {
        cast(x, result.dtype)
    };
    let from = x.element();
    let shape_only = from.is_complex()
        && matches!(op, Abs | Sign | Sqrt | Recip | Rounded(_) | Round)
        || (op == Recip && !matches!(to.kind, Kind::Float(_)));
    let rounded = |raw: u128, f: &dyn Fn(f64) -> f64| match from.kind {
        Kind::Float(_) => from.from_f64(f(from.parts(raw)[0])),
        _ => raw,
    };
    let classified = |raw: u128, any: bool, f: fn(Number) -> bool| {
        let Value { re, im, .. } = (from.value)(raw);
        u128::from(if any { f(re) || f(im) } else { f(re) && f(im) })
    };
    let f = |raw: u128| match op {
        _ if shape_only => 0,
        Neg => (from.negated)(raw),
        Not => (from.inverted)(raw),
        Abs if from.is_integer() => from.from_integer(from.integer(raw).abs()),
        Abs => rounded(raw, &f64::abs),
        Sign if from.is_integer() => from.from_integer(from.integer(raw).signum()),
        Sign => rounded(raw, &|x: f64| {
            if x == 0.0 || x.is_nan() {
                x
            } else {
                x.signum()
            }
        }),
        Floor => rounded(raw, &f64::floor),
        Ceil => rounded(raw, &f64::ceil),
        Round => rounded(raw, &f64::round_ties_even),
        Trunc => rounded(raw, &f64::trunc),
        Real if from.is_complex() => to.from_f64(from.parts(raw)[0]),
        Real => raw,
        Imag if from.is_complex() => to.from_f64(from.parts(raw)[1]),
        Imag => 0,
        IsNan => classified(raw, true, |x| matches!(x, Number::NaN { .. })),
        IsInfinite => classified(raw, true, |x| matches!(x, Number::Infinite { .. })),
        IsFinite => classified(raw, false, |x| matches!(x, Number::Finite(_))),
        // The root and the quotient of numbers of half the digits do not round twice.
        Sqrt => rounded(raw, &f64::sqrt),
        Recip => rounded(raw, &f64::recip),
        Rounded(number) => rounded(raw, &|x| of_number(functions()[number], x)),
    };
    let judge = match op {
        _ if shape_only => Judge::Shape,
        // Where they are small, a rounded argument of their exponential is many units of the result.
        Rounded(number) if to.size == 8 && functions()[number].name.starts_with("gelu") => {
            Judge::Near {
                relative: 1e-13,
                absolute: 0.0,
            }
        }
        Rounded(_) => Judge::Ulps(if to.size == 8 { 4 } else { 2 }),
        _ => Judge::Exact,
    };
    let value = x.map(result.dtype, f).with_operand(result);
    Ok(Expected { value, judge })
}

/// `then` where the condition holds, else `otherwise`.
pub(crate) fn select(
    rules: &RuleSet,
    condition: &Reference,
    then: &Reference,
    otherwise: &Reference,
) -> Answer {
    let promotion = rules.binary(Operation::Join, then.operand(), otherwise.operand());
    let result = promotion.map_err(|_| Refusal::Rules)?.operand();
    let shape = broadcast(&then.shape, &otherwise.shape).ok_or(Refusal::Values)?;
    let shape = broadcast(&condition.shape, &shape).ok_or(Refusal::Values)?;
    if condition.dtype != DType::Bool {
        return Err(Refusal::Values);
    }
    let condition = condition.broadcast_to(&shape);
    let [then, otherwise] = [then, otherwise].map(|x| cast(x, result.dtype).broadcast_to(&shape));
    let mut elements = vec![];
    for position in 0..condition.len() {
        let chosen = if condition.at(position) == 1 {
            &then
        } else {
            &otherwise
        };
        elements.push(chosen.at(position));
    }
    exact(Reference::new(result.dtype, &shape, &elements).with_operand(result))
}

/// `minimum(maximum(x, low), high)`.
pub(crate) fn clamp(rules: &RuleSet, x: &Reference, low: &Reference, high: &Reference) -> Answer {
    let raised = binary(Binary::Arithmetic(Op::Max), rules, x, low)?;
    binary(Binary::Arithmetic(Op::Min), rules, &raised.value, high)
}
