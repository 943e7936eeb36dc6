//! The documented order of a reduction, and its result by plain loops.

use std::borrow::Cow;

use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, Kind, StaticDType, c128};
use crate::error::Error;
use crate::kernel::tests::cast;
use crate::kernel::tests::elementwise::converted;
use crate::kernel::tests::layouts::{Layout, Seen, visited};
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::*;

/// The documented order: 32 lanes within blocks of 512, lanes as a tree, blocks pairwise.
pub(super) fn fold<T: Copy>(elements: &[T], combine: &dyn Fn(T, T) -> T) -> Option<T> {
    let mut blocks = Vec::new();
    for block in elements.chunks(512) {
        let mut lanes = [None; 32];
        for (at, element) in block.iter().enumerate() {
            let lane = &mut lanes[at % 32];
            *lane = Some(match *lane {
                Some(sum) => combine(sum, *element),
                None => *element,
            });
        }
        let mut width = 32;
        while width > 1 {
            width /= 2;
            for at in 0..width {
                lanes[at] = match (lanes[at], lanes[at + width]) {
                    (Some(a), Some(b)) => Some(combine(a, b)),
                    (a, b) => a.or(b),
                };
            }
        }
        blocks.push(lanes[0].unwrap());
    }
    pairwise(&blocks, combine)
}

fn pairwise<T: Copy>(blocks: &[T], combine: &dyn Fn(T, T) -> T) -> Option<T> {
    match blocks {
        [] => None,
        [only] => Some(*only),
        _ => {
            let (left, right) = blocks.split_at(blocks.len().next_power_of_two() / 2);
            Some(combine(pairwise(left, combine)?, pairwise(right, combine)?))
        }
    }
}

/// Returns the result of a naive reduction of one group. Sums are computed in `c128`, everything else in the dtype of the elements. A
/// mean divides by the number of elements that are not skipped; those that are skipped are zero, and do not deviate.
fn expected_of<E: Oracle>(
    op: ReduceOp,
    group: &[E],
    skipped: &[bool],
    out: DType,
) -> Option<Array> {
    let count = skipped.iter().filter(|skipped| !**skipped).count();
    let scalar = |array: Result<Array, Error>| cast(Cow::Owned(array.unwrap()), out);
    let truth = |value: bool| Some(scalar(Array::full(value, &[])));
    let is_true = |element: &E| cast_element::<E, bool>(*element);
    match op {
        ReduceOp::Any => return truth(group.iter().any(is_true)),
        ReduceOp::All => return truth(group.iter().all(is_true)),
        ReduceOp::Min | ReduceOp::Max => {
            let binary = if op == ReduceOp::Min {
                BinaryOp::Min
            } else {
                BinaryOp::Max
            };
            let extreme = fold(group, &|a, b| E::binary(binary, a, b).unwrap())?;
            return Some(scalar(Array::full(extreme, &[])));
        }
        _ => {}
    }
    let sum = match E::DTYPE.kind() {
        Kind::Complex => complex_sum(op, &converted(group), count)?,
        Kind::Float if E::DTYPE.is_small_float() => {
            single_sum(op, &converted(group), skipped, count)
        }
        kind if kind == Kind::Float || !matches!(op, ReduceOp::Sum | ReduceOp::Prod) => {
            double_sum(op, &converted(group), skipped, count)
        }
        _ => integer_sum(op, &converted(group)),
    };
    Some(cast(Cow::Owned(sum), out))
}

fn complex_sum(op: ReduceOp, group: &[c128], count: usize) -> Option<Array> {
    let add = |a: c128, b: c128| c128::new(a.re + b.re, a.im + b.im);
    let multiply =
        |a: c128, b: c128| c128::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
    let sum = fold(group, &add).unwrap_or_default();
    let value = match op {
        ReduceOp::Sum => sum,
        ReduceOp::Prod => fold(group, &multiply).unwrap_or(c128::new(1.0, 0.0)),
        ReduceOp::Mean => c128::binary(BinaryOp::Div, sum, c128::new(count as f64, 0.0)).unwrap(),
        _ => return None,
    };
    Some(Array::full(value, &[]).unwrap())
}

macro_rules! float_sums {
    ($($name:ident: $float:ident;)*) => {$(
        fn $name(op: ReduceOp, group: &[$float], skipped: &[bool], count: usize) -> Array {
            let sum = fold(group, &|a, b| a + b).unwrap_or(0.0);
            let mean = sum / count as $float;
            let square = |(x, skipped): (&$float, &bool)| match skipped {
                true => 0.0,
                false => (x - mean) * (x - mean),
            };
            let squares: Vec<$float> = group.iter().zip(skipped).map(square).collect();
            let squares = fold(&squares, &|a, b| a + b).unwrap_or(0.0);
            let value = match op {
                ReduceOp::Sum => sum,
                ReduceOp::Prod => fold(group, &|a, b| a * b).unwrap_or(1.0),
                ReduceOp::Mean => mean,
                ReduceOp::Var { ddof } => squares / count.saturating_sub(ddof) as $float,
                ReduceOp::Std { ddof } => (squares / count.saturating_sub(ddof) as $float).sqrt(),
                _ => unreachable!(),
            };
            Array::full(value, &[]).unwrap()
        }
    )*};
}

