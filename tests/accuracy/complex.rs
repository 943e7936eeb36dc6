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
