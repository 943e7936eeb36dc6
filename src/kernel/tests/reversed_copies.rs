//! Copies of views with reversed axes, also of transposed ones, which are read in tiles, and of views with short rows.

use super::copies::{assert_copied, check_each_size};
use super::layouts::visited;
use super::{copied, fenced};
use crate::array::Array;
use crate::dtype::{DType, Element};

/// Copies views of matrices of `E`, made of their positions, in each direction and order of the axes.
fn check<E: Element>(element: fn(usize) -> E, [rows, columns]: [usize; 2]) {
    let x = Array::from_positions(&[rows, columns], element).unwrap();
    for case in 0..8 {
        let (flips, transposes) = (case / 2, case % 2 == 1);
        let mut view = x.clone();
        for axis in [0, 1] {
            if flips >> axis & 1 == 1 {
                view = view.flip(axis).unwrap();
            }
        }
        let place = |row: usize, column: usize| {
            let row = if flips & 1 == 1 { rows - 1 - row } else { row };
            let column = if flips & 2 == 2 {
                columns - 1 - column
            } else {
                column
            };
            element(row * columns + column)
        };
        let expected = if transposes {
            view = view.permute(&[1, 0]).unwrap();
            visited([columns, rows], &|column, row| place(row, column))
        } else {
            visited([rows, columns], &place)
        };
        let context = format!("{rows} by {columns}, flips {flips}, transposed {transposes}");
        assert_copied(&view, &expected, &context);
    }
}

#[test]
fn reversed_axes_are_copied_in_their_order() {
    // Rows below a pack and above a block, parts of tiles, and rows that are no multiple of a square.
    for shape in [[3, 5], [1, 700], [129, 131], [64, 300], [300, 65], [200, 8]] {
        check_each_size!(check, shape);
    }
}

/// Rows of each length up to more than those that are copied by moves of a fixed size, with gaps between them, and repeated.
#[test]
fn short_rows_are_copied() {
    for width in 1..70 {
        let x = Array::from_positions(&[50, 72], |at| u8::try_from(at % 253).unwrap()).unwrap();
        let view = x
            .slice(1, 2, 2 + isize::try_from(width).unwrap(), 1)
            .unwrap();
        let at = |row: usize, column: usize| u8::try_from((row * 72 + 2 + column) % 253).unwrap();
        let row = |row: usize| (0..width).map(move |column| at(row, column));
        let copy = fenced(|| copied(&view));
        assert_eq!(
            copy.to_vec::<u8>(),
            (0..50).flat_map(row).collect::<Vec<_>>()
        );
        let repeated = view
            .reshape(&[50, 1, width])
            .unwrap()
            .broadcast_to(&[50, 3, width]);
        let expected: Vec<u8> = (0..50).flat_map(|at| [at; 3]).flat_map(row).collect();
        assert_eq!(
            fenced(|| copied(&repeated.unwrap())).to_vec::<u8>(),
            expected
        );
        let joined = fenced(|| crate::kernel::concat(&[&view, &view], 1, DType::U8).unwrap());
        let expected: Vec<u8> = (0..50).flat_map(|at| row(at).chain(row(at))).collect();
        assert_eq!(joined.to_vec::<u8>(), expected, "rows of {width}");
    }
}
