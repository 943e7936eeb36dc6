//! Gathers with streaming stores, on several threads and with operands against a page that must not be touched.

use std::borrow::Cow;

use super::{cast, copied, fenced};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::drive::nontemporal;
use crate::kernel::{take, take_along_axis};

/// Numbered elements.
fn numbered(shape: &[usize]) -> Array {
    Array::from_positions(shape, |at| u32::try_from(at).unwrap()).unwrap()
}

/// Bytes that differ from their neighbours.
fn numbered_bytes(shape: &[usize]) -> Array {
    Array::from_positions(shape, |at| u8::try_from(at % 251).unwrap()).unwrap()
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
        // Whole rows are compared, because single elements take long in a debug build.
        let row_bytes = columns * size_of::<u32>();
        let rows_of = |x: &Array| copied(x).as_bytes().expect("a copy is contiguous").to_vec();
        let all = rows_of(&x);
        let expected: Vec<&[u8]> = (0..indices.len())
            .map(|at| &all[place(at) * row_bytes..][..row_bytes])
            .collect();
        let taken = rows_of(&taken);
        assert!(taken == expected.concat(), "{rows} rows of {columns}");
        let column = indices.reshape(&[indices.len(), 1]).unwrap();
        let along = take_along_axis(&x, &column, 0).unwrap();
        assert!(rows_of(&along) == taken, "{rows} rows of {columns}, along");
        let turned = x.permute(&[1, 0]).unwrap();
        let across = take(&turned, indices, 1).unwrap();
        let across = across.permute(&[1, 0]).unwrap();
        assert!(
            rows_of(&across) == taken,
            "{rows} rows of {columns}, across"
        );
    }
}

/// Rows of one element, of a vector's size, of a size that is not a power of two, and of more than the staging buffer holds.
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
        nontemporal::with_streaming(|| check(shape));
    }
}

#[test]
#[cfg(feature = "parallel")]
fn threads_copy_parts_of_the_rows() {
    use crate::kernel::drive::parallel::with_threads;
    for shape in SHAPES {
        with_threads(3, || check(shape));
        with_threads(3, || nontemporal::with_streaming(|| check(shape)));
    }
}

/// Takes rows of bytes, of each length around those that are copied as one element, as two, and by `memcpy`.
#[test]
fn rows_of_any_length_are_copied() {
    let lengths = (1..=66).chain([95, 127, 128, 129, 191, 255, 256, 257, 300]);
    for length in lengths {
        fenced(|| check_bytes(length));
    }
}

fn check_bytes(length: usize) {
    let byte = |row: usize, column: usize| u8::try_from((row * 31 + column) % 251).unwrap();
    let x = Array::from_positions(&[9, length], |at| byte(at / length, at % length)).unwrap();
    let row_of = |row| (0..length).map(|column| byte(row, column)).collect();
    let rows: [Vec<u8>; 9] = core::array::from_fn(row_of);
    for count in [5, 1024, 1025, 2500] {
        // Every other index counts from the end.
        let row = |at: usize| (at * 5 + 2) % 9;
        let index =
            |at: usize| i8::try_from(row(at)).unwrap() - if at.is_multiple_of(2) { 9 } else { 0 };
        let indices = Array::from_positions(&[count], index).unwrap();
        let taken = take(&x, &indices, 0).unwrap();
        let expected: Vec<&[u8]> = (0..count).map(|at| &rows[row(at)][..]).collect();
        let expected = expected.concat();
        assert_eq!(taken.shape(), [count, length]);
        assert!(
            taken.as_bytes() == Some(&expected),
            "{count} rows of {length}"
        );
    }
}

/// Takes rows of an operand whose rows are in reverse order, repeat, or overlap, so that bytes beyond a row may lie outside of the
/// operand. The operand ends with its memory, whose size is a multiple of 16 bytes, and each row is taken four times in a row.
#[test]
fn no_byte_beyond_the_operand_is_read() {
    fenced(|| {
        for columns in [3_usize, 5, 7, 9, 12, 15, 31] {
            let rows = numbered_bytes(&[16, columns]);
            let overlapping = numbered_bytes(&[48]).windows(0, &[columns], &[1], &[1]);
            let last = rows.slice(0, 15, 16, 1).unwrap();
            let repeated = last.broadcast_to(&[16, columns]);
            let reversed = rows.flip(0);
            for x in [
                rows,
                reversed.unwrap(),
                overlapping.unwrap(),
                repeated.unwrap(),
            ] {
                let row_of = |row: usize| {
                    let row = row.cast_signed();
                    let row = x.slice(0, row, row + 1, 1).unwrap();
                    copied(&row).as_bytes().unwrap().to_vec()
                };
                let count = 4 * x.shape()[0];
                let index = |at: usize| i64::try_from(at / 4).unwrap();
                let indices = Array::from_positions(&[count], index).unwrap();
                let taken = take(&x, &indices, 0).unwrap();
                let expected: Vec<Vec<u8>> = (0..count).map(|at| row_of(at / 4)).collect();
                assert!(
                    taken.as_bytes() == Some(&expected.concat()),
                    "rows of {columns}, strides {:?}",
                    x.strides()
                );
            }
        }
    });
}

