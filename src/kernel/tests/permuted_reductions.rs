//! Reductions of permuted arrays, whose groups are reduced in the order of memory, beside those of the same views group by group.

use std::borrow::Cow;

use super::fused_reductions::numbers;
use super::graph::assert_same;
use super::{copied, reduce};
use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::ReduceOp;
use crate::kernel::accumulate::ArgOp;
use crate::kernel::reduce::kept_order::in_memory_order;
use crate::kernel::reduce::{arg_reduce, arg_reduce_source, reduce_source};

const OPS: [ReduceOp; 9] = [
    ReduceOp::Sum,
    ReduceOp::Prod,
    ReduceOp::Mean,
    ReduceOp::Var { ddof: 1 },
    ReduceOp::Std { ddof: 0 },
    ReduceOp::Min,
    ReduceOp::Max,
    ReduceOp::NanSum,
    ReduceOp::NanMean,
];

const DTYPES: [DType; 5] = [DType::F32, DType::BF16, DType::F64, DType::I8, DType::I64];

fn is_reordered(x: &Array, axes: &[usize]) -> bool {
    let reduce = |x: &Array, axes: &[usize]| reduce(ReduceOp::Max, x, axes, false, x.dtype());
    in_memory_order(x, axes, false, reduce).is_some()
}

/// Views of a dtype, each with axes to reduce. Their kept axes lie in memory in another order than in the shape.
fn views(dtype: DType) -> Vec<(Array, Vec<usize>)> {
    let x = numbers(dtype, &[70, 5, 36], 3);
    let long = numbers(dtype, &[530, 2, 37], 4);
    let four = numbers(dtype, &[6, 7, 8, 40], 5);
    let single = numbers(dtype, &[9, 1, 12, 33], 6);
    let column = numbers(dtype, &[50, 40], 7);
    let permuted = |x: &Array, order: &[usize]| x.permute(order).unwrap();
    vec![
        (permuted(&x, &[2, 0, 1]), vec![1]),
        (permuted(&x, &[2, 1, 0]), vec![2]),
        (permuted(&x, &[0, 2, 1]).flip(1).unwrap(), vec![0]),
        (permuted(&long, &[2, 0, 1]), vec![1]),
        (permuted(&four, &[3, 0, 1, 2]), vec![1, 3]),
        (permuted(&four, &[1, 3, 2, 0]), vec![3]),
        (permuted(&four, &[3, 2, 1, 0]), vec![3]),
        (permuted(&single, &[3, 1, 0, 2]), vec![2]),
        (
            permuted(&column.broadcast_to(&[8, 50, 40]).unwrap(), &[2, 0, 1]),
            vec![2],
        ),
    ]
}

#[test]
fn permuted_arrays_reduce_as_their_groups_do() {
    for dtype in DTYPES {
        for (view, axes) in views(dtype) {
            assert!(is_reordered(&view, &axes), "{:?} {axes:?}", view.strides());
            for (number, op) in OPS.into_iter().enumerate() {
                let is_mean = !matches!(op, ReduceOp::Min | ReduceOp::Max | ReduceOp::Prod);
                let out = if is_mean { DType::F32 } else { dtype };
                let context = format!("{op:?} of {dtype:?} {:?} over {axes:?}", view.strides());
                let keep = number % 2 == 0;
                let groups = reduce_source(op, Cow::Borrowed(&view), Some(&axes), keep, out);
                let found = reduce(op, &view, &axes, keep, out).unwrap();
                assert!(found.is_contiguous(), "{context}");
                assert_same(&found, &groups.unwrap(), &context);
            }
        }
    }
}

/// Of equal elements the first one counts, and there are many of 8 bits.
#[test]
fn positions_in_permuted_arrays_are_those_in_their_groups() {
    for dtype in DTYPES {
        for (view, axes) in views(dtype).into_iter().filter(|(_, axes)| axes.len() == 1) {
            for (op, keep) in [
                (ArgOp::Max, false),
                (ArgOp::Min, true),
                (ArgOp::NanMax, false),
            ] {
                let axis = axes.first().copied();
                let of_view = arg_reduce_source(op, Cow::Borrowed(&view), axis, keep, DType::I32);
                let found = arg_reduce(op, &view, axis, keep, DType::I32).unwrap();
                let context = format!("{op:?} of {dtype:?} {:?} over {axes:?}", view.strides());
                match op {
                    // Without skipping NaN, of which there are none.
                    ArgOp::NanMax => {
                        let of_max = arg_reduce(ArgOp::Max, &copied(&view), axis, keep, DType::I32);
                        assert_same(&found, &of_max.unwrap(), &context);
                    }
                    _ => assert_same(&found, &of_view.unwrap(), &context),
                }
            }
        }
    }
}

/// Arrays whose kept axes are in order, apart from axes of size one, and those whose groups are contiguous are reduced as they are.
#[test]
fn other_arrays_keep_their_order() {
    let x = numbers(DType::F32, &[40, 1, 30, 20], 8);
    let as_it_is = [
        (x.clone(), &[0][..]),
        (x.permute(&[1, 0, 2, 3]).unwrap(), &[1]),
        (x.permute(&[0, 2, 1, 3]).unwrap(), &[0]),
        (x.permute(&[2, 0, 1, 3]).unwrap(), &[3]),
        (
            x.slice(0, 0, 1, 1).unwrap().permute(&[3, 2, 1, 0]).unwrap(),
            &[0],
        ),
        (x.permute(&[3, 2, 1, 0]).unwrap(), &[0, 1, 2, 3]),
        (
            numbers(DType::F32, &[4, 5, 6], 9)
                .permute(&[2, 0, 1])
                .unwrap(),
            &[1],
        ),
    ];
    for (x, axes) in as_it_is {
        assert!(!is_reordered(&x, axes), "{:?} {axes:?}", x.strides());
    }
}
