//! The vectorised functions: how far those of `f32` are from the exact value, and the same bits in every loop.
#![allow(clippy::as_conversions, reason = "rounding to `f32`, and bits")]

use std::borrow::Cow;
use std::thread;

use super::elementwise::{at_each_level, each_level};
use super::{double, unary};
use crate::array::Array;
use crate::dtype::DType;
use crate::dtype::compute::{Functions, OF_ONE_OPERAND};
use crate::kernel::UnaryOp;
use crate::op::each_unary;
use crate::simd::{Baseline, SimdLevel, with_level};

struct Function {
    op: UnaryOp,
    single: fn(f32) -> f32,
    /// Exact, as far as `f32` can tell.
    double: fn(f64) -> f64,
    /// The largest error that `docs/accuracy.md` states.
    bound: f64,
}

/// The operation of a method's name.
pub(super) fn op_of(method: &str) -> UnaryOp {
    macro_rules! ops {
        ($($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident $kinds:tt)*) => {
            [$((stringify!($name), UnaryOp::$Op)),*]
        };
    }
    let ops = each_unary!(kernels ops!);
    ops.iter().find(|row| row.0 == method).expect("its row").1
}

/// The functions that have code of their own for `f32`.
fn functions() -> Vec<Function> {
    let page = include_str!("../../../docs/accuracy.md");
    let of_row = |(name, single, double): (&str, _, _)| {
        let row = page
            .lines()
            .find_map(|line| line.strip_prefix(&format!("| `{name}` |")));
        // The columns: 8-bit floats together, two of 16 bits, then `f32`.
        let bound = row.and_then(|row| row.split('|').nth(3));
        let bound = bound.and_then(|bound| bound.trim().parse().ok());
        Function {
            op: op_of(name),
            single,
            double,
            bound: bound.unwrap_or_else(|| panic!("docs/accuracy.md lacks `{name}`")),
        }
    };
    OF_ONE_OPERAND
        .iter()
        .flatten()
        .copied()
        .map(of_row)
        .collect()
}

/// The error in units in the last place of the exact value, of the least normal number at least.
/// Infinite if the result is of another kind, or its sign is wrong.
pub(super) fn error(found: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if rounded.is_nan() && found.is_nan() {
        return 0.0;
    }
    if rounded.is_sign_negative() != found.is_sign_negative() {
        return f64::INFINITY;
    }
    if rounded.is_infinite() || found.is_infinite() {
        // Past the largest number the next one up would be 2¹²⁸.
        let at = |x: f32| {
            if x.is_infinite() {
                2.0_f64.powi(128)
            } else {
                f64::from(x.abs())
            }
        };
        let exact = exact.abs().min(2.0_f64.powi(128));
        return (at(found) - exact).abs() / 2.0_f64.powi(104);
    }
    (f64::from(found) - exact).abs() / unit(exact)
}

/// A unit in the last place of a number, of the least normal number at least.
pub(super) fn unit(exact: f64) -> f64 {
    let magnitude = exact.abs().max(f64::from(f32::MIN_POSITIVE));
    let power = f64::from_bits(magnitude.to_bits() & (0x7ff << 52));
    power * f64::from(f32::EPSILON)
}

/// The largest error among these arguments, and where.
fn worst(function: &Function, arguments: impl Iterator<Item = f32>) -> (f64, f32) {
    let mut worst = (0.0, 0.0);
    for x in arguments {
        let error = error((function.single)(x), (function.double)(f64::from(x)));
        // NaN would be an error of the test.
        if error > worst.0 || error.is_nan() {
            worst = (error, x);
        }
    }
    worst
}

/// Every f16 and bf16, a stride through all of `f32`, and both sides of all powers of two.
pub(super) fn sample() -> Vec<f32> {
    let mut sample = Vec::with_capacity(400_000);
    for bits in 0..=u16::MAX {
        sample.push(half::f16::from_bits(bits).to_f32());
        sample.push(half::bf16::from_bits(bits).to_f32());
    }
    for bits in (0..=u32::MAX).step_by(19_937) {
        sample.push(f32::from_bits(bits));
    }
    for bits in (0..=u32::MAX).step_by(1 << 23) {
        let bits = [-1, 0, 1].map(|step| bits.wrapping_add_signed(step));
        sample.extend(bits.map(f32::from_bits));
    }
    sample
}

#[test]
fn errors_are_within_bounds() {
    let sample = sample();
    for function in functions() {
        let (error, x) = worst(&function, sample.iter().copied());
        let name = function.op.name();
        assert!(
            error <= function.bound,
            "{name}({x:e}) is off by {error} units"
        );
    }
}

