//! Scans.

use std::borrow::Cow;

use super::oracle::{full_layouts, groups};
use crate::array::Array;
use crate::dtype::{DType, Kind, c128};
use crate::error::Error;
use crate::kernel::tests::elementwise::{converted, for_each_element};
use crate::kernel::tests::graph::assert_same;
use crate::kernel::tests::layouts::Seen;
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::tests::{cast, copied, scan};
use crate::kernel::*;

fn scans_of<E: Oracle>() {
    for op in ScanOp::ALL {
        scan_of::<E>(*op);
    }
}

fn scan_of<E: Oracle>(op: ScanOp) {
    let orders = matches!(op.combine(), BinaryOp::Min | BinaryOp::Max);
    let out = match E::DTYPE {
        DType::Bool if !orders => DType::I32,
        dtype => dtype,
    };
    for shape in [[1, 0], [3, 1], [33, 31], [2, 600]] {
        for layout in full_layouts() {
            let x = Seen::<E>::new(layout, shape, 12, |_| true);
            if orders && E::DTYPE.kind() == Kind::Complex {
                let refused = crate::kernel::scan(op, &x.array, 0, out);
                assert!(matches!(refused, Err(Error::UnsupportedDType { .. })));
                continue;
            }
            for axis in [0, 1] {
                let results = scan(op, &x.array, axis, out);
                assert_eq!(results.shape(), shape);
                let groups = groups(&x, shape, &[axis]);
                // Hundreds of groups show nothing that a few do not.
                let few = groups.len().div_ceil(40).max(1);
                for (number, group) in groups.iter().enumerate().step_by(few) {
                    // The first ones of a long group show the order in which it is added.
                    let length = group.len().min(41);
                    let found = results.index_axis(1 - axis, number).unwrap();
                    let found = found.slice(0, 0, length.cast_signed(), 1).unwrap();
                    let expected = one_by_one(op, &group[..length], out);
                    let (name, dtype) = (op.name(), E::DTYPE);
                    let context = format!("{name} of {dtype} {shape:?} {layout:?}, {number}");
                    assert_same(&copied(&found), &expected, &context);
                }
            }
        }
    }
}

/// Returns the results up to each of these elements.
fn one_by_one<E: Oracle>(op: ScanOp, elements: &[E], out: DType) -> Array {
    fn combined<T: Oracle>(op: ScanOp, elements: &[T]) -> Array {
        let mut results = elements.to_vec();
        for at in 1..results.len() {
            results[at] = T::binary(op.combine(), results[at - 1], results[at]).unwrap();
        }
        Array::from_elements(&results, &[results.len()]).unwrap()
    }
    let result = match (op.combine(), E::DTYPE.kind()) {
        (BinaryOp::Min | BinaryOp::Max, _) => combined(op, elements),
        (_, Kind::Complex) => combined::<c128>(op, &converted(elements)),
        (_, Kind::Float) if E::DTYPE.size() < 4 => combined::<f32>(op, &converted(elements)),
        (_, Kind::Float) => combined::<f64>(op, &converted(elements)),
        _ => combined::<i64>(op, &converted(elements)),
    };
    cast(Cow::Owned(result), out)
}

#[test]
fn scans_agree() {
    for_each_element!(scans_of());
}

/// Groups of one row and of many, in parts and whole, that blocks and threads cut: sums of integers, with and without conversions.
#[test]
fn scans_go_on_from_block_to_block() {
    scan_in_blocks();
    #[cfg(feature = "parallel")]
    drive::parallel::with_threads(3, scan_in_blocks);
}

fn scan_in_blocks() {
    let shapes = [
        [1, 1300, 1],
        [3, 700, 2],
        [2, 400, 3],
        [2, 300, 5],
        [300, 3, 1],
        [70, 4, 20],
        [2, 9, 1100],
        [1, 40, 130],
        [1, 40, 1300],
        [1, 1, 600],
    ];
    for [groups, depth, inner] in shapes {
        let element = |at: usize| i32::try_from(at * 7 % 23).unwrap() - 11;
        let x = Array::from_positions(&[groups, depth, inner], element).unwrap();
        let mut expected: Vec<i32> = (0..groups * depth * inner).map(element).collect();
        for at in 0..expected.len() {
            if at / inner % depth > 0 {
                expected[at] += expected[at - inner];
            }
        }
        for (from, out) in [
            (DType::I64, DType::I64),
            (DType::I32, DType::I32),
            (DType::F32, DType::F32),
            (DType::F64, DType::F64),
        ] {
            let found = scan(ScanOp::Sum, &cast(Cow::Borrowed(&x), from), 1, out);
            let found = cast(Cow::Owned(found), DType::I32);
            let context = format!("{groups} groups of {depth} rows of {inner} {from}");
            assert_eq!(found.to_vec::<i32>(), expected, "{context}");
        }
    }
}
