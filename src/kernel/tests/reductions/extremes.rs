//! Extremes of floats. The rows have a NaN, a zero of either sign or an infinity at a sample of all places, and lengths around those of
//! packs and blocks.

use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::tests::{cast, reduce};
use crate::kernel::*;
use crate::simd::{SimdLevel, with_level};
use std::borrow::Cow;

/// The lengths of rows: parts of a pack that are powers of two or lie between them, packs, and blocks with and without a rest.
const LENGTHS: [usize; 16] = [
    1, 2, 3, 8, 13, 16, 31, 32, 33, 63, 64, 95, 511, 512, 513, 1100,
];

/// Rows to reduce: `others` everywhere, but `odd` at one place, for a sample of all places.
fn rows(len: usize, odd: &[f64], others: &[f64]) -> Vec<Vec<f64>> {
    let places = (0..len).step_by(1 + len / 24).chain([len - 1]);
    let mut rows = vec![];
    for place in places {
        for odd in odd {
            let mut row: Vec<f64> = (0..len).map(|at| others[at % others.len()]).collect();
            row[place] = *odd;
            rows.push(row);
        }
    }
    rows
}

/// The extreme of a row, in the words of IEEE 754-2019: the largest or the smallest number, with -0 below +0, or NaN.
fn expected(op: ReduceOp, row: &[f64]) -> f64 {
    let skips_nan = matches!(op, ReduceOp::NanMin | ReduceOp::NanMax);
    let numbers = || row.iter().copied().filter(|number| !number.is_nan());
    if numbers().next().is_none() || (!skips_nan && numbers().count() < row.len()) {
        return f64::NAN;
    }
    let is_least = matches!(op, ReduceOp::Min | ReduceOp::NanMin);
    let best = if is_least {
        numbers().min_by(f64::total_cmp)
    } else {
        numbers().max_by(f64::total_cmp)
    };
    best.expect("the row has numbers")
}

const EXTREMES: [ReduceOp; 4] = [
    ReduceOp::Min,
    ReduceOp::Max,
    ReduceOp::NanMin,
    ReduceOp::NanMax,
];

#[test]
fn extremes_of_floats_agree() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let palettes: [(&[f64], &[f64]); 5] = [
        (&[nan, -nan, inf, -inf, 9.0, -9.0], &[1.0, -2.0, 3.5]),
        (&[0.0, -0.0, nan], &[0.0]),
        (&[0.0, -0.0, nan], &[-0.0]),
        // The sum of opposite infinities is NaN, but no element is.
        (&[0.0, nan, 1.0], &[inf, -inf, 2.0]),
        (&[1.0, -inf, 0.0, -0.0], &[nan]),
    ];
    for (at, len) in LENGTHS.into_iter().enumerate() {
        for (palette, (odd, others)) in palettes.into_iter().enumerate() {
            let rows = rows(len, odd, others);
            let elements: Vec<f64> = rows.concat();
            let x = Array::from_elements(&elements, &[rows.len(), len]).unwrap();
            // Each dtype has these numbers.
            let expected = EXTREMES.map(|op| {
                let of_rows = rows.iter().map(|row| expected(op, row));
                Array::from_elements(&of_rows.collect::<Vec<f64>>(), &[rows.len()]).unwrap()
            });
            let dtypes = [DType::F64, DType::F32, DType::F16, DType::BF16];
            for (number, dtype) in dtypes.into_iter().enumerate() {
                let x = cast(Cow::Borrowed(&x), dtype);
                for (turn, level) in SimdLevel::ALL.into_iter().enumerate() {
                    // Of long rows, the instruction sets take turns: each meets each dtype, and each choice of numbers.
                    if len <= 64 || (at + palette + number + turn).is_multiple_of(3) {
                        with_level(level, || extremes_of(&x, &rows, &expected, dtype));
                    }
                }
            }
        }
    }
}

fn extremes_of(x: &Array, rows: &[Vec<f64>], expected: &[Array; 4], dtype: DType) {
    for (op, expected) in EXTREMES.into_iter().zip(expected) {
        let found = reduce(op, x, &[1], false, dtype).unwrap();
        let found = cast(Cow::Owned(found), DType::F64);
        assert_eq!(found.len(), rows.len());
        if found.as_bytes() == expected.as_bytes() {
            continue; // elements are compared one by one only if their bytes differ, because that takes long in a debug build
        }
        let pairs = found.iter::<f64>().zip(expected.iter::<f64>());
        for (row, (found, expected)) in rows.iter().zip(pairs) {
            assert!(
                found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                "{op:?} of {dtype} {row:?}: expected {expected:?}, found {found:?}"
            );
        }
    }
}

