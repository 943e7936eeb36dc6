//! Programs against the same operations one after the other.
#![allow(clippy::as_conversions, reason = "elements of positions")]

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::elementwise::at_each_level;
use super::layouts::random;
use super::oracle::Oracle;
use super::{binary, cast, compare, copied, fenced, reduce, select, try_unary};
use crate::array::Array;
use crate::dtype::{DType, Element, StaticDType, bf16, dispatch_dtype, f16};
use crate::error::Error;
use crate::kernel::drive::nontemporal;
#[cfg(feature = "parallel")]
use crate::kernel::drive::parallel;
use crate::kernel::*;

fn lend(x: &Array) -> Cow<'_, Array> {
    Cow::Borrowed(x)
}

fn array<E: Element>(elements: &[E], shape: &[usize]) -> Array {
    Array::from_elements(elements, shape).unwrap()
}

/// Random numbers, one after the other.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 += 1;
        random(self.0)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn shape(&mut self) -> Vec<usize> {
        let mut shape = Vec::new();
        let mut room = 2_000;
        for _ in 0..self.below(7) {
            let size = self.of(&[1, 1, 2, 3, 5, 7, 31, 130, 513]);
            if size <= room {
                room /= size;
                shape.push(size);
            }
        }
        if !shape.is_empty() && self.one_in(25) {
            let axis = self.below(shape.len());
            shape[axis] = 0;
        }
        shape
    }

    /// A shape that broadcasts to another.
    fn part(&mut self, shape: &[usize]) -> Vec<usize> {
        let mut part = shape.to_vec();
        if self.one_in(3) {
            part.drain(..self.below(part.len() + 1));
        }
        if self.one_in(3) {
            for size in &mut part {
                if self.one_in(2) {
                    *size = 1;
                }
            }
        }
        part
    }

    /// An array of a shape, in some layout.
    fn array(&mut self, shape: &[usize]) -> Array {
        let dtype = self.of(DType::ALL);
        self.array_of(dtype, shape)
    }

    fn array_of(&mut self, dtype: DType, shape: &[usize]) -> Array {
        let (rank, plain) = (shape.len(), self.one_in(3));
        let mut order: Vec<usize> = (0..rank).collect();
        let (mut skips, mut flips, mut repeats) =
            (vec![false; rank], vec![false; rank], vec![false; rank]);
        if !plain {
            for axis in 0..rank {
                order.swap(axis, self.below(rank));
                skips[axis] = self.one_in(4);
                flips[axis] = self.one_in(4);
                repeats[axis] = shape[axis] > 0 && self.one_in(6);
            }
        }
        let base: Vec<usize> = order
            .iter()
            .map(|axis| match (repeats[*axis], skips[*axis]) {
                (true, _) => 1,
                (_, true) => 2 * shape[*axis],
                _ => shape[*axis],
            })
            .collect();
        let mut array = dispatch_dtype!(dtype, D => {
            Array::from_positions::<<D as StaticDType>::Element>(&base, |_| Oracle::any(self.next())).unwrap()
        });
        let back: Vec<usize> = (0..rank)
            .map(|axis| order.iter().position(|from| *from == axis).unwrap())
            .collect();
        array = array.permute(&back).unwrap();
        for axis in 0..rank {
            if !repeats[axis] && skips[axis] {
                let end = isize::try_from(2 * shape[axis]).unwrap();
                array = array.slice(axis, 0, end, 2).unwrap();
            }
            if flips[axis] {
                array = array.flip(axis).unwrap();
            }
        }
        array.broadcast_to(shape).unwrap()
    }
}

