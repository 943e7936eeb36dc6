//! What former elements have left behind few ones does not matter.

use std::borrow::Cow;

use super::{binary, compare, select, try_unary};
use crate::array::{Array, Buffer};
use crate::dtype::{DType, StaticDType, dispatch_dtype};
use crate::kernel::isa::{Level, with_level};
use crate::kernel::lanes::LANES;
use crate::kernel::{BinaryOp, CompareOp, Side, Single, UnaryOp, cast, copied};

/// More buffers than a thread keeps, with these bytes.
fn leave(byte: u8) {
    let left: Vec<Buffer> = (0..32).map(|_| Buffer::copied(&[byte; 128])).collect();
    drop(left);
}

/// The same numbers over the same bytes of other buffers; from one on, so that they can divide.
fn numbers(len: usize, dtype: DType) -> Array {
    let numbers = Array::from_positions(&[len], |at| u8::try_from(at % 7 + 1).expect("small"));
    cast(Cow::Owned(numbers.expect("a small shape")), dtype)
}

/// All that is computed of two arrays, as text.
fn results(len: usize, dtype: DType) -> Vec<String> {
    let (a, b) = (numbers(len, dtype), numbers(len, DType::U8));
    let lend = Cow::Borrowed;
    let mut all = Vec::with_capacity(256);
    let mut note = |result| all.push(format!("{result:?}"));
    for op in BinaryOp::ALL {
        note(binary(op, dtype, lend(&a), lend(&a)));
        note(binary(op, dtype, lend(&a), lend(&b)));
        note(binary(op, dtype, Cow::Owned(copied(&a)), lend(&a)));
        let beside = |lhs, rhs| crate::kernel::binary(op, dtype, dtype, lhs, rhs).array();
        let three = dispatch_dtype!(dtype, D => {
            let element = numbers(3, dtype).get::<<D as StaticDType>::Element>(&[2]);
            Single::new(element.expect("three elements"))
        });
        note(beside(Side::Array(lend(&a)), Side::Single(three)));
        note(beside(Side::Single(three), Side::Array(lend(&a))));
    }
    for op in CompareOp::ALL {
        note(compare(op, dtype, lend(&a), lend(&a)));
        note(compare(op, dtype, lend(&a), lend(&b)));
    }
    for op in UnaryOp::ALL {
        note(try_unary(op, dtype, lend(&a)));
        note(try_unary(op, dtype, Cow::Owned(copied(&a))));
    }
    let condition = cast(lend(&b), DType::Bool);
    note(select(lend(&condition), dtype, lend(&a), lend(&a)));
    note(select(lend(&condition), dtype, lend(&a), lend(&b)));
    for to in DType::ALL {
        note(Ok(cast(lend(&a), *to)));
    }
    all
}

#[test]
fn what_lies_behind_few_elements_does_not_matter() {
    // On a thread of its own, whose buffers no other test has.
    let test = || {
        let all = |level| DType::ALL.iter().map(move |dtype| (level, *dtype));
        for (level, dtype) in Level::ALL.into_iter().flat_map(all) {
            with_level(level, || {
                for len in [1, 8, LANES - 1, LANES, LANES + 1] {
                    leave(0);
                    let expected = results(len, dtype);
                    // Numbers of all sizes, NaN, and what is no truth value.
                    for byte in [1, 0x7f, 0xff] {
                        leave(byte);
                        assert_eq!(results(len, dtype), expected, "{level:?} {dtype} {len}");
                    }
                }
            });
        }
    };
    std::thread::spawn(test).join().expect("the test passes");
}
