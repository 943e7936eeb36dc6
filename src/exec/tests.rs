//! Traces refuse what kernels refuse, with the same errors, and have the dtypes and shapes of their results.

use std::borrow::Cow;

use super::*;
use crate::array::{Datum, Dims, ScalarBits};
use crate::dtype::DType;
use crate::kernel::{BinaryOp, ReduceOp, ScanOp, SoftmaxOp, Triangle, UnaryOp};
use crate::trace::{array, record_function, with_graph};

const SHAPE: [usize; 2] = [2, 3];

/// Runs an operation on an array of ones and records it on a tracer, and compares what can be known of both.
#[track_caller]
fn check(dtype: DType, operation: impl Fn(&Array) -> Result<Array, Error>, context: &str) {
    let ones = ScalarBits::of(dtype, 1.0).full(&SHAPE).unwrap();
    let recorded = record_function(|| {
        let shape = Dims::new(&SHAPE)?;
        let node = with_graph("input", |graph| Ok(graph.parameter(dtype, shape)))?;
        Ok(operation(&array("input", node)?))
    });
    let [run, recorded] = [operation(&ones), recorded.unwrap().1]
        .map(|result| result.map(|array| (array.dtype(), array.shape().to_vec())));
    assert_eq!(run, recorded, "{context}");
}

#[test]
fn reductions_and_scans_are_recorded_as_they_run() {
    for &from in DType::ALL {
        for &out in DType::ALL {
            for &op in ReduceOp::ALL {
                for (axes, keep_dims) in
                    [(None, false), (Some(&[1][..]), true), (Some(&[2]), false)]
                {
                    let reduced = |x: &Array| reduce(op, x, axes, keep_dims, out).array();
                    check(
                        from,
                        reduced,
                        &format!("{op:?} of {from} to {out}, {axes:?}"),
                    );
                }
            }
            for &op in SoftmaxOp::ALL {
                for (axes, keep_dims) in [(&[1][..], false), (&[0, 1], true), (&[2], false)] {
                    let applied = |x: &Array| softmax(op, x, axes, keep_dims, out);
                    check(
                        from,
                        applied,
                        &format!("{op:?} of {from} to {out}, {axes:?}"),
                    );
                }
            }
            for &op in ScanOp::ALL {
                for axis in 0..3 {
                    let scanned = |x: &Array| scan(op, x, axis, out);
                    check(from, scanned, &format!("{op:?} of {from} to {out}, {axis}"));
                }
            }
        }
    }
}

#[test]
fn operations_by_element_are_recorded_as_they_run() {
    for &from in DType::ALL {
        for &compute in DType::ALL {
            for &op in BinaryOp::ALL {
                let combined = |x: &Array| {
                    let [lhs, rhs] = [x, x].map(Datum::borrowed);
                    binary(op, compute, compute, lhs, rhs).array()
                };
                check(from, combined, &format!("{op:?} of {from} in {compute}"));
            }
            for &op in UnaryOp::ALL {
                let Some(out) = op.result(compute) else {
                    continue;
                };
                // XLA has some functions of 32 bits only.
                if compute != DType::F64 {
                    let applied = |x: &Array| unary(op, compute, out, Cow::Borrowed(x)).array();
                    check(from, applied, &format!("{op:?} of {from} in {compute}"));
                }
            }
        }
    }
}

#[test]
fn moves_are_recorded_as_they_run() {
    let indices = [
        ScalarBits::of(DType::I8, -2.0).full(&[4]),
        ScalarBits::of(DType::U64, 2.0).full(&[1, 1]),
        ScalarBits::of(DType::I64, 3.0).full(&[2, 3]),
        ScalarBits::of(DType::I16, 0.0).full(&[2, 0]),
        ScalarBits::of(DType::F32, 0.0).full(&[]),
    ];
    for &dtype in DType::ALL {
        for indices in &indices {
            let indices = indices.as_ref().unwrap();
            for axis in 0..3 {
                let taken = |x: &Array| take(x, indices, axis);
                check(
                    dtype,
                    taken,
                    &format!("take by {indices:?} of {dtype}, {axis}"),
                );
                let along = |x: &Array| take_along_axis(x, indices, axis);
                check(
                    dtype,
                    along,
                    &format!("take_along_axis by {indices:?} of {dtype}, {axis}"),
                );
            }
        }
    }

    for &dtype in DType::ALL {
        let value = ScalarBits::of(dtype, 1.0);
        for padding in [&[[1, 2], [0, 3]][..], &[[1, 1]], &[[usize::MAX, 1], [0, 0]]] {
            let padded = |x: &Array| pad(x, padding, value);
            check(dtype, padded, &format!("pad of {dtype}, {padding:?}"));
        }
        for offset in [0, -1, 2, 3, isize::MIN, isize::MAX] {
            for kept in [Triangle::Lower, Triangle::Upper] {
                let kept_part = |x: &Array| triangle(kept, x, offset);
                check(dtype, kept_part, &format!("{kept:?} of {dtype}, {offset}"));
                let of_row = |x: &Array| triangle(kept, &index_axis(x, 0, 0)?, offset);
                check(dtype, of_row, &format!("{kept:?} of a row of {dtype}"));
            }
            for axes in [[0, 1], [1, 0], [0, 2]] {
                let line = |x: &Array| diagonal(x, offset, axes);
                check(
                    dtype,
                    line,
                    &format!("diagonal of {dtype}, {offset}, {axes:?}"),
                );
            }
        }
        check(dtype, contiguous, &format!("contiguous of {dtype}"));
    }
}
