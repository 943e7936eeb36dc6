//! Reductions in a graph, and common subexpressions, which are computed once.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::random::{Random, graph, halved, mixed};
use super::{array, assert_same, is_identical, lend};
use crate::array::Array;
use crate::dtype::{DType, f16};
use crate::error::Error;
use crate::kernel::tests::{binary, reduce};
use crate::kernel::*;

fn all_reductions() -> Vec<ReduceOp> {
    let corrected = [ReduceOp::Var { ddof: 1 }, ReduceOp::Std { ddof: 1 }];
    [ReduceOp::ALL, &corrected].concat()
}

#[test]
fn reductions_equal_those_of_the_evaluated_array() {
    let reductions = all_reductions();
    for seed in 10_000..12_500 {
        let mut random = Random(seed << 32);
        let (pair, last) = graph(&mut random);
        let (value, expected) = match &last {
            Ok(last) => (pair.values[*last].0, Ok(&pair.values[*last].1)),
            Err((value, error)) => (*value, Err(error.clone())),
        };
        let rank = pair.graph.shape(value).len();
        let axes: Vec<usize> = (0..rank).filter(|_| !random.one_in(2)).collect();
        let (keep_dims, out) = (random.one_in(2), random.of(DType::ALL));
        let (found, expected) = if random.one_in(6) {
            let op = random.of(&[ArgOp::Min, ArgOp::Max, ArgOp::NanMin, ArgOp::NanMax]);
            let axis = if axes.is_empty() { None } else { Some(axes[0]) };
            (
                (pair.graph).arg_reduce(op, value, axis, keep_dims, out),
                expected.and_then(|x| arg_reduce(op, x, axis, keep_dims, out)),
            )
        } else {
            let op = random.of(&reductions);
            (
                (pair.graph).reduce(op, value, Some(&axes), keep_dims, out),
                expected.and_then(|x| reduce(op, x, &axes, keep_dims, out)),
            )
        };
        match (found, expected) {
            // The steps are written only if the bytes differ, because their text takes longer than the steps.
            (Ok(found), Ok(expected)) if is_identical(&found, &expected) => {}
            (Ok(found), Ok(expected)) => {
                let context = format!("{seed}: {:#?}, {axes:?} to {out}", pair.steps);
                assert_same(&found, &expected, &context);
            }
            (found, expected) => {
                let steps = &pair.steps;
                assert_eq!(
                    found.err(),
                    expected.err(),
                    "{seed}: {steps:#?}, {axes:?} to {out}"
                );
            }
        }
    }
}

