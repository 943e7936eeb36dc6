//! A graph gives the same values as its steps, whichever runs first.

#[cfg(feature = "parallel")]
use crate::kernel::drive::{nontemporal, parallel};

use std::borrow::Cow;

use super::outputs::accumulate;
use super::random::{Random, graph};
use super::{assert_same, lend};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::tests::elementwise::at_each_level;
use crate::kernel::tests::{binary, cast, copied, fenced};
use crate::kernel::*;

fn programs(seeds: core::ops::Range<u64>) {
    for seed in seeds {
        let mut random = Random(seed << 32);
        let (pair, last) = graph(&mut random);
        let context = format!("{seed}: {:#?}", pair.steps);
        match last {
            Ok(last) => {
                let (value, expected) = &pair.values[last];
                let found = pair.graph.evaluate(*value).unwrap();
                assert_same(&found, expected, &context);
            }
            Err((value, error)) => {
                assert_eq!(pair.graph.evaluate(value).err(), Some(error), "{context}");
            }
        }
    }
}

#[test]
fn programs_equal_their_steps() {
    programs(0..2_000);
}

#[test]
fn programs_equal_their_steps_at_each_level() {
    at_each_level(|| fenced(|| programs(2_000..2_300)));
}

/// Runs with streamed outputs, with several threads, and with both.
fn in_each_way(run: impl Fn(&str) + Sync) {
    run("as it is");
    nontemporal::with_streaming(|| run("streamed"));
    #[cfg(feature = "parallel")]
    for threads in [2, 3] {
        parallel::with_threads(threads, || {
            run("by threads");
            nontemporal::with_streaming(|| run("streamed by threads"));
        });
    }
}

#[test]
fn programs_equal_their_steps_streamed_and_by_threads() {
    in_each_way(|_| programs(3_000..3_300));
}

/// Large programs equal their steps for operands of every layout (contiguous, a row, a column, one element, transposed, reversed) and
/// of several dtypes.
#[test]
fn large_programs_equal_their_steps() {
    let mut random = Random(5 << 32);
    for (rows, columns) in [(3, 700), (70, 257), (259, 130), (1, 9_001)] {
        let shape = [rows, columns];
        let turned = |x: Array| x.permute(&[1, 0]).unwrap();
        let operands = [
            random.array_of(DType::F32, &shape),
            random.array_of(DType::BF16, &[columns]),
            random.array_of(DType::F32, &[rows, 1]),
            random.array_of(DType::F64, &[]),
            turned(copied(&random.array_of(DType::F32, &[columns, rows]))),
            turned(copied(&random.array_of(DType::I8, &[columns, rows]))),
            copied(&random.array_of(DType::F16, &shape))
                .flip(1)
                .unwrap(),
            copied(&random.array_of(DType::F32, &shape)),
            random.array_of(DType::U16, &shape),
            random.array_of(DType::C64, &shape),
        ];
        // More operands than any compiled loop has inputs.
        for count in 1..=operands.len() {
            let (ops, dtype) = ([BinaryOp::Add, BinaryOp::Mul], DType::F32);
            let start = Array::from_elements(&[2_f32], &[1, 1]).unwrap();
            let mut expected = copied(&start.broadcast_to(&shape).unwrap());
            for (number, x) in operands[..count].iter().enumerate() {
                let x = cast(lend(x), dtype);
                expected = binary(ops[number % 2], dtype, lend(&expected), lend(&x)).unwrap();
            }
            in_each_way(|how| {
                let mut graph = Graph::new();
                let mut value = graph.operand(Cow::Owned(start.broadcast_to(&shape).unwrap()));
                for (number, x) in operands[..count].iter().enumerate() {
                    let x = graph.operand(lend(x));
                    let x = graph.cast(x, dtype);
                    value = graph.binary(ops[number % 2], dtype, value, x).unwrap();
                }
                let found = graph.evaluate(value).unwrap();
                assert_same(&found, &expected, &format!("{shape:?}, {count}, {how}"));
            });
        }
    }
}

/// The operand and the output are the same memory, by blocks and by tiles.
#[test]
fn outputs_are_overwritten_in_each_way() {
    let mut random = Random(6 << 32);
    let x = copied(&random.array_of(DType::F32, &[150, 300]));
    let turned = copied(&random.array_of(DType::F32, &[300, 150]));
    let turned = turned.permute(&[1, 0]).unwrap();
    for other in [&copied(&x), &turned] {
        let product = binary(BinaryOp::Mul, DType::F32, lend(&x), lend(other)).unwrap();
        let expected = binary(BinaryOp::Add, DType::F32, lend(&product), lend(&x)).unwrap();
        in_each_way(|how| {
            let mut out = copied(&x);
            let memory = out.as_ptr().addr();
            let (graph, value) = accumulate(&out, other, BinaryOp::Mul);
            graph.evaluate_into("accumulate", value, &mut out).unwrap();
            assert_same(&out, &expected, how);
            assert_eq!(out.as_ptr().addr(), memory, "{how}");
            let mut graph = Graph::new();
            let [a, b] = [Cow::Owned(copied(&x)), lend(other)].map(|x| graph.operand(x));
            let product = graph.binary(BinaryOp::Mul, DType::F32, a, b).unwrap();
            let sum = graph.binary(BinaryOp::Add, DType::F32, product, a).unwrap();
            assert_same(&graph.evaluate(sum).unwrap(), &expected, how);
        });
    }
}

/// Steps fail in the middle of different pieces. Whatever runs first, the error is that of the first step.
#[test]
fn the_first_error_does_not_depend_on_the_pieces() {
    let (rows, columns) = (130, 257);
    let len = rows * columns;
    let ones_but = |at: usize, other: i32| {
        let one = |position| if position == at { other } else { 1_i32 };
        Array::from_positions(&[len], one).unwrap()
    };
    let shaped = |x: &Array| x.reshape(&[rows, columns]).unwrap();
    let (late, early) = (ones_but(len - 300, 0), ones_but(700, 0));
    let negative = ones_but(len / 2, -1);
    let [late, early, negative] = [&late, &early, &negative].map(shaped);
    let turned = copied(&early.permute(&[1, 0]).unwrap());
    let turned = turned.permute(&[1, 0]).unwrap();
    let div = |operation| Error::DivisionByZero {
        operation,
        dtype: DType::I32,
    };
    let power = Error::NegativeExponent { dtype: DType::I32 };
    let steps = [
        (BinaryOp::Rem, &late, div("rem")),
        (BinaryOp::FloorDiv, &early, div("floor_div")),
        (BinaryOp::Div, &turned, div("div")),
        (BinaryOp::Pow, &negative, power),
    ];
    for first in 0..steps.len() {
        in_each_way(|how| {
            let before = copied(&shaped(&ones_but(0, 7)));
            let mut out = copied(&before);
            let mut graph = Graph::new();
            let mut sum = graph.target(DType::I32, out.dims());
            for turn in 0..steps.len() {
                let (op, by, _) = &steps[(first + turn) % steps.len()];
                let by = graph.operand(lend(by));
                sum = graph.binary(*op, DType::I32, sum, by).unwrap();
            }
            let refused = graph.evaluate_into("step", sum, &mut out);
            assert_eq!(refused.as_ref(), Err(&steps[first].2), "{how}");
            assert_same(&out, &before, how);
        });
    }
}
