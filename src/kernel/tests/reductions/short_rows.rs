//! Reductions of short rows that follow one another in memory. They give the same bits as rows whose elements lie apart: for every loop,
//! rows of each length, each instruction set and several threads.

use std::borrow::Cow;

use super::contiguous_rows::{CASES, matrices, matrix, skips_nan};
use crate::array::Array;
#[cfg(feature = "parallel")]
use crate::dtype::DType;
#[cfg(feature = "parallel")]
use crate::kernel::drive::parallel;
use crate::kernel::reduce::reduce_source;
use crate::kernel::tests::elementwise::level_of;
use crate::kernel::tests::graph::assert_same;
use crate::kernel::tests::{cast, copied, fenced};
use crate::kernel::*;
use crate::simd::with_level;

/// The last ones are not short.
const DEPTHS: [usize; 23] = [
    1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 47, 63, 64, 65, 70,
];
/// A single row, and with and without a rest of those that are combined at a time.
const ROWS: [usize; 6] = [1, 2, 33, 64, 341, 1_025];

#[test]
fn short_rows_reduce_as_columns_do() {
    for (at, depth) in DEPTHS.into_iter().enumerate() {
        for (turn, rows) in ROWS.into_iter().enumerate() {
            let [plain, with_nan] = matrices(&[rows, depth]);
            for (number, (op, dtype, out)) in CASES.into_iter().enumerate() {
                // Some of the operations, if there are many rows.
                if rows > 64 && !(depth + rows + number).is_multiple_of(5) {
                    continue;
                }
                let x = if skips_nan(op) { &with_nan } else { &plain };
                let x = cast(Cow::Borrowed(x), dtype);
                let turned = copied(&x.permute(&[1, 0]).unwrap());
                let turned = turned.permute(&[1, 0]).unwrap();
                let of = |x: &Array| {
                    reduce_source(op, Cow::Borrowed(x), Some(&[1]), false, out).unwrap()
                };
                let expected = of(&turned);
                // Each operation meets the instruction sets in turn, in other shapes.
                let level = level_of(at + turn + number);
                with_level(level, || {
                    let found = fenced(|| of(&x));
                    let context = format!("{op:?} of {dtype} [{rows}, {depth}] {level:?}");
                    assert_same(&found, &expected, &context);
                });
            }
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn threads_do_not_change_the_result() {
    let x = matrix(ReduceOp::Sum, DType::F32, &[70_000, 7]);
    let of = || {
        let axes = Some(&[1][..]);
        reduce_source(ReduceOp::Sum, Cow::Borrowed(&x), axes, false, DType::F32)
    };
    let one = parallel::with_threads(1, of).unwrap();
    for threads in [2, 3] {
        let several = parallel::with_threads(threads, of).unwrap();
        assert_same(&several, &one, &format!("{threads} threads"));
    }
}
