//! The vectorised functions of `c64`: how far they are from the exact value, and the same bits in every loop.
#![allow(clippy::as_conversions, reason = "numbers made of random bits")]

use std::borrow::Cow;

use super::elementwise::each_level;
use super::functions::{error, op_of, unit};
use super::unary;
use crate::array::Array;
use crate::dtype::compute::COMPLEX;
use crate::dtype::{DType, c64, c128};

/// Parts of all sizes, of the size of results that overflow, and close to multiples of a quarter turn.
fn complex_sample() -> Vec<c64> {
    let mut state = 1_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    };
    let mut part = move || {
        let fraction = random() as f32 / 2.0_f32.powi(31) - 1.0;
        match random() % 4 {
            0 => f32::from_bits(random()),
            1 => fraction * 120.0,
            2 => fraction * 2.0_f32.powi((random() % 20) as i32 - 16),
            _ => (random() % 400) as f32 * core::f32::consts::FRAC_PI_4 * fraction.signum(),
        }
    };
    (0..100_000).map(|_| c64::new(part(), part())).collect()
}

/// Each part of a function of `c64` is as close to the same function of `c128` as rounding allows, except for `exp_m1`, whose real part
/// is a difference. That is measured by the magnitude of the result.
#[test]
fn errors_of_complex_functions_are_within_bounds() {
    let sample = complex_sample();
    for (name, single, double) in COMPLEX {
        for z in &sample {
            let (found, exact) = (single(*z), double(c128::new(z.re.into(), z.im.into())));
            if *name == "exp_m1" {
                let found = c128::new(found.re.into(), found.im.into());
                if exact.norm() < f64::from(f32::MAX) {
                    let error = (found - exact).norm() / unit(exact.norm());
                    assert!(
                        error <= 0.75,
                        "{name}({z}) is {found}, off by {error} units"
                    );
                }
                continue;
            }
            for (found, exact) in [(found.re, exact.re), (found.im, exact.im)] {
                let error = error(found, exact);
                assert!(
                    error <= 0.51,
                    "{name}({z}) has a part {found:e}, off by {error} units"
                );
            }
        }
    }
}

#[test]
fn exponentials_that_overflow_keep_a_zero_imaginary_part() {
    for (name, single, double) in COMPLEX.iter().filter(|row| row.0.starts_with("exp")) {
        let (single, double) = (
            single(c64::new(800.0, -0.0)),
            double(c128::new(800.0, -0.0)),
        );
        assert_eq!(
            (single.re, double.re),
            (f32::INFINITY, f64::INFINITY),
            "{name}"
        );
        let signs = (single.im.to_bits(), double.im.to_bits());
        assert_eq!(signs, (1 << 31, 1 << 63), "{name}");
    }
}

#[test]
fn every_instruction_set_gives_the_same_complex_bits() {
    let sample = complex_sample();
    let x = Array::from_elements::<c64>(&sample, &[sample.len()]).expect("a vector");
    for (name, single, _) in COMPLEX {
        let expected: Vec<c64> = sample.iter().map(|z| single(*z)).collect();
        for (level, results) in each_level(|| unary(op_of(name), DType::C64, Cow::Borrowed(&x))) {
            if results.as_bytes() == Some(bytemuck::cast_slice(&expected)) {
                continue; // numbers are compared one by one only if their bytes differ, because that takes long in a debug build
            }
            for (z, (found, expected)) in sample.iter().zip(results.iter::<c64>().zip(&expected)) {
                for (found, expected) in [(found.re, expected.re), (found.im, expected.im)] {
                    assert!(
                        found.to_bits() == expected.to_bits()
                            || (found.is_nan() && expected.is_nan()),
                        "{name}({z}) at {level:?}: {found:e}, alone {expected:e}"
                    );
                }
            }
        }
    }
}
