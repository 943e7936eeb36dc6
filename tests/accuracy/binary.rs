//! Functions of two operands, beside `f64`, and in `f64` beside values that `tests/data/accuracy/observe_rows.py` wrote.

use std::collections::BTreeMap;

use supremum::prelude::*;

use super::{COLUMNS, DTYPES, Table, Units, numbers};

pub(crate) type Function = fn(&DynTensor, &DynTensor) -> Result<DynTensor, Error>;

/// The functions, and whether the unit is that of the greater operand where it exceeds the result.
pub(crate) const BINARY: &[(&str, Function, bool)] = &[
    ("hypot", |x, y| x.try_hypot(y), false),
    ("atan2", |x, y| x.try_atan2(y), false),
    ("pow", |x, y| x.try_pow(y), false),
    ("log_add_exp", |x, y| x.try_log_add_exp(y), true),
    ("elu", |x, y| x.try_elu(y), false),
    ("rem", |x, y| x.try_rem(y), false),
    ("floor_div", |x, y| x.try_floor_div(y), false),
];

/// The `f64` of its bits.
pub(crate) fn bits(text: &str) -> f64 {
    f64::from_bits(u64::from_str_radix(text, 16).expect("bits"))
}

/// Pairs of numbers of all sizes: all pairs of 8-bit floats, and as many of the others at random.
pub(crate) fn operands(dtype: DType) -> Result<[DynTensor; 2], Error> {
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
    let mut errors = BTreeMap::<&str, [f64; 5]>::new();
    for (name, function, of_operands) in BINARY {
        let errors = errors.entry(name).or_default();
        for (worst, dtypes) in errors.iter_mut().zip(COLUMNS) {
            for dtype in &DTYPES[dtypes] {
                let units = Units::of(*dtype);
                let rows = match dtype {
                    DType::F64 => published(name, *function)?,
                    _ => beside_f64(*function, *dtype)?,
                };
                assert!(rows.len() >= 200, "{name} of {dtype}");
                for row in rows {
                    let error = error(units, row, *of_operands);
                    assert!(error.is_finite(), "{name} of {dtype}: {row:?}");
                    *worst = worst.max(error);
                }
            }
        }
    }
    Table::of("Functions of two operands").check(&errors);
    Ok(())
}

/// Operands, results, and those of `f64`.
fn beside_f64(function: Function, dtype: DType) -> Result<Vec<[f64; 5]>, Error> {
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
fn published(name: &str, function: Function) -> Result<Vec<[f64; 5]>, Error> {
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
