//! Reductions and positions of extremes.

#[cfg(feature = "parallel")]
use crate::kernel::drive::parallel;

use std::borrow::Cow;

use super::oracle::{REDUCED, alike, all_reductions, expected, full_layouts, groups, plain};
use crate::array::Array;
use crate::dtype::{DType, Kind};
use crate::error::Error;
use crate::kernel::tests::elementwise::{for_each_element, level_of, number_of, takes};
use crate::kernel::tests::graph::assert_same;
use crate::kernel::tests::layouts::{Layout, SHAPES, Seen, random};
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::tests::{cast, copied, reduce};
use crate::kernel::*;
use crate::simd::with_level;

// These functions do not depend on the type of the elements, so they are compiled once.

/// The shape of a reduction that keeps its axes.
fn squeezed(shape: &[usize], axes: &[usize]) -> Vec<usize> {
    let mut squeezed = shape.to_vec();
    for axis in axes {
        squeezed[*axis] = 1;
    }
    squeezed
}

fn count_of_groups(shape: &[usize], axes: &[usize]) -> usize {
    squeezed(shape, axes).iter().product()
}

/// The elements of one group of a reduction along these axes.
fn group_alone(x: &Array, axes: &[usize], number: usize) -> Array {
    let (mut index, mut alone) = (number, x.clone());
    for axis in (0..x.rank()).rev().filter(|axis| !axes.contains(axis)) {
        let at = index % x.shape()[axis];
        index /= x.shape()[axis];
        alone = alone.index_axis(axis, at).unwrap();
    }
    alone
}

