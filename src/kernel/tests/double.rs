//! The vectorised functions of `f64`: exact results, special numbers and, of those of two operands, the same bits in every loop (`functions.rs`
//! compares those of one operand).
#![allow(clippy::as_conversions, reason = "small integers")]

use std::borrow::Cow;

use super::binary;
use super::elementwise::at_each_level;
use crate::array::Array;
use crate::dtype::DType;
use crate::dtype::compute::Functions;
use crate::kernel::BinaryOp;
use crate::simd::Baseline;

type OfTwo = (BinaryOp, fn(f64, f64) -> f64);

const OF_TWO: [OfTwo; 5] = [
    (BinaryOp::Pow, Functions::pow),
    (BinaryOp::Atan2, Functions::atan2),
    (BinaryOp::Hypot, Functions::hypot),
    (BinaryOp::LogAddExp, Functions::log_add_exp),
    (BinaryOp::Elu, Functions::elu::<Baseline>),
];

/// Zeros, the smallest and the largest numbers, integers of both parities up to those without fractions, infinities and NaN.
fn special() -> Vec<f64> {
    let sizes = [
        0.0,
        5e-324,
        f64::MIN_POSITIVE,
        0.5,
        1.0 - f64::EPSILON / 2.0,
        1.0,
        1.0 + f64::EPSILON,
        1.5,
        2.0,
        3.0,
        4_503_599_627_370_495.5,
        4_503_599_627_370_497.0,
        9_007_199_254_740_991.0,
        9_007_199_254_740_992.0,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
    ];
    sizes.into_iter().flat_map(|size| [size, -size]).collect()
}

/// Numbers of all sizes, close to one, and such as exponentials take without overflow.
pub(super) fn sample() -> Vec<f64> {
    let mut rng = fastrand::Rng::with_seed(7);
    let numbers = (0..8000).map(|at| match at % 5 {
        0 => f64::from_bits(rng.u64(..)),
        1 => rng.f64() * 2.0 - 1.0,
        2 => rng.f64() * 40.0,
        3 => rng.f64() * 1500.0 - 750.0,
        _ => 1.0 + (rng.f64() - 0.5) / 16.0,
    });
    numbers.chain(special()).collect()
}

fn assert_same(found: f64, expected: f64, what: impl FnOnce() -> String) {
    assert!(
        found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
        "{}: {found:e}, not {expected:e}",
        what()
    );
}

#[test]
fn every_instruction_set_gives_the_same_bits_of_two_operands() {
    at_each_level(|| {
        let sample = sample();
        let array = |numbers: &[f64]| {
            Array::from_elements::<f64>(numbers, &[numbers.len()]).expect("a vector")
        };
        // Positive numbers first, whose powers have a loop of their own. The other operand is one of them, in another order.
        let mut left = sample.clone();
        left.sort_by(|a, b| b.total_cmp(a));
        for (op, function) in OF_TWO {
            let results = binary(
                op,
                DType::F64,
                Cow::Owned(array(&left)),
                Cow::Owned(array(&sample)),
            );
            let results = results.expect("the shapes agree");
            for ((a, b), found) in left.iter().zip(&sample).zip(results.iter::<f64>()) {
                assert_same(found, function(*a, *b), || {
                    format!("{}({a:e}, {b:e})", op.name())
                });
            }
        }
    });
}

#[test]
fn logarithms_of_powers_are_exact() {
    for exponent in -1074..1024_i32 {
        // Twice, because 2⁻¹⁰⁷⁴ is the quotient of one and a number beyond floats.
        let power = 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
        assert_eq!(Functions::log2(power), f64::from(exponent));
    }
    let mut power = 1.0;
    for exponent in 0..23 {
        assert_eq!(Functions::log10(power), f64::from(exponent));
        power *= 10.0;
    }
}

