//! The vectorised functions of `f32`: how far from the exact value, and the same bits in every loop.
#![allow(clippy::as_conversions, reason = "rounding to `f32`, and bits")]

use std::borrow::Cow;
use std::thread;

use super::elementwise::at_each_level;
use super::unary;
use crate::array::Array;
use crate::dtype::DType;
use crate::dtype::compute::{Functions, OF_ONE_OPERAND};
use crate::kernel::UnaryOp;
use crate::op::each_unary;

struct Function {
    op: UnaryOp,
    single: fn(f32) -> f32,
    /// Exact, as far as `f32` can tell.
    double: fn(f64) -> f64,
    /// The largest error that `docs/accuracy.md` states.
    bound: f64,
}

/// The functions that have code of their own for `f32`.
fn functions() -> Vec<Function> {
    macro_rules! ops {
        ($($name:ident: $Op:ident $text:literal, $cost:literal => $Result:ident $kinds:tt)*) => {
            [$((stringify!($name), UnaryOp::$Op)),*]
        };
    }
    let ops = each_unary!(kernels ops!);
    let page = include_str!("../../../docs/accuracy.md");
    let of_row = |(name, single, double): (&str, _, _)| {
        let (_, op) = ops.iter().find(|row| row.0 == name).expect("its row");
        let row = page
            .lines()
            .find_map(|line| line.strip_prefix(&format!("| `{name}` |")));
        // The columns: 8-bit floats together, two of 16 bits, then `f32`.
        let bound = row.and_then(|row| row.split('|').nth(3));
        let bound = bound.and_then(|bound| bound.trim().parse().ok());
        Function {
            op: *op,
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
fn error(found: f32, exact: f64) -> f64 {
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
    let magnitude = exact.abs().max(f64::from(f32::MIN_POSITIVE));
    let power = f64::from_bits(magnitude.to_bits() & (0x7ff << 52));
    (f64::from(found) - exact).abs() / (power * f64::from(f32::EPSILON))
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
fn sample() -> Vec<f32> {
    let halves = (0..=u16::MAX).flat_map(|bits| {
        [
            half::f16::from_bits(bits).to_f32(),
            half::bf16::from_bits(bits).to_f32(),
        ]
    });
    let stride = (0..=u32::MAX).step_by(19_937).map(f32::from_bits);
    let powers = (0..=u32::MAX)
        .step_by(1 << 23)
        .flat_map(|bits| [-1, 0, 1].map(|step| f32::from_bits(bits.wrapping_add_signed(step))));
    halves.chain(stride).chain(powers).collect()
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
    at_each_level(|| {
        let sample = sample();
        let x = Array::from_elements::<f32>(&sample, &[sample.len()]).expect("a vector");
        for function in &functions() {
            let results = unary(function.op, DType::F32, Cow::Borrowed(&x));
            for (x, found) in sample.iter().zip(results.iter::<f32>()) {
                let expected = (function.single)(*x);
                assert!(
                    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                    "{}({x:e}): {found:e}, alone {expected:e}",
                    function.op.name()
                );
            }
        }
    });
}

#[test]
fn saturated_functions_stay_within_their_range() {
    for x in sample().into_iter().filter(|x| !x.is_nan()) {
        assert!(Functions::tanh(x).abs() <= 1.0, "tanh({x:e})");
        assert!(
            (0.0..=1.0).contains(&Functions::sigmoid(x)),
            "sigmoid({x:e})"
        );
        assert!(Functions::erf(x).abs() <= 1.0, "erf({x:e})");
        assert!(Functions::exp_m1(x) >= -1.0, "exp_m1({x:e})");
        assert!(Functions::cosh(x) >= 1.0, "cosh({x:e})");
    }
}
