//! Means that come with a variance or a standard deviation, beside the reductions alone: bit by bit, along rows, across them, of few
//! elements and of long rows, and on each instruction set.

use std::borrow::Cow;

use super::fenced;
use super::fused_reductions::{Here, numbers};
use super::graph::assert_same;
use crate::array::Array;
use crate::dtype::{DType, Element, bf16};
use crate::kernel::ReduceOp;
use crate::kernel::fused::reduce::{self as reductions, Reduction, has_mean, with_loops};
use crate::kernel::fused::{Input, LoopInputs};
use crate::kernel::reduce::reduce_source;
use crate::simd::{SimdLevel, with_level};

/// Returns whether the loops could do it.
fn check<O: Reduction, X: Element, Out: Element>(x: &Array, axes: Option<&[usize]>) -> bool {
    assert!(has_mean::<O, X, Out, Out>());
    let mut sources = LoopInputs::default();
    sources.array(0, x);
    let all: Vec<usize> = (0..x.rank()).collect();
    let keep = x.len().is_multiple_of(2);
    let expected = [ReduceOp::Mean, O::OP].map(|op| {
        let source = Cow::Borrowed(x);
        reduce_source(op, source, Some(axes.unwrap_or(&all)), keep, Out::DTYPE).unwrap()
    });
    let mut could = true;
    for level in SimdLevel::ALL {
        with_level(level, || {
            let node = Input::<0, X>::NEW;
            let found = fenced(|| {
                with_loops::<Here, O, _, _, O::Accumulated<X, Out>, _, true>(
                    ((), node),
                    &sources,
                    |code| {
                        let out = (Out::DTYPE, Out::DTYPE);
                        code.with_shape(|shape| code.reduce_with_means(shape, axes, keep, out))
                    },
                )
            });
            match found {
                Some(found) => {
                    let (mean, spread) = found.unwrap();
                    let context = format!("{:?} {axes:?} {level:?}", x.shape());
                    assert_same(&mean, &expected[0], &context);
                    assert_same(&spread, &expected[1], &context);
                }
                None => could = false,
            }
        });
    }
    could
}

#[test]
fn means_come_with_variances() {
    let shapes: [&[usize]; 8] = [
        &[3, 5],
        &[2, 33],
        &[130, 64],
        &[41, 512],
        &[3, 1_055],
        &[40, 600],
        &[2, 33_000],
        &[5, 7, 64],
    ];
    for (seed, shape) in (1..).zip(shapes) {
        let x = numbers(DType::F32, shape, seed);
        let last = shape.len() - 1;
        let all: Vec<usize> = (0..=last).collect();
        for axes in [&all[last..], &all[..1], &all] {
            assert!(check::<reductions::Var, f32, f32>(&x, Some(axes)));
        }
        assert!(check::<reductions::Std, f32, f64>(&x, Some(&all[last..])));
        assert!(check::<reductions::Std, f32, f32>(&x, None));
        let x = numbers(DType::BF16, shape, seed);
        assert!(check::<reductions::Var, bf16, bf16>(&x, Some(&all[last..])));
    }
    // Rows of a permuted array.
    let x = numbers(DType::F32, &[6, 40, 64], 5);
    assert!(check::<reductions::Var, f32, f32>(
        &x.permute(&[2, 0, 1]).unwrap(),
        Some(&[0])
    ));
}

/// Groups of operands that broadcast, which are copied: of short rows, of a few elements, and of more than are copied at a time.
#[test]
fn means_of_copies_come_with_variances() {
    for shape in [[300, 2, 7], [3, 40, 3], [3, 40, 33], [2, 1_100, 31]] {
        let last = numbers(DType::F32, &shape[2..], 5);
        let x = last.broadcast_to(&shape).unwrap();
        for axes in [&[1, 2][..], &[0], &[1], &[2]] {
            assert!(check::<reductions::Var, f32, f32>(&x, Some(axes)));
        }
    }
}

/// A long row, whose segments several threads take.
#[test]
fn the_mean_of_a_long_row_comes_with_its_variance() {
    let x = numbers(DType::F32, &[1, 300_000], 9);
    assert!(check::<reductions::Var, f32, f32>(&x, Some(&[1])));
}