#[test]
fn positions_of_extremes_agree() {
    for len in LENGTHS {
        for place in (0..len).step_by(1 + len / 24) {
            for (odd, is_greatest) in [(7.0, true), (f64::NAN, true), (-7.0, false)] {
                let mut row = vec![0.5; len];
                // The second one like it does not count.
                (row[place], row[len - 1]) = (odd, odd);
                let x = Array::from_elements(&row, &[1, len]).unwrap();
                // Two such rows whose elements alternate in memory.
                let twice: Vec<f64> = row.iter().flat_map(|item| [*item; 2]).collect();
                let apart = Array::from_elements(&twice, &[len, 2]).unwrap();
                let op = if is_greatest { ArgOp::Max } else { ArgOp::Min };
                for dtype in [DType::F64, DType::F32, DType::BF16, DType::I32] {
                    if dtype == DType::I32 && odd.is_nan() {
                        continue;
                    }
                    let x = cast(Cow::Borrowed(&x), dtype);
                    let apart = cast(Cow::Borrowed(&apart), dtype);
                    for level in SimdLevel::ALL {
                        with_level(level, || {
                            let place = i64::try_from(place).unwrap();
                            let context = format!("{op:?} of {len} {dtype} at {level:?}");
                            let found = arg_reduce(op, &x, Some(1), false, DType::I64).unwrap();
                            assert_eq!(found.to_vec::<i64>(), [place], "{context}");
                            let apart = apart.permute(&[1, 0]).unwrap();
                            let found = arg_reduce(op, &apart, Some(1), false, DType::I64).unwrap();
                            assert_eq!(found.to_vec::<i64>(), [place; 2], "{context}, apart");
                        });
                    }
                }
            }
        }
    }
}

/// Rows of several parts, with a rest of less than a pack, and rows that are long enough to be cut for threads. Each has two equal
/// extremes, of which the first counts: in one part, in two, or in the rest. Dtypes take turns at the longest row.
#[test]
fn positions_in_long_rows_agree() {
    positions_in_long_rows();
    #[cfg(feature = "parallel")]
    drive::parallel::with_threads(3, positions_in_long_rows);
}

fn positions_in_long_rows() {
    let mut turn = 0;
    for (count, len) in [(3, 4096), (2, 9001), (40, 100), (1, (2 << 18) + 9)] {
        let places = [[0, 1], [31, 4000], [len / 2, len - 1], [len - 2, len - 1]];
        for [first, second] in places.map(|places| places.map(|place| place % len)) {
            let first = first.min(second);
            for odd in [7.0, -7.0, f64::NAN, f64::INFINITY] {
                let mut row = vec![0.5; len];
                // The sum of opposite infinities is NaN, but no element is.
                row[len / 3] = if odd == f64::INFINITY { -odd } else { 0.25 };
                (row[first], row[second]) = (odd, odd);
                let x = Array::from_elements(&row.repeat(count), &[count, len]).unwrap();
                let op = if odd < 0.0 { ArgOp::Min } else { ArgOp::Max };
                for dtype in [DType::F32, DType::F64, DType::BF16, DType::F16, DType::I8] {
                    turn += 1;
                    let is_left_out = count == 1 && turn % 3 > 0;
                    if is_left_out || dtype == DType::I8 && !odd.is_finite() {
                        continue;
                    }
                    let x = cast(Cow::Borrowed(&x), dtype);
                    let found = arg_reduce(op, &x, Some(1), false, DType::I64).unwrap();
                    let expected = vec![i64::try_from(first).unwrap(); count];
                    let context = format!("{op:?} of {dtype} {odd} in {count} rows of {len}");
                    assert_eq!(found.to_vec::<i64>(), expected, "{context}");
                    if count == 1 {
                        let found = arg_reduce(op, &x, None, false, DType::I64).unwrap();
                        assert_eq!(found.to_vec::<i64>(), expected, "{context}, all");
                    }
                }
            }
        }
    }
}

/// Columns of more rows than a byte counts, with a rest of less than a pack, and short rows; each cut for threads along another axis.
#[test]
fn positions_in_columns_agree() {
    positions_in_columns();
    #[cfg(feature = "parallel")]
    drive::parallel::with_threads(3, positions_in_columns);
}

fn positions_in_columns() {
    for [planes, depth, columns] in [[1, 700, 101], [40, 300, 33], [3, 9, 70], [300, 7, 1]] {
        // Two equal extremes in each column, of which the first counts.
        let place = |plane: usize, column: usize| (plane * 31 + column * 7) % depth;
        let mut elements = vec![0.5; planes * depth * columns];
        let mut expected = vec![];
        for plane in 0..planes {
            for column in 0..columns {
                let at = |row: usize| (plane * depth + row) * columns + column;
                elements[at(place(plane, column))] = -7.0;
                elements[at(depth - 1)] = -7.0;
                expected.push(i64::try_from(place(plane, column)).unwrap());
            }
        }
        let x = Array::from_elements(&elements, &[planes, depth, columns]).unwrap();
        for dtype in [DType::I8, DType::U16, DType::F32, DType::I64, DType::BF16] {
            let (op, x) = match dtype {
                DType::U16 => (
                    ArgOp::Max,
                    cast(Cow::Borrowed(&x), DType::I16).bitcast(dtype),
                ),
                _ => (ArgOp::Min, cast(Cow::Borrowed(&x), dtype)),
            };
            for level in SimdLevel::ALL {
                with_level(level, || {
                    let found = arg_reduce(op, &x, Some(1), false, DType::I64).unwrap();
                    let context = format!("{dtype} at {level:?}, {:?}", x.shape());
                    assert_eq!(found.to_vec::<i64>(), expected, "{context}");
                });
            }
        }
    }
}
