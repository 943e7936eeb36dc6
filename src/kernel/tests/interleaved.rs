//! Copies that interleave a few long columns, or read a few long rows of transposed elements.

use super::layouts::visited;
use super::{copied, fenced};
use crate::array::Array;
use crate::dtype::{Element, c128};
use crate::simd::{SimdLevel, with_level};

/// Copies a matrix of so many rows, whose columns are contiguous, and the transposed one.
fn check<E: Element>(element: fn(usize) -> E, [columns, rows]: [usize; 2]) {
    // More elements than are copied, so that columns have gaps between them.
    let whole = Array::from_positions(&[columns, rows + 3], element).unwrap();
    let x = whole.slice(1, 2, (rows + 2).cast_signed(), 1).unwrap();
    let at = |column: usize, row: usize| element(column * (rows + 3) + row + 2);
    let expected = visited([rows, columns], &|row, column| at(column, row));
    let view = x.permute(&[1, 0]).unwrap();
    let mut compact = copied(&x);
    compact = compact.permute(&[1, 0]).unwrap();
    let back = copied(&view).permute(&[1, 0]).unwrap();
    let turned = visited([columns, rows], &at);
    for level in SimdLevel::ALL {
        with_level(level, || {
            for (x, expected) in [(&view, &expected), (&compact, &expected), (&back, &turned)] {
                let copy = fenced(|| copied(x));
                assert!(
                    copy.to_vec::<E>() == *expected,
                    "{:?}: {columns} columns of {rows}, {level:?}",
                    E::DTYPE
                );
            }
        });
    }
}

#[test]
fn columns_are_interleaved() {
    for columns in 1..20 {
        for rows in [9, 16, 17, 31, 50, 130, 263] {
            let shape = [columns, rows];
            check::<u8>(|at| u8::try_from(at % 251).unwrap(), shape);
            check::<i16>(|at| i16::try_from(at % 30_011).unwrap(), shape);
            check::<i32>(|at| i32::try_from(at).unwrap(), shape);
            check::<u64>(|at| u64::try_from(at).unwrap(), shape);
            check::<c128>(
                |at| c128::new(f64::from(u32::try_from(at).unwrap()), -1.0),
                shape,
            );
        }
    }
}
