//! The reference's implementation of each operation: the dtype and elements that the library must give.

use supremum::{DType, OperandType, Operation, RuleSet};

use crate::element::Element;
use crate::exact::{Kind, Number, Value};
use crate::naive::{Op, broadcast, converted};
use crate::reference::{Reference, positions};

/// How a result is compared with the reference.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Judge {
    /// By bits, any NaN being as good as another.
    Exact,
    /// As numbers: zeros of either sign are equal.
    Equal,
    /// So many floats of the result's dtype apart at most.
    Ulps(u64),
    /// By this distance relative to the reference, or absolute; where the reference is not finite, not at all.
    Near { relative: f64, absolute: f64 },
    /// By dtype and shape alone.
    Shape,
}

#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) value: Reference,
    pub(crate) judge: Judge,
}

/// Why an operation is an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// The rules do not define it.
    Rules,
    /// Shapes or values do not allow it.
    Values,
}

pub(crate) type Answer = Result<Expected, Refusal>;

fn exact(value: Reference) -> Answer {
    let judge = Judge::Exact;
    Ok(Expected { value, judge })
}

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
        Op::Atan2 | Op::Hypot | Op::LogAddExp | Op::CopySign | Op::NextAfter => Operation::Atan2,
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
            let of_reals = matches!(op, Op::Hypot | Op::LogAddExp | Op::CopySign | Op::NextAfter);
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
                Op::Atan2 | Op::Hypot => Judge::Ulps(2),
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
fn near(element: &Element, units: u32) -> Judge {
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
    /// A function that rounds: its number in [`FUNCTIONS`].
    Function(usize),
}

