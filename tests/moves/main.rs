//! Operations that only move elements, compared with naive index maps. They run typed, dynamic and traced, in every dtype, with random
//! shapes and layouts, with no elements and with rank 0. The text of every error is checked too.

mod arrangements;
#[path = "../exact/mod.rs"]
mod exact;
#[path = "../naive/mod.rs"]
mod naive;
mod padding;
#[path = "../panics/mod.rs"]
mod panics;
mod parts;
mod takes;

use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input};

use naive::Plain;
use panics::refused;

/// A layout of elements: they are stored in a shape, of which a view is taken.
struct Layout {
    stored: Vec<usize>,
    view: Box<dyn Fn(&DynTensor) -> Result<DynTensor, Error>>,
}

impl Layout {
    /// A tensor in this layout, of numbers that a function makes from the position in memory.
    fn tensor(&self, dtype: DType, number: impl Fn(i64) -> i64) -> DynTensor {
        let count = i64::try_from(self.stored.iter().product::<usize>()).expect("few elements");
        let stored = Plain::new(&self.stored, (1..=count).map(number).collect());
        (self.view)(&tensor_of(&stored, dtype)).expect("a view")
    }
}

fn plain(tensor: &DynTensor) -> Plain<i64> {
    let elements = tensor.cast(DType::I64).to_vec::<I64>().expect("of i64");
    Plain::new(tensor.shape(), elements)
}

fn tensor_of(plain: &Plain<i64>, dtype: DType) -> DynTensor {
    let shape = plain.shape.as_slice();
    let tensor = Tensor::<I64>::from_slice(&plain.elements, shape).expect("a shape that fits");
    tensor.into_dyn().cast(dtype)
}

/// A random layout of this shape: contiguous, permuted, a part of a larger one, reversed or broadcast.
fn layout(rng: &mut fastrand::Rng, shape: &[usize]) -> Layout {
    let (rank, mut stored) = (shape.len(), shape.to_vec());
    let axis = rng.usize(..rank.max(1));
    let signed = axis.cast_signed();
    let view: Box<dyn Fn(&DynTensor) -> Result<DynTensor, Error>> = match rng.u8(..5) {
        1 if rank > 1 => {
            let mut order: Vec<usize> = (0..rank).collect();
            rng.shuffle(&mut order);
            for (at, axis) in order.iter().enumerate() {
                stored[*axis] = shape[at];
            }
            Box::new(move |x| x.try_permute(&order))
        }
        2 if rank > 0 => {
            stored[axis] = 2 * shape[axis] + 1;
            let end = 2 * shape[axis];
            Box::new(move |x| x.try_slice_step(signed, ..end, 2))
        }
        3 if rank > 0 => Box::new(move |x| x.try_flip(signed)),
        4 if rank > 0 => {
            stored[axis] = 1;
            let shape = shape.to_vec();
            Box::new(move |x| x.try_broadcast_to(&shape[..]))
        }
        _ => Box::new(|x| Ok(x.clone())),
    };
    Layout { stored, view }
}

fn shape(rng: &mut fastrand::Rng, max_rank: usize) -> Vec<usize> {
    let rank = rng.usize(..=max_rank);
    let size = |_| match rng.u8(..12) {
        0 => 0,
        1..=3 => 1,
        number => usize::from(number % 5 + 2),
    };
    (0..rank).map(size).collect()
}

/// Runs with numbered elements of random shape and layout.
fn each_operand(
    count: u64,
    max_rank: usize,
    mut run: impl FnMut(&mut fastrand::Rng, &Layout, Plain<i64>),
) {
    for seed in 0..count {
        let mut rng = fastrand::Rng::with_seed(seed);
        let shape = shape(&mut rng, max_rank);
        let layout = layout(&mut rng, &shape);
        let elements = plain(&layout.tensor(DType::I64, |number| number));
        run(&mut rng, &layout, elements);
    }
}

fn signed(rng: &mut fastrand::Rng, axis: usize, rank: usize) -> isize {
    match rng.bool() {
        true => axis.cast_signed(),
        false => axis.cast_signed() - rank.cast_signed(),
    }
}

/// Checks an operation in every dtype against the elements that it should give.
#[track_caller]
fn moves(
    what: &str,
    layout: &Layout,
    expected: &Plain<i64>,
    operation: impl Fn(&DynTensor) -> Result<DynTensor, Error>,
) {
    for dtype in DType::ALL {
        // Large numbers are NaN in some of the small floats.
        let largest = if dtype.size() == 1 { 29 } else { i64::MAX };
        let x = layout.tensor(*dtype, |number| number % largest);
        let found = operation(&x).unwrap_or_else(|error| panic!("{what} of {dtype}: {error}"));
        let expected = tensor_of(&expected.map(|number| number % largest), *dtype);
        assert!(
            found == expected,
            "{what} of {dtype}: {found} but {expected}"
        );
    }
    let tensor = layout.tensor(DType::F16, |number| number);
    let traced = stablehlo::trace(vec![dyn_input(DType::F16, tensor.shape())], |x| {
        operation(&x[0])
    });
    match traced {
        Ok(program) => {
            let [output] = &program.outputs()[..] else {
                panic!("one result")
            };
            assert_eq!(
                (output.dtype, &output.shape),
                (DType::F16, &expected.shape),
                "{what}"
            );
        }
        Err(Error::Untraceable { operation }) => {
            assert!(["masked_select", "compress"].contains(&operation));
        }
        Err(error) => panic!("{what}, traced: {error}"),
    }
}

fn without(values: &[usize], axis: usize) -> Vec<usize> {
    let mut left = values.to_vec();
    left.remove(axis);
    left
}

#[test]
fn dynamic_tensors_keep_weakness_and_rules() -> Result<(), Error> {
    let weak = (DynTensor::ones(DType::Bool, [2])? * 2.5).with_rules(Torch::rule_set());
    let taken = weak.try_take(&tensor![I64; 1].into_dyn(), 0)?;
    assert_eq!((taken.is_weak(), taken.rules()), (true, Torch::rule_set()));
    Ok(())
}

/// The names of a program's operations, without the dialect.
fn names<I, O>(program: &stablehlo::Program<I, O>) -> Vec<String> {
    let text = program.to_string();
    let lines = text.lines().filter(|line| line.starts_with("    %"));
    let names = lines.map(|line| line.split('"').nth(1).unwrap().replace("stablehlo.", ""));
    names.collect()
}
