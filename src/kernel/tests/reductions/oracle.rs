//! The documented order of a reduction, and its result by plain loops.

use std::borrow::Cow;

use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, Kind, StaticDType, c128};
use crate::error::Error;
use crate::kernel::tests::cast;
use crate::kernel::tests::layouts::{Layout, Seen};
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::*;

/// The documented order: 32 lanes within blocks of 512, lanes as a tree, blocks pairwise.
pub(super) fn fold<T: Copy>(elements: &[T], combine: &impl Fn(T, T) -> T) -> Option<T> {
    let blocks: Vec<T> = elements
        .chunks(512)
        .map(|block| {
            let mut lanes: Vec<Option<T>> = vec![None; 32];
            for (at, element) in block.iter().enumerate() {
                let lane = &mut lanes[at % 32];
                *lane = Some(lane.map_or(*element, |sum| combine(sum, *element)));
            }
            while lanes.len() > 1 {
                let upper = lanes.split_off(lanes.len() / 2);
                for (lane, other) in lanes.iter_mut().zip(upper) {
                    *lane = match (*lane, other) {
                        (Some(a), Some(b)) => Some(combine(a, b)),
                        (a, b) => a.or(b),
                    };
                }
            }
            lanes[0].unwrap()
        })
        .collect();
    pairwise(&blocks, combine)
}

fn pairwise<T: Copy>(blocks: &[T], combine: &impl Fn(T, T) -> T) -> Option<T> {
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
    let narrow = E::DTYPE.is_small_float();
    Some(match E::DTYPE.kind() {
        Kind::Complex => {
            let group: Vec<c128> = group.iter().map(|e| cast_element(*e)).collect();
            let add = |a: c128, b: c128| c128::new(a.re + b.re, a.im + b.im);
            let multiply =
                |a: c128, b: c128| c128::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
            let sum = fold(&group, &add).unwrap_or_default();
            let count = c128::new(count as f64, 0.0);
            let mean = c128::binary(BinaryOp::Div, sum, count).unwrap();
            scalar(match op {
                ReduceOp::Sum => Array::full(sum, &[]),
                ReduceOp::Prod => {
                    Array::full(fold(&group, &multiply).unwrap_or(c128::new(1.0, 0.0)), &[])
                }
                ReduceOp::Mean => Array::full(mean, &[]),
                _ => return None,
            })
        }
        Kind::Float if narrow => {
            let group: Vec<f32> = group.iter().map(|e| cast_element(*e)).collect();
            let sum = fold(&group, &|a, b| a + b).unwrap_or(0.0);
            let mean = sum / count as f32;
            let square = |(x, skipped): (&f32, &bool)| match skipped {
                true => 0.0,
                false => (x - mean) * (x - mean),
            };
            let squares: Vec<f32> = group.iter().zip(skipped).map(square).collect();
            let squares = fold(&squares, &|a, b| a + b).unwrap_or(0.0);
            scalar(Array::full(
                match op {
                    ReduceOp::Sum => sum,
                    ReduceOp::Prod => fold(&group, &|a, b| a * b).unwrap_or(1.0),
                    ReduceOp::Mean => mean,
                    ReduceOp::Var { ddof } => squares / count.saturating_sub(ddof) as f32,
                    ReduceOp::Std { ddof } => (squares / count.saturating_sub(ddof) as f32).sqrt(),
                    _ => unreachable!(),
                },
                &[],
            ))
        }
        kind if kind == Kind::Float || !matches!(op, ReduceOp::Sum | ReduceOp::Prod) => {
            let group: Vec<f64> = group.iter().map(|e| cast_element(*e)).collect();
            let sum = fold(&group, &|a, b| a + b).unwrap_or(0.0);
            let mean = sum / count as f64;
            let square = |(x, skipped): (&f64, &bool)| match skipped {
                true => 0.0,
                false => (x - mean) * (x - mean),
            };
            let squares: Vec<f64> = group.iter().zip(skipped).map(square).collect();
            let squares = fold(&squares, &|a, b| a + b).unwrap_or(0.0);
            scalar(Array::full(
                match op {
                    ReduceOp::Sum => sum,
                    ReduceOp::Prod => fold(&group, &|a, b| a * b).unwrap_or(1.0),
                    ReduceOp::Mean => mean,
                    ReduceOp::Var { ddof } => squares / count.saturating_sub(ddof) as f64,
                    ReduceOp::Std { ddof } => (squares / count.saturating_sub(ddof) as f64).sqrt(),
                    _ => unreachable!(),
                },
                &[],
            ))
        }
        _ => {
            let group = group.iter().map(|e| cast_element::<E, i64>(*e));
            scalar(Array::full(
                match op {
                    ReduceOp::Sum => group.fold(0, i64::wrapping_add),
                    _ => group.fold(1, i64::wrapping_mul),
                },
                &[],
            ))
        }
    })
}

pub(super) fn all_reductions() -> Vec<ReduceOp> {
    let corrected = [ReduceOp::Std { ddof: 1 }, ReduceOp::NanVar { ddof: 1 }];
    [ReduceOp::ALL, &corrected].concat()
}

/// The reduction that does not skip NaN.
pub(super) fn plain(op: ReduceOp) -> ReduceOp {
    match op {
        ReduceOp::NanSum => ReduceOp::Sum,
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
    let numbers: Vec<E> = group.iter().copied().filter(|e| !is_nan(e)).collect();
    let zeroed = || {
        let zero = |e: &E| {
            if is_nan(e) {
                cast_element::<i64, E>(0)
            } else {
                *e
            }
        };
        group.iter().map(zero).collect::<Vec<E>>()
    };
    match op {
        ReduceOp::NanSum
        | ReduceOp::NanMean
        | ReduceOp::NanVar { .. }
        | ReduceOp::NanStd { .. } => {
            let skipped: Vec<bool> = group.iter().map(is_nan).collect();
            expected_of(plain(op), &zeroed(), &skipped, out)
        }
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
    let row = |row: usize| (0..columns).map(move |column| x.at(row, column));
    match axes {
        [] => (0..rows).flat_map(row).map(|e| vec![e]).collect(),
        [0] => (0..columns)
            .map(|column| (0..rows).map(|row| x.at(row, column)).collect())
            .collect(),
        [1] => (0..rows).map(|at| row(at).collect()).collect(),
        _ => vec![(0..rows).flat_map(row).collect()],
    }
}

pub(super) fn is_full(layout: Layout) -> bool {
    layout.has() == [true, true]
}

/// Returns whether two arrays of one element are equal, NaN to NaN.
pub(super) fn alike(a: &Array, b: &Array) -> bool {
    crate::dtype::dispatch_dtype!(a.dtype(), D => {
        type E = <D as StaticDType>::Element;
        a.dtype() == b.dtype() && <E as Oracle>::alike(a.to_vec::<E>()[0], b.to_vec::<E>()[0])
    })
}
