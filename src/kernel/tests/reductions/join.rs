//! Joins and checked casts.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::oracle::full_layouts;
use crate::array::Array;
use crate::dtype::{DType, Element, Kind, c64, c128};
use crate::error::Error;
use crate::kernel::tests::layouts::{Layout, Seen};
use crate::kernel::tests::try_cast;
use crate::kernel::*;

#[test]
fn concat_agrees() {
    for axis in [0, 1] {
        for layout in full_layouts() {
            let shape = |size| if axis == 0 { [size, 40] } else { [40, size] };
            let a = Seen::<i16>::new(layout, shape(33), 13, |_| true);
            let b = Seen::<u8>::new(Layout::Transposed, shape(7), 14, |_| true);
            let joined = concat(&[&a.array, &b.array], axis, DType::I32).unwrap();
            assert_eq!(joined.shape(), shape(40));
            for row in 0..40 {
                for column in 0..40 {
                    let expected = match (axis, row, column) {
                        (0, 33.., _) => i32::from(b.at(row - 33, column)),
                        (1, _, 33..) => i32::from(b.at(row, column - 33)),
                        _ => i32::from(a.at(row, column)),
                    };
                    assert_eq!(
                        joined.get(&[row, column]),
                        Some(expected),
                        "{axis} {layout:?}"
                    );
                }
            }
        }
    }
    let [a, b] = [[2, 3], [3, 2]].map(|shape| Array::full(1_u8, &shape).unwrap());
    assert!(matches!(
        concat(&[&a, &b], 0, DType::U8),
        Err(Error::SizeMismatch { .. })
    ));
    assert!(matches!(
        concat(&[&a], 2, DType::U8),
        Err(Error::AxisOutOfRange { .. })
    ));
    assert!(concat(&[], 0, DType::U8).is_err());
}

/// Rows of one element and of many, of three axes, and parts that are empty or broadcast.
#[test]
fn concat_agrees_at_every_size() {
    for (sizes, [outer, inner]) in [
        ([1, 1, 1], [300, 1]),
        ([2, 0, 3], [17, 5]),
        ([9000, 40, 7200], [3, 1]),
        ([1, 2, 1], [2, 9000]),
        ([4, 1, 3], [1, 6]),
    ] {
        let parts: Vec<Array> = (0..)
            .zip(sizes)
            .map(|(part, size)| {
                let numbers = |at: usize| (part * 40 + at % 37) as i16;
                Array::from_positions(&[outer, size, inner], numbers).unwrap()
            })
            .collect();
        let row = Array::from_positions(&[1, 1, inner], |at| at as u8).unwrap();
        let broadcast = row.broadcast_to(&[outer, 2, inner]).unwrap();
        let all = [&parts[0], &parts[1], &broadcast, &parts[2]];
        let joined = concat(&all, 1, DType::I32).unwrap();
        assert_eq!(
            joined.shape(),
            [outer, sizes.iter().sum::<usize>() + 2, inner]
        );
        let mut expected = Vec::new();
        for position in 0..outer {
            for part in all {
                let part = part.index_axis(0, position).unwrap();
                let part = cast(Cow::Owned(part), DType::I32).unwrap();
                expected.extend(part.to_vec::<i32>());
            }
        }
        assert_eq!(joined.to_vec::<i32>(), expected, "{sizes:?}");
    }
}

#[test]
fn try_cast_checks_every_value() {
    fn refused<E: Element>(elements: &[E], to: DType) -> Option<usize> {
        let x = Array::from_elements(elements, &[elements.len()]).unwrap();
        try_cast(&x, to).err()
    }
    assert_eq!(refused(&[i64::MAX - 1023, i64::MAX], DType::F64), Some(1));
    assert_eq!(refused(&[u64::MAX], DType::F64), Some(0));
    assert_eq!(refused(&[u64::MAX], DType::I64), Some(0));
    assert_eq!(refused(&[2_147_483_648_f32], DType::I32), Some(0));
    assert_eq!(refused(&[-0.0_f32, 255.0, 255.5], DType::U8), Some(2));
    assert_eq!(refused(&[-0.999_999_999_999_999_9], DType::I8), Some(0));
    assert_eq!(
        refused(&[f64::NAN, f64::INFINITY, 1e300], DType::F16),
        Some(2)
    );
    assert_eq!(refused(&[f32::NAN], DType::I32), Some(0));
    assert_eq!(refused(&[0_u8, 1, 2], DType::Bool), Some(2));
    assert_eq!(
        refused(&[c64::new(1.0, 0.0), c64::new(1.0, 1.0)], DType::F32),
        Some(1)
    );
    assert_eq!(refused(&[65_504_i32, 65_505], DType::F16), Some(1));
}

