//! Reading and writing elements: indices, iteration, conversions from vectors, slices of several axes, and views for writing; typed
//! and dynamic, beside naive index maps.

#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

mod parts;
mod reading;
mod slices;
mod values;
mod writing;

use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};

use supremum::Step;
use supremum::prelude::*;

type Matrix = Tensor<I32, Rank2>;

/// Which elements of row-major memory a view has: its shape, and their positions in row-major order.
#[derive(Clone, Debug)]
struct Selection {
    shape: Vec<usize>,
    positions: Vec<usize>,
}

impl Selection {
    fn all(shape: &[usize]) -> Self {
        Self {
            shape: shape.to_vec(),
            positions: (0..shape.iter().product()).collect(),
        }
    }

    /// Keeps the indices of one axis that a list names, in that order.
    fn along(&self, axis: usize, kept: &[usize]) -> Self {
        let mut shape = self.shape.clone();
        shape[axis] = kept.len();
        let inner: usize = self.shape[axis + 1..].iter().product();
        let outer: usize = self.shape[..axis].iter().product();
        let mut positions = Vec::new();
        for row in 0..outer {
            for index in kept {
                let first = (row * self.shape[axis] + index) * inner;
                positions.extend(&self.positions[first..first + inner]);
            }
        }
        Self { shape, positions }
    }

    fn without(mut self, axis: usize) -> Self {
        assert_eq!(self.shape.remove(axis), 1);
        self
    }

    fn read(&self, memory: &[i32]) -> Vec<i32> {
        self.positions.iter().map(|at| memory[*at]).collect()
    }
}

/// A random range of an axis: as bounds that may count from the end, its step, and the indices that it keeps.
fn range(rng: &mut fastrand::Rng, size: usize) -> (Step<(Bound<isize>, Bound<isize>)>, Vec<usize>) {
    let start = rng.usize(..=size);
    let end = rng.usize(start..=size);
    let from_end = |rng: &mut fastrand::Rng, bound: usize| match rng.bool() && bound < size {
        true => bound.cast_signed() - size.cast_signed(),
        false => bound.cast_signed(),
    };
    let low = match rng.u8(..3) {
        0 if start == 0 => Bound::Unbounded,
        1 if start > 0 => Bound::Excluded(start.cast_signed() - 1),
        _ => Bound::Included(from_end(rng, start)),
    };
    let high = match rng.u8(..3) {
        0 if end == size => Bound::Unbounded,
        1 if end > 0 => Bound::Included(end.cast_signed() - 1),
        _ => Bound::Excluded(from_end(rng, end)),
    };
    let step = rng.usize(1..4);
    let mut kept: Vec<usize> = (start..end).collect();
    let signed = if rng.bool() {
        kept.reverse();
        -step.cast_signed()
    } else {
        step.cast_signed()
    };
    (
        Step((low, high), signed),
        kept.into_iter().step_by(step).collect(),
    )
}

fn numbers(count: usize) -> Vec<i32> {
    (1..).take(count).collect()
}

fn text(action: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(action)).expect_err("a panic");
    *panic.downcast::<String>().expect("a message")
}

/// Tensors of random shape and layout, with their elements.
fn each_view(count: u64, mut run: impl FnMut(&mut fastrand::Rng, Tensor<I32>, Vec<i32>)) {
    for seed in 0..count {
        let mut rng = fastrand::Rng::with_seed(seed);
        let rank = rng.usize(..5);
        let shape: Vec<usize> = (0..rank).map(|_| rng.usize(..5)).collect();
        let memory = numbers(shape.iter().product());
        let mut view = Tensor::<I32>::from_slice(&memory, &shape[..]).expect("a shape");
        let mut selection = Selection::all(&shape);
        for (axis, size) in shape.iter().enumerate() {
            if rng.bool() {
                let (Step(bounds, step), kept) = range(&mut rng, *size);
                view = view.slice_step(axis.cast_signed(), bounds, step);
                selection = selection.along(axis, &kept);
            }
        }
        let mut elements = selection.read(&memory);
        if rank == 2 && rng.bool() {
            let columns = selection.shape[1];
            elements = (0..columns)
                .flat_map(|column| {
                    elements
                        .iter()
                        .skip(column)
                        .step_by(columns)
                        .copied()
                        .collect::<Vec<_>>()
                })
                .collect();
            view = view.transpose();
        }
        if rank < 5 && rng.u8(..4) == 0 {
            let repeated: Vec<usize> = [3].iter().chain(view.shape()).copied().collect();
            view = view.broadcast_to(&repeated[..]);
            elements = elements.repeat(3);
        }
        run(&mut rng, view, elements);
    }
}

/// All indices of a shape in row-major order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |so_far, size| {
        let more = |index: Vec<usize>| (0..*size).map(move |at| [&index[..], &[at]].concat());
        so_far.into_iter().flat_map(more).collect()
    })
}