/// Functions that are compared with those of the standard library in `f64`.
pub(crate) const FUNCTIONS: [(&str, fn(f64) -> f64); 25] = [
    ("exp", f64::exp),
    ("exp2", f64::exp2),
    ("exp_m1", f64::exp_m1),
    ("ln", f64::ln),
    ("ln_1p", f64::ln_1p),
    ("log2", f64::log2),
    ("log10", f64::log10),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("sigmoid", |x| 1.0 / (1.0 + (-x).exp())),
    ("erf", libm::erf),
    ("erfc", libm::erfc),
    ("rsqrt", |x| 1.0 / x.sqrt()),
    ("cbrt", f64::cbrt),
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

/// The functions that complex numbers do not have.
const OF_REALS: [&str; 7] = [
    "erf",
    "erfc",
    "cbrt",
    "gelu",
    "gelu_tanh",
    "silu",
    "softplus",
];

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
        Sqrt | Function(_) => Operation::UnaryFloat,
    };
    let result = rules.operation(group, x.operand());
    let result = result.map_err(|_| Refusal::Rules)?;
    let to = Element::of(result.dtype);
    if let Function(number) = op
        && OF_REALS.contains(&FUNCTIONS[number].0)
        && to.is_complex()
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
        && matches!(op, Abs | Sign | Sqrt | Recip | Function(_) | Round)
        || (op == Recip && !matches!(to.kind, Kind::Float(_)));
    let rounded = |raw: u128, f: fn(f64) -> f64| match from.kind {
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
        Abs => rounded(raw, f64::abs),
        Sign if from.is_integer() => from.from_integer(from.integer(raw).signum()),
        Sign => rounded(raw, |x| {
            if x == 0.0 || x.is_nan() {
                x
            } else {
                x.signum()
            }
        }),
        Floor => rounded(raw, f64::floor),
        Ceil => rounded(raw, f64::ceil),
        Round => rounded(raw, f64::round_ties_even),
        Trunc => rounded(raw, f64::trunc),
        Real if from.is_complex() => to.from_f64(from.parts(raw)[0]),
        Real => raw,
        Imag if from.is_complex() => to.from_f64(from.parts(raw)[1]),
        Imag => 0,
        IsNan => classified(raw, true, |x| matches!(x, Number::NaN { .. })),
        IsInfinite => classified(raw, true, |x| matches!(x, Number::Infinite { .. })),
        IsFinite => classified(raw, false, |x| matches!(x, Number::Finite(_))),
        // The root and the quotient of numbers of half the digits do not round twice.
        Sqrt => rounded(raw, f64::sqrt),
        Recip => rounded(raw, f64::recip),
        Function(number) => rounded(raw, FUNCTIONS[number].1),
    };
    let judge = match op {
        _ if shape_only => Judge::Shape,
        Function(_) => Judge::Ulps(if to.size == 8 { 4 } else { 2 }),
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

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reduce {
    Sum,
    Prod,
    Mean,
    Var,
    Std,
    Min,
    Max,
    Any,
    All,
    NanSum,
    NanMean,
    NanMin,
    NanMax,
}

/// Positions of the elements that are reduced into each element of a result.
struct Groups {
    positions: Vec<usize>,
    /// How many groups there are, and elements in each.
    count: usize,
    len: usize,
}

impl Groups {
    fn iter(&self) -> impl Iterator<Item = &[usize]> {
        (0..self.count).map(|number| &self.positions[number * self.len..][..self.len])
    }
}

/// The groups, and the result's shape.
fn groups(x: &Reference, axes: &[usize], keep: bool) -> (Vec<usize>, Groups) {
    let rank = x.shape.len();
    let (reduced, kept): (Vec<usize>, Vec<usize>) = (0..rank).partition(|axis| axes.contains(axis));
    let strides = x.strides();
    let sizes = |axes: &[usize]| -> Vec<usize> { axes.iter().map(|a| x.shape[*a]).collect() };
    let steps = |axes: &[usize]| -> Vec<isize> { axes.iter().map(|a| strides[*a]).collect() };
    let (inner_sizes, inner_steps) = (sizes(&reduced), steps(&reduced));
    let inner = |start: usize| positions(&inner_sizes, &inner_steps, start.cast_signed());
    let (outer_sizes, outer_steps) = (sizes(&kept), steps(&kept));
    let outer = positions(&outer_sizes, &outer_steps, 0);
    let groups = Groups {
        positions: outer.flat_map(inner).collect(),
        count: sizes(&kept).iter().product(),
        len: inner_sizes.iter().product(),
    };
    let kept_sizes = (0..rank).map(|axis| {
        if axes.contains(&axis) {
            1
        } else {
            x.shape[axis]
        }
    });
    let shape = if keep {
        kept_sizes.collect()
    } else {
        sizes(&kept)
    };
    (shape, groups)
}

/// The order in which reductions combine numbers, as the library documents it, so that results do not depend on
/// layouts and threads: 32 lanes within blocks of 512, lanes as a tree, blocks pairwise.
fn folded<T: Copy>(elements: &[T], combine: fn(T, T) -> T) -> Option<T> {
    fn pairwise<T: Copy>(blocks: &[T], combine: fn(T, T) -> T) -> T {
        if let [only] = blocks {
            return *only;
        }
        let (left, right) = blocks.split_at(blocks.len().next_power_of_two() / 2);
        combine(pairwise(left, combine), pairwise(right, combine))
    }
    let block = |elements: &[T]| {
        let mut lanes: Vec<T> = elements[..elements.len().min(32)].to_vec();
        for (at, element) in elements.iter().enumerate().skip(32) {
            lanes[at % 32] = combine(lanes[at % 32], *element);
        }
        for half in [16, 8, 4, 2, 1] {
            for at in half..lanes.len() {
                lanes[at - half] = combine(lanes[at - half], lanes[at]);
            }
            lanes.truncate(half);
        }
        lanes[0]
    };
    let blocks: Vec<T> = elements.chunks(512).map(block).collect();
    (!blocks.is_empty()).then(|| pairwise(&blocks, combine))
}

type Complex = [f64; 2];

fn sum_of(a: Complex, b: Complex) -> Complex {
    [a[0] + b[0], a[1] + b[1]]
}

fn product_of(a: Complex, b: Complex) -> Complex {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

pub(crate) fn reduce(
    op: Reduce,
    rules: &RuleSet,
    x: &Reference,
    axes: &[usize],
    keep: bool,
) -> Answer {
    let group = match op {
        Reduce::Sum | Reduce::Prod | Reduce::NanSum => Operation::Sum,
        Reduce::Mean | Reduce::NanMean => Operation::Mean,
        Reduce::Var | Reduce::Std => Operation::Variance,
        Reduce::Min | Reduce::Max | Reduce::NanMin | Reduce::NanMax => Operation::MinMaxReduce,
        Reduce::Any | Reduce::All => Operation::AnyAll,
    };
    let result = rules.operation(group, x.operand());
    let result = result.map_err(|_| Refusal::Rules)?;
    let (from, to) = (x.element(), Element::of(result.dtype));
    let (shape, groups) = groups(x, axes, keep);
    let is_extreme = group == Operation::MinMaxReduce;
    let skips = |raw: u128| {
        let skips_nan = matches!(op, Reduce::NanSum | Reduce::NanMean);
        skips_nan && from.is_nan(raw)
    };
    if is_extreme && groups.len == 0 && groups.count > 0 {
        return Err(Refusal::Values);
    }
    let parts = |group: &[usize]| -> Vec<Complex> {
        let part = |raw| {
            if skips(raw) {
                [0.0; 2]
            } else {
                from.parts(raw)
            }
        };
        group.iter().map(|at| part(x.at(*at))).collect()
    };
    let floats = !from.is_integer() && from.dtype != DType::Bool;
    // The sum and the product, in the dtype that accumulates.
    let sum = |group: &[usize]| -> Complex {
        if from.is_small_float() {
            let narrow: Vec<f32> = parts(group).iter().map(|x| to_f32(x[0])).collect();
            let sum = folded(&narrow, |a, b| a + b).unwrap_or(0.0);
            return [f64::from(sum), 0.0];
        }
        folded(&parts(group), sum_of).unwrap_or([0.0; 2])
    };
    let product = |group: &[usize]| -> Complex {
        if from.is_small_float() {
            let narrow: Vec<f32> = parts(group).iter().map(|x| to_f32(x[0])).collect();
            return [f64::from(folded(&narrow, |a, b| a * b).unwrap_or(1.0)), 0.0];
        }
        if from.is_complex() {
            return folded(&parts(group), product_of).unwrap_or([1.0, 0.0]);
        }
        let real: Vec<f64> = parts(group).iter().map(|x| x[0]).collect();
        [folded(&real, |a, b| a * b).unwrap_or(1.0), 0.0]
    };
    let whole = |group: &[usize], start: i128, combine: fn(i128, i128) -> i128| {
        let elements = group.iter().map(|at| from.integer(x.at(*at)));
        to.from_integer(elements.fold(start, combine))
    };
    let extreme = |group: &[usize], op| {
        let elements = group.iter().map(|at| x.at(*at));
        let combine = |a, b| (from.binary)(op, a, b).expect("extremes are always defined");
        elements.reduce(combine).expect("elements")
    };
    let numbers = |group: &[usize]| -> Vec<usize> {
        let numbers = group.iter().filter(|at| !from.is_nan(x.at(**at)));
        numbers.copied().collect()
    };
    let extreme_number = |group: &[usize], op| match &numbers(group)[..] {
        [] => extreme(group, op),
        numbers => extreme(numbers, op),
    };
    let variance = |group: &[usize]| -> f64 {
        let parts = parts(group);
        let count = count(group.len());
        let mean = sum(group).map(|part| part / count);
        let distances = parts
            .iter()
            .map(|x| (x[0] - mean[0]).powi(2) + (x[1] - mean[1]).powi(2));
        distances.sum::<f64>() / count
    };
    let f = |group: &[usize]| match op {
        Reduce::Sum | Reduce::NanSum if floats => to.from_parts(sum(group)),
        Reduce::Sum | Reduce::NanSum => whole(group, 0, |a, b| a.wrapping_add(b)),
        Reduce::Prod if floats => to.from_parts(product(group)),
        Reduce::Prod => whole(group, 1, |a, b| a.wrapping_mul(b)),
        Reduce::Mean => {
            let sum = sum(group);
            to.from_parts(sum.map(|part| part / count(group.len())))
        }
        Reduce::NanMean => {
            let (sum, numbers) = (sum(group), numbers(group).len());
            to.from_parts(sum.map(|part| part / count(numbers)))
        }
        Reduce::Var => to.from_f64(variance(group)),
        Reduce::Std => to.from_f64(variance(group).sqrt()),
        Reduce::Min => extreme(group, Op::Min),
        Reduce::Max => extreme(group, Op::Max),
        Reduce::NanMin => extreme_number(group, Op::Min),
        Reduce::NanMax => extreme_number(group, Op::Max),
        Reduce::Any => u128::from(group.iter().any(|at| !from.is_zero(x.at(*at)))),
        Reduce::All => u128::from(group.iter().all(|at| !from.is_zero(x.at(*at)))),
    };
    let elements: Vec<u128> = groups.iter().map(f).collect();
    let value = Reference::new(result.dtype, &shape, &elements).with_operand(result);
    let judge = match op {
        // Divided by a complex count.
        Reduce::Mean | Reduce::NanMean if from.is_complex() => near(from, 1 << 4),
        Reduce::Mean | Reduce::NanMean => Judge::Ulps(1),
        Reduce::Var | Reduce::Std => spread(x),
        // Not a number in one part becomes one in both, or not, by how a product is written.
        Reduce::Prod if from.is_complex() => near(from, 1 << 6),
        _ => Judge::Exact,
    };
    Ok(Expected { value, judge })
}

/// How far variances may be off: they cancel, so by the largest square.
fn spread(x: &Reference) -> Judge {
    let element = x.element();
    let parts = x.elements().map(|raw| element.parts(raw));
    let largest = parts.fold(0.0, |largest: f64, x| largest.max(x[0].hypot(x[1])));
    // Where squares overflow an accumulator there is nothing to compare.
    if !(largest < 1e15 && x.elements().all(|raw| !element.is_nan(raw))) {
        return Judge::Shape;
    }
    let epsilon = match element.kind {
        Kind::Float(_) if element.size == 1 => 0.13,
        Kind::Float(_) if element.size == 2 => 0.01,
        _ => 1e-5,
    };
    Judge::Near {
        relative: epsilon,
        absolute: epsilon * largest * largest.max(1e-3),
    }
}

#[allow(
    clippy::as_conversions,
    reason = "counts of elements are far below 2^53"
)]
fn count(len: usize) -> f64 {
    len as f64
}

