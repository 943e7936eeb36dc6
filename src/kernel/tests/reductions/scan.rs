//! Scans.

use std::borrow::Cow;

use super::oracle::{alike, groups, is_full};
use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, Kind, c128};
use crate::error::Error;
use crate::kernel::tests::elementwise::for_each_element;
use crate::kernel::tests::layouts::{Layout, Seen};
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::tests::{cast, scan};
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
        for layout in Layout::ALL.into_iter().filter(|layout| is_full(*layout)) {
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
                    // An element that is wrong makes later ones wrong, so some of them show it.
                    let shown = |length: &usize| *length < 10 || length % 8 < 2;
                    for length in (1..=group.len().min(41)).filter(shown) {
                        let index = if axis == 0 {
                            [length - 1, number]
                        } else {
                            [number, length - 1]
                        };
                        let found = results
                            .index_axis(0, index[0])
                            .unwrap()
                            .index_axis(0, index[1])
                            .unwrap();
                        let expected = one_by_one(op, &group[..length], out);
                        assert!(
                            alike(&expected, &found),
                            "{} of {} {shape:?} {layout:?} {index:?}: {expected:?} {found:?}",
                            op.name(),
                            E::DTYPE
                        );
                    }
                }
            }
        }
    }
}

fn one_by_one<E: Oracle>(op: ScanOp, elements: &[E], out: DType) -> Array {
    fn combined<T: Oracle>(op: ScanOp, elements: impl Iterator<Item = T>) -> Array {
        let combine = |a, b| T::binary(op.combine(), a, b).unwrap();
        Array::full(elements.reduce(combine).unwrap(), &[]).unwrap()
    }
    let elements = elements.iter().copied();
    let result = match (op.combine(), E::DTYPE.kind()) {
        (BinaryOp::Min | BinaryOp::Max, _) => combined(op, elements),
        (_, Kind::Complex) => combined(op, elements.map(cast_element::<E, c128>)),
        (_, Kind::Float) if E::DTYPE.size() < 4 => {
            combined(op, elements.map(cast_element::<E, f32>))
        }
        (_, Kind::Float) => combined(op, elements.map(cast_element::<E, f64>)),
        _ => combined(op, elements.map(cast_element::<E, i64>)),
    };
    cast(Cow::Owned(result), out)
}

#[test]
fn scans_agree() {
    for_each_element!(scans_of());
}