#[test]
fn the_first_index_out_of_range_is_reported() {
    let x = numbered(&[10, 2]);
    let index = |at: usize| match at {
        2047 => 10,
        2048 => -11,
        _ => 3,
    };
    for (count, wrong) in [(2047, None), (2048, Some(10)), (3000, Some(10))] {
        let indices = Array::from_positions::<i64>(&[count], index).unwrap();
        let found = take(&x, &indices, 0).err();
        let expected = wrong.map(|index| Error::IndexOutOfRange {
            operation: "take",
            index,
            axis: 0,
            size: 10,
        });
        assert_eq!(found, expected, "{count} indices");
    }
}

/// Takes rows of an operand from which they are prefetched: with indices that are read as they are, and with indices that are
/// converted in blocks, along an axis of the operand and along one of its transpose.
#[test]
fn rows_of_large_operands_are_prefetched() {
    for (rows, columns) in [(17 << 20, 1), (6 << 20, 3), (1 << 18, 70)] {
        let x = vec![7_u8; rows * columns];
        let mut x = Array::from_elements(&x, &[rows, columns]).unwrap();
        let elements: &mut [u8] = x.as_mut_slice().unwrap();
        let place = |at: usize| (at * 700_001) % rows;
        let count = 3000;
        // Only these rows are written: all of them take long in a debug build.
        for row in (0..count).map(place) {
            elements[row * columns..][..columns].fill(u8::try_from(row % 251).unwrap());
        }
        let number = |at| i32::try_from(place(at)).unwrap() - i32::try_from(rows).unwrap();
        let short = Array::from_positions(&[count], number).unwrap();
        let long = Array::from_positions(&[count], |at| i64::from(number(at))).unwrap();
        let expected: Vec<u8> = (0..count * columns)
            .map(|at| u8::try_from(place(at / columns) % 251).unwrap())
            .collect();
        for indices in [short, long] {
            let taken = take(&x, &indices, 0).unwrap();
            assert!(taken.as_bytes() == Some(&expected), "rows of {columns}");
            let turned = x.permute(&[1, 0]).unwrap();
            let across = take(&turned, &indices, 1).unwrap();
            let across = copied(&across.permute(&[1, 0]).unwrap());
            assert!(across.as_bytes() == Some(&expected), "across {columns}");
            let column = indices.reshape(&[count, 1]).unwrap();
            let along = take_along_axis(&x, &column, 0).unwrap();
            assert!(along.as_bytes() == Some(&expected), "along {columns}");
        }
    }
}

/// Indices just outside of the axis and far from it, among thousands, at the beginning, within and at the end of what a loop or a
/// thread takes at a time: none is followed, and the error has the first.
#[test]
fn no_index_out_of_range_is_followed() {
    fenced(no_hostile_index_is_followed);
    #[cfg(feature = "parallel")]
    crate::kernel::drive::parallel::with_threads(3, no_hostile_index_is_followed);
}

fn no_hostile_index_is_followed() {
    let count = 2 * 1024 + 3;
    for (case, columns) in [1, 3, 16, 100].into_iter().enumerate() {
        let x = numbered(&[10, columns]);
        let turned = numbered(&[columns, 10]).permute(&[1, 0]).unwrap();
        for (turn, wrong) in [10, -11, i64::MAX, i64::MIN].into_iter().enumerate() {
            let places = [0, 1, 1023, 1024, 1800, count - 1];
            // Each index meets each number of columns at three places, at the others the next one does.
            for first in places.into_iter().skip((case + turn) % 2).step_by(2) {
                let index = |at: usize| match at {
                    _ if at == first => wrong,
                    // A later one, which must not be reported.
                    _ if at > first && at.is_multiple_of(700) => 11,
                    _ => i64::try_from(at % 20).unwrap() - 10,
                };
                let mut long = Vec::with_capacity(count);
                for at in 0..count {
                    long.push(index(at));
                }
                let long = Array::from_elements(&long, &[count]).unwrap();
                let mut all = vec![];
                if i16::try_from(wrong).is_ok() {
                    all.push(cast(Cow::Borrowed(&long), DType::I16));
                }
                all.push(long);
                for indices in &all {
                    let expected = Some(wrong);
                    for x in [&x, &turned] {
                        let taken = take(x, indices, 0).err();
                        assert_eq!(reported(taken), expected, "{columns} at {first}");
                        let column = indices.reshape(&[count, 1]).unwrap();
                        let along = take_along_axis(x, &column, 0).err();
                        assert_eq!(reported(along), expected, "{columns} at {first}, along");
                    }
                }
            }
        }
    }
    // The largest `u64` is no index of any axis, and not the last one.
    let x = numbered(&[10, 3]);
    let indices = Array::from_elements(&[3, u64::MAX], &[2]).unwrap();
    let found = take(&x, &indices, 0).unwrap_err().to_string();
    let expected = "take: index 18446744073709551615 is outside axis 0 of size 10";
    assert_eq!(found, expected);
    // Without elements, indices are checked as well.
    for shape in [[10, 0], [0, 10]] {
        let indices = Array::from_elements(&[4_i64, 10], &[2]).unwrap();
        let axis = usize::from(shape[0] == 0);
        let found = take(&numbered(&shape), &indices, axis).err();
        assert_eq!(reported(found), Some(10), "{shape:?}");
    }
}

/// The index that an error is about.
fn reported(error: Option<Error>) -> Option<i64> {
    match error? {
        Error::IndexOutOfRange { index, .. } => i64::try_from(index).ok(),
        other => panic!("another error: {other}"),
    }
}