#[allow(clippy::as_conversions, reason = "it rounds")]
fn to_f32(x: f64) -> f32 {
    x as f32
}

/// The position of the first extreme along an axis, or of all elements.
pub(crate) fn extreme_position(
    greatest: bool,
    rules: &RuleSet,
    x: &Reference,
    axis: Option<usize>,
    keep: bool,
) -> Answer {
    let result = rules.operation(Operation::ArgMinMax, x.operand());
    let result = result.map_err(|_| Refusal::Rules)?;
    let axes: Vec<usize> = axis.map_or((0..x.shape.len()).collect(), |axis| vec![axis]);
    let (shape, groups) = groups(x, &axes, keep);
    if groups.len == 0 && groups.count > 0 {
        return Err(Refusal::Values);
    }
    let element = x.element();
    let more = |a: u128, b: u128| {
        let nan = element.is_nan(a) && !element.is_nan(b);
        let beyond = if greatest {
            (element.less)(b, a)
        } else {
            (element.less)(a, b)
        };
        nan || (beyond && !element.is_nan(b))
    };
    let f = |group: &[usize]| {
        let mut first = 0;
        for (at, position) in group.iter().enumerate() {
            if more(x.at(*position), x.at(group[first])) {
                first = at;
            }
        }
        Element::of(result.dtype).from_integer(i128::try_from(first).expect("a position"))
    };
    let elements: Vec<u128> = groups.iter().map(f).collect();
    exact(Reference::new(result.dtype, &shape, &elements).with_operand(result))
}