/// The largest error of a function of two operands, in units of the result, or of the greater operand if that is larger and
/// `or_operand` says so.
fn worst_of_two(
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
    or_operand: bool,
) -> (f64, [f32; 2]) {
    let sample = sample();
    let mut state = 1_u64;
    let mut worst = (0.0, [0.0; 2]);
    for at in 0..sample.len() * 2 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let x = sample[at % sample.len()];
        // A second operand of any size, or of about the size of the first.
        let y = if at < sample.len() {
            sample[(state >> 33) as usize % sample.len()]
        } else {
            x * ((state >> 40) as f32 / 2.0_f32.powi(21) - 4.0)
        };
        let (found, exact) = (single(x, y), double(x.into(), y.into()));
        let greater = f64::from(x.max(y)).abs();
        let error = if or_operand && greater > exact.abs() && greater.is_finite() {
            error(greater as f32, greater + (f64::from(found) - exact).abs())
        } else {
            error(found, exact)
        };
        if error > worst.0 || error.is_nan() {
            worst = (error, [x, y]);
        }
    }
    worst
}

#[test]
fn errors_of_functions_of_two_operands_are_within_bounds() {
    let (error, at) = worst_of_two(Functions::hypot, Functions::hypot, false);
    assert!(error <= 0.51, "hypot({at:?}) is off by {error} units");
    let (error, at) = worst_of_two(Functions::atan2, Functions::atan2, false);
    assert!(error <= 0.54, "atan2({at:?}) is off by {error} units");
    let (error, at) = worst_of_two(Functions::log_add_exp, Functions::log_add_exp, true);
    assert!(error <= 0.75, "log_add_exp({at:?}) is off by {error} units");
    let (error, at) = worst_of_two(
        Functions::elu::<Baseline>,
        Functions::elu::<Baseline>,
        false,
    );
    assert!(error <= 0.9, "elu({at:?}) is off by {error} units");
}

/// Bases of all sizes, with exponents that give results of all sizes, and with small integers.
#[test]
fn errors_of_powers_are_within_bounds() {
    let mut state = 1_u64;
    let mut worst = (0.0, [0.0; 2]);
    for base in sample()
        .into_iter()
        .chain((0..4_000).map(|at| 0.9 + at as f32 / 20_000.0))
    {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let log = f64::from(base.abs()).log2();
        let wide = (((state >> 33) as f64 / 2.0_f64.powi(31) - 0.5) * 310.0 / log) as f32;
        let whole = ((state >> 33) % 41) as f32 - 20.0;
        for exponent in [wide, whole, whole + 0.5] {
            let exact = Functions::pow(f64::from(base), f64::from(exponent));
            let error = error(Functions::pow(base, exponent), exact);
            if error > worst.0 || error.is_nan() {
                worst = (error, [base, exponent]);
            }
        }
    }
    let (error, at) = worst;
    assert!(error <= 0.6, "pow({at:?}) is off by {error} units");
}