/// The elements are the same, but for what NaN they are.
#[track_caller]
pub(super) fn assert_same(found: &Array, expected: &Array, context: &str) {
    assert_eq!(found.dtype(), expected.dtype(), "{context}");
    assert_eq!(found.shape(), expected.shape(), "{context}");
    dispatch_dtype!(found.dtype(), D => {
        type E = <D as StaticDType>::Element;
        let pairs = found.iter::<E>().zip(expected.iter::<E>());
        for (at, (found, expected)) in pairs.enumerate() {
            assert!(Oracle::alike(found, expected), "{context}: {found:?} is not {expected:?} at {at}");
        }
    });
}

/// A graph and what each of its values is when its steps are done one after the other.
struct Pair {
    graph: Graph<'static>,
    values: Vec<(Value, Array)>,
    steps: Vec<String>,
}

fn halved(x: f32) -> f32 {
    x / 2.0
}

fn mixed(condition: bool, x: f16, y: i32) -> f32 {
    if condition {
        x.to_f32()
    } else {
        0.5 * (y % 100) as f32
    }
}

impl Pair {
    fn new() -> Self {
        Self {
            graph: Graph::new(),
            values: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn operand(&mut self, array: Array) -> usize {
        self.steps.push(format!(
            "{} {:?} {:?}",
            array.dtype(),
            array.shape(),
            array.strides()
        ));
        let value = self.graph.operand(Cow::Owned(array.clone()));
        self.values.push((value, array));
        self.values.len() - 1
    }

    fn push(
        &mut self,
        step: String,
        value: Result<Value, Error>,
        expected: Result<Array, Error>,
    ) -> Result<usize, Option<(Value, Error)>> {
        self.steps.push(step);
        let (value, expected) = match (value, expected) {
            (Ok(value), Ok(expected)) => (value, expected),
            (Ok(value), Err(error)) => return Err(Some((value, error))),
            (value, expected) => {
                assert_eq!(value.err(), expected.err(), "{:#?}", self.steps);
                return Err(None);
            }
        };
        assert_eq!(self.graph.dtype(value), expected.dtype());
        assert_eq!(self.graph.shape(value), expected.dims());
        self.values.push((value, expected));
        Ok(self.values.len() - 1)
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        compute: DType,
        a: usize,
        b: usize,
    ) -> Result<usize, Option<(Value, Error)>> {
        let ((x, a_array), (y, b_array)) = (&self.values[a], &self.values[b]);
        let expected = binary(op, compute, lend(a_array), lend(b_array));
        let value = self.graph.binary(op, compute, *x, *y);
        self.push(format!("{op:?} {compute} {a} {b}"), value, expected)
    }

    fn cast(&mut self, to: DType, a: usize) -> usize {
        let (x, a_array) = &self.values[a];
        let expected = cast(lend(a_array), to);
        let value = self.graph.cast(*x, to);
        let pushed = self.push(format!("cast {to} {a}"), Ok(value), Ok(expected));
        pushed.unwrap_or_else(|_| unreachable!())
    }

    /// A random step. An error that has to do with elements ends the graph.
    fn step(&mut self, random: &mut Random) -> Result<usize, Option<(Value, Error)>> {
        let any = |random: &mut Random| {
            let len = self.values.len();
            // More often what came last, so that graphs grow deep.
            len - 1 - random.below(len).min(random.below(len))
        };
        let (a, b, c) = (any(random), any(random), any(random));
        let compute = random.of(DType::ALL);
        match random.below(8) {
            0..3 => {
                let op = random.of(BinaryOp::ALL);
                let mut b = b;
                if compute.kind().is_integer() && !random.one_in(15) {
                    // Not zero, and not negative.
                    let number = if op == BinaryOp::Pow { 3_u8 } else { 1 };
                    let number = self.operand(array(&[number], &[]));
                    let mask = match op {
                        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Rem => Some(BinaryOp::Or),
                        BinaryOp::Pow => Some(BinaryOp::And),
                        _ => None,
                    };
                    if let Some(mask) = mask {
                        b = self.binary(mask, compute, b, number)?;
                    }
                }
                self.binary(op, compute, a, b)
            }
            3..5 => {
                let op = random.of(UnaryOp::ALL);
                let (x, a_array) = &self.values[a];
                let expected = try_unary(op, compute, lend(a_array));
                let value = self.graph.unary(op, compute, *x);
                self.push(format!("{op:?} {compute} {a}"), value, expected)
            }
            5 => {
                let op = random.of(CompareOp::ALL);
                let ((x, a_array), (y, b_array)) = (&self.values[a], &self.values[b]);
                let expected = compare(op, compute, lend(a_array), lend(b_array));
                let value = self.graph.compare(op, [compute; 2], *x, *y);
                self.push(format!("{op:?} {compute} {a} {b}"), value, expected)
            }
            6 => {
                let condition = self.cast(DType::Bool, a);
                let ((x, array), (y, b_array), (z, c_array)) =
                    (&self.values[condition], &self.values[b], &self.values[c]);
                let expected = select(lend(array), compute, lend(b_array), lend(c_array));
                let value = self.graph.select(compute, *x, *y, *z);
                self.push(format!("select {compute} {a} {b} {c}"), value, expected)
            }
            _ => Ok(self.cast(compute, a)),
        }
    }
}

/// A graph of random steps over operands that broadcast to a shape, and its last value.
fn graph(random: &mut Random) -> (Pair, Result<usize, (Value, Error)>) {
    let shape = random.shape();
    let mut pair = Pair::new();
    for _ in 0..random.below(3) + 1 {
        let part = random.part(&shape);
        let array = random.array(&part);
        pair.operand(array);
    }
    let mut last = Ok(pair.values.len() - 1);
    for _ in 0..random.below(12) + 1 {
        match pair.step(random) {
            Ok(value) => last = Ok(value),
            Err(Some(error)) => return (pair, Err(error)),
            Err(None) => {}
        }
    }
    (pair, last)
}

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
    nontemporal::always(|| run("streamed"));
    #[cfg(feature = "parallel")]
    for threads in [2, 3] {
        parallel::with_threads(threads, || {
            run("by threads");
            nontemporal::always(|| run("streamed by threads"));
        });
    }
}

#[test]
fn programs_equal_their_steps_streamed_and_by_threads() {
    in_each_way(|_| programs(3_000..3_300));
}

/// Operands of every layout: contiguous, a row, a column, one element, transposed, backwards, and other dtypes.
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
        let context = format!("{seed}: {:#?}, {axes:?} to {out}", pair.steps);
        let (found, expected) = if random.one_in(6) {
            let op = random.of(&[ArgOp::Min, ArgOp::Max]);
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
            (Ok(found), Ok(expected)) => assert_same(&found, &expected, &context),
            (found, expected) => assert_eq!(found.err(), expected.err(), "{context}"),
        }
    }
}

#[test]
fn large_reductions_are_folded_in_the_same_order() {
    let mut random = Random(77);
    for (shape, axes) in [
        (&[3_000][..], &[0][..]),
        (&[40, 1_100], &[1]),
        (&[1_100, 40], &[0]),
        (&[600, 50, 3], &[0, 2]),
        (&[600, 50, 3], &[1]),
    ] {
        for dtype in [DType::F16, DType::F32, DType::C64, DType::I32] {
            for transposed in [false, true] {
                let mut a = random.array_of(dtype, shape);
                if transposed {
                    let order: Vec<usize> = (0..shape.len()).rev().collect();
                    let turned: Vec<usize> = shape.iter().rev().copied().collect();
                    a = random.array_of(dtype, &turned).permute(&order).unwrap();
                }
                let b = random.array_of(DType::BF16, &shape[shape.len() - 1..]);
                let doubled = binary(BinaryOp::Mul, dtype, lend(&a), lend(&b)).unwrap();
                for op in all_reductions() {
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

/// `out = out * x + out` with some `x`.
fn accumulate<'a>(out: &Array, x: &'a Array, op: BinaryOp) -> (Graph<'a>, Value) {
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
