//! Reductions, positions of extremes and scans.

use supremum::{DType, Operation, RuleSet};

use super::elementwise::near;
use super::{Answer, Expected, Judge, Refusal, exact};
use crate::element::Element;
use crate::exact::Kind;
use crate::naive::Op;
use crate::reference::{Reference, positions};

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
    NanProd,
    NanMean,
    NanMin,
    NanMax,
    NanVar,
    NanStd,
}

/// Positions of the elements that are reduced into each element of a result.
struct Groups {
    positions: Vec<usize>,
    /// The number of groups, and of elements in each.
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

pub(super) fn sum_of(a: Complex, b: Complex) -> Complex {
    [a[0] + b[0], a[1] + b[1]]
}

pub(super) fn product_of(a: Complex, b: Complex) -> Complex {
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
        Reduce::Sum | Reduce::Prod | Reduce::NanSum | Reduce::NanProd => Operation::Sum,
        Reduce::Mean | Reduce::NanMean => Operation::Mean,
        Reduce::Var | Reduce::Std | Reduce::NanVar | Reduce::NanStd => Operation::Variance,
        Reduce::Min | Reduce::Max | Reduce::NanMin | Reduce::NanMax => Operation::MinMaxReduce,
        Reduce::Any | Reduce::All => Operation::AnyAll,
    };
    let result = rules.operation(group, x.operand());
    let result = result.map_err(|_| Refusal::Rules)?;
    let (from, to) = (x.element(), Element::of(result.dtype));
    let (shape, groups) = groups(x, axes, keep);
    let is_extreme = group == Operation::MinMaxReduce;
    let skips = |raw: u128| {
        let skips_nan = matches!(
            op,
            Reduce::NanSum | Reduce::NanProd | Reduce::NanMean | Reduce::NanVar | Reduce::NanStd
        );
        skips_nan && from.is_nan(raw)
    };
    if is_extreme && groups.len == 0 {
        return Err(Refusal::Values);
    }
    let parts = |group: &[usize]| -> Vec<Complex> {
        let part = |raw| {
            if skips(raw) {
                [f64::from(u8::from(op == Reduce::NanProd)), 0.0]
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
        let numbers = match op {
            Reduce::NanVar | Reduce::NanStd => numbers(group),
            _ => group.to_vec(),
        };
        let count = count(numbers.len());
        let mean = sum(group).map(|part| part / count);
        let distances = parts(&numbers)
            .into_iter()
            .map(|x| (x[0] - mean[0]).powi(2) + (x[1] - mean[1]).powi(2));
        distances.sum::<f64>() / count
    };
    let f = |group: &[usize]| match op {
        Reduce::Sum | Reduce::NanSum if floats => to.from_parts(sum(group)),
        Reduce::Sum | Reduce::NanSum => whole(group, 0, |a, b| a.wrapping_add(b)),
        Reduce::Prod | Reduce::NanProd if floats => to.from_parts(product(group)),
        Reduce::Prod | Reduce::NanProd => whole(group, 1, |a, b| a.wrapping_mul(b)),
        Reduce::Mean => {
            let sum = sum(group);
            to.from_parts(sum.map(|part| part / count(group.len())))
        }
        Reduce::NanMean => {
            let (sum, numbers) = (sum(group), numbers(group).len());
            to.from_parts(sum.map(|part| part / count(numbers)))
        }
        Reduce::Var | Reduce::NanVar => to.from_f64(variance(group)),
        Reduce::Std | Reduce::NanStd => to.from_f64(variance(group).sqrt()),
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
        Reduce::Var | Reduce::Std => spread(x, false),
        Reduce::NanVar | Reduce::NanStd => spread(x, true),
        // Not a number in one part becomes one in both, or not, by how a product is written.
        Reduce::Prod if from.is_complex() => near(from, 1 << 6),
        _ => Judge::Exact,
    };
    Ok(Expected { value, judge })
}

/// Returns the error that variances may have: they cancel, so it is that of the largest square.
fn spread(x: &Reference, skips_nan: bool) -> Judge {
    let element = x.element();
    let counts = |raw: &u128| !skips_nan || !element.is_nan(*raw);
    let parts = x.elements().filter(counts).map(|raw| element.parts(raw));
    let largest = parts.fold(0.0, |largest: f64, x| largest.max(x[0].hypot(x[1])));
    // Where squares overflow an accumulator there is nothing to compare.
    let mut counted = x.elements().filter(counts);
    if !(largest < 1e15 && counted.all(|raw| !element.is_nan(raw))) {
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

/// The position of the first extreme along an axis, or of all elements. If NaN is skipped and there is nothing else, it is -1.
pub(crate) fn extreme_position(
    greatest: bool,
    skips_nan: bool,
    rules: &RuleSet,
    x: &Reference,
    axis: Option<usize>,
    keep: bool,
) -> Answer {
    let result = rules.operation(Operation::ArgMinMax, x.operand());
    let result = result.map_err(|_| Refusal::Rules)?;
    let axes: Vec<usize> = axis.map_or((0..x.shape.len()).collect(), |axis| vec![axis]);
    let (shape, groups) = groups(x, &axes, keep);
    if groups.len == 0 {
        return Err(Refusal::Values);
    }
    let element = x.element();
    if skips_nan && element.is_complex() {
        return Err(Refusal::Rules);
    }
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
        let mut first: Option<usize> = None;
        for (at, position) in group.iter().enumerate() {
            let found = x.at(*position);
            if skips_nan && element.is_nan(found) {
                continue;
            }
            if first.is_none_or(|first| more(found, x.at(group[first]))) {
                first = Some(at);
            }
        }
        let first = first.map_or(-1, |first| i128::try_from(first).expect("a position"));
        Element::of(result.dtype).from_integer(first)
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