/// Every pair of zeros, infinities, NaN, integers of both parities up to the largest floats, and numbers between them.
#[test]
fn powers_of_special_numbers_are_those_of_f64() {
    let sizes = [
        0.0,
        f32::from_bits(1),
        f32::MIN_POSITIVE,
        0.5,
        1.0 - f32::EPSILON / 2.0,
        1.0,
        1.0 + f32::EPSILON,
        1.5,
        2.0,
        3.0,
        4.0,
        1e9,
        8_388_607.0,
        8_388_607.5,
        8_388_609.0,
        16_777_215.0,
        16_777_216.0,
        33_554_430.0,
        33_554_432.0,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    let all: Vec<f32> = sizes.into_iter().flat_map(|size| [size, -size]).collect();
    for base in &all {
        for exponent in &all {
            let exact = Functions::pow(f64::from(*base), f64::from(*exponent));
            let found = Functions::pow(*base, *exponent);
            // A square is the rounded product, which may be the other neighbour of a tie.
            assert!(
                error(found, exact) <= 0.6,
                "{base:e} to the power of {exponent:e}: {found:e}, not {exact:e}"
            );
        }
    }
}

#[test]
#[ignore = "ten minutes in release: every `f32`"]
fn errors_of_all_arguments_are_within_bounds() {
    let parts = thread::available_parallelism().map_or(1, Into::into) as u64;
    for function in &functions() {
        let part = |at: u64| (at << 32) / parts;
        let errors: Vec<_> = thread::scope(|scope| {
            let run = |at| {
                move || {
                    worst(
                        function,
                        (part(at)..part(at + 1)).map(|bits| f32::from_bits(bits as u32)),
                    )
                }
            };
            let threads: Vec<_> = (0..parts).map(|at| scope.spawn(run(at))).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .collect()
        });
        let (error, x) = errors
            .into_iter()
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .expect("a thread");
        let name = function.op.name();
        println!("{name}: {error:.4} at {x:e}");
        assert!(
            error <= function.bound,
            "{name}({x:e}) is off by {error} units"
        );
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    // A part of the sample for each instruction set: functions take other parts. Each has numbers of all kinds and sizes.
    const PARTS: usize = 5;
    let sample = sample();
    let parts: [Array; PARTS] = core::array::from_fn(|first| {
        let part: Vec<f32> = sample.iter().copied().skip(first).step_by(PARTS).collect();
        Array::from_elements::<f32>(&part, &[part.len()]).expect("a vector")
    });
    for (number, function) in functions().iter().enumerate() {
        for (turn, level) in SimdLevel::ALL.into_iter().enumerate() {
            let x = &parts[(number + turn) % PARTS];
            let mut results = None;
            with_level(level, || {
                results = Some(unary(function.op, DType::F32, Cow::Borrowed(x)));
            });
            let Some(results) = results else {
                continue; // the processor does not have the instruction set
            };
            let sample = x.as_slice::<f32>().expect("contiguous");
            let mut expected = Vec::with_capacity(sample.len());
            for x in sample {
                expected.push((function.single)(*x));
            }
            if results.as_bytes() == Some(bytemuck::cast_slice(&expected)) {
                continue; // elements are compared one by one only if their bytes differ, because that takes long in a debug build
            }
            for ((x, expected), found) in sample.iter().zip(&expected).zip(results.iter::<f32>()) {
                assert!(
                    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                    "{}({x:e}) at {level:?}: {found:e}, alone {expected:e}",
                    function.op.name()
                );
            }
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_bits_of_f64() {
    // By magnitude, so that there are packs of numbers near zero, others, and one of both.
    let mut sample = double::sample();
    sample.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let x = Array::from_elements::<f64>(&sample, &[sample.len()]).expect("a vector");
    for (name, _, function) in OF_ONE_OPERAND.iter().flatten() {
        let expected: Vec<f64> = sample.iter().map(|x| function(*x)).collect();
        for (level, results) in each_level(|| unary(op_of(name), DType::F64, Cow::Borrowed(&x))) {
            for ((x, expected), found) in sample.iter().zip(&expected).zip(results.iter::<f64>()) {
                assert!(
                    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                    "{name}({x:e}) at {level:?}: {found:e}, alone {expected:e}"
                );
            }
        }
    }
}

#[test]
fn saturated_functions_of_f64_stay_within_their_range() {
    for x in double::sample().into_iter().filter(|x| !x.is_nan()) {
        assert!(Functions::tanh::<Baseline>(x).abs() <= 1.0, "tanh({x:e})");
        assert!(
            (0.0..=1.0).contains(&Functions::sigmoid::<Baseline>(x)),
            "sigmoid({x:e})"
        );
        assert!(Functions::erf::<Baseline>(x).abs() <= 1.0, "erf({x:e})");
        assert!((0.0..=2.0).contains(&Functions::erfc(x)), "erfc({x:e})");
        assert!(Functions::exp_m1::<Baseline>(x) >= -1.0, "exp_m1({x:e})");
        assert!(Functions::cosh(x) >= 1.0, "cosh({x:e})");
    }
}

#[test]
fn saturated_functions_stay_within_their_range() {
    for x in sample().into_iter().filter(|x| !x.is_nan()) {
        assert!(Functions::tanh::<Baseline>(x).abs() <= 1.0, "tanh({x:e})");
        assert!(
            (0.0..=1.0).contains(&Functions::sigmoid::<Baseline>(x)),
            "sigmoid({x:e})"
        );
        assert!(Functions::erf::<Baseline>(x).abs() <= 1.0, "erf({x:e})");
        assert!((0.0..=2.0).contains(&Functions::erfc(x)), "erfc({x:e})");
        assert!(Functions::exp_m1::<Baseline>(x) >= -1.0, "exp_m1({x:e})");
        assert!(Functions::cosh(x) >= 1.0, "cosh({x:e})");
    }
}

/// Sine, cosine and tangent, to which half of all numbers are far more than a turn, beside values that `mpmath` computed to 500 bits.
#[test]
fn turns_of_large_arguments_are_exact() {
    // The `f32` closest to a multiple of π, the closest to an odd multiple of π / 2, others of the kind, the largest, and those with which
    // ranges begin.
    for (x, values) in [
        (
            1.545_835_8e29,
            [
                -3.229_539_596_495_242_2e-9,
                -1.0,
                3.229_539_596_495_242_2e-9,
            ],
        ),
        (
            7.729_179e28,
            [1.0, -1.614_769_798_247_621_1e-9, -619_283_318.950_613_9],
        ),
        (
            21_999_385_000.0,
            [1.0, -2.012_646_031_918_552_8e-9, -496_858_356.681_205],
        ),
        (
            252.898_21,
            [1.0, -4.185_706_803_757_208e-9, -238_908_276.877_485_07],
        ),
        (
            f32::MAX,
            [
                -0.521_876_523_333_658_3,
                0.853_021_039_830_304_2,
                -0.611_797_949_834_248_1,
            ],
        ),
        (
            4_194_304.0,
            [
                0.975_129_394_941_707,
                0.221_636_330_777_741_25,
                4.399_682_089_664_148,
            ],
        ),
        (
            4_503_599_600_000_000.0,
            [
                0.874_217_302_623_635_1,
                -0.485_534_867_742_220_6,
                -1.800_524_248_008_843_5,
            ],
        ),
        (
            2.417_851_6e24,
            [
                -0.880_878_688_651_113_9,
                -0.473_342_091_811_296_8,
                1.860_976_878_858_021,
            ],
        ),
        (
            1.298_074_2e33,
            [
                0.942_699_502_278_354,
                -0.333_642_995_436_954_64,
                -2.825_473_680_464_204,
            ],
        ),
    ] {
        let [sin, cos, tan] = values;
        for (x, sign) in [(x, 1.0), (-x, -1.0)] {
            for (name, found, exact) in [
                ("sin", Functions::sin(x), sign * sin),
                ("cos", Functions::cos(x), cos),
                ("tan", Functions::tan(x), sign * tan),
            ] {
                let error = error(found, exact);
                assert!(
                    error <= 0.51,
                    "{name}({x:e}) is {found:e}, off by {error} units"
                );
            }
        }
    }
}

/// A thousand numbers on each side of the boundaries between ranges, and fractions of π.
#[test]
fn turns_beside_the_boundaries_of_ranges_are_exact() {
    let ranges = [22, 52, 81, 110].map(|power| 2.0_f32.powi(power).to_bits());
    let quarters =
        (1..200).map(|quarter| (f64::from(quarter) * core::f64::consts::FRAC_PI_4) as f32);
    let centres = ranges.into_iter().chain(quarters.map(f32::to_bits));
    let arguments: Vec<f32> = centres
        .flat_map(|bits| {
            (-1000..1000).map(move |step| f32::from_bits(bits.wrapping_add_signed(step)))
        })
        .collect();
    for function in functions() {
        if matches!(function.op, UnaryOp::Sin | UnaryOp::Cos | UnaryOp::Tan) {
            let (error, x) = worst(&function, arguments.iter().copied());
            let name = function.op.name();
            assert!(error <= 0.51, "{name}({x:e}) is off by {error} units");
        }
    }
}

#[test]
fn turns_of_special_numbers() {
    let least = f32::from_bits(1);
    for x in [0.0, least, f32::MIN_POSITIVE, 1e-30] {
        for x in [x, -x] {
            assert_eq!(Functions::sin(x).to_bits(), x.to_bits(), "sin({x:e})");
            assert_eq!(Functions::tan(x).to_bits(), x.to_bits(), "tan({x:e})");
            assert_eq!(Functions::cos(x), 1.0, "cos({x:e})");
        }
    }
    for x in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        for function in [Functions::sin, Functions::cos, Functions::tan] {
            assert!(function(x).is_nan(), "{x}");
        }
    }
}

/// One large number among small ones makes the loop take the long way for all of them, with the same results.
#[test]
fn a_large_argument_does_not_change_the_results_beside_it() {
    at_each_level(|| {
        let small: Vec<f32> = (0..64_u16).map(|at| f32::from(at) * 0.37 - 11.0).collect();
        for position in [0, 7, 31, 40, 63] {
            let mut mixed = small.clone();
            mixed[position] = 1e20;
            for op in [UnaryOp::Sin, UnaryOp::Cos, UnaryOp::Tan] {
                let [alone, beside] = [&small, &mixed].map(|numbers| {
                    let x = Array::from_elements::<f32>(numbers, &[64]).expect("a vector");
                    unary(op, DType::F32, Cow::Owned(x))
                });
                let same = alone.iter::<f32>().zip(beside.iter::<f32>()).enumerate();
                for (at, (alone, beside)) in same.filter(|(at, _)| *at != position) {
                    assert_eq!(alone.to_bits(), beside.to_bits(), "{} at {at}", op.name());
                }
            }
        }
    });
}
