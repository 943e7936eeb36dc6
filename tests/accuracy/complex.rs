//! The errors of functions of complex numbers, relative to the magnitude of the result, beside values that
//! `tests/data/accuracy/observe_complex.py` wrote.

use supremum::Operation;
use supremum::prelude::*;

use std::collections::BTreeMap;

use crate::{Function, Table, Units};

/// The functions of complex numbers whose results are rounded numbers.
pub(crate) fn functions() -> impl Iterator<Item = (&'static str, Function)> {
    let of_complex = |function: &&supremum::__private::Function| {
        (function.is_defined)(DType::C128)
            && match function.group {
                Operation::UnaryFloat | Operation::Reciprocal => true,
                _ => function.name == "abs",
            }
    };
    let all = supremum::__private::FUNCTIONS.iter();
    all.filter(of_complex)
        .map(|function| (function.name, function.call))
}

/// Arguments of all sizes that `f32` has, and their values.
const ORDINARY: &str = include_str!("../data/accuracy/complex.csv");

/// Arguments whose parts are very large, very small or very close to one, and their values.
const EXTREME: &str = include_str!("../data/accuracy/complex_extreme.csv");

/// Arguments and values of a function.
pub(crate) fn published(table: &str, name: &str) -> Vec<[c128; 2]> {
    let rows = table.lines().skip(1);
    let rows = rows.filter_map(|row| row.strip_prefix(name)?.strip_prefix(','));
    let numbers = rows.map(|row| {
        let parts: Vec<f64> = row
            .split(',')
            .map(|bits| f64::from_bits(u64::from_str_radix(bits, 16).expect("bits")))
            .collect();
        [c128::new(parts[0], parts[1]), c128::new(parts[2], parts[3])]
    });
    numbers.collect()
}

/// The largest error, in units in the last place of the magnitude of the value, and its argument.
fn worst(table: &str, name: &str, function: Function, dtype: DType) -> Result<(f64, c128), Error> {
    let rows = published(table, name);
    assert_eq!(
        rows.len(),
        120,
        "values of {name}, by observe_complex.py in tests/data/accuracy"
    );
    let x: Tensor<C128, Rank1> = rows.iter().map(|[x, _]| *x).collect();
    let found = function(&x.into_dyn().cast(dtype))?.cast(DType::C128);
    let found: Tensor<C128, Rank1> = found.typed()?;
    let units = Units::of(dtype);
    let errors = rows.iter().zip(found.to_vec()).map(|([x, exact], found)| {
        let error = units.complex_error_in(found, *exact, c128::ZERO, 0.0);
        (error, *x)
    });
    Ok(errors
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .expect("rows"))
}

fn page() -> Table {
    Table::of("Functions of complex numbers")
}

#[test]
fn errors_of_complex_functions_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let mut errors = BTreeMap::new();
    for (name, function) in functions() {
        let of = |dtype| worst(ORDINARY, name, function, dtype).map(|(error, _)| error);
        errors.insert(name, [of(DType::C64)?, of(DType::C128)?]);
    }
    page().check(&errors);
    Ok(())
}

