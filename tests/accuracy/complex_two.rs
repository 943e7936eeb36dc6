//! Arithmetic of complex numbers, `atan2` and signs, beside values that `tests/data/accuracy/observe_complex_two.py` wrote; and powers, for
//! which `complex_pow.rs` has the values.

use std::collections::BTreeMap;

use supremum::prelude::*;

use crate::{Function, Table, Units, binary, complex_pow};

/// Two operands and the value.
type Row = [c128; 3];

const TWO: &[(&str, binary::Function)] = &[
    ("add", |a, b| a.try_add(b)),
    ("sub", |a, b| a.try_sub(b)),
    ("mul", |a, b| a.try_mul(b)),
    ("div", |a, b| a.try_div(b)),
    ("atan2", |y, x| y.try_atan2(x)),
    ("sign", |a, _| a.try_sign()),
];

/// The rows of a table that begin with a word.
pub(crate) fn published(table: &str, first: &str) -> Vec<Row> {
    let rows = table
        .lines()
        .filter_map(|row| row.strip_prefix(first)?.strip_prefix(','));
    let rows = rows.map(|row| {
        let parts: Vec<f64> = row.split(',').map(binary::bits).collect();
        core::array::from_fn(|at| c128::new(parts[2 * at], parts[2 * at + 1]))
    });
    rows.collect()
}

/// Computes an operation on the operands of rows.
pub(crate) fn computed(
    function: binary::Function,
    rows: &[Row],
    dtype: DType,
) -> Result<Vec<c128>, Error> {
    let column = |at: usize| {
        let x: Tensor<C128, Rank1> = rows.iter().map(|row| row[at]).collect();
        x.into_dyn().cast(dtype)
    };
    let found: Tensor<C128, Rank1> = function(&column(0), &column(1))?
        .cast(DType::C128)
        .typed()?;
    Ok(found.to_vec())
}

/// The largest error, in units in the last place of the magnitude of the value, and its row.
pub(crate) fn worst(
    function: binary::Function,
    rows: &[Row],
    dtype: DType,
) -> Result<(f64, Row), Error> {
    let units = Units::of(dtype);
    let found = computed(function, rows, dtype)?;
    let errors = rows.iter().zip(found).map(|(row, found)| {
        let error = units.complex_error_in(found, row[2], c128::ZERO, 0.0);
        (error, *row)
    });
    let errors = errors.max_by(|one, other| one.0.total_cmp(&other.0));
    Ok(errors.expect("rows"))
}

#[test]
fn errors_of_operations_on_two_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let mut errors = BTreeMap::new();
    for (name, function) in TWO {
        let rows = published(include_str!("../data/accuracy/complex_two.csv"), name);
        assert_eq!(rows.len(), 120);
        let of = |dtype| worst(*function, &rows, dtype).map(|(error, _)| error);
        errors.insert(*name, [of(DType::C64)?, of(DType::C128)?]);
    }
    errors.insert("pow", complex_pow::errors()?);
    Table::of("Operations on two complex numbers").check(&errors);
    Ok(())
}

/// Parts of sums are sums of parts.
#[test]
fn parts_are_summed_as_real_numbers() -> Result<(), Error> {
    const OF_PARTS: [Function; 4] = [
        |z| z.try_sum_axis(-1),
        |z| z.try_mean_axis(-1),
        |z| z.try_cumsum(-1),
        |z| z.try_sub(z.try_flip(0)?),
    ];
    for (dtype, part) in [(DType::C64, DType::F32), (DType::C128, DType::F64)] {
        let mut rng = fastrand::Rng::with_seed(32);
        let z: Vec<c128> = (0..300)
            .map(|_| c128::new(rng.f64() - 0.5, 9.0 * rng.f64()))
            .collect();
        let z = DynTensor::from_vec(z, [3, 100])?.cast(dtype);
        for of_parts in OF_PARTS {
            let found = of_parts(&z)?;
            let parts = [[z.real()?, found.real()?], [z.imag()?, found.imag()?]];
            for [part_of_z, part_of_found] in parts {
                let expected = of_parts(&part_of_z)?;
                assert_eq!(part_of_found.dtype(), part);
                assert_eq!(part_of_found.to_bytes(), expected.to_bytes(), "{dtype}");
            }
        }
    }
    Ok(())
}
