//! The errors of functions of complex numbers, relative to the magnitude of the result, beside values that
//! `tests/data/accuracy/observe_complex.py` wrote.

use supremum::Operation;
use supremum::prelude::*;

use crate::{Function, Units, documented};

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
    let units = Units::of(match dtype {
        DType::C64 => DType::F32,
        _ => DType::F64,
    });
    let errors = rows.iter().zip(found.to_vec()).map(|([x, exact], found)| {
        let error = (found - exact).norm() / units.unit(exact.norm());
        (if error.is_nan() { f64::INFINITY } else { error }, *x)
    });
    Ok(errors
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .expect("rows"))
}

#[test]
fn errors_of_complex_functions_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let prints = std::env::var_os("SUPREMUM_ACCURACY").is_some();
    let documented = documented("| complex `");
    let mut faults = Vec::new();
    for (name, function) in functions() {
        let bounds = documented.get(name).cloned().unwrap_or_default();
        let mut row = format!("| complex `{name}` |");
        for (column, dtype) in [DType::C64, DType::C128].into_iter().enumerate() {
            let (error, x) = worst(ORDINARY, name, function, dtype)?;
            let bound = bounds.get(column).copied().unwrap_or(0.0);
            if !bounds.is_empty() && error > bound {
                faults.push(format!(
                    "{name} of {dtype} is off by {error:.4} units at {x}; the page says {bound}"
                ));
            }
            row += &format!(" {:.2} |", (error * 100.0).ceil() / 100.0);
        }
        if bounds.is_empty() {
            faults.push(format!("the page lacks the row {row}"));
        }
        if prints {
            println!("{row}");
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(
        documented.len(),
        functions().count(),
        "functions of the page"
    );
    Ok(())
}

#[test]
fn extreme_arguments_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let documented = documented("| complex `");
    let mut faults = Vec::new();
    let mut count = 0;
    for (name, function) in functions() {
        if published(EXTREME, name).is_empty() {
            continue;
        }
        count += 1;
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
    assert_eq!(count, 16);
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
    let bound = documented("| complex `")["sqrt"][1];
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
