//! Numbers in equal steps, beside each of them by itself.

use std::borrow::Cow;

use super::{cast, fenced};
use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::{Sequence, sequence};
use crate::simd::{SimdLevel, with_level};

#[test]
fn numbers_are_those_of_their_positions() {
    // Parts of packs and of blocks.
    for count in [0, 1, 31, 32, 33, 511, 512, 513, 1100] {
        for (start, step, end) in [
            (-3.0, 0.1, None),
            (7.5, -1.0 / 3.0, Some(-2.0)),
            (1e17, 3.0, None),
        ] {
            let numbers = Sequence {
                count,
                start,
                step,
                end,
            };
            let expected = Array::from_positions(&[count], |at| numbers.number(at)).unwrap();
            for dtype in [
                DType::F64,
                DType::F32,
                DType::BF16,
                DType::F16,
                DType::I32,
                DType::C64,
            ] {
                let expected = cast(Cow::Borrowed(&expected), dtype);
                for level in SimdLevel::ALL {
                    with_level(level, || {
                        let found = fenced(|| sequence(&numbers, dtype).unwrap());
                        assert!(
                            found.as_bytes() == expected.as_bytes(),
                            "{count} of {dtype:?}, {level:?}"
                        );
                    });
                }
            }
        }
    }
}
