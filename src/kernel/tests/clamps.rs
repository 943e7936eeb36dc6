//! `clamp` in one pass beside the two operations that define it.

use std::borrow::Cow;

use super::{binary, cast, fenced};
use crate::array::{Array, ScalarBits};
use crate::dtype::{DType, Kind};
use crate::kernel::{BinaryOp, clamp};
use crate::simd::{SimdLevel, with_level};

/// Ends and middles of the dtypes, zeros of both signs, and NaN.
const NUMBERS: [f64; 11] = [
    f64::NAN,
    0.0,
    -0.0,
    1.0,
    -1.0,
    127.0,
    -128.0,
    1e9,
    -1e300,
    f64::INFINITY,
    5e-45,
];

#[test]
fn one_pass_gives_the_bits_of_two() {
    for len in [1 << 10, 1500, 1 << 11] {
        let numbers = Array::from_positions(&[len], |at| NUMBERS[at % NUMBERS.len()]).unwrap();
        for &dtype in DType::ALL {
            let x = cast(Cow::Borrowed(&numbers), dtype);
            let is_done = !matches!(dtype.kind(), Kind::Bool | Kind::Complex);
            for (low, high) in [
                (-1.0, 1.0),
                (0.0, -0.0),
                (-0.0, 0.0),
                (3.0, 2.0),
                (f64::NAN, 1.0),
                (1.0, f64::NAN),
            ] {
                let [low, high] = [low, high].map(|limit| ScalarBits::of(dtype, limit));
                let [lows, highs] = [low, high].map(|limit| Cow::Owned(limit.to_array().unwrap()));
                let raised = binary(BinaryOp::Max, dtype, Cow::Borrowed(&x), lows).unwrap();
                let expected = binary(BinaryOp::Min, dtype, Cow::Owned(raised), highs).unwrap();
                for level in SimdLevel::ALL {
                    with_level(level, || {
                        let found = fenced(|| clamp(&x, || Some([low, high])));
                        assert_eq!(found.is_some(), is_done, "{dtype:?}");
                        if let Some(found) = found {
                            assert!(
                                found.as_bytes() == expected.as_bytes(),
                                "{len} of {dtype:?}, {level:?}"
                            );
                        }
                    });
                }
            }
        }
    }
}