float_sums! {
    single_sum: f32;
    double_sum: f64;
}

fn integer_sum(op: ReduceOp, group: &[i64]) -> Array {
    let group = group.iter().copied();
    let value = match op {
        ReduceOp::Sum => group.fold(0, i64::wrapping_add),
        _ => group.fold(1, i64::wrapping_mul),
    };
    Array::full(value, &[]).unwrap()
}

pub(super) fn all_reductions() -> Vec<ReduceOp> {
    let corrected = [ReduceOp::Std { ddof: 1 }, ReduceOp::NanVar { ddof: 1 }];
    [ReduceOp::ALL, &corrected].concat()
}

/// The reduction that does not skip NaN.
pub(super) fn plain(op: ReduceOp) -> ReduceOp {
    match op {
        ReduceOp::NanSum => ReduceOp::Sum,
        ReduceOp::NanProd => ReduceOp::Prod,
        ReduceOp::NanMean => ReduceOp::Mean,
        ReduceOp::NanVar { ddof } => ReduceOp::Var { ddof },
        ReduceOp::NanStd { ddof } => ReduceOp::Std { ddof },
        ReduceOp::NanMin => ReduceOp::Min,
        ReduceOp::NanMax => ReduceOp::Max,
        op => op,
    }
}

/// Returns the result of a reduction of one group; of one that skips NaN, the result of the plain one for other elements.
pub(super) fn expected<E: Oracle>(op: ReduceOp, group: &[E], out: DType) -> Option<Array> {
    let is_nan = |e: &E| !E::same(*e, *e);
    let (mut numbers, mut skipped) = (Vec::new(), Vec::with_capacity(group.len()));
    for e in group {
        skipped.push(is_nan(e));
        if !is_nan(e) {
            numbers.push(*e);
        }
    }
    let replaced = |by: i64| {
        let mut elements = group.to_vec();
        for e in &mut elements {
            if is_nan(e) {
                *e = cast_element::<i64, E>(by);
            }
        }
        elements
    };
    match op {
        ReduceOp::NanSum
        | ReduceOp::NanMean
        | ReduceOp::NanVar { .. }
        | ReduceOp::NanStd { .. } => expected_of(plain(op), &replaced(0), &skipped, out),
        ReduceOp::NanProd => expected_of(plain(op), &replaced(1), &vec![false; group.len()], out),
        ReduceOp::NanMin | ReduceOp::NanMax if numbers.is_empty() => {
            expected_of(plain(op), group, &vec![false; group.len()], out)
        }
        _ if op != plain(op) => expected_of(plain(op), &numbers, &vec![false; numbers.len()], out),
        _ => expected_of(op, group, &vec![false; group.len()], out),
    }
}

pub(super) const REDUCED: [[usize; 2]; 8] = [
    [1, 0],
    [0, 3],
    [1, 1],
    [1, 31],
    [3, 32],
    [2, 1601],
    [33, 3],
    [1100, 2],
];

/// The groups that a reduction of two axes makes, each with its elements in order.
pub(super) fn groups<E: Oracle>(x: &Seen<E>, shape: [usize; 2], axes: &[usize]) -> Vec<Vec<E>> {
    let [rows, columns] = shape;
    match axes {
        [] => visited(shape, &|row, column| vec![x.at(row, column)]),
        [0] => visited([1, columns], &|_, column| {
            visited([1, rows], &|_, row| x.at(row, column))
        }),
        [1] => visited([1, rows], &|_, row| {
            visited([1, columns], &|_, column| x.at(row, column))
        }),
        _ => vec![visited(shape, &|row, column| x.at(row, column))],
    }
}

/// The layouts of operands with rows and columns.
pub(super) fn full_layouts() -> impl Iterator<Item = Layout> {
    Layout::ALL
        .into_iter()
        .filter(|layout| layout.has() == [true, true])
}

/// Returns whether two arrays of one element are equal, NaN to NaN.
pub(super) fn alike(a: &Array, b: &Array) -> bool {
    crate::dtype::dispatch_dtype!(a.dtype(), D => {
        type E = <D as StaticDType>::Element;
        a.dtype() == b.dtype() && <E as Oracle>::alike(a.to_vec::<E>()[0], b.to_vec::<E>()[0])
    })
}