/// The operations of scans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scan {
    Sum,
    Prod,
    Min,
    Max,
}

/// Results so far along an axis, one after the other.
pub(crate) fn scan(op: Scan, rules: &RuleSet, x: &Reference, axis: usize) -> Answer {
    let group = match op {
        Scan::Sum | Scan::Prod => Operation::CumulativeSum,
        Scan::Min | Scan::Max => Operation::MinMaxReduce,
    };
    let result = rules.operation(group, x.operand());
    let result = result.map_err(|_| Refusal::Rules)?;
    let (from, to) = (x.element(), Element::of(result.dtype));
    let is_sum = op == Scan::Sum;
    let is_integer = from.is_integer() || from.dtype == DType::Bool;
    let mut elements = vec![0; x.len()];
    for group in groups(x, &[axis], false).1.iter() {
        let (mut integer, mut narrow, mut parts, mut extreme) = (None, None, None, None);
        for &position in group {
            let raw = x.at(position);
            elements[position] = if matches!(op, Scan::Min | Scan::Max) {
                let op = if op == Scan::Min { Op::Min } else { Op::Max };
                let next = extreme.map_or(raw, |before| {
                    (from.binary)(op, before, raw).expect("extremes are always defined")
                });
                extreme = Some(next);
                next
            } else if from.is_small_float() {
                let part = to_f32(from.parts(raw)[0]);
                let next = narrow.map_or(
                    part,
                    |before: f32| {
                        if is_sum { before + part } else { before * part }
                    },
                );
                narrow = Some(next);
                to.from_f64(f64::from(next))
            } else if is_integer {
                let part = from.integer(raw);
                let next = integer.map_or(part, |before: i128| {
                    if is_sum {
                        before.wrapping_add(part)
                    } else {
                        before.wrapping_mul(part)
                    }
                });
                integer = Some(next);
                to.from_integer(next)
            } else {
                let part = from.parts(raw);
                let next = parts.map_or(part, |before: Complex| {
                    if is_sum {
                        sum_of(before, part)
                    } else if from.is_complex() {
                        product_of(before, part)
                    } else {
                        [before[0] * part[0], 0.0]
                    }
                });
                parts = Some(next);
                to.from_parts(next)
            };
        }
    }
    let value = Reference::new(result.dtype, &x.shape, &elements).with_operand(result);
    let judge = match op {
        // As the product of all elements.
        Scan::Prod if from.is_complex() => near(from, 1 << 6),
        _ => Judge::Exact,
    };
    Ok(Expected { value, judge })
}

