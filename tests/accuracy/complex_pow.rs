//! Powers of complex numbers, beside values that `tests/data/accuracy/observe_pow.py` wrote.

use supremum::prelude::*;

use crate::{Units, documented};

const VALUES: &str = include_str!("../data/accuracy/complex_pow.csv");

/// A base, an exponent and the value.
type Row = [c128; 3];

fn published(kind: &str) -> Vec<Row> {
    let rows = VALUES.lines().skip(1);
    let rows = rows.filter_map(|row| row.strip_prefix(kind)?.strip_prefix(','));
    rows.map(|row| {
        let parts: Vec<f64> = row
            .split(',')
            .map(|bits| f64::from_bits(u64::from_str_radix(bits, 16).expect("bits")))
            .collect();
        core::array::from_fn(|at| c128::new(parts[2 * at], parts[2 * at + 1]))
    })
    .collect()
}

fn powers(rows: &[Row], dtype: DType) -> Result<Vec<c128>, Error> {
    let column = |at: usize| {
        let x: Tensor<C128, Rank1> = rows.iter().map(|row| row[at]).collect();
        x.into_dyn().cast(dtype)
    };
    let found: Tensor<C128, Rank1> = column(0).try_pow(column(1))?.cast(DType::C128).typed()?;
    Ok(found.to_vec())
}

/// The largest error, in units in the last place of the magnitude of the value, and its row.
fn worst(rows: &[Row], dtype: DType) -> Result<(f64, Row), Error> {
    let units = Units::of(match dtype {
        DType::C64 => DType::F32,
        _ => DType::F64,
    });
    let errors = rows.iter().zip(powers(rows, dtype)?).map(|(row, found)| {
        let error = (found - row[2]).norm() / units.unit(row[2].norm());
        (if error.is_nan() { f64::INFINITY } else { error }, *row)
    });
    Ok(errors
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .expect("rows"))
}

#[test]
fn errors_of_complex_powers_are_within_the_bounds_of_the_page() -> Result<(), Error> {
    let bounds = &documented("| complex power `")["pow"];
    for (kind, dtype, bound) in [
        ("ordinary", DType::C64, bounds[0]),
        ("ordinary", DType::C128, bounds[1]),
        ("extreme", DType::C128, bounds[1]),
    ] {
        let rows = published(kind);
        assert_eq!(rows.len(), 300);
        let (error, [base, exponent, _]) = worst(&rows, dtype)?;
        if std::env::var_os("SUPREMUM_ACCURACY").is_some() {
            println!("| {kind} `pow` of {dtype} | {error:.2} |");
        }
        assert!(
            error <= bound,
            "{base} to the power of {exponent} in {dtype} is off by {error:.4} units; the page says {bound}"
        );
    }
    Ok(())
}

/// Why a value differs from NumPy's on purpose.
fn reason([base, exponent, value]: &Row) -> Option<&'static str> {
    let infinite = base.re.is_infinite() || base.im.is_infinite();
    let nan = base.re.is_nan() || base.im.is_nan();
    if exponent.re == -1.0 && infinite && !nan {
        Some("NumPy multiplies the infinite base by 1 + 0i, which is NaN, before it inverts it")
    } else if infinite && nan && value.re.is_infinite() {
        Some("C's product of an infinity beside NaN is infinite")
    } else {
        None
    }
}

/// Returns whether two parts are the same. Zero in one may be a rounding error of the other part's size in the other; beside NaN, the
/// sign of a zero or an infinity is open.
fn is_same(found: f64, expected: f64, beside: f64) -> bool {
    if expected.is_nan() || found.is_nan() {
        return expected.is_nan() && found.is_nan();
    }
    if expected.is_infinite() || found.is_infinite() {
        return found == expected || (beside.is_nan() && found == -expected);
    }
    let scale = if beside.is_finite() {
        beside.abs()
    } else {
        0.0
    };
    (found - expected).abs() <= 1e-15 * scale.max(expected.abs())
}

#[test]
fn powers_of_zeros_infinities_and_nan_are_those_of_numpy() -> Result<(), Error> {
    let rows = published("special");
    let mut reasons = std::collections::BTreeMap::<_, usize>::new();
    let mut faults = Vec::new();
    for (row, found) in rows.iter().zip(powers(&rows, DType::C128)?) {
        let [base, exponent, expected] = row;
        if is_same(found.re, expected.re, expected.im)
            && is_same(found.im, expected.im, expected.re)
        {
            continue;
        }
        match reason(row) {
            Some(reason) => *reasons.entry(reason).or_default() += 1,
            None => faults.push(format!(
                "{base} to the power of {exponent} is {found}, and {expected} in NumPy"
            )),
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {}: {faults:#?}",
        faults.len(),
        rows.len()
    );
    assert_eq!(reasons.into_values().collect::<Vec<_>>(), [8, 20]);
    Ok(())
}

/// The angle is zero or a right one, also where the size overflows or vanishes.
#[test]
fn powers_beyond_the_range_are_infinite_or_zero() -> Result<(), Error> {
    let real = |x: f64| c128::new(x, 0.0);
    for dtype in [DType::C64, DType::C128] {
        let found = |base: c128, exponent: f64| {
            powers(&[[base, real(exponent), real(0.0)]], dtype).map(|found| found[0])
        };
        for exponent in [400.5, 5e4, 1e30] {
            assert_eq!(found(real(10.0), exponent)?, real(f64::INFINITY));
            assert_eq!(found(real(10.0), -exponent)?, real(0.0));
        }
        let root = found(c128::new(0.0, 2.0), 0.5)?;
        assert!((root - c128::new(1.0, 1.0)).norm() < 1e-6);
    }
    Ok(())
}

#[test]
fn small_powers_of_whole_numbers_are_exact() -> Result<(), Error> {
    let z = c128::new(3.0, -2.0);
    let expected = [z, z * z, z * z * z, z * z * z * z];
    for (at, expected) in expected.into_iter().enumerate() {
        let exponent = c128::new(at as f64 + 1.0, 0.0);
        assert_eq!(powers(&[[z, exponent, expected]], DType::C128)?, [expected]);
    }
    Ok(())
}
