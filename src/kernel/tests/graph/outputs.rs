//! Outputs that are overwritten, and owned operands.

use std::borrow::Cow;

use super::random::Random;
use super::{array, assert_same, lend};
use crate::array::Array;
use crate::dtype::{DType, bf16};
use crate::error::Error;
use crate::kernel::tests::{binary, copied};
use crate::kernel::*;

/// `out = out * x + out` with some `x`.
pub(super) fn accumulate<'a>(out: &Array, x: &'a Array, op: BinaryOp) -> (Graph<'a>, Value) {
    let dtype = out.dtype();
    let mut graph = Graph::new();
    let target = graph.target(dtype, out.dims());
    assert_eq!(graph.target(dtype, out.dims()), target);
    let x = graph.operand(lend(x));
    let product = graph.binary(op, dtype, target, x).unwrap();
    let sum = graph.binary(BinaryOp::Add, dtype, product, target).unwrap();
    (graph, sum)
}

#[test]
fn outputs_are_overwritten_in_place_if_they_may_be() {
    let mut random = Random(9);
    for dtype in DType::ALL.iter().copied() {
        for (case, shape) in [&[][..], &[5], &[600], &[20, 130], &[3, 0]]
            .into_iter()
            .enumerate()
        {
            for shared in [false, true] {
                let x = random.array_of(DType::U8, &shape[shape.len().min(1)..]);
                let mut out = random.array_of(dtype, shape);
                if case % 2 == 0 {
                    out = copied(&out);
                }
                let before = copied(&out);
                let kept = shared.then(|| out.clone());
                let memory = out.as_ptr();
                let in_place = out.is_contiguous() && out.unique_mut_ptr().is_some();
                let (graph, value) = accumulate(&out, &x, BinaryOp::Mul);
                graph.evaluate_into("accumulate", value, &mut out).unwrap();
                let product = binary(BinaryOp::Mul, dtype, lend(&before), lend(&x)).unwrap();
                let sum = binary(BinaryOp::Add, dtype, lend(&product), lend(&before)).unwrap();
                assert_same(&out, &sum, &format!("{dtype} {shape:?}"));
                assert_eq!(
                    out.as_ptr() == memory,
                    in_place,
                    "{dtype} {shape:?} {shared}"
                );
                if let Some(kept) = kept {
                    assert_same(&kept, &before, "shared elements stay");
                }
            }
        }
    }
}

#[test]
fn operands_and_targets_can_be_written_too() {
    let x = array(&[1_i32, 2, 3], &[3]);
    let mut out = array(&[0_i32; 3], &[3]);
    let memory = out.as_ptr();
    let mut graph = Graph::new();
    let value = graph.operand(Cow::Owned(x.flip(0).unwrap()));
    graph.evaluate_into("set", value, &mut out).unwrap();
    assert_eq!(out.to_vec::<i32>(), [3, 2, 1]);
    assert_eq!(out.as_ptr(), memory);
    let mut graph = Graph::new();
    let value = graph.target(DType::I32, out.dims());
    graph.evaluate_into("set", value, &mut out).unwrap();
    assert_eq!(out.to_vec::<i32>(), [3, 2, 1]);
    let mut graph = Graph::new();
    let value = graph.operand(lend(&x));
    let value = graph.cast(value, DType::U32);
    let refused = graph.evaluate_into("set", value, &mut out);
    assert!(matches!(refused, Err(Error::DTypeMismatch { .. })));
    let mut graph = Graph::new();
    let value = graph.operand(Cow::Owned(array(&[1_i32], &[])));
    let refused = graph.evaluate_into("set", value, &mut out);
    assert!(matches!(
        refused,
        Err(Error::ShapeMismatch {
            operation: "set",
            ..
        })
    ));
    assert_eq!(out.to_vec::<i32>(), [3, 2, 1]);
}

#[test]
fn errors_leave_the_output_as_it_was() {
    let mut divisors = vec![1_i32; 2_000];
    divisors[1_999] = 0;
    let x = array(&divisors, &[2_000]);
    let mut out = Array::from_positions(&[2_000], |at| at as i32).unwrap();
    let before = copied(&out);
    let (graph, value) = accumulate(&out, &x, BinaryOp::Div);
    let refused = graph.evaluate_into("accumulate", value, &mut out);
    assert_eq!(
        refused,
        Err(Error::DivisionByZero {
            operation: "div",
            dtype: DType::I32
        })
    );
    assert_same(&out, &before, "unchanged");
}

