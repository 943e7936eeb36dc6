//! Joins and checked casts.

use std::borrow::Cow;

use super::oracle::is_full;
use crate::array::Array;
use crate::dtype::{DType, Element, c64};
use crate::error::Error;
use crate::kernel::tests::layouts::{Layout, Seen};
use crate::kernel::tests::try_cast;
use crate::kernel::*;

#[test]
fn concat_agrees() {
    for axis in [0, 1] {
        for layout in Layout::ALL.into_iter().filter(|layout| is_full(*layout)) {
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