/// A number without rounding, which can be compared between dtypes: all zeros are equal, and all NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Exact {
    Integer(i128),
    /// The bits of any other number.
    Other(u64),
}

impl Exact {
    fn of(x: f64) -> Self {
        match x {
            _ if x.is_nan() => Self::Other(f64::NAN.to_bits()),
            // No number of a dtype of integers is beyond.
            _ if x.fract() == 0.0 && x.abs() < 2.0_f64.powi(100) => Self::Integer(x as i128),
            _ => Self::Other(x.to_bits()),
        }
    }
}

/// The real and the imaginary part of each element.
fn exact_values(x: &Array) -> Vec<[Exact; 2]> {
    let real = |number: i128| [Exact::Integer(number), Exact::Integer(0)];
    let x = Cow::Borrowed(x);
    match x.dtype().kind() {
        Kind::Bool | Kind::Unsigned => {
            let integers = cast(x, DType::U64).unwrap().to_vec::<u64>();
            integers.iter().map(|x| real((*x).into())).collect()
        }
        Kind::Signed => {
            let integers = cast(x, DType::I64).unwrap().to_vec::<i64>();
            integers.iter().map(|x| real((*x).into())).collect()
        }
        Kind::Float | Kind::Complex => {
            let numbers = cast(x, DType::C128).unwrap().to_vec::<c128>();
            numbers
                .iter()
                .map(|x| [x.re, x.im].map(Exact::of))
                .collect()
        }
    }
}

#[test]
fn try_cast_refuses_what_has_another_value() {
    let powers = (0..=64).map(f64::from).map(f64::exp2);
    let floats = powers.flat_map(|x| [x, x - 1.0, x + 1.0, 1.0 / x, x * 1.5]);
    let floats = floats.chain([0.0, f64::NAN, f64::INFINITY, 1e300, 5e-324]);
    let floats: Vec<f64> = floats.flat_map(|x| [x, -x]).collect();
    let integers: Vec<u64> = (0..64)
        .map(|bit| 1 << bit)
        .flat_map(|x: u64| [x - 1, x, x + 1, x.wrapping_neg(), !x])
        .collect();
    let complex = [
        c128::new(1.0, 0.0),
        c128::new(1.0, -0.0),
        c128::new(1.0, 1.0),
        c128::new(0.0, f64::NAN),
    ];
    let array = |elements: &Array, to| cast(Cow::Borrowed(elements), to).unwrap();
    let sources = [
        Array::from_elements(&floats, &[floats.len()]).unwrap(),
        Array::from_elements(&integers, &[integers.len()]).unwrap(),
        Array::from_elements(&complex, &[complex.len()]).unwrap(),
    ];
    for &from in DType::ALL {
        for source in &sources {
            let x = array(source, from);
            let before = exact_values(&x);
            // Each element once: of most dtypes, many of the numbers are one.
            let mut seen = BTreeSet::new();
            let elements = x.as_bytes().unwrap().chunks(from.size());
            let is_new: Vec<bool> = elements.map(|bytes| seen.insert(bytes)).collect();
            let ones: Vec<Array> = (0..x.len())
                .map(|at| x.index_axis(0, at).unwrap())
                .collect();
            for &to in DType::ALL {
                let after = exact_values(&array(&x, to));
                let first = (0..before.len()).find(|at| before[*at] != after[*at]);
                assert_eq!(try_cast(&x, to).err(), first, "{from} to {to}");
                // Behind the first one, each by itself.
                let others = first.unwrap_or(before.len())..before.len();
                for at in others.filter(|at| is_new[*at]) {
                    let refused = try_cast(&ones[at], to).is_err();
                    assert_eq!(
                        refused,
                        before[at] != after[at],
                        "{:?} from {from} to {to}",
                        before[at]
                    );
                }
            }
        }
    }
}
