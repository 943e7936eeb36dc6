//! Reductions, scans, products of matrices and joins against plain loops over `Vec`s.
#![allow(clippy::as_conversions, reason = "the meaning of casts")]

use std::borrow::Cow;

use super::elementwise::{at_each_level, each_level, for_each_element};
use super::graph::assert_same;
use super::layouts::{Layout, SHAPES, Seen, random};
use super::oracle::Oracle;
use super::{cast, copied, reduce, scan, try_cast};
use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, Element, Kind, StaticDType, c64, c128, for_each_marker};
use crate::error::Error;
#[cfg(feature = "parallel")]
use crate::kernel::drive::parallel;
use crate::kernel::*;

/// The documented order: 32 lanes within blocks of 512, lanes as a tree, blocks pairwise.
fn fold<T: Copy>(elements: &[T], combine: &impl Fn(T, T) -> T) -> Option<T> {
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
/// mean divides by `count`.
fn expected_of<E: Oracle>(op: ReduceOp, group: &[E], count: usize, out: DType) -> Option<Array> {
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
            let squares: Vec<f32> = group.iter().map(|x| (x - mean) * (x - mean)).collect();
            let squares = fold(&squares, &|a, b| a + b).unwrap_or(0.0);
            scalar(Array::full(
                match op {
                    ReduceOp::Sum => sum,
                    ReduceOp::Prod => fold(&group, &|a, b| a * b).unwrap_or(1.0),
                    ReduceOp::Mean => mean,
                    ReduceOp::Var { ddof } => squares / group.len().saturating_sub(ddof) as f32,
                    ReduceOp::Std { ddof } => {
                        (squares / group.len().saturating_sub(ddof) as f32).sqrt()
                    }
                    _ => unreachable!(),
                },
                &[],
            ))
        }
        kind if kind == Kind::Float || !matches!(op, ReduceOp::Sum | ReduceOp::Prod) => {
            let group: Vec<f64> = group.iter().map(|e| cast_element(*e)).collect();
            let sum = fold(&group, &|a, b| a + b).unwrap_or(0.0);
            let mean = sum / count as f64;
            let squares: Vec<f64> = group.iter().map(|x| (x - mean) * (x - mean)).collect();
            let squares = fold(&squares, &|a, b| a + b).unwrap_or(0.0);
            scalar(Array::full(
                match op {
                    ReduceOp::Sum => sum,
                    ReduceOp::Prod => fold(&group, &|a, b| a * b).unwrap_or(1.0),
                    ReduceOp::Mean => mean,
                    ReduceOp::Var { ddof } => squares / group.len().saturating_sub(ddof) as f64,
                    ReduceOp::Std { ddof } => {
                        (squares / group.len().saturating_sub(ddof) as f64).sqrt()
                    }
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

fn all_reductions() -> Vec<ReduceOp> {
    [ReduceOp::ALL, &[ReduceOp::Std { ddof: 1 }]].concat()
}

/// The reduction that does not skip NaN.
fn plain(op: ReduceOp) -> ReduceOp {
    match op {
        ReduceOp::NanSum => ReduceOp::Sum,
        ReduceOp::NanMean => ReduceOp::Mean,
        ReduceOp::NanMin => ReduceOp::Min,
        ReduceOp::NanMax => ReduceOp::Max,
        op => op,
    }
}

/// What a reduction of one group gives; of those that skip NaN, by the plain one of other elements.
fn expected<E: Oracle>(op: ReduceOp, group: &[E], out: DType) -> Option<Array> {
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
        ReduceOp::NanSum | ReduceOp::NanMean => {
            expected_of(plain(op), &zeroed(), numbers.len(), out)
        }
        ReduceOp::NanMin | ReduceOp::NanMax if numbers.is_empty() => {
            expected_of(plain(op), group, 0, out)
        }
        _ if op != plain(op) => expected_of(plain(op), &numbers, numbers.len(), out),
        _ => expected_of(op, group, group.len(), out),
    }
}

const REDUCED: [[usize; 2]; 8] = [
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
fn groups<E: Oracle>(x: &Seen<E>, shape: [usize; 2], axes: &[usize]) -> Vec<Vec<E>> {
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

fn is_full(layout: Layout) -> bool {
    layout.has() == [true, true]
}

fn reduce_of<E: Oracle>() {
    let kind = E::DTYPE.kind();
    for shape in REDUCED {
        for layout in [Layout::Contiguous, Layout::Reversed, Layout::Transposed] {
            let x = Seen::<E>::new(layout, shape, 10, |_| true);
            for axes in [&[][..], &[0], &[1], &[0, 1]] {
                // Hundreds of groups show nothing that a few do not.
                if groups(&x, shape, axes).len() > 100 {
                    continue;
                }
                let groups = groups(&x, shape, axes);
                for op in all_reductions() {
                    let sums = matches!(plain(op), ReduceOp::Sum | ReduceOp::Prod);
                    let out = match plain(op) {
                        ReduceOp::Any | ReduceOp::All => DType::Bool,
                        ReduceOp::Min | ReduceOp::Max => E::DTYPE,
                        _ if sums && kind == Kind::Bool => DType::I32,
                        _ if sums || kind.is_inexact() => E::DTYPE,
                        _ => DType::F32,
                    };
                    let context =
                        || format!("{op:?} of {} {shape:?} {layout:?} over {axes:?}", E::DTYPE);
                    let results = each_level(|| reduce(op, &x.array, axes, false, out));
                    let (_, result) = results[0].clone();
                    let is_extreme = matches!(plain(op), ReduceOp::Min | ReduceOp::Max);
                    if is_extreme && groups.iter().any(Vec::is_empty) {
                        assert!(
                            matches!(result, Err(Error::EmptyReduction { .. })),
                            "{}",
                            context()
                        );
                        continue;
                    }
                    if is_extreme && op != plain(op) && kind == Kind::Complex {
                        assert!(
                            matches!(result, Err(Error::UnsupportedDType { .. })),
                            "{}",
                            context()
                        );
                        continue;
                    }
                    let result = result.unwrap();
                    assert_eq!(result.len(), groups.len(), "{}", context());
                    for (level, other) in results {
                        assert_same(
                            &other.unwrap(),
                            &result,
                            &format!("{}, {level:?}", context()),
                        );
                    }
                    let kept = reduce(op, &x.array, axes, true, out).unwrap();
                    let squeezed: Vec<usize> = (0..2)
                        .map(|axis| if axes.contains(&axis) { 1 } else { shape[axis] })
                        .collect();
                    assert_eq!(kept.shape(), squeezed, "{}", context());
                    let flat = result.reshape(&[groups.len()]).unwrap();
                    for (at, group) in groups
                        .iter()
                        .enumerate()
                        .step_by(groups.len().div_ceil(6).max(1))
                    {
                        let Some(expected) = expected(op, group, out) else {
                            continue;
                        };
                        let found = flat.index_axis(0, at).unwrap();
                        assert!(
                            alike(&expected, &found),
                            "{} at {at}: expected {expected:?}, found {found:?}",
                            context()
                        );
                    }
                }
            }
        }
    }
}

/// Returns whether two arrays of one element are equal, NaN to NaN.
fn alike(a: &Array, b: &Array) -> bool {
    crate::dtype::dispatch_dtype!(a.dtype(), D => {
        type E = <D as StaticDType>::Element;
        a.dtype() == b.dtype() && <E as Oracle>::alike(a.to_vec::<E>()[0], b.to_vec::<E>()[0])
    })
}

#[test]
fn reduce_agrees() {
    for_each_element!(reduce_of());
}

fn arg_reduce_of<E: Oracle>() {
    for shape in SHAPES {
        for layout in Layout::ALL.into_iter().filter(|layout| is_full(*layout)) {
            let x = Seen::<E>::new(layout, shape, 11, |_| true);
            for (axis, axes) in [(Some(0), &[0][..]), (Some(1), &[1]), (None, &[0, 1])] {
                let groups = groups(&x, shape, axes);
                for op in [ArgOp::Min, ArgOp::Max] {
                    let result = arg_reduce(op, &x.array, axis, false, DType::I32);
                    if groups.iter().any(Vec::is_empty) {
                        assert!(matches!(result, Err(Error::EmptyReduction { .. })));
                        continue;
                    }
                    let is_nan = |e: &E| !E::same(*e, *e);
                    let expected: Vec<i32> = groups
                        .iter()
                        .map(|group| {
                            let best = group.iter().position(is_nan).unwrap_or_else(|| {
                                (1..group.len()).fold(0, |best, at| {
                                    let better = match op {
                                        ArgOp::Min => E::less(group[at], group[best]),
                                        ArgOp::Max => E::less(group[best], group[at]),
                                    };
                                    if better { at } else { best }
                                })
                            });
                            best as i32
                        })
                        .collect();
                    assert_eq!(
                        result.unwrap().to_vec::<i32>(),
                        expected,
                        "{op:?} of {} {shape:?} {layout:?} over {axes:?}",
                        E::DTYPE
                    );
                }
            }
        }
    }
}

#[test]
fn arg_reduce_agrees() {
    for_each_element!(arg_reduce_of());
}

/// Many groups are reduced side by side, single ones are not; short ones, long ones, and ones whose
/// elements or neighbours are spread over several axes.
fn side_by_side_of<E: Oracle>() {
    let inexact = E::DTYPE.kind().is_inexact();
    for shape in [[600, 3, 1], [5, 11, 67], [2, 550, 35]] {
        let [planes, rows, columns] = shape;
        let x = Seen::<E>::new(Layout::Contiguous, [planes * rows, columns], 21, |_| true);
        let x = x.array.reshape(&shape).unwrap();
        for order in [[0, 1, 2], [2, 0, 1]] {
            let x = x.permute(&order).unwrap();
            for axes in [&[0][..], &[1], &[2], &[0, 2]] {
                let kept: Vec<usize> = (0..3).filter(|axis| !axes.contains(axis)).collect();
                let ops = all_reductions().into_iter().filter(|op| match op {
                    ReduceOp::Any | ReduceOp::Max => true,
                    ReduceOp::NanMax => E::DTYPE.kind() == Kind::Float,
                    ReduceOp::Sum | ReduceOp::Std { .. } | ReduceOp::NanMean => inexact,
                    _ => false,
                });
                for op in ops {
                    let out = match op {
                        ReduceOp::Any => DType::Bool,
                        _ => E::DTYPE,
                    };
                    let together = each_level(|| {
                        let reduced = reduce(op, &x, axes, false, out).unwrap();
                        reduced.reshape(&[reduced.len()]).unwrap()
                    });
                    let count = together[0].1.len();
                    for number in (0..count).step_by(71.max(count / 16)) {
                        let mut index = number;
                        let mut alone = x.clone();
                        for axis in kept.iter().rev() {
                            let at = index % x.shape()[*axis];
                            index /= x.shape()[*axis];
                            alone = alone.index_axis(*axis, at).unwrap();
                        }
                        let all: Vec<usize> = (0..alone.shape().len()).collect();
                        let alone = reduce(op, &alone, &all, false, out).unwrap();
                        for (level, together) in &together {
                            let found = together.index_axis(0, number).unwrap();
                            assert!(
                                alike(&alone, &found),
                                "{op:?} of {} {shape:?} {order:?} over {axes:?} at {number}, {level:?}: \
                                 {alone:?} {found:?}",
                                E::DTYPE
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn groups_side_by_side_reduce_as_alone() {
    for_each_element!(side_by_side_of());
}

/// Sums that are long enough for threads, around the sizes of blocks and blocks, in memory and not.
#[test]
fn long_reductions_agree_on_any_number_of_threads() {
    let ops = [
        ReduceOp::Sum,
        ReduceOp::Max,
        ReduceOp::Std { ddof: 0 },
        ReduceOp::NanMean,
    ];
    let gather = |x: &Array| {
        let count = x.len() as isize;
        let backwards = copied(&x.slice(0, count - 1, -1, -1).unwrap());
        // The same elements in the same order, which can only be read one by one.
        backwards.slice(0, count - 1, -1, -1).unwrap()
    };
    let mut vectors = Vec::new();
    for count in [511, 512, 513, 32_767, 32_769, 100_000, 600_001] {
        let number = |at| (random(at as u64) % 1_000_003) as f32 / 1003.0;
        let x = Array::from_positions(&[count], number).unwrap();
        // The longest ones take longest.
        let dtypes = [DType::F32, DType::F16, DType::I32, DType::BF16, DType::F64];
        for dtype in dtypes.into_iter().take(if count > 100_000 { 3 } else { 5 }) {
            vectors.push(cast(Cow::Borrowed(&x), dtype));
        }
    }
    let number = |at| (random(at as u64) % 1003) as f32 / 7.0;
    let x = Array::from_positions(&[700, 2300], number).unwrap();
    let matrices = [DType::F32, DType::F16, DType::F64].map(|to| cast(Cow::Borrowed(&x), to));
    let turn = |x: &Array| {
        let turned = copied(&x.permute(&[1, 0]).unwrap());
        turned.permute(&[1, 0]).unwrap()
    };
    // Each reduction of these, of which every number of threads has to make the same.
    let all = |vectors: &[Array], matrices: &[Array]| {
        let mut results = Vec::new();
        for x in vectors {
            for op in ops {
                if x.dtype() != DType::I32 || op == ReduceOp::Max {
                    let context = format!("{op:?} of {} {}", x.len(), x.dtype());
                    results.push((context, reduce(op, x, &[0], false, x.dtype()).unwrap()));
                }
            }
        }
        for x in matrices {
            for axes in [&[0][..], &[1], &[0, 1]] {
                for op in ops {
                    let context = format!("{op:?} of {} over {axes:?}", x.dtype());
                    let sums = reduce(op, x, axes, false, x.dtype()).unwrap();
                    results.push((context, sums.reshape(&[sums.len()]).unwrap()));
                }
            }
        }
        results
    };
    let agree = |how: &str, one: &[(String, Array)], other: &[(String, Array)]| {
        assert_eq!(one.len(), other.len());
        for ((context, one), (_, other)) in one.iter().zip(other) {
            for at in (0..one.len()).step_by(41) {
                let [one, other] = [one, other].map(|sums| match sums.shape() {
                    [] => sums.clone(),
                    _ => sums.index_axis(0, at).unwrap(),
                });
                assert!(
                    alike(&one, &other),
                    "{context}, {how}, at {at}: {one:?} {other:?}"
                );
            }
        }
    };
    let alone = all(&vectors, &matrices);
    let gathered: Vec<Array> = vectors.iter().map(gather).collect();
    let turned = matrices.each_ref().map(turn);
    agree("gathered", &alone, &all(&gathered, &turned));
    #[cfg(feature = "parallel")]
    for threads in [2, 3] {
        let together = || all(&vectors, &matrices);
        agree(
            &format!("{threads} threads"),
            &alone,
            &parallel::with_threads(threads, together),
        );
        // One by one they take long, and are split alike.
        if threads == 3 {
            let longest = vectors.len() - 3;
            let together = || all(&gathered[longest..], &[]);
            let expected = all(&vectors[longest..], &[]);
            agree(
                "gathered by threads",
                &expected,
                &parallel::with_threads(threads, together),
            );
        }
    }
    assert!(!alone.is_empty());
}

#[test]
fn sums_are_accurate_however_long() {
    let count = 1_000_000;
    let x = Array::from_positions(&[count], |at| f64::from(at as u32) * 0.1).unwrap();
    let exact = 0.1 * (count as f64) * (count as f64 - 1.0) / 2.0;
    let sum = reduce(ReduceOp::Sum, &x, &[0], false, DType::F64).unwrap();
    let error = (sum.to_vec::<f64>()[0] - exact).abs() / exact;
    assert!(error < 4.0 * f64::EPSILON, "{error}");
    let tenths = Array::full(crate::dtype::f16::from_f32(0.1), &[count]).unwrap();
    let mean = reduce(ReduceOp::Mean, &tenths, &[0], false, DType::F16).unwrap();
    assert_eq!(
        mean.to_vec::<crate::dtype::f16>()[0].to_f32(),
        0.099_975_586
    );
}

fn scans_of<E: Oracle>() {
    for op in ScanOp::ALL {
        scan_of::<E>(*op);
    }
}

fn scan_of<E: Oracle>(op: ScanOp) {
    let orders = matches!(op.combine(), BinaryOp::Min | BinaryOp::Max);
    let out = match E::DTYPE {
        DType::Bool if !orders => DType::I32,
        dtype => dtype,
    };
    for shape in [[1, 0], [3, 1], [33, 31], [2, 600]] {
        for layout in Layout::ALL.into_iter().filter(|layout| is_full(*layout)) {
            let x = Seen::<E>::new(layout, shape, 12, |_| true);
            if orders && E::DTYPE.kind() == Kind::Complex {
                let refused = crate::kernel::scan(op, &x.array, 0, out);
                assert!(matches!(refused, Err(Error::UnsupportedDType { .. })));
                continue;
            }
            for axis in [0, 1] {
                let results = scan(op, &x.array, axis, out);
                assert_eq!(results.shape(), shape);
                for (number, group) in groups(&x, shape, &[axis]).iter().enumerate() {
                    // An element that is wrong makes later ones wrong, so some of them show it.
                    let shown = |length: &usize| *length < 10 || length % 8 < 2;
                    for length in (1..=group.len().min(41)).filter(shown) {
                        let index = if axis == 0 {
                            [length - 1, number]
                        } else {
                            [number, length - 1]
                        };
                        let found = results
                            .index_axis(0, index[0])
                            .unwrap()
                            .index_axis(0, index[1])
                            .unwrap();
                        let expected = one_by_one(op, &group[..length], out);
                        assert!(
                            alike(&expected, &found),
                            "{} of {} {shape:?} {layout:?} {index:?}: {expected:?} {found:?}",
                            op.name(),
                            E::DTYPE
                        );
                    }
                }
            }
        }
    }
}

fn one_by_one<E: Oracle>(op: ScanOp, elements: &[E], out: DType) -> Array {
    fn combined<T: Oracle>(op: ScanOp, elements: impl Iterator<Item = T>) -> Array {
        let combine = |a, b| T::binary(op.combine(), a, b).unwrap();
        Array::full(elements.reduce(combine).unwrap(), &[]).unwrap()
    }
    let elements = elements.iter().copied();
    let result = match (op.combine(), E::DTYPE.kind()) {
        (BinaryOp::Min | BinaryOp::Max, _) => combined(op, elements),
        (_, Kind::Complex) => combined(op, elements.map(cast_element::<E, c128>)),
        (_, Kind::Float) if E::DTYPE.size() < 4 => {
            combined(op, elements.map(cast_element::<E, f32>))
        }
        (_, Kind::Float) => combined(op, elements.map(cast_element::<E, f64>)),
        _ => combined(op, elements.map(cast_element::<E, i64>)),
    };
    cast(Cow::Owned(result), out)
}

#[test]
fn scans_agree() {
    for_each_element!(scans_of());
}

/// Small whole numbers: their products and sums are exact in every dtype but the 8-bit floats.
fn small<E: Oracle>(shape: &[usize], seed: u64) -> (Array, Vec<i64>) {
    let count = shape.iter().product::<usize>();
    let numbers: Vec<i64> = (0..count)
        .map(|at| (random(seed + at as u64) % 3) as i64)
        .collect();
    let elements: Vec<E> = numbers.iter().map(|n| cast_element::<i64, E>(*n)).collect();
    (Array::from_elements(&elements, shape).unwrap(), numbers)
}

fn matmul_of<E: Oracle>() {
    for [batch, rows, inner, columns] in [
        [1, 1, 1, 1],
        [2, 3, 4, 5],
        [3, 7, 0, 2],
        [1, 17, 33, 9],
        [2, 0, 3, 2],
    ] {
        let (a, x) = small::<E>(&[batch, 1, rows, inner], 1);
        let (b_turned, y) = small::<E>(&[2, columns, inner], 2);
        let b = b_turned.permute(&[0, 2, 1]).unwrap();
        let product = matmul(&a, &b, E::DTYPE).unwrap();
        assert_eq!(product.shape(), [batch, 2, rows, columns]);
        let found: Vec<E> = product.to_vec();
        let mut at = 0;
        for i in 0..batch {
            for j in 0..2 {
                for row in 0..rows {
                    for column in 0..columns {
                        let terms = (0..inner).map(|k| {
                            x[(i * rows + row) * inner + k].min(limit::<E>())
                                * y[(j * columns + column) * inner + k].min(limit::<E>())
                        });
                        let sum: i64 = terms.sum();
                        let expected = cast_element::<i64, E>(sum);
                        assert!(
                            E::alike(found[at], expected),
                            "{} [{batch}, {rows}, {inner}, {columns}]: {:?} {expected:?}",
                            E::DTYPE,
                            found[at]
                        );
                        at += 1;
                    }
                }
            }
        }
    }
    let (v, _) = small::<E>(&[3], 3);
    let (m, _) = small::<E>(&[3, 2], 4);
    assert_eq!(matmul(&v, &m, E::DTYPE).unwrap().shape(), [2]);
    assert_eq!(
        matmul(&m.permute(&[1, 0]).unwrap(), &v, E::DTYPE)
            .unwrap()
            .shape(),
        [2]
    );
    assert_eq!(matmul(&v, &v, E::DTYPE).unwrap().shape(), [0_usize; 0]);
    assert!(matmul(&m, &m, E::DTYPE).is_err());
    assert!(matmul(&v, &v.index_axis(0, 0).unwrap(), E::DTYPE).is_err());
}

/// A boolean makes 1 of 2.
fn limit<E: Element>() -> i64 {
    if E::DTYPE == DType::Bool { 1 } else { 2 }
}

#[test]
fn matmul_agrees() {
    for_each_element!(matmul_of());
    let z = |re, im| c64::new(re, im);
    let a = Array::from_elements(&[z(1.0, 2.0), z(0.0, 1.0)], &[1, 2]).unwrap();
    let b = Array::from_elements(&[z(3.0, -1.0), z(2.0, 0.0)], &[2, 1]).unwrap();
    assert_eq!(
        matmul(&a, &b, DType::C64).unwrap().to_vec::<c64>(),
        [z(5.0, 7.0)]
    );
}

/// `[rows, columns]` of small numbers in several layouts, as arrays and in row-major order.
fn layouts_of<E: Oracle>([rows, columns]: [usize; 2], seed: u64) -> [(Array, Vec<i64>); 4] {
    let (straight, numbers) = small::<E>(&[rows, columns], seed);
    let columns_first = |at: usize| numbers[at % rows * columns + at / rows];
    let turned: Vec<i64> = (0..rows * columns).map(columns_first).collect();
    let turned: Vec<E> = turned.into_iter().map(cast_element).collect();
    let turned = Array::from_elements(&turned, &[columns, rows]).unwrap();
    let reversed = |array: &Array| array.flip(0).unwrap().flip(1).unwrap();
    let backwards: Vec<i64> = numbers.iter().rev().copied().collect();
    let row = straight.slice(0, 0, 1, 1).unwrap();
    [
        (reversed(&straight), backwards),
        (straight, numbers.clone()),
        (turned.permute(&[1, 0]).unwrap(), numbers.clone()),
        (
            row.broadcast_to(&[rows, columns]).unwrap(),
            numbers[..columns].repeat(rows),
        ),
    ]
}

/// Operands that are read in place, packed, backwards or again and again, around the sizes of blocks.
fn layouts_agree<E: Oracle>([rows, inner, columns]: [usize; 3]) {
    for (a, x) in layouts_of::<E>([rows, inner], 1) {
        for (b, y) in layouts_of::<E>([inner, columns], 2) {
            let found: Vec<E> = matmul(&a, &b, E::DTYPE).unwrap().to_vec();
            for (at, found) in found.iter().enumerate().step_by(7) {
                let (row, column) = (at / columns, at % columns);
                let terms = (0..inner).map(|k| x[row * inner + k] * y[k * columns + column]);
                let expected = cast_element::<i64, E>(terms.sum());
                assert!(
                    E::alike(*found, expected),
                    "{} [{rows}, {inner}, {columns}] at {at}: {found:?} {expected:?}",
                    E::DTYPE
                );
            }
        }
    }
}

fn layouts_agree_around_blocks<E: Oracle>() {
    for sizes in [
        [12, 256, 32],
        [13, 257, 33],
        [25, 5, 129],
        [97, 300, 17],
        [1, 40, 300],
        [300, 40, 1],
        [70, 1, 70],
        [3, 2, 50],
    ] {
        layouts_agree::<E>(sizes);
    }
}

#[test]
fn matmul_agrees_around_blocks() {
    let integers = || {
        layouts_agree_around_blocks::<u64>();
        layouts_agree_around_blocks::<i16>();
    };
    let floats = || {
        layouts_agree_around_blocks::<f32>();
        layouts_agree_around_blocks::<f64>();
        layouts_agree_around_blocks::<c64>();
        layouts_agree_around_blocks::<c128>();
    };
    at_each_level(integers);
    floats();
    #[cfg(feature = "parallel")]
    parallel::with_threads(3, || (integers(), floats()));
}

/// A product in pieces is the whole one but for rounding.
#[cfg(feature = "parallel")]
#[test]
fn matmul_in_pieces_is_close() {
    let fractions = |shape: &[usize], seed| {
        Array::from_positions(shape, |at| (random(seed + at as u64) % 1000) as f32 / 7.0).unwrap()
    };
    let a = fractions(&[2, 161, 700], 1);
    let b = fractions(&[2, 700, 195], 2);
    let product = || matmul(&a, &b, DType::F32).unwrap().to_vec::<f32>();
    let whole = parallel::with_threads(1, product);
    for threads in [2, 5] {
        for (found, whole) in parallel::with_threads(threads, product).iter().zip(&whole) {
            assert!((found - whole).abs() <= whole * 1e-5, "{found} {whole}");
        }
    }
}

#[test]
fn concat_agrees() {
    for axis in [0, 1] {
        for layout in Layout::ALL.into_iter().filter(|layout| is_full(*layout)) {
            let shape = |size| if axis == 0 { [size, 40] } else { [40, size] };
            let a = Seen::<i16>::new(layout, shape(33), 13, |_| true);
            let b = Seen::<u8>::new(Layout::Transposed, shape(7), 14, |_| true);
            let joined = concat(&[&a.array, &b.array], axis, DType::I32).unwrap();
            assert_eq!(joined.shape(), shape(40));
            for row in 0..40 {
                for column in 0..40 {
                    let expected = match (axis, row, column) {
                        (0, 33.., _) => i32::from(b.at(row - 33, column)),
                        (1, _, 33..) => i32::from(b.at(row, column - 33)),
                        _ => i32::from(a.at(row, column)),
                    };
                    assert_eq!(
                        joined.get(&[row, column]),
                        Some(expected),
                        "{axis} {layout:?}"
                    );
                }
            }
        }
    }
    let [a, b] = [[2, 3], [3, 2]].map(|shape| Array::full(1_u8, &shape).unwrap());
    assert!(matches!(
        concat(&[&a, &b], 0, DType::U8),
        Err(Error::ShapeMismatch { .. })
    ));
    assert!(matches!(
        concat(&[&a], 2, DType::U8),
        Err(Error::AxisOutOfRange { .. })
    ));
    assert!(concat(&[], 0, DType::U8).is_err());
}

#[test]
fn try_cast_checks_every_value() {
    fn refused<E: Element>(elements: &[E], to: DType) -> Option<usize> {
        let x = Array::from_elements(elements, &[elements.len()]).unwrap();
        try_cast(&x, to).err()
    }
    assert_eq!(refused(&[i64::MAX - 1023, i64::MAX], DType::F64), Some(1));
    assert_eq!(refused(&[u64::MAX], DType::F64), Some(0));
    assert_eq!(refused(&[u64::MAX], DType::I64), Some(0));
    assert_eq!(refused(&[2_147_483_648_f32], DType::I32), Some(0));
    assert_eq!(refused(&[-0.0_f32, 255.0, 255.5], DType::U8), Some(2));
    assert_eq!(refused(&[-0.999_999_999_999_999_9], DType::I8), Some(0));
    assert_eq!(
        refused(&[f64::NAN, f64::INFINITY, 1e300], DType::F16),
        Some(2)
    );
    assert_eq!(refused(&[f32::NAN], DType::I32), Some(0));
    assert_eq!(refused(&[0_u8, 1, 2], DType::Bool), Some(2));
    assert_eq!(
        refused(&[c64::new(1.0, 0.0), c64::new(1.0, 1.0)], DType::F32),
        Some(1)
    );
    assert_eq!(refused(&[65_504_i32, 65_505], DType::F16), Some(1));
}
