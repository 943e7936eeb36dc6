//! Bytes behind the elements: stale ones must not change results, and nothing beyond the buffer is touched.

use std::borrow::Cow;

use super::elementwise::{level_of, number_of};
use super::{binary, cast, compare, copied, fenced, reduce, select, try_unary};
use crate::array::{Array, Buffer};
use crate::array::{Datum, ScalarBits};
use crate::dtype::{DType, StaticDType, dispatch_dtype};
use crate::error::Error;
use crate::kernel::{
    BinaryOp, CompareOp, ReduceOp, ScanOp, UnaryOp, concat, matmul, scan as try_scan,
};
use crate::simd::LANES;
use crate::simd::{SimdLevel, with_level};

/// More buffers than a thread keeps, with these bytes.
fn leave(byte: u8) {
    let left: Vec<Buffer> = (0..32)
        .map(|_| Buffer::copied(&[byte; 128]))
        .collect::<Result<_, _>>()
        .expect("there is memory");
    drop(left);
}

/// The same numbers over the same bytes of other buffers; from one on, so that they can divide.
fn numbers(len: usize, dtype: DType) -> Array {
    let numbers = Array::from_positions(&[len], |at| u8::try_from(at % 7 + 1).expect("small"));
    cast(Cow::Owned(numbers.expect("a small shape")), dtype)
}

/// The same numbers in memory that another library lends, which ends at a page that cannot be touched.
#[cfg(unix)]
fn external(x: &Array) -> Array {
    let bytes = x.as_bytes().expect("contiguous");
    let bytes = crate::array::fence::Bytes::copied(bytes);
    Array::external(x.dtype(), x.shape(), bytes).expect("elements of the dtype")
}

/// The dtype, the shape and the bytes of a result, or the error.
type Noted = Result<(DType, Vec<usize>, Vec<u8>), Error>;

/// Keeps the bytes of a result, which takes less time than its text.
fn noted(result: Result<Array, Error>) -> Noted {
    let array = result?;
    let bytes = copied(&array).as_bytes().map(<[u8]>::to_vec);
    let bytes = bytes.expect("a copy is contiguous");
    Ok((array.dtype(), array.shape().to_vec(), bytes))
}

/// All that is computed of two arrays, the second of `u8`.
fn results(a: &Array, b: &Array) -> Vec<Noted> {
    let (len, dtype) = (a.len(), a.dtype());
    let lend = Cow::Borrowed;
    let mut all = Vec::with_capacity(256);
    let mut note = |result| all.push(noted(result));
    for &op in BinaryOp::ALL {
        note(binary(op, dtype, lend(a), lend(a)));
        note(binary(op, dtype, lend(a), lend(b)));
        note(binary(op, dtype, Cow::Owned(copied(a)), lend(a)));
        let beside = |lhs, rhs| crate::kernel::binary(op, dtype, dtype, lhs, rhs).array();
        let three = dispatch_dtype!(dtype, D => {
            let element = numbers(3, dtype).get::<<D as StaticDType>::Element>(&[2]);
            ScalarBits::new(element.expect("three elements"))
        });
        note(beside(Datum::Array(lend(a)), Datum::ScalarBits(three)));
        note(beside(Datum::ScalarBits(three), Datum::Array(lend(a))));
    }
    for &op in CompareOp::ALL {
        note(compare(op, dtype, lend(a), lend(a)));
        note(compare(op, dtype, lend(a), lend(b)));
    }
    for &op in UnaryOp::ALL {
        note(try_unary(op, dtype, lend(a)));
        note(try_unary(op, dtype, Cow::Owned(copied(a))));
    }
    let condition = cast(lend(b), DType::Bool);
    note(select(lend(&condition), dtype, lend(a), lend(a)));
    note(select(lend(&condition), dtype, lend(a), lend(b)));
    for to in DType::ALL {
        note(Ok(cast(lend(a), *to)));
    }
    for op in [ReduceOp::Sum, ReduceOp::Max, ReduceOp::All] {
        let out = if op == ReduceOp::Sum {
            DType::C128
        } else {
            dtype
        };
        note(reduce(op, a, &[0], false, out));
    }
    for op in ScanOp::ALL {
        let out = match op.combine() {
            BinaryOp::Min | BinaryOp::Max => dtype,
            _ => DType::C128,
        };
        note(try_scan(*op, a, 0, out));
    }
    note(matmul(a, b, dtype));
    let end = len.cast_signed();
    let views = [
        a.flip(0),
        a.slice(0, 0, end, 2),
        a.unsqueeze(1).and_then(|a| a.broadcast_to(&[len, 3])),
        a.unsqueeze(0).and_then(|a| a.broadcast_to(&[3, len])),
    ];
    for view in views.map(|view| view.expect("it can be seen this access")) {
        let lend = || Cow::Borrowed(&view);
        note(binary(BinaryOp::Max, dtype, lend(), lend()));
        note(Ok(cast(lend(), DType::F16)));
        note(reduce(ReduceOp::Max, &view, &[0], false, dtype));
    }
    note(concat(&[a, b], 0, dtype));
    all
}

#[test]
fn what_lies_behind_few_elements_does_not_matter() {
    // On a thread of its own, whose buffers no other test has.
    let test = || {
        for (number, &dtype) in DType::ALL.iter().enumerate() {
            let lengths = [1, 8, LANES - 1, LANES, LANES + 1];
            for (case, len) in lengths.into_iter().enumerate() {
                // Dtypes take the instruction sets of each length in turn.
                let level = level_of(number + case);
                with_level(level, || {
                    let results = || results(&numbers(len, dtype), &numbers(len, DType::U8));
                    leave(0);
                    let expected = results();
                    // Numbers of all sizes, NaN, and what is not a truth value.
                    for byte in [1, 0x7f, 0xff] {
                        leave(byte);
                        assert_eq!(results(), expected, "{level:?} {dtype} {len}");
                    }
                });
            }
        }
    };
    std::thread::spawn(test).join().expect("the test passes");
}

/// Here a read or a write beyond a buffer ends the tests: see [`array::fence`](crate::array::fence).
#[cfg(unix)]
#[test]
fn loops_stay_within_buffers() {
    let all = |level| DType::ALL.iter().map(move |dtype| (level, *dtype));
    for (level, dtype) in SimdLevel::ALL.into_iter().flat_map(all) {
        with_level(level, || {
            let lengths = [1, 3, 8, 9, 20, LANES - 1, LANES, LANES + 1, 65];
            for (case, len) in lengths.into_iter().enumerate() {
                // Of the dtypes of a size, which are read and written alike, one in three has each length at each instruction set. Only one
                // has 16 bytes.
                let turn = number_of(dtype) + case + level.index();
                if dtype.size() < 16 && !turn.is_multiple_of(3) {
                    continue;
                }
                let (a, b) = (numbers(len, dtype), numbers(len, DType::U8));
                let own = fenced(|| results(&copied(&a), &copied(&b)));
                let external = fenced(|| results(&external(&a), &external(&b)));
                assert_eq!(external, own, "{level:?} {dtype} {len}");
            }
        });
    }
}