#[test]
fn the_first_error_is_the_one_that_comes_first_by_itself() {
    // The first step fails at the end, the second at the start, a smaller one ahead of both.
    let mut late = vec![1_i16; 1_500];
    late[1_499] = 0;
    let mut early = vec![1_i16; 1_500];
    early[0] = -1;
    let (late, early) = (array(&late, &[1_500]), array(&early, &[1_500]));
    let zero = array(&[0_i16], &[]);
    for (first, expected) in [(0, "rem"), (1, "floor_div"), (2, "div")] {
        let mut graph = Graph::new();
        let [a, b, c] = [&late, &early, &zero].map(|x| graph.operand(lend(x)));
        let mut sum = a;
        for turn in 0..3 {
            let part = match (first + turn) % 3 {
                0 => graph.binary(BinaryOp::Rem, DType::I16, b, a),
                1 => graph.binary(BinaryOp::FloorDiv, DType::I16, c, c),
                _ => graph.binary(BinaryOp::Div, DType::I16, b, a),
            };
            let power = graph.binary(BinaryOp::Pow, DType::I16, a, b).unwrap();
            sum = graph
                .binary(BinaryOp::Add, DType::I16, sum, part.unwrap())
                .unwrap();
            sum = graph.binary(BinaryOp::Add, DType::I16, sum, power).unwrap();
        }
        let error = Error::DivisionByZero {
            operation: expected,
            dtype: DType::I16,
        };
        assert_eq!(graph.evaluate(sum).err(), Some(error));
    }
}

#[test]
fn shapes_that_cannot_be_are_refused() {
    let a = array(&[1_f32, 2.0], &[2]);
    let b = array(&[1_f32, 2.0, 3.0], &[3]);
    let wide = a.broadcast_to(&[1 << 40, 2]).unwrap();
    let long = array(&[1_f32], &[1, 1, 1])
        .broadcast_to(&[1 << 30, 1, 1])
        .unwrap();
    for (x, y) in [(&a, &b), (&wide, &long)] {
        let mut graph = Graph::new();
        let values = [x, y].map(|x| graph.operand(lend(x)));
        let found = graph.binary(BinaryOp::Add, DType::F32, values[0], values[1]);
        let expected = binary(BinaryOp::Add, DType::F32, lend(x), lend(y));
        assert!(found.is_err());
        assert_eq!(found.err(), expected.err());
    }
    let mut graph = Graph::new();
    let x = graph.operand(lend(&a));
    let refused = graph.select(DType::F32, x, x, x);
    assert!(matches!(refused, Err(Error::DTypeMismatch { .. })));
}

#[test]
fn an_owned_operand_gives_its_memory() {
    let a = Array::from_positions(&[900], |at| at as f32).unwrap();
    let memory = a.as_ptr();
    let b = Array::from_positions(&[900], |at| bf16::from_f32(at as f32)).unwrap();
    let mut graph = Graph::new();
    let (x, y) = (graph.operand(Cow::Owned(a)), graph.operand(lend(&b)));
    let sum = graph.binary(BinaryOp::Add, DType::F32, x, y).unwrap();
    let less = graph.compare(CompareOp::Lt, [DType::F32; 2], x, y).unwrap();
    let result = graph.select(DType::F32, less, x, sum).unwrap();
    let found = graph.evaluate(result).unwrap();
    assert_eq!(found.as_ptr(), memory);
    let elements = (0..900).map(|at| {
        let (x, y) = (at as f32, bf16::from_f32(at as f32).to_f32());
        if x < y { x } else { x + y }
    });
    let expected: Vec<f32> = elements.collect();
    assert_same(&found, &array(&expected, &[900]), "reused");
}

/// The result is row-major: it would overwrite what is still to be read.
#[test]
fn an_owned_operand_in_another_order_keeps_its_memory() {
    let lying = Array::from_positions(&[30, 40], |at| at as f32).unwrap();
    let turned = lying.permute(&[1, 0]).unwrap();
    drop(lying);
    let mut graph = Graph::new();
    let x = graph.operand(Cow::Owned(turned));
    let doubled = graph.binary(BinaryOp::Add, DType::F32, x, x).unwrap();
    let found = graph.evaluate(doubled).unwrap();
    let rows = (0..40).flat_map(|row| (0..30).map(move |column| (column * 40 + row) as f32));
    let expected: Vec<f32> = rows.map(|x| x + x).collect();
    assert_same(&found, &array(&expected, &[40, 30]), "turned");
}
