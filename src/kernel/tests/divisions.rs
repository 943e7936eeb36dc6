//! Divisions by one number, at each instruction set: all integers of 8 bits by each of them, which stand for the divisors of all, and floats of
//! all kinds.

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

/// Dividends of all kinds, in packs of the same kind and mixed, by divisors of all kinds: products must not show.
#[test]
fn floats_are_divided_by_one_number() {
    let special = [
        0.0,
        -0.0,
        1.0,
        -3.7,
        f32::MIN_POSITIVE,
        1e-45,
        7e-31,
        9e-31,
        1.2e30,
        1.3e30,
        f32::MAX,
        f32::INFINITY,
        -f32::INFINITY,
        f32::NAN,
    ];
    let mut dividends: Vec<f32> = special.into_iter().flat_map(|x| [x; 32]).collect();
    dividends.extend(special.iter().cycle().take(70));
    // Fractions with all patterns of the upper bits, one exponent for each pack.
    dividends.extend(
        (0..4_096_u32).map(|at| f32::from_bits((at << 11 | at) & 0x7f_ffff | (at >> 5 << 23))),
    );
    dividends.extend([0.1; 5]);
    let x = Array::from_elements(&dividends, &[dividends.len()]).expect("a small shape");
    let divisors = special.into_iter().chain([
        3.0,
        -255.0,
        0.1,
        2.9e-8,
        3.1e-8,
        3.3e7,
        3.4e7,
        1.999_999_9,
        16_777_215.0,
    ]);
    for by in divisors {
        let expected: Vec<f32> = dividends.iter().map(|x| x / by).collect();
        let one = Array::from_elements(&[by], &[1]).expect("one element");
        // A pack with one divisor that differs.
        let mut others = vec![by; dividends.len()];
        others
            .iter_mut()
            .skip(17)
            .step_by(96)
            .for_each(|by| *by = 2.5);
        let many = Array::from_elements(&others, &[others.len()]).expect("a small shape");
        for level in SimdLevel::ALL {
            with_level(level, || {
                let quotients = |by: &Array| {
                    let (a, b) = (Cow::Borrowed(&x), Cow::Borrowed(by));
                    binary(BinaryOp::Div, DType::F32, a, b)
                        .expect("floats")
                        .to_vec::<f32>()
                };
                let same = |found: f32, expected: f32| {
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
                };
                for (at, found) in quotients(&one).into_iter().enumerate() {
                    assert!(
                        same(found, expected[at]),
                        "{:e} / {by:e}, {level:?}",
                        dividends[at]
                    );
                }
                for (at, found) in quotients(&many).into_iter().enumerate() {
                    let expected = dividends[at] / others[at];
                    assert!(
                        same(found, expected),
                        "{:e} / {:e}, {level:?}",
                        dividends[at],
                        others[at]
                    );
                }
            });
        }
    }
}
