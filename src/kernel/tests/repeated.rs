//! Copies of columns that repeat along rows.

use super::copies::{assert_copied, check_each_size};
use super::layouts::visited;
use crate::array::Array;
use crate::dtype::Element;

/// Copies every second element of a column, and all of them backwards, each to a row of so many elements.
fn check<E: Element>(element: fn(usize) -> E, [rows, columns]: [usize; 2]) {
    let whole = Array::from_positions(&[2 * rows, 1], element).unwrap();
    let end = whole.len().cast_signed();
    let every_second = whole.slice(0, 0, end, 2).unwrap();
    let first = whole.slice(0, 0, rows.cast_signed(), 1).unwrap();
    let backwards = first.flip(0).unwrap();
    let row_of: [&dyn Fn(usize) -> usize; 3] = [&|row| 2 * row, &|row| row, &|row| rows - 1 - row];
    for (x, of_row) in [every_second, first, backwards].iter().zip(row_of) {
        let x = x.broadcast_to(&[rows, columns]).unwrap();
        let expected = visited([rows, columns], &|row, _| element(of_row(row)));
        assert_copied(&x, &expected, &format!("{rows} rows of {columns}"));
    }
}

#[test]
fn elements_are_repeated_along_rows() {
    let columns = (1..=70).chain([95, 96, 97, 127, 300, 1_100]);
    for shape in columns.flat_map(|columns| [1, 2, 3, 9, 40].map(|rows| [rows, columns])) {
        check_each_size!(check, shape);
    }
}
