//! Operations along rows in `f64`, and functions of two operands, beside values that `tests/data/accuracy/observe_rows.py` wrote.

use std::collections::BTreeMap;

use supremum::prelude::*;

use super::{ALONG_ROWS, DTYPES, Units, documented, numbers, numbers_of};

type Binary = fn(&DynTensor, &DynTensor) -> Result<DynTensor, Error>;

/// The functions, and whether a unit is that of the greater operand if that is greater than the result.
const BINARY: &[(&str, Binary, bool)] = &[
    ("hypot", |x, y| x.try_hypot(y), false),
    ("atan2", |x, y| x.try_atan2(y), false),
    ("pow", |x, y| x.try_pow(y), false),
    ("log_add_exp", |x, y| x.try_log_add_exp(y), true),
    ("elu", |x, y| x.try_elu(y), false),
];

/// The columns of the table of functions of two operands.
const COLUMNS: [std::ops::Range<usize>; 5] = [0..5, 5..6, 6..7, 7..8, 8..9];

fn bits(text: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(text, 16).expect("bits"))
}

/// The values of a row: the nearest floats and the rests.
fn values(row: &str) -> Vec<[f64; 2]> {
    let all: Vec<f64> = row.split(',').map(bits).collect();
    let (pairs, rest) = all.as_chunks();
    assert!(rest.is_empty(), "{row}");
    pairs.to_vec()
}

#[test]
fn errors_along_rows_of_f64_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let bounds = documented("| `");
    let units = Units::of(DType::F64);
    let mut x = DynTensor::zeros(DType::F64, [0, 0])?;
    let mut worst = BTreeMap::<&str, f64>::new();
    for line in include_str!("../data/accuracy/rows_f64.csv").lines() {
        let (name, row) = line.split_once(',').expect("a name");
        if name == "x" {
            let (columns, row) = row.split_once(',').expect("a number of columns");
            let columns: usize = columns.parse().expect("a number");
            let elements: Vec<f64> = row.split(',').map(bits).collect();
            x = Tensor::<F64, Rank2>::from_vec(elements, [4, columns])?.into_dyn();
            continue;
        }
        for (name, function, magnitude) in ALONG_ROWS.iter().filter(|operation| {
            // The products in `f64` are those of `matmul`.
            operation.0 == name || (operation.0, name) == ("matmul_in", "matmul")
        }) {
            let found = numbers_of(&function(&x)?)?;
            let sizes = numbers_of(&magnitude(&x.abs()?)?)?;
            let exact = values(row);
            assert_eq!(found.len(), exact.len(), "{name}");
            let per_size = found.len() / sizes.len();
            for (at, (found, [exact, rest])) in found.iter().zip(exact).enumerate() {
                if exact.is_nan() && found.is_nan() {
                    continue; // variances of a single element
                }
                let size = sizes[at / per_size].max(exact.abs());
                let error = ((found - exact) - rest).abs() / units.unit(size);
                let worst = worst.entry(name).or_default();
                *worst = worst.max(error);
                assert!(!error.is_nan(), "{name}");
            }
        }
    }
    print(&worst);
    assert_eq!(worst.len(), ALONG_ROWS.len());
    for (name, error) in worst {
        let bound = bounds[name][3];
        assert!(
            error <= bound,
            "{name} of f64 is off by {error:.4} units; the page says {bound}"
        );
    }
    Ok(())
}

fn print(worst: &BTreeMap<&str, f64>) {
    if std::env::var_os("SUPREMUM_ACCURACY").is_some() {
        println!("{worst:.2?}");
    }
}

/// Pairs of numbers of all sizes: all pairs of 8-bit floats, and as many of the others at random.
fn operands(dtype: DType) -> Result<[DynTensor; 2], Error> {
    let mut rng = fastrand::Rng::with_seed(20);
    let mut bytes = [Vec::new(), Vec::new()];
    for pair in 0..=u16::MAX {
        // Every second pair is close, where sums cancel or have the most bits.
        let x = rng.u64(..).to_ne_bytes();
        let mut y = rng.u64(..).to_ne_bytes();
        if pair % 2 == 0 {
            y[dtype.size() - 1] = x[dtype.size() - 1];
        }
        let [x, y] = match dtype.size() {
            1 => pair.to_ne_bytes().map(|byte| vec![byte]),
            size => [x[..size].to_vec(), y[..size].to_vec()],
        };
        bytes[0].extend(x);
        bytes[1].extend(y);
    }
    let [x, y] = bytes.map(|bytes| DynTensor::from_bytes(dtype, [1 << 16], &bytes));
    Ok([x?, y?])
}

/// Returns the error of a result in units in the last place: of the result or, with `of_operands`, of the greater operand.
fn error(units: Units, [x, y, found, exact, rest]: [f64; 5], of_operands: bool) -> f64 {
    let size = exact.abs().max(x.max(y).abs());
    if of_operands && found.is_finite() && size.is_finite() {
        return ((found - exact) - rest).abs() / units.unit(size);
    }
    units.error(found, exact, rest)
}

#[test]
fn errors_of_functions_of_two_operands_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let bounds = documented("| binary `");
    assert_eq!(bounds.len(), BINARY.len(), "functions of the page");
    for (name, function, of_operands) in BINARY {
        for (column, dtypes) in COLUMNS.into_iter().enumerate() {
            let mut worst = (0.0, [0.0; 5]);
            for dtype in &DTYPES[dtypes] {
                let units = Units::of(*dtype);
                let rows = match dtype {
                    DType::F64 => published(name, *function)?,
                    _ => beside_f64(*function, *dtype)?,
                };
                assert!(rows.len() >= 200, "{name} of {dtype}");
                for row in rows {
                    let error = error(units, row, *of_operands);
                    if error > worst.0 || error.is_nan() {
                        worst = (error, row);
                    }
                }
            }
            let (error, row) = worst;
            print(&BTreeMap::from([(*name, error)]));
            let bound = bounds[*name][column];
            assert!(
                error <= bound,
                "{name} is off by {error:.4} units at {row:?} in column {column}; the page says {bound}"
            );
        }
    }
    Ok(())
}

/// Operands, results, and those of `f64`.
fn beside_f64(function: Binary, dtype: DType) -> Result<Vec<[f64; 5]>, Error> {
    let [x, y] = operands(dtype)?;
    let found = numbers(&function(&x, &y)?)?;
    let exact = numbers(&function(&x.cast(DType::F64), &y.cast(DType::F64))?)?;
    let operands = numbers(&x)?.into_iter().zip(numbers(&y)?);
    let results = found.into_iter().zip(exact);
    Ok(operands
        .zip(results)
        .map(|((x, y), (found, exact))| [x, y, found, exact, 0.0])
        .collect())
}

/// Operands, results, and the published values.
fn published(name: &str, function: Binary) -> Result<Vec<[f64; 5]>, Error> {
    let rows = include_str!("../data/accuracy/binary_f64.csv").lines();
    let rows = rows.filter_map(|row| row.strip_prefix(name)?.strip_prefix(','));
    let rows: Vec<Vec<f64>> = rows.map(|row| row.split(',').map(bits).collect()).collect();
    let column = |at: usize| {
        let elements = rows.iter().map(|row| row[at]).collect();
        Tensor::<F64, Rank1>::from_vec(elements, [rows.len()]).map(Tensor::into_dyn)
    };
    let found = numbers(&function(&column(0)?, &column(1)?)?)?;
    let rows = rows.iter().zip(found);
    Ok(rows
        .map(|(row, found)| [row[0], row[1], found, row[2], row[3]])
        .collect())
}
