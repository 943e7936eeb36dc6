//! All integers of 8 bits by each of them, which stands for the divisors of all, at each instruction set.

use std::borrow::Cow;

use super::{binary, cast};
use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::BinaryOp;
use crate::simd::{SimdLevel, with_level};

fn array(dtype: DType, numbers: &[i32]) -> Array {
    let numbers = Array::from_elements(numbers, &[numbers.len()]).expect("a small shape");
    cast(Cow::Owned(numbers), dtype)
}

#[test]
fn bytes_are_divided_by_one_number() {
    let ops: [(_, fn(i32, i32) -> i32); 3] = [
        (BinaryOp::Div, |a, b| a / b),
        (BinaryOp::FloorDiv, |a, b| {
            (a - a.rem_euclid(b)) / b - i32::from(b < 0 && a.rem_euclid(b) != 0)
        }),
        (BinaryOp::Rem, |a, b| {
            a.rem_euclid(b) + if b < 0 && a.rem_euclid(b) != 0 { b } else { 0 }
        }),
    ];
    for (dtype, first) in [(DType::U8, 0), (DType::I8, -128)] {
        let numbers: Vec<i32> = (first..first + 256).collect();
        let dividends = array(dtype, &numbers);
        for by in numbers.iter().copied().filter(|by| *by != 0) {
            let divisor = array(dtype, &[by]);
            for (op, of) in ops {
                let expected: Vec<i32> = numbers.iter().map(|a| of(*a, by)).collect();
                let expected = array(dtype, &expected);
                for level in SimdLevel::ALL {
                    with_level(level, || {
                        let (a, b) = (Cow::Borrowed(&dividends), Cow::Borrowed(&divisor));
                        let found = binary(op, dtype, a, b).expect("no zero");
                        let same = found.as_bytes() == expected.as_bytes();
                        assert!(same, "{op:?} of {dtype} by {by}, {level:?}");
                    });
                }
            }
        }
    }
}
