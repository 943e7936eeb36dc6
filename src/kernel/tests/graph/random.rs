//! Random graphs, and each of their values when the steps run one after the other.

use std::borrow::Cow;

use super::{array, lend};
use crate::array::Array;
use crate::dtype::{DType, StaticDType, dispatch_dtype, f16};
use crate::error::Error;
use crate::kernel::tests::layouts::random;
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::tests::{binary, cast, compare, select, try_unary};
use crate::kernel::*;

/// Random numbers, one after the other.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 += 1;
        random(self.0)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(end).unwrap()).unwrap()
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(super) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub(super) fn shape(&mut self) -> Vec<usize> {
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

    pub(super) fn array_of(&mut self, dtype: DType, shape: &[usize]) -> Array {
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

/// A graph and what each of its values is when its steps are done one after the other.
pub(super) struct Pair {
    pub(super) graph: Graph<'static>,
    pub(super) values: Vec<(Value, Array)>,
    pub(super) steps: Vec<String>,
}

pub(super) fn halved(x: f32) -> f32 {
    x / 2.0
}

pub(super) fn mixed(condition: bool, x: f16, y: i32) -> f32 {
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
pub(super) fn graph(random: &mut Random) -> (Pair, Result<usize, (Value, Error)>) {
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
