//! Functions of complex numbers at zeros, infinities and NaN, beside NumPy's values.

use supremum::prelude::*;

use crate::complex::{functions, published};

const SPECIAL: &str = include_str!("../data/accuracy/complex_special.csv");

/// Returns whether two parts are the same. If the other part is NaN, Annex G does not specify the sign of a zero or an infinity.
fn is_same(found: f64, expected: f64, beside: f64, tolerance: f64) -> bool {
    if expected.is_nan() || found.is_nan() {
        return expected.is_nan() && found.is_nan();
    }
    let (found, expected) = if beside.is_nan() {
        (found.abs(), expected.abs())
    } else {
        (found, expected)
    };
    let close = (found - expected).abs() <= tolerance * expected.abs();
    (found == expected || close) && found.is_sign_negative() == expected.is_sign_negative()
}

#[test]
fn zeros_infinities_and_nan_give_what_they_give_in_numpy() -> Result<(), Error> {
    let mut faults = Vec::new();
    let mut count = 0;
    for (name, function) in functions() {
        let rows = published(SPECIAL, name);
        if rows.is_empty() {
            continue;
        }
        let x: Tensor<C128, Rank1> = rows.iter().map(|[x, _]| *x).collect();
        let x = x.into_dyn();
        for (dtype, tolerance) in [(DType::C128, 1e-15), (DType::C64, 1e-7)] {
            let found = function(&x.cast(dtype))?.cast(DType::C128);
            let found: Tensor<C128, Rank1> = found.typed()?;
            // Annex G leaves the signs of these zeros open.
            let is_open =
                |x: &c128| name == "exp" && x.re == f64::NEG_INFINITY && x.im.is_infinite();
            for ([x, expected], found) in rows.iter().zip(found.to_vec()) {
                count += 1;
                if is_open(x) && found.norm() == 0.0 {
                    continue;
                }
                if !is_same(found.re, expected.re, expected.im, tolerance)
                    || !is_same(found.im, expected.im, expected.re, tolerance)
                {
                    faults.push(format!(
                        "{name}({x}) of {dtype} is {found}, and {expected} in NumPy"
                    ));
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {count}: {faults:#?}",
        faults.len()
    );
    assert_eq!(count, 2 * 15 * 64);
    Ok(())
}
