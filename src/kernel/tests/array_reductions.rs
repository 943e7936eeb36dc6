//! Means and variances of arrays, which the loops of expressions compute, beside the blocks that the interpreter reduces: bit by bit,
//! at the edges of what a call of a loop takes, in layouts that are walked along rows and across them, and on each instruction set.

use std::borrow::Cow;

use super::elementwise::{level_of, number_of};
use super::fused_reductions::numbers;
use super::graph::assert_same;
use super::{copied, fenced, reduce};
use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::ReduceOp;
use crate::kernel::fused::reduce::reduce_array;
use crate::kernel::reduce::reduce_source;
use crate::simd::with_level;

const OPS: [ReduceOp; 4] = [
    ReduceOp::Mean,
    ReduceOp::Var { ddof: 0 },
    ReduceOp::Var { ddof: 1 },
    ReduceOp::Std { ddof: 0 },
];

/// Each dtype that has loops, with the dtype of the result.
const DTYPES: [(DType, DType); 6] = [
    (DType::F32, DType::F32),
    (DType::F32, DType::F64),
    (DType::F64, DType::F64),
    (DType::F16, DType::F16),
    (DType::BF16, DType::BF16),
    (DType::BF16, DType::F32),
];

/// The shape of a reduction, by hand.
fn shape_of(x: &Array, axes: &[usize], keep: bool) -> Vec<usize> {
    let sizes = x.shape().iter().copied().enumerate();
    sizes
        .filter_map(|(axis, size)| match (axes.contains(&axis), keep) {
            (false, _) => Some(size),
            (true, true) => Some(1),
            (true, false) => None,
        })
        .collect()
}

fn check(x: &Array, axes: &[usize], out: DType, context: &str) {
    for (number, op) in OPS.into_iter().enumerate() {
        let expected = reduce_source(op, Cow::Borrowed(x), Some(axes), false, out).unwrap();
        // Shapes, axes and operations take the instruction sets in turn.
        let turn = number + x.shape().iter().chain(axes).sum::<usize>();
        let level = level_of(turn + number_of(x.dtype()));
        with_level(level, || {
            // They take turns to keep the axes too, which changes nothing but the shape.
            let keep = turn.is_multiple_of(2);
            let found = fenced(|| reduce(op, x, axes, keep, out).unwrap());
            let context = format!("{op:?} {context} {axes:?} {keep} {level:?}");
            assert_eq!(found.shape(), shape_of(x, axes, keep), "{context}");
            let found = found.reshape(expected.shape()).unwrap();
            assert_same(&found, &expected, &context);
        });
    }
}

/// Rows of less than a pack, of packs and a part, of a block, of several blocks, and longer than a segment; as many that a variance
/// takes several rounds of cached rows. Of large arrays each dtype meets some of the axes, and all dtypes together meet all of them.
#[test]
fn rows_reduce_as_their_blocks_do() {
    let shapes = [
        [2, 4],
        [3, 31],
        [70, 33],
        [70, 64],
        [41, 512],
        [19, 600],
        [35, 1_055],
        // More than a segment: several rows in a call, by the general walk.
        [70, 512],
        [60, 600],
        [2, 33_000],
        [1, 70_001],
        [33, 17],
        [100, 3],
        [1_030, 5],
        [20_000, 3],
    ];
    for (number, shape) in shapes.iter().enumerate() {
        let is_large = shape[0] * shape[1] > 8_000;
        for (case, (dtype, out)) in DTYPES.into_iter().enumerate() {
            let x = numbers(dtype, shape, 3 + u64::try_from(number).unwrap());
            for (turn, axes) in [&[1][..], &[0], &[0, 1]].into_iter().enumerate() {
                if is_large && (case + turn + number) % 2 == 0 {
                    continue;
                }
                check(&x, axes, out, &format!("{dtype:?} {shape:?}"));
            }
        }
    }
}

#[test]
fn other_layouts_reduce_as_their_copies_do() {
    let x = numbers(DType::F32, &[6, 40, 64], 5);
    let views = [
        x.permute(&[2, 0, 1]).unwrap(),
        x.permute(&[1, 2, 0]).unwrap(),
        numbers(DType::F32, &[40, 1], 6)
            .broadcast_to(&[6, 40, 64])
            .unwrap(),
    ];
    for view in views {
        for axes in [&[0][..], &[1], &[2], &[0, 2], &[1, 2]] {
            check(&view, axes, DType::F32, &format!("{:?}", view.strides()));
            let direct = reduce(ReduceOp::Std { ddof: 0 }, &view, axes, false, DType::F32).unwrap();
            let copy = reduce(
                ReduceOp::Std { ddof: 0 },
                &copied(&view),
                axes,
                false,
                DType::F32,
            );
            assert_same(&direct, &copy.unwrap(), "a view and its copy");
        }
    }
}

/// The loops are for divided sums of floats; other reductions, and arrays of no elements, are left to the blocks.
#[test]
fn what_has_loops() {
    let x = numbers(DType::F32, &[4, 40], 8);
    let has = |op, x: &Array, out| reduce_array(op, x, Some(&[1]), false, out).is_some();
    for op in OPS {
        assert!(has(op, &x, DType::F32), "{op:?}");
        assert!(
            !has(op, &numbers(DType::F32, &[4, 0], 8), DType::F32),
            "{op:?}"
        );
        assert!(
            !has(op, &numbers(DType::I32, &[4, 40], 8), DType::F64),
            "{op:?}"
        );
    }
    let nan_var = ReduceOp::NanVar { ddof: 0 };
    for op in [ReduceOp::Sum, ReduceOp::NanMean, nan_var, ReduceOp::Max] {
        assert!(!has(op, &x, DType::F32), "{op:?}");
    }
}
