//! Reductions over the first axis of matrices whose rows follow one another, beside those of matrices whose columns do: the same bits, of
//! every loop, for rows of any length, on each instruction set and several threads.

use std::borrow::Cow;

use crate::array::Array;
use crate::dtype::DType;
#[cfg(feature = "parallel")]
use crate::kernel::drive::parallel;
use crate::kernel::reduce::reduce_source;
use crate::kernel::tests::elementwise::level_of;
use crate::kernel::tests::fused_reductions::numbers;
use crate::kernel::tests::graph::assert_same;
use crate::kernel::tests::{cast, copied, fenced};
use crate::kernel::*;
use crate::simd::{SimdLevel, with_level};

/// Fewer rows than lanes, whole and partial sets of lanes, blocks with a rest, and more than stay in the caches.
const ROWS: [usize; 16] = [
    1, 2, 17, 31, 32, 33, 63, 64, 95, 257, 511, 512, 513, 1_024, 1_058, 9_001,
];
/// Less than a pack, packs with a part, and rows whose lanes have no room.
const COLUMNS: [usize; 8] = [2, 3, 5, 31, 32, 33, 70, 1_025];

/// Each operation with the dtypes that it reads and gives: every way to read an element.
pub(super) const CASES: [(ReduceOp, DType, DType); 28] = [
    (ReduceOp::Sum, DType::F32, DType::F32),
    (ReduceOp::Sum, DType::F64, DType::F64),
    (ReduceOp::Sum, DType::F16, DType::F16),
    (ReduceOp::Sum, DType::BF16, DType::BF16),
    (ReduceOp::Sum, DType::C128, DType::C128),
    (ReduceOp::Sum, DType::C64, DType::C64),
    (ReduceOp::Prod, DType::C64, DType::C64),
    (ReduceOp::NanSum, DType::C64, DType::C64),
    (ReduceOp::NanProd, DType::C64, DType::C64),
    (ReduceOp::Sum, DType::I8, DType::I64),
    (ReduceOp::Sum, DType::U16, DType::U64),
    (ReduceOp::Sum, DType::I64, DType::I64),
    (ReduceOp::Sum, DType::Bool, DType::I64),
    (ReduceOp::Prod, DType::F32, DType::F32),
    (ReduceOp::Prod, DType::I32, DType::I64),
    (ReduceOp::Max, DType::F32, DType::F32),
    (ReduceOp::Max, DType::BF16, DType::BF16),
    (ReduceOp::Min, DType::F64, DType::F64),
    (ReduceOp::Min, DType::I16, DType::I16),
    (ReduceOp::Max, DType::C64, DType::C64),
    (ReduceOp::NanSum, DType::F32, DType::F32),
    (ReduceOp::NanMean, DType::F64, DType::F64),
    (ReduceOp::NanProd, DType::F32, DType::F32),
    (ReduceOp::NanProd, DType::BF16, DType::BF16),
    (ReduceOp::NanMax, DType::F32, DType::F32),
    (ReduceOp::Any, DType::Bool, DType::Bool),
    (ReduceOp::All, DType::F32, DType::Bool),
    (ReduceOp::Mean, DType::F32, DType::F32),
];

pub(super) fn skips_nan(op: ReduceOp) -> bool {
    use ReduceOp::{NanMax, NanMean, NanProd, NanSum};
    matches!(op, NanSum | NanMean | NanProd | NanMax)
}

/// Two matrices of `f64`, the second with some NaN. They are made once for all operations, which takes longer than some of these.
pub(super) fn matrices(shape: &[usize]) -> [Array; 2] {
    let plain = numbers(DType::F64, shape, 21);
    let mut elements = plain.to_vec::<f64>();
    for element in elements.iter_mut().skip(3).step_by(5) {
        *element = f64::NAN;
    }
    [plain, Array::from_elements(&elements, shape).unwrap()]
}

/// A matrix, with some NaN if the operation skips them.
pub(super) fn matrix(op: ReduceOp, dtype: DType, shape: &[usize]) -> Array {
    let [plain, with_nan] = matrices(shape);
    cast(
        Cow::Owned(if skips_nan(op) { with_nan } else { plain }),
        dtype,
    )
}

/// Compares the reduction of rows that follow one another with that of the same matrix whose columns do.
fn check(op: ReduceOp, x: &Array, out: DType, level: SimdLevel) {
    let turned = copied(&x.permute(&[1, 0]).unwrap());
    let turned = turned.permute(&[1, 0]).unwrap();
    let of = |x: &Array| reduce_source(op, Cow::Borrowed(x), Some(&[0]), false, out).unwrap();
    let expected = of(&turned);
    with_level(level, || {
        let found = fenced(|| of(x));
        let context = format!("{op:?} of {} {:?} {level:?}", x.dtype(), x.shape());
        assert_same(&found, &expected, &context);
    });
}

#[test]
fn rows_reduce_as_columns_do() {
    for (at, rows) in ROWS.into_iter().enumerate() {
        for (turn, columns) in COLUMNS.into_iter().enumerate() {
            // The longest columns are for narrow matrices.
            if rows * columns > 2_000_000 {
                continue;
            }
            let [plain, with_nan] = matrices(&[rows, columns]);
            // Some of the operations, if the matrix is large.
            for (number, (op, dtype, out)) in CASES.into_iter().enumerate() {
                if rows * columns < 4_000 || (rows + columns + number).is_multiple_of(13) {
                    let x = if skips_nan(op) { &with_nan } else { &plain };
                    let x = cast(Cow::Borrowed(x), dtype);
                    // Each operation meets the instruction sets in turn, in other shapes.
                    check(op, &x, out, level_of(at + turn + number));
                }
            }
        }
    }
}

/// `c64` is widened as it is read: the bits are those of a widened array.
#[test]
fn complex_numbers_are_added_and_multiplied_in_c128() {
    use ReduceOp::{NanProd, NanSum, Prod, Sum};
    for shape in [[40, 70], [700, 5], [3, 1_100]] {
        for op in [Sum, Prod, NanSum, NanProd] {
            let x = matrix(op, DType::C64, &shape);
            let wide = cast(Cow::Borrowed(&x), DType::C128);
            for axes in [&[0][..], &[1], &[0, 1]] {
                let of = |x: &Array, out| {
                    reduce_source(op, Cow::Borrowed(x), Some(axes), false, out).unwrap()
                };
                let expected = of(&wide, DType::C128);
                let context = format!("{op:?} of {shape:?} along {axes:?}");
                assert_same(&of(&x, DType::C128), &expected, &context);
                let expected = cast(Cow::Owned(expected), DType::C64);
                assert_same(&of(&x, DType::C64), &expected, &context);
            }
        }
    }
}

/// Blocks of rows are dealt to threads, and their results combined in one order.
#[cfg(feature = "parallel")]
#[test]
fn threads_do_not_change_the_result() {
    let x = numbers(DType::F32, &[300_000, 3], 5);
    let of = || {
        reduce_source(
            ReduceOp::Sum,
            Cow::Borrowed(&x),
            Some(&[0]),
            false,
            DType::F32,
        )
    };
    let one = parallel::with_threads(1, of).unwrap();
    for threads in [2, 3] {
        let several = parallel::with_threads(threads, of).unwrap();
        assert_same(&several, &one, &format!("{threads} threads"));
    }
}
