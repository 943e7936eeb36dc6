//! Gathers with streaming stores, on several threads and with operands against a page that must not be touched.

use super::fenced;
use crate::array::Array;
use crate::kernel::drive::nontemporal;
use crate::kernel::{take, take_along_axis};

/// Numbered elements.
fn numbered(shape: &[usize]) -> Array {
    Array::from_positions(shape, |at| u32::try_from(at).unwrap()).unwrap()
}

/// Takes rows in another order, and compares them one by one.
fn check([rows, columns]: [usize; 2]) {
    let x = numbered(&[rows, columns]);
    let place = |at: usize| (at * 7 + 3) % rows;
    let indices = [2 * rows, 1].map(|count| {
        Array::from_positions(&[count], |at| i64::try_from(place(at)).unwrap()).unwrap()
    });
    for indices in &indices {
        let taken = take(&x, indices, 0).unwrap();
        let expected = (0..indices.len()).flat_map(|at| {
            (0..columns).map(move |column| u32::try_from(place(at) * columns + column).unwrap())
        });
        assert!(taken.iter::<u32>().eq(expected), "{rows} rows of {columns}");
        let column = indices.reshape(&[indices.len(), 1]).unwrap();
        let along = take_along_axis(&x, &column, 0).unwrap();
        assert_eq!(along.to_vec::<u32>(), taken.to_vec::<u32>());
        let turned = x.permute(&[1, 0]).unwrap();
        let across = take(&turned, indices, 1).unwrap();
        assert_eq!(
            across.permute(&[1, 0]).unwrap().to_vec::<u32>(),
            taken.to_vec::<u32>()
        );
    }
}

/// Rows of one element, of a vector's size, of a size that is no power of two, and of more than the staging buffer holds.
const SHAPES: [[usize; 2]; 9] = [
    [5, 1],
    [700, 3],
    [300, 4],
    [90, 7],
    [40, 32],
    [40, 33],
    [2000, 200],
    [3, 5000],
    [1, 3],
];

#[test]
fn rows_are_copied_whole() {
    for shape in SHAPES {
        fenced(|| check(shape));
    }
}

#[test]
fn rows_are_streamed_whole() {
    for shape in SHAPES {
        nontemporal::always(|| check(shape));
    }
}

#[test]
#[cfg(feature = "parallel")]
fn threads_copy_parts_of_the_rows() {
    use crate::kernel::drive::parallel::with_threads;
    for shape in SHAPES {
        with_threads(3, || check(shape));
        with_threads(3, || nontemporal::always(|| check(shape)));
    }
}
