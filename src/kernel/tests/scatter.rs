//! Scatters beside a loop over single elements, on one thread and on several.

use crate::array::Array;
use crate::dtype::compute::ComputeType;
use crate::error::Error;
use crate::kernel::{ScatterOp, scatter};
use crate::simd::Baseline;

/// Groups, the size of the axis, the number of indices along it, and the number of elements behind each position.
const SHAPES: [[usize; 4]; 12] = [
    [1, 5, 40, 1],
    [9, 5, 40, 1],
    [500, 3, 7, 1],
    [1, 700, 3000, 1],
    [2, 3, 1100, 3],
    [1, 4, 50, 63],
    [1, 4, 50, 200],
    [2, 4, 30, 65],
    [1, 3, 4, 3000],
    [2, 3, 8, 1100],
    [5, 3, 20, 130],
    [0, 3, 20, 2],
];

const OPS: [ScatterOp; 4] = [
    ScatterOp::Replace,
    ScatterOp::Add,
    ScatterOp::Max,
    ScatterOp::Min,
];

/// Floats of different sizes, whose sum depends on the order, and some that are NaN or a zero with a sign.
fn float(rng: &mut fastrand::Rng) -> f32 {
    match rng.u8(..40) {
        0 => f32::NAN,
        1 => -0.0,
        2 => 0.0,
        _ => (rng.f32() - 0.5) * f32::from(rng.u16(1..)),
    }
}

/// NaN is any NaN.
fn bits(x: &[f32]) -> Vec<u32> {
    let bits = |x: &f32| if x.is_nan() { u32::MAX } else { x.to_bits() };
    x.iter().map(bits).collect()
}

fn combine(op: ScatterOp, a: f32, b: f32) -> f32 {
    match op {
        ScatterOp::Replace => b,
        ScatterOp::Add => a + b,
        ScatterOp::Max => <f32 as ComputeType>::maximum::<Baseline>(a, b),
        ScatterOp::Min => <f32 as ComputeType>::minimum::<Baseline>(a, b),
    }
}

fn check([groups, size, count, inner]: [usize; 4]) {
    let rng = &mut fastrand::Rng::with_seed(3);
    let x = Array::from_positions(&[groups, size, inner], |_| float(rng)).unwrap();
    let updates = Array::from_positions(&[groups, count, inner], |_| float(rng)).unwrap();
    let axis_size = i64::try_from(size).unwrap();
    for index_inner in [1, inner] {
        let shape = [groups, count, index_inner];
        let wide = Array::from_positions(&shape, |_| rng.i64(-axis_size..axis_size)).unwrap();
        let positions = wide.as_slice::<i64>().unwrap().to_vec();
        let narrow = Array::from_positions(&shape, |at| i16::try_from(positions[at]).unwrap());
        let narrow = narrow.unwrap();
        for op in OPS {
            let mut expected = x.as_slice::<f32>().unwrap().to_vec();
            for (at, update) in updates.as_slice::<f32>().unwrap().iter().enumerate() {
                let (row, column) = (at / inner, at % inner);
                let index = positions[row * index_inner + column % index_inner];
                let position = usize::try_from(index.rem_euclid(axis_size)).unwrap();
                let element = &mut expected[(row / count * size + position) * inner + column];
                *element = combine(op, *element, *update);
            }
            for indices in [&wide, &narrow] {
                let found = scatter(op, &x, indices, &updates, 1).unwrap();
                assert!(
                    bits(found.as_slice().unwrap()) == bits(&expected),
                    "{op:?}, {shape:?}, {} of {inner}",
                    indices.dtype()
                );
            }
        }
    }
}

/// The error names the first index that is out of range, of two in different groups or columns.
fn check_errors([groups, size, count, inner]: [usize; 4]) {
    let x = Array::from_positions(&[groups, size, inner], |_| 0_i32).unwrap();
    let shape = [groups, count, inner];
    let updates = Array::from_positions(&shape, |_| 1_i32).unwrap();
    let total = groups * count * inner;
    for wrong in [0, total / 3, total - 1] {
        let index = |at: usize| match at {
            _ if at == wrong => 7_000,
            _ if at == total - 1 => 8_000,
            _ => 0,
        };
        let indices = Array::from_positions(&shape, index).unwrap();
        let error = scatter(ScatterOp::Add, &x, &indices, &updates, 1).unwrap_err();
        assert!(
            matches!(error, Error::IndexOutOfRange { index: 7_000, axis: 1, size: found, .. } if found == size),
            "{shape:?}, {wrong}: {error}"
        );
    }
}

fn check_all() {
    for shape in SHAPES {
        check(shape);
        if shape[0] > 0 {
            check_errors(shape);
        }
    }
}

#[test]
fn updates_of_an_element_are_combined_in_order() {
    check_all();
}

#[test]
#[cfg(feature = "parallel")]
fn threads_share_groups_and_columns() {
    use crate::kernel::drive::parallel::with_threads;
    with_threads(3, check_all);
    with_threads(2, check_all);
}
