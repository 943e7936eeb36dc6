//! Powers of complex numbers, beside values that `tests/data/accuracy/observe_pow.py` wrote.

use supremum::prelude::*;

use crate::complex_two::{computed, published, worst};

const VALUES: &str = include_str!("../data/accuracy/complex_pow.csv");

/// A base, an exponent and the value.
type Row = [c128; 3];

fn pow(base: &DynTensor, exponent: &DynTensor) -> Result<DynTensor, Error> {
    base.try_pow(exponent)
}

/// The largest errors of `c64` and `c128`.
pub(crate) fn errors() -> Result<[f64; 2], Error> {
    let [ordinary, extreme] = ["ordinary", "extreme"].map(|kind| published(VALUES, kind));
    assert_eq!([ordinary.len(), extreme.len()], [300; 2]);
    let of = |rows: &[Row], dtype| worst(pow, rows, dtype).map(|(error, _)| error);
    let wide = of(&ordinary, DType::C128)?.max(of(&extreme, DType::C128)?);
    Ok([of(&ordinary, DType::C64)?, wide])
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
    let rows = published(VALUES, "special");
    let mut reasons = std::collections::BTreeMap::<_, usize>::new();
    let mut faults = Vec::new();
    for (row, found) in rows.iter().zip(computed(pow, &rows, DType::C128)?) {
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
            computed(pow, &[[base, real(exponent), real(0.0)]], dtype).map(|found| found[0])
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
        assert_eq!(
            computed(pow, &[[z, exponent, expected]], DType::C128)?,
            [expected]
        );
    }
    Ok(())
}
