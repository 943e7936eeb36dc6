//! Convolutions and transposed ones in random shapes, beside sums of products one by one.

use std::borrow::Cow;

use super::transposed::{Transposed, transposed};
use super::{Case, array, case, integers};
use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::tests::{cast, copied};
use crate::simd::{SimdLevel, with_level};

/// Returns whether numbers are the same; a NaN is the same as any other.
fn same(found: &Array, expected: &[f64]) -> bool {
    let found = copied(&cast(Cow::Borrowed(found), DType::F64));
    let found = found.as_slice::<f64>().unwrap();
    let is_same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    found.len() == expected.len() && found.iter().zip(expected).all(is_same)
}

/// Makes an array of the numbers. Two times in three, it is a view of every second column of a larger array, whose other columns are NaN.
fn operand(numbers: &[f64], shape: [usize; 4], dtype: DType, rng: &mut fastrand::Rng) -> Array {
    let [examples, channels, height, width] = shape;
    let first = match rng.u8(..3) {
        0 => 0,
        1 => 1,
        _ => return array(numbers, &shape, dtype),
    };
    let pair = |number: &f64| match first {
        0 => [*number, f64::NAN],
        _ => [f64::NAN, *number],
    };
    let pairs: Vec<f64> = numbers.iter().flat_map(pair).collect();
    let wide = array(&pairs, &[examples, channels, height, 2 * width], dtype);
    wide.slice(3, first, 2 * width.cast_signed(), 2).unwrap()
}

/// Random shapes, with an infinity in the operand, which must not reach sums that have no term with it.
#[test]
fn random_convolutions_are_sums_of_products() {
    for seed in 0..400 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let groups = rng.usize(1..3);
        let channels = rng.usize(1..4);
        let mut pair = |most: usize| [rng.usize(1..=most), rng.usize(1..=most)];
        let ([height, width], [rows, columns]) = (pair(12), pair(4));
        let (stride, dilation) = (pair(5), pair(4));
        let (before, behind) = (pair(6), pair(6));
        let filters = rng.usize(1..20);
        let examples = rng.usize(1..3);
        let x_shape = [examples, groups * channels, height, width];
        let mut x = integers(x_shape.iter().product(), rng.usize(..7));
        let infinite = rng.usize(..x.len());
        x[infinite] = f64::INFINITY;
        let dtype = [DType::F32, DType::F64][rng.usize(..2)];
        let operand = operand(&x, x_shape, dtype, rng);
        let level = SimdLevel::ALL[rng.usize(..SimdLevel::ALL.len())];

        let padding = [
            [before[0] - 1, behind[0] - 1],
            [before[1] - 1, behind[1] - 1],
        ];
        let window = [rows, columns];
        let padded = [0, 1].map(|axis| x_shape[2 + axis] + padding[axis].iter().sum::<usize>());
        let spans = [0, 1].map(|axis| (window[axis] - 1) * dilation[axis] + 1);
        if padded[0] >= spans[0] && padded[1] >= spans[1] {
            let case = Case {
                stride,
                padding,
                dilation,
                ..case(x_shape, [groups * filters, channels, rows, columns], groups)
            };
            let w = integers(case.filters.iter().product(), rng.usize(..7));
            let weights = array(&w, &case.filters, dtype);
            let expected = case.sums(0.0, |sum, element, weight| {
                sum + element.map_or(0.0, |element| x[element]) * w[weight]
            });
            with_level(level, || {
                let found = case.conv(&operand, &weights, dtype);
                assert!(same(&found, &expected), "seed {seed} {level:?} {case:?}");
            });
        }

        let whole = [0, 1].map(|axis| (x_shape[2 + axis] - 1) * stride[axis] + spans[axis]);
        let removed = [0, 1].map(|axis| {
            let before = rng.usize(..whole[axis]).cast_signed();
            let most = whole[axis].cast_signed() - before;
            [before - 3, rng.isize(-3..most + 3)]
        });
        let case = Transposed {
            stride,
            dilation,
            removed,
            ..transposed(x_shape, [groups * channels, filters, rows, columns], groups)
        };
        let w = integers(case.filters.iter().product(), rng.usize(..7));
        let weights = array(&w, &case.filters, dtype);
        let expected = case.sums(0.0, |sum, element, weight| sum + x[element] * w[weight]);
        with_level(level, || {
            let found = case.conv(&operand, &weights, dtype);
            assert!(same(&found, &expected), "seed {seed} {level:?} {case:?}");
        });
    }
}