#[test]
fn large_reductions_are_folded_in_the_same_order() {
    let mut random = Random(77);
    for (shape, axes) in [
        (&[3_000][..], &[0][..]),
        (&[33, 1_100], &[1]),
        (&[1_100, 33], &[0]),
        (&[600, 33, 3], &[0, 2]),
        (&[600, 33, 3], &[1]),
    ] {
        let dtypes = [DType::F16, DType::F32, DType::C64, DType::I32];
        for (number, dtype) in dtypes.into_iter().enumerate() {
            for transposed in [false, true] {
                let mut a = random.array_of(dtype, shape);
                if transposed {
                    let order: Vec<usize> = (0..shape.len()).rev().collect();
                    let turned: Vec<usize> = shape.iter().rev().copied().collect();
                    a = random.array_of(dtype, &turned).permute(&order).unwrap();
                }
                let b = random.array_of(DType::BF16, &shape[shape.len() - 1..]);
                let doubled = binary(BinaryOp::Mul, dtype, lend(&a), lend(&b)).unwrap();
                // Each reduction of each shape in a third of the dtypes, and another third transposed.
                let first = (number + usize::from(transposed)) % 3;
                for op in all_reductions().into_iter().skip(first).step_by(3) {
                    let mut graph = Graph::new();
                    let (x, y) = (graph.operand(lend(&a)), graph.operand(lend(&b)));
                    let value = graph.binary(BinaryOp::Mul, dtype, x, y).unwrap();
                    let found = graph.reduce(op, value, Some(axes), false, dtype);
                    let expected = reduce(op, &doubled, axes, false, dtype);
                    let context = format!("{op:?} of {dtype} {shape:?} along {axes:?}");
                    match (found, expected) {
                        (Ok(found), Ok(expected)) => assert_same(&found, &expected, &context),
                        (found, expected) => assert_eq!(found.err(), expected.err(), "{context}"),
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_asked_for_twice_is_one_value() {
    let a = array(&[f16::from_f32(1.5), f16::from_f32(-2.0)], &[2]);
    let b = array(&[1_u8, 2], &[2]);
    let mut graph = Graph::new();
    let (x, y) = (graph.operand(lend(&a)), graph.operand(lend(&b)));
    assert_eq!(graph.operand(Cow::Owned(a.clone())), x);
    assert_ne!(graph.operand(Cow::Owned(a.flip(0).unwrap())), x);
    assert_eq!(graph.cast(x, DType::F32), graph.cast(x, DType::F32));
    let sum = graph.binary(BinaryOp::Add, DType::F16, x, y).unwrap();
    assert_eq!(graph.binary(BinaryOp::Add, DType::F16, x, y), Ok(sum));
    assert_ne!(graph.binary(BinaryOp::Sub, DType::F16, x, y), Ok(sum));
    assert_ne!(graph.binary(BinaryOp::Add, DType::F32, x, y), Ok(sum));
    let two = array(&[2_i64], &[]);
    let two = graph.operand(lend(&two));
    let square = graph.binary(BinaryOp::Mul, DType::F64, x, x);
    assert_eq!(graph.binary(BinaryOp::Pow, DType::F64, x, two), square);
    assert_ne!(graph.binary(BinaryOp::Pow, DType::F64, x, y), square);
    let less = graph.compare(CompareOp::Lt, [DType::F32; 2], x, y).unwrap();
    assert_eq!(
        graph.compare(CompareOp::Gt, [DType::F32; 2], y, x),
        Ok(less)
    );
    // The same bytes in two dtypes, of which one has zero divisors of its own.
    let z = graph.cast(y, DType::I8);
    assert_ne!(z, y);
    assert_eq!((graph.dtype(z), graph.dtype(y)), (DType::I8, DType::U8));
    let found = graph.evaluate(z).unwrap();
    assert_same(&found, &array(&[1_i8, 2], &[2]), "the same bytes");
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

fn counted(x: f32) -> f32 {
    CALLS.fetch_add(1, Ordering::Relaxed);
    x + 1.0
}

#[test]
fn what_is_smaller_is_computed_once() {
    let matrix = Array::from_positions(&[40, 70], |at| at as f32).unwrap();
    let row = Array::from_positions(&[70], |at| at as f32).unwrap();
    let mut graph = Graph::new();
    let (x, y) = (graph.operand(lend(&matrix)), graph.operand(lend(&row)));
    let more = graph.call1("counted", counted, y).unwrap();
    let twice = graph.binary(BinaryOp::Mul, DType::F32, more, more).unwrap();
    let sum = graph.binary(BinaryOp::Add, DType::F32, x, twice).unwrap();
    let sum = graph.binary(BinaryOp::Mul, DType::F32, sum, more).unwrap();
    let found = graph.evaluate(sum).unwrap();
    assert_eq!(CALLS.load(Ordering::Relaxed), 70);
    let expected = Array::from_positions(&[40, 70], |at| {
        let more = (at % 70) as f32 + 1.0;
        (at as f32 + more * more) * more
    });
    assert_same(&found, &expected.unwrap(), "hoisted");
}

#[test]
fn functions_of_the_users_see_each_element() {
    let mut random = Random(5);
    for shape in [&[][..], &[31], &[33], &[3, 700], &[0, 2]] {
        let c = random.array_of(DType::Bool, shape);
        let x = random.array_of(DType::F16, &shape[shape.len().min(1)..]);
        let y = random.array_of(DType::I32, shape);
        let mut graph = Graph::new();
        let values = [&c, &x, &y].map(|array| graph.operand(Cow::Owned(array.clone())));
        let [p, q, r] = values;
        let result = graph.call3("mixed", mixed, p, q, r).unwrap();
        let result = graph.call1("halved", halved, result).unwrap();
        let x = x.broadcast_to(shape).unwrap();
        let triples = c.iter::<bool>().zip(x.iter::<f16>()).zip(y.iter::<i32>());
        let expected: Vec<f32> = triples.map(|((c, x), y)| halved(mixed(c, x, y))).collect();
        let refused = graph.call2("pair", |a: f32, _: f32| a, p, result);
        assert!(matches!(
            refused,
            Err(Error::DTypeMismatch {
                operation: "pair",
                ..
            })
        ));
        let found = graph.evaluate(result).unwrap();
        assert_same(&found, &array(&expected, shape), "calls");
    }
}

#[test]
fn a_long_chain_runs() {
    let a = Array::from_positions(&[1_500], |at| at as f32).unwrap();
    let mut graph = Graph::new();
    let x = graph.operand(lend(&a));
    let (mut value, mut expected) = (x, a.clone());
    for step in 0..1_000 {
        let op = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Min][step % 3];
        value = graph.binary(op, DType::BF16, value, x).unwrap();
        expected = binary(op, DType::BF16, Cow::Owned(expected), lend(&a)).unwrap();
    }
    assert_same(&graph.evaluate(value).unwrap(), &expected, "a chain");
}