fn reduce_of<E: Oracle>() {
    let kind = E::DTYPE.kind();
    let mut case = number_of(E::DTYPE); // dtypes begin with different instruction sets
    for (at, shape) in REDUCED.into_iter().enumerate() {
        let layouts = [Layout::Contiguous, Layout::Reversed, Layout::Transposed];
        for (turn, layout) in layouts.into_iter().enumerate() {
            if !takes(E::DTYPE, at + turn) {
                continue;
            }
            let x = Seen::<E>::new(layout, shape, 10, |_| true);
            for axes in [&[][..], &[0], &[1], &[0, 1]] {
                // Hundreds of groups show nothing that a few do not.
                if count_of_groups(&shape, axes) > 100 {
                    continue;
                }
                let groups = groups(&x, shape, axes);
                for (number, op) in all_reductions().into_iter().enumerate() {
                    // Of many elements, reductions and dtypes take the layouts in turn.
                    let is_large = shape[0] * shape[1] > 1_000;
                    if is_large && !(number + turn + number_of(E::DTYPE)).is_multiple_of(3) {
                        continue;
                    }
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
                    case += 1;
                    let level = level_of(case);
                    let mut result = None;
                    with_level(level, || {
                        result = Some(reduce(op, &x.array, axes, false, out))
                    });
                    let result = result.expect("the processor has the instruction set");
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
                    let kept = reduce(op, &x.array, axes, true, out).unwrap();
                    assert_eq!(kept.shape(), squeezed(&shape, axes), "{}", context());
                    let flat = result.reshape(&[groups.len()]).unwrap();
                    // The highest instruction set gives the same bits.
                    let highest = kept.reshape(&[groups.len()]).unwrap();
                    assert_same(&highest, &flat, &format!("{}, {level:?}", context()));
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

#[test]
fn reduce_agrees() {
    for_each_element!(reduce_of());
}

/// Converts positions to elements of a result; `None` becomes -1.
fn as_elements(positions: [Option<usize>; 4]) -> [i32; 4] {
    positions.map(|position| position.map_or(-1, |position| position as i32))
}

/// Returns the positions that each of [`ARG_OPS`] finds in a group: that of the first NaN, or else of the first extreme. If NaN is skipped,
/// it is that of the first extreme, or -1. (All at once, because comparisons of elements take long in a debug build.)
fn best<E: Oracle>(group: &[E]) -> [i32; 4] {
    let [mut first_nan, mut least, mut greatest] = [None; 3];
    for (at, element) in group.iter().enumerate() {
        if !E::same(*element, *element) {
            first_nan = first_nan.or(Some(at));
            continue;
        }
        if least.is_none_or(|least: usize| E::less(*element, group[least])) {
            least = Some(at);
        }
        if greatest.is_none_or(|greatest: usize| E::less(group[greatest], *element)) {
            greatest = Some(at);
        }
    }
    as_elements([first_nan.or(least), first_nan.or(greatest), least, greatest])
}

/// Returns the positions that one of [`ARG_OPS`] finds in each group.
fn found_by(number: usize, found: &[[i32; 4]]) -> Vec<i32> {
    found.iter().map(|found| found[number]).collect()
}

const ARG_OPS: [ArgOp; 4] = [ArgOp::Min, ArgOp::Max, ArgOp::NanMin, ArgOp::NanMax];

fn arg_reduce_of<E: Oracle>() {
    let mut case = number_of(E::DTYPE);
    // The last ones have long columns, which are searched side by side.
    let shapes = SHAPES.into_iter().chain([[40, 70], [600, 40], [5, 600]]);
    for (at, shape) in shapes.enumerate() {
        for (turn, layout) in full_layouts().enumerate() {
            // Of many elements, each dtype searches contiguous ones, and the dtypes take the other layouts in turn.
            let is_large = shape[0] * shape[1] > 2_000;
            if is_large && turn != 0 && turn != 1 + number_of(E::DTYPE) % 4
                || !takes(E::DTYPE, at + turn)
            {
                continue;
            }
            let x = Seen::<E>::new(layout, shape, 11, |_| true);
            for (axis, axes) in [(Some(0), &[0][..]), (Some(1), &[1]), (None, &[0, 1])] {
                let groups = groups(&x, shape, axes);
                let mut expected = Vec::with_capacity(groups.len());
                for group in &groups {
                    expected.push(best(group));
                }
                for (number, op) in ARG_OPS.into_iter().enumerate() {
                    if op.skips_nan() && E::DTYPE.kind() == Kind::Complex {
                        continue; // complex numbers have no extreme number
                    }
                    case += 1;
                    let mut result = None;
                    with_level(level_of(case), || {
                        result = Some(arg_reduce(op, &x.array, axis, false, DType::I32));
                    });
                    let result = result.expect("the level was used");
                    if groups.iter().any(Vec::is_empty) {
                        assert!(matches!(result, Err(Error::EmptyReduction { .. })));
                        continue;
                    }
                    let expected = found_by(number, &expected);
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
    let mut case = number_of(E::DTYPE);
    for shape in [[600, 3, 1], [5, 11, 67], [2, 550, 35], [40, 3, 67]] {
        let [planes, rows, columns] = shape;
        let x = Seen::<E>::new(Layout::Contiguous, [planes * rows, columns], 21, |_| true);
        let x = x.array.reshape(&shape).unwrap();
        for (turn, order) in [[0, 1, 2], [2, 0, 1], [2, 1, 0]].into_iter().enumerate() {
            // Groups of elements that lie side by side, with kept axes in another order than in memory.
            if turn == 2 && shape != [40, 3, 67] {
                continue;
            }
            let x = x.permute(&order).unwrap();
            for (number, axes) in [&[0][..], &[1], &[2], &[0, 2]].into_iter().enumerate() {
                if !takes(E::DTYPE, turn + number) {
                    continue;
                }
                // Dtypes take turns, if there are many elements.
                if rows == 550 && !(number_of(E::DTYPE) + turn + number).is_multiple_of(4) {
                    continue;
                }
                for op in all_reductions() {
                    let is_reduced = match op {
                        ReduceOp::Any | ReduceOp::Max => true,
                        ReduceOp::NanMax => E::DTYPE.kind() == Kind::Float,
                        ReduceOp::Sum | ReduceOp::Std { .. } => inexact,
                        ReduceOp::NanMean | ReduceOp::NanVar { .. } => inexact,
                        _ => false,
                    };
                    if !is_reduced {
                        continue;
                    }
                    let out = match op {
                        ReduceOp::Any => DType::Bool,
                        _ => E::DTYPE,
                    };
                    case += 1;
                    let level = level_of(case);
                    let mut together = None;
                    with_level(level, || {
                        let reduced = reduce(op, &x, axes, false, out).unwrap();
                        together = reduced.reshape(&[reduced.len()]).ok();
                    });
                    let together = together.expect("one group beside another");
                    let count = together.len();
                    for number in (0..count).step_by(71.max(count / 16)) {
                        let alone = group_alone(&x, axes, number);
                        let all: Vec<usize> = (0..alone.shape().len()).collect();
                        let alone = reduce(op, &alone, &all, false, out).unwrap();
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

#[test]
fn groups_side_by_side_reduce_as_alone() {
    for_each_element!(side_by_side_of());
}

/// Parts along the first axis, which are reduced by themselves.
#[cfg(feature = "parallel")]
#[test]
fn middle_axes_are_reduced_on_any_number_of_threads() {
    let number = |at| (random(at as u64) % 1003) as f32 / 7.0;
    let x = Array::from_positions(&[40, 300, 70], number).unwrap();
    let sums = || {
        let [whole, turned] = [x.clone(), x.permute(&[2, 0, 1]).unwrap()];
        [(whole, 1), (turned, 0)].map(|(x, axis)| {
            let sums = reduce(ReduceOp::Sum, &x, &[axis], false, DType::F32).unwrap();
            sums.to_vec::<f32>()
        })
    };
    let alone = parallel::with_threads(1, sums);
    for threads in [2, 3] {
        assert_eq!(parallel::with_threads(threads, sums), alone);
    }
    for position in [0, 39] {
        let part = x.index_axis(0, position).unwrap();
        let expected = reduce(ReduceOp::Sum, &part, &[0], false, DType::F32).unwrap();
        assert_eq!(alone[0][position * 70..][..70], expected.to_vec::<f32>());
    }
}

/// Permuted and reversed arrays: exact reductions take their axes in the order of memory, and sums of floats in the order of positions.
#[test]
fn reductions_of_permuted_arrays_agree_with_those_of_copies() {
    let x = Array::from_positions(&[9, 4, 50], |at| (random(at as u64) % 3) as i32 - 1).unwrap();
    let sparse = Array::from_positions(&[9, 4, 50], |at| {
        f32::from(u8::from(random(at as u64).is_multiple_of(40)))
    });
    let sparse = sparse.unwrap();
    let sevenths = |at| (random(at as u64) % 1003) as f64 / 7.0;
    let inexact = Array::from_positions(&[9, 4, 50], sevenths).unwrap();
    let cases = [
        (ReduceOp::Sum, &inexact, DType::F64),
        (ReduceOp::Sum, &x, DType::I64),
        (ReduceOp::Max, &x, DType::I32),
        (ReduceOp::Prod, &x, DType::I32),
        (ReduceOp::Any, &sparse, DType::Bool),
        (ReduceOp::All, &x, DType::Bool),
    ];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        for axes in [&[0][..], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]] {
            for (op, x, out) in cases {
                let turned = x.permute(&order).unwrap().flip(1).unwrap();
                let copy = copied(&turned);
                let [found, expected] =
                    [&turned, &copy].map(|x| reduce(op, x, axes, true, out).unwrap());
                assert_same(
                    &found,
                    &expected,
                    &format!("{op:?} {order:?} over {axes:?}"),
                );
            }
        }
    }
}

/// Sums that are long enough for threads, around the sizes of blocks and blocks, in memory and not.
#[test]
fn long_reductions_agree_on_any_number_of_threads() {
    let ops = [
        ReduceOp::Sum,
        ReduceOp::Max,
        ReduceOp::Std { ddof: 0 },
        ReduceOp::NanMean,
        ReduceOp::NanStd { ddof: 0 },
    ];
    let gather = |x: &Array| {
        let count = x.len() as isize;
        let backwards = copied(&x.slice(0, count - 1, -1, -1).unwrap());
        // The same elements in the same order, which can only be read one by one.
        backwards.slice(0, count - 1, -1, -1).unwrap()
    };
    let mut vectors = Vec::new();
    let number = |at| (random(at as u64) % 1_000_003) as f32 / 1003.0;
    for count in [511, 512, 513, 32_767, 32_769, 70_000] {
        let x = Array::from_positions(&[count], number).unwrap();
        for dtype in [DType::F32, DType::F16, DType::I32, DType::BF16, DType::F64] {
            vectors.push(cast(Cow::Borrowed(&x), dtype));
        }
    }
    // As many segments as one thread has pieces, and several times as many.
    for (count, dtype) in [
        (265_001, DType::F16),
        (265_001, DType::I32),
        (530_001, DType::F32),
    ] {
        let x = Array::from_positions(&[count], number).unwrap();
        vectors.push(cast(Cow::Owned(x), dtype));
    }
    let number = |at| (random(at as u64) % 1003) as f64 / 7.0;
    // Segments for three threads. The columns have two blocks, and the rows three, whose tree is not even. Sums of no dtype are exact.
    let x = Array::from_positions(&[521, 1033], number).unwrap();
    let matrices = [DType::F32, DType::F16, DType::F64].map(|to| cast(Cow::Borrowed(&x), to));
    let turn = |x: &Array| {
        let turned = copied(&x.permute(&[1, 0]).unwrap());
        turned.permute(&[1, 0]).unwrap()
    };
    let of_vectors = |vectors: &[Array]| {
        let mut results = Vec::new();
        for x in vectors {
            for op in ops {
                if x.dtype() != DType::I32 || op == ReduceOp::Max {
                    let context = format!("{op:?} of {} {}", x.len(), x.dtype());
                    results.push((context, reduce(op, x, &[0], false, x.dtype()).unwrap()));
                }
            }
        }
        results
    };
    // All operations of `f32`; of the others, each along one of the axes, because axes are split alike for every dtype.
    let of_matrices = |matrices: &[Array]| {
        let mut results = Vec::new();
        for (number, x) in matrices.iter().enumerate() {
            for (turn, axes) in [&[0][..], &[1], &[0, 1]].into_iter().enumerate() {
                for (at, op) in ops.into_iter().enumerate() {
                    if x.dtype() != DType::F32 && at % 3 != (number + turn) % 3 {
                        continue;
                    }
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
    // Shorter vectors are not split.
    let (short, long) = vectors.split_at(vectors.len() - 3);
    let alone = [of_vectors(short), of_vectors(long), of_matrices(&matrices)];
    let gathered = [short, long].map(|vectors| vectors.iter().map(gather).collect::<Vec<_>>());
    agree("gathered", &alone[0], &of_vectors(&gathered[0]));
    agree("gathered", &alone[1], &of_vectors(&gathered[1]));
    agree(
        "gathered",
        &alone[2],
        &of_matrices(&matrices.each_ref().map(turn)),
    );
    #[cfg(feature = "parallel")]
    {
        for threads in [2, 3] {
            let found = parallel::with_threads(threads, || of_vectors(long));
            agree(&format!("{threads} threads"), &alone[1], &found);
        }
        // One by one, and along the axes of matrices: those take long, and are split alike.
        let found = parallel::with_threads(3, || of_vectors(&gathered[1]));
        agree("gathered by threads", &alone[1], &found);
        let found = parallel::with_threads(3, || of_matrices(&matrices));
        agree("matrices by threads", &alone[2], &found);
    }
    assert!(alone.iter().all(|results| !results.is_empty()));
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