#[test]
fn roots_and_powers_that_are_floats_are_exact() {
    for root in 1..208_000_u64 {
        let cube = (root * root * root) as f64;
        assert_eq!(Functions::cbrt(-cube), -(root as f64));
    }
    for exponent in -357..=341_i32 {
        let power = |exponent: i32| 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
        assert_eq!(Functions::cbrt(power(3 * exponent)), power(exponent));
    }
    for base in 1..1000_u64 {
        for exponent in 1..53 {
            let power = base.checked_pow(exponent);
            if let Some(power) = power.filter(|power| *power < 1 << 53) {
                let found: f64 = Functions::pow(base as f64, f64::from(exponent));
                assert_eq!(found, power as f64, "{base} to the power of {exponent}");
            }
        }
        let square = (base * base) as f64;
        assert_eq!(Functions::pow(square, 0.5), base as f64);
    }
    for exponent in -1074..1024 {
        let power = 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
        assert_eq!(Functions::pow(2.0, f64::from(exponent)), power);
        if exponent < 1021 {
            assert_eq!(Functions::hypot(-3.0 * power, 4.0 * power), 5.0 * power);
        }
    }
    for less in 1..300_u32 {
        for greater in less + 1..300 {
            let [less, greater] = [less, greater].map(f64::from);
            let (less, greater) = (less * less, greater * greater);
            let leg = 2.0 * (less * greater).sqrt();
            assert_eq!(Functions::hypot(greater - less, leg), greater + less);
        }
    }
}

/// The values that IEEE 754 names, which the standard library has; other results may differ in the last bit.
#[test]
fn special_numbers_give_what_ieee_754_says() {
    let assert_close = |found: f64, exact: f64, what: String| {
        let is_limit = exact == 0.0 || !exact.is_finite();
        if is_limit || exact.abs() == 1.0 {
            assert_same(found, exact, || what);
        } else {
            let error = (found - exact).abs() / exact.abs().max(f64::MIN_POSITIVE);
            assert!(error < 4e-16, "{what}: {found:e}, not {exact:e}");
        }
    };
    for x in special() {
        for (name, found, exact) in [
            ("ln", Functions::ln(x), x.ln()),
            ("ln_1p", Functions::ln_1p(x), x.ln_1p()),
            ("log2", Functions::log2(x), x.log2()),
            ("log10", Functions::log10(x), x.log10()),
            ("cbrt", Functions::cbrt(x), x.cbrt()),
            ("sin", Functions::sin(x), x.sin()),
            ("cos", Functions::cos(x), x.cos()),
            ("tan", Functions::tan(x), x.tan()),
            ("erf", Functions::erf::<Baseline>(x), libm::erf(x)),
            ("erfc", Functions::erfc(x), libm::erfc(x)),
            ("asin", Functions::asin(x), x.asin()),
            ("acos", Functions::acos(x), x.acos()),
            ("atan", Functions::atan(x), x.atan()),
            ("asinh", Functions::asinh(x), libm::asinh(x)),
            ("atanh", Functions::atanh(x), libm::atanh(x)),
        ] {
            assert_close(found, exact, format!("{name}({x:e})"));
        }
        let acosh = if x < 1.0 { f64::NAN } else { libm::acosh(x) };
        assert_close(Functions::acosh(x), acosh, format!("acosh({x:e})"));
        for y in special() {
            let power = Functions::pow(x, y);
            // The nearest float, which the standard library misses where the exact quotient or root lies close to the middle of two.
            let exact = match y {
                -1.0 => x.recip(),
                0.5 if x.is_normal() => x.sqrt(),
                _ => x.powf(y),
            };
            assert_close(power, exact, format!("{x:e} to the power of {y:e}"));
            let length = Functions::hypot(x, y);
            assert_close(length, x.hypot(y), format!("hypot({x:e}, {y:e})"));
            let angle = Functions::atan2(x, y);
            assert_close(angle, x.atan2(y), format!("atan2({x:e}, {y:e})"));
        }
    }
}