/// Products of matrices; the axes in front broadcast.
pub(crate) fn matmul(rules: &RuleSet, a: &Reference, b: &Reference) -> Answer {
    let promotion = rules.binary(Operation::MatrixMultiply, a.operand(), b.operand());
    let result = promotion.map_err(|_| Refusal::Rules)?.operand();
    let (rank_a, rank_b) = (a.shape.len(), b.shape.len());
    if rank_a == 0 || rank_b == 0 {
        return Err(Refusal::Values);
    }
    // Vectors are matrices of one row or column, which the result does not have.
    let with_axis = |x: &Reference, axis| {
        let mut shape = x.shape.clone();
        shape.insert(axis, 1);
        cast(x, result.dtype).reshape(&shape)
    };
    let a = if rank_a == 1 {
        with_axis(a, 0)
    } else {
        cast(a, result.dtype)
    };
    let b = if rank_b == 1 {
        with_axis(b, 1)
    } else {
        cast(b, result.dtype)
    };
    let (batch_a, matrix_a) = a.shape.split_at(a.shape.len() - 2);
    let (batch_b, matrix_b) = b.shape.split_at(b.shape.len() - 2);
    let batch = broadcast(batch_a, batch_b).ok_or(Refusal::Values)?;
    let ([rows, depth], [depth_b, columns]) =
        ([matrix_a[0], matrix_a[1]], [matrix_b[0], matrix_b[1]]);
    if depth != depth_b {
        return Err(Refusal::Values);
    }
    let whole = |sizes: [usize; 2]| [&batch[..], &sizes].concat();
    let [a, b] = [
        a.broadcast_to(&whole([rows, depth])),
        b.broadcast_to(&whole([depth, columns])),
    ];
    let element = Element::of(result.dtype);
    let mut elements = vec![];
    let mut absolute = 0.0_f64;
    for matrix in 0..batch.iter().product() {
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
        {
            let pairs = (0..depth).map(|k| {
                let a = a.at((matrix * rows + row) * depth + k);
                (a, b.at((matrix * depth + k) * columns + column))
            });
            elements.push(if result.dtype == DType::Bool {
                u128::from(pairs.into_iter().any(|(a, b)| a == 1 && b == 1))
            } else if element.is_integer() {
                let sum = pairs.fold(0_i128, |sum, (a, b)| {
                    sum.wrapping_add(element.integer(a).wrapping_mul(element.integer(b)))
                });
                element.from_integer(sum)
            } else {
                let products = pairs.map(|(a, b)| product_of(element.parts(a), element.parts(b)));
                let sum = products.fold([0.0; 2], |sum, product| {
                    absolute = absolute.max(product[0].hypot(product[1]));
                    sum_of(sum, product)
                });
                element.from_parts(sum)
            });
        }
    }
    let mut shape = whole([rows, columns]);
    if rank_b == 1 {
        shape.pop();
    }
    if rank_a == 1 {
        shape.remove(batch.len());
    }
    let value = Reference::new(result.dtype, &shape, &elements).with_operand(result);
    // The order of additions is the other library's, and so is whether a sum begins with a zero; sums of few small numbers do not
    // round.
    let judge = match element.kind {
        Kind::Float(_) | Kind::Complex(_) if absolute <= 64.0 && depth < 1000 => Judge::Equal,
        Kind::Float(_) | Kind::Complex(_) => Judge::Shape,
        _ => Judge::Exact,
    };
    Ok(Expected { value, judge })
}

/// One behind the other along an axis.
pub(crate) fn concat(result: OperandType, parts: &[&Reference], axis: usize) -> Answer {
    let first = parts[0];
    for part in parts {
        let alike = |other: usize| part.shape[other] == first.shape[other] || other == axis;
        if part.shape.len() != first.shape.len() || !(0..first.shape.len()).all(alike) {
            return Err(Refusal::Values);
        }
    }
    let mut shape = first.shape.clone();
    shape[axis] = parts.iter().map(|part| part.shape[axis]).sum();
    let rows: usize = shape[..axis].iter().product();
    let parts: Vec<Reference> = parts.iter().map(|part| cast(part, result.dtype)).collect();
    let mut elements = vec![];
    for row in 0..rows {
        for part in &parts {
            let width: usize = part.shape[axis..].iter().product();
            elements.extend((row * width..(row + 1) * width).map(|at| part.at(at)));
        }
    }
    exact(Reference::new(result.dtype, &shape, &elements).with_operand(result))
}
