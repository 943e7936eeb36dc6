//! Copies that interleave a few long columns, or read a few long rows of transposed elements.

use super::copied;
use super::copies::{assert_copied, check_each_size};
use super::layouts::visited;
use crate::array::Array;
use crate::dtype::Element;

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
    for (x, expected) in [(&view, &expected), (&compact, &expected), (&back, &turned)] {
        assert_copied(x, expected, &format!("{columns} columns of {rows}"));
    }
}

#[test]
fn columns_are_interleaved() {
    for columns in 1..20 {
        for rows in [9, 16, 17, 31, 50, 130, 263] {
            let shape = [columns, rows];
            check_each_size!(check, shape);
        }
    }
}