#[test]
fn extreme_arguments_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let documented = page().bounds;
    let mut faults = Vec::new();
    for (name, function) in functions() {
        let (error, x) = worst(EXTREME, name, function, DType::C128)?;
        let bound = documented[name][1];
        if error > bound {
            faults.push(format!(
                "{name} is off by {error:.4} units at {x}; the page says {bound}"
            ));
        }
        if std::env::var_os("SUPREMUM_ACCURACY").is_some() {
            println!("| extreme `{name}` | {error:.2} |");
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    Ok(())
}

/// An exponential or a divisor may leave the range of `f64` although a part of the result does not; the values are `mpmath`'s.
#[test]
fn one_part_may_overflow_and_the_other_not() -> Result<(), Error> {
    let inf = f64::INFINITY;
    let cases: [(&str, [f64; 2], [f64; 2]); 12] = [
        ("exp", [710.5, 6.25], [inf, -1.222_068_413_618_301_3e307]),
        ("exp", [800.0, 1e-40], [inf, 2.726_374_572_112_566_4e307]),
        ("exp_m1", [710.5, 6.25], [inf, -1.222_068_413_618_301_3e307]),
        ("exp2", [1024.5, 9.0], [inf, -1.140_120_495_344_975e307]),
        ("sinh", [-710.75, 6.25], [-inf, -7.845_834_520_085_833e306]),
        ("cosh", [-710.75, 6.25], [inf, 7.845_834_520_085_833e306]),
        ("sigmoid", [-1000.0, 2.0], [-0.0, 0.0]),
        (
            "sigmoid",
            [-700.0, 2.0],
            [-4.103_073_203_063_691e-305, 8.965_378_510_574_29e-305],
        ),
        (
            "sigmoid",
            [-400.0, 0.0],
            [1.915_169_596_714_005_7e-174, 0.0],
        ),
        (
            "recip",
            [1e-309, -2e-315],
            [inf, 2.000_000_001_896_016_6e303],
        ),
        (
            "recip",
            [-2e-314, 1e-309],
            [-1.999_999_999_127_753_8e304, -inf],
        ),
        ("recip", [0.0, 1e-310], [0.0, -inf]),
    ];
    for (name, [re, im], expected) in cases {
        let (_, function) = functions()
            .find(|(other, _)| *other == name)
            .expect("a function");
        let x: Tensor<C128, Rank1> = [c128::new(re, im)].into_iter().collect();
        let found: Tensor<C128, Rank1> = function(&x.into_dyn())?.typed()?;
        let found = found[0];
        for (found, expected) in [found.re, found.im].into_iter().zip(expected) {
            let close = (found - expected).abs() <= 1e-14 * expected.abs();
            assert!(
                found.to_bits() == expected.to_bits() || close,
                "{name}({re} + {im}i): {found}, not {expected}"
            );
        }
    }
    Ok(())
}

#[test]
fn signs_of_numbers_at_the_ends_of_the_range_have_magnitude_one() -> Result<(), Error> {
    for (size, dtype) in [
        (1.5e308, DType::C128),
        (5e-324, DType::C128),
        (3e38, DType::C64),
        (1e-45, DType::C64),
    ] {
        let x: Tensor<C128, Rank1> = [c128::new(size, -size)].into_iter().collect();
        let found = x.into_dyn().cast(dtype).sign()?.cast(DType::C128);
        let found: Tensor<C128, Rank1> = found.typed()?;
        let root = core::f64::consts::FRAC_1_SQRT_2;
        let error = (found[0] - c128::new(root, -root)).norm();
        assert!(error < 1e-7, "{size} of {dtype}: {}", found[0]);
    }
    Ok(())
}

/// Their magnitudes would lose digits. The values are `mpmath`'s.
#[test]
fn logarithms_of_subnormal_numbers_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let bound = page().bounds["ln"][1];
    for (x, expected) in [
        (
            c128::new(-6.1e-322, 1.5e-323),
            c128::new(-739.627_590_212_446_8, 3.117_207_244_417_074_6),
        ),
        (
            c128::new(5e-324, -5e-324),
            c128::new(-744.093_498_331_101_3, -core::f64::consts::FRAC_PI_4),
        ),
    ] {
        let x: Tensor<C128, Rank1> = [x].into_iter().collect();
        let error = (x.ln().item()? - expected).norm();
        assert!(
            error <= bound * Units::of(DType::F64).unit(expected.norm()),
            "{x}: {error}"
        );
    }
    Ok(())
}

/// `a * b` as the sum of two floats.
fn exact_product(a: f64, b: f64) -> [f64; 2] {
    let product = a * b;
    [product, a.mul_add(b, -product)]
}

/// The error of a square root of a number of magnitude about one, in units in the last place of its magnitude: `(root² - z) / 2z` is
/// the relative error, and the products that make it up are exact.
fn units_of_root(root: c128, z: c128) -> f64 {
    let [[xx, xx_rest], [yy, yy_rest], [xy, xy_rest]] = [
        exact_product(root.re, root.re),
        exact_product(root.im, root.im),
        exact_product(root.re, root.im),
    ];
    // The larger terms are subtracted first: that is exact.
    let real = if xx > yy {
        (xx - z.re) - yy
    } else {
        xx - (yy + z.re)
    };
    let rest = c128::new(
        real + (xx_rest - yy_rest),
        (2.0 * xy - z.im) + 2.0 * xy_rest,
    );
    let relative = rest.norm() / (2.0 * z.norm());
    relative * root.norm() / Units::of(DType::F64).unit(root.norm())
}

#[test]
fn square_roots_of_numbers_of_all_sizes_are_within_the_bound_of_the_page() -> Result<(), Error> {
    let bound = page().bounds["sqrt"][1];
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut worst = (0.0, c128::ZERO);
    // An even exponent: a number of that size has a root of a size without rounding.
    for exponent in (-1074..=1022).step_by(2) {
        for _ in 0..40 {
            let part = |bits: u64, down: u64| {
                let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
                let one = f64::from_bits((bits >> 12) | 1.0_f64.to_bits());
                sign * one / (1_u64 << down) as f64
            };
            // One part may be much smaller than the other.
            let down = random() % 40 * (random() % 2);
            let plain = c128::new(part(random(), down), part(random(), random() % 3));
            let plain = if random() % 2 == 0 {
                plain
            } else {
                plain * c128::I
            };
            let power = |by: i32| 2.0_f64.powi(by / 2) * 2.0_f64.powi(by - by / 2);
            let z = plain * power(exponent);
            // If `z` is subnormal, it has lost bits: this is the number that it holds.
            let left = z * power(-exponent / 2) * power(-exponent / 2);
            let x: Tensor<C128, Rank1> = [z].into_iter().collect();
            let root = x.sqrt().item()? * power(-exponent / 2);
            if z != c128::ZERO {
                let error = units_of_root(root, left);
                if error > worst.0 || error.is_nan() {
                    worst = (error, z);
                }
            }
        }
    }
    println!("the root of {:?} is off by {:.3} units", worst.1, worst.0);
    assert!(worst.0 <= bound, "{worst:?}; the page says {bound}");
    Ok(())
}
