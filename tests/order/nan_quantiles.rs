//! Quantiles of the elements that are not NaN, and quantiles along several axes.

use crate::naive::{self, Plain};
use crate::quantiles::{METHODS, assert_near, for_random_rows, naive_quantile};
use crate::{along, laid_out, random_shape, refused, signed};
use supremum::QuantileMethod::{Higher, Linear, Lower, Midpoint, Nearest};
use supremum::prelude::*;

/// Puts NaN in the place of a random share of the elements.
fn make_some_nan(rng: &mut fastrand::Rng, elements: &mut [f64]) {
    let share = rng.f64();
    for element in elements {
        if rng.f64() < share {
            *element = f64::NAN;
        }
    }
}

#[test]
fn quantiles_skip_nan_in_random_rows() {
    for_random_rows(make_some_nan, |rows, seed| {
        let (x, at, quantile) = (rows.x, rows.named_axis, rows.quantile);
        for method in METHODS {
            let of = |row: &[f64]| {
                let numbers: Vec<f64> = row.iter().copied().filter(|x| !x.is_nan()).collect();
                match numbers.is_empty() {
                    true => f64::NAN,
                    false => naive_quantile(&numbers, quantile, method),
                }
            };
            let expected = along(&rows.plain, rows.axis, |row| vec![of(row)]);
            let found = x.nan_quantile_keepdims(quantile, method, at);
            assert_eq!(found.shape(), expected.shape);
            for (found, expected) in found.iter().zip(&expected.elements) {
                assert_near(found, *expected, &(seed, method, quantile));
            }
            let all = x.nan_quantile(quantile, method).to_vec()[0];
            assert_near(all, of(&rows.plain.elements), &(seed, method, quantile));
            // Rows without NaN have the same quantile, bit for bit.
            let plainly = x.quantile_axis(quantile, method, at);
            let skipping = x.nan_quantile_axis(quantile, method, at);
            for (plainly, skipping) in plainly.iter().zip(skipping.iter()) {
                assert!(plainly.is_nan() || plainly.to_bits() == skipping.to_bits());
            }
        }
    });
}

/// The answers of NumPy 2.4's `nanquantile` and `nanmedian`.
#[test]
fn quantiles_that_skip_nan_are_those_of_numpy() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let x: Tensor<F64, Rank2> = Tensor::from_slice(
        &[
            4.0, nan, 1.0, 3.0, 2.0, nan, nan, nan, nan, nan, -inf, inf, inf, nan, 1.0,
        ],
        [3, 5],
    )
    .expect("15 elements");
    for (method, expected) in [
        (Linear, [1.75, nan, 0.25 * -inf]),
        (Lower, [1.0, nan, -inf]),
        (Higher, [2.0, nan, 1.0]),
        (Nearest, [2.0, nan, 1.0]),
        (Midpoint, [1.5, nan, -inf]),
    ] {
        let found = x.nan_quantile_axis(0.25, method, 1).to_vec();
        for (found, expected) in found.iter().zip(expected) {
            let both_nan = found.is_nan() && expected.is_nan();
            assert!(both_nan || *found == expected, "{method:?}: {found}");
        }
    }
    assert_eq!(x.nan_median().item(), Ok(2.5));
    // Zero keeps its sign, and whole positions beside infinities are the elements themselves.
    let zeros: Tensor<F32, Rank1> = tensor![-0.0, f32::NAN];
    assert!(zeros.nan_median().to_vec()[0].is_sign_negative());
    assert_eq!(x.nan_quantile_axis(1.0, Linear, 1).to_vec()[2], inf);
    // Integers have no NaN.
    let counts: Tensor<I32, Rank1> = tensor![3, 1, 2, 8];
    assert_eq!(counts.nan_median(), counts.median());
}

#[test]
fn quantiles_along_several_axes() {
    for seed in 0..200 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let shape = random_shape(rng, 4);
        if shape.is_empty() || shape.contains(&0) {
            continue;
        }
        let plain = Plain::new(&shape, naive::sample::<f64>(shape.iter().product(), seed));
        let x = laid_out::<F64>(rng, &plain);
        let mut axes: Vec<isize> = (0..shape.len().cast_signed()).collect();
        rng.shuffle(&mut axes);
        axes.truncate(rng.usize(..=shape.len()));
        let kept: Vec<usize> = (0..shape.len())
            .filter(|axis| !axes.contains(&axis.cast_signed()))
            .collect();
        let named: Vec<isize> = axes
            .iter()
            .map(|axis| signed(rng, axis.unsigned_abs(), shape.len()))
            .collect();
        // The same by views: kept axes first, the others as one.
        let order: Vec<isize> = kept
            .iter()
            .map(|axis| axis.cast_signed())
            .chain(axes.iter().copied())
            .collect();
        let mut rows: Vec<usize> = kept.iter().map(|axis| shape[*axis]).collect();
        rows.push(axes.iter().map(|axis| shape[axis.unsigned_abs()]).product());
        let rows = x.permute(&order).reshape(&rows);
        let found = x.quantile_axis(0.3, Linear, &named);
        assert_eq!(found, rows.quantile_axis(0.3, Linear, -1), "seed {seed}");
        assert_eq!(x.median_axis(&named), rows.median_axis(-1));
        assert_eq!(x.nan_median_axis(&named), rows.nan_median_axis(-1));
        let mut once = shape.clone();
        for axis in &axes {
            once[axis.unsigned_abs()] = 1;
        }
        let keepdims = x.quantile_keepdims(0.3, Linear, &named);
        assert_eq!(keepdims.shape(), once);
        assert_eq!(keepdims.flatten(), found.flatten());
        assert_eq!(x.median_axis(..), x.median().into_any());
        assert_eq!(x.median_keepdims(..).shape(), vec![1; shape.len()]);
    }
    let image = Tensor::<F32, Rank3>::from_fn([2, 3, 4], |[i, j, _]| {
        [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]][i][j]
    });
    let of_channels: Tensor<F32, Rank1> = image.median_axis([0, 2]);
    assert_eq!(of_channels.to_vec(), [1.5, 2.5, 3.5]);
}

#[test]
fn quantiles_that_skip_nan_of_nothing_and_errors() {
    let x = Tensor::<F32>::zeros([2, 3]);
    let none = Tensor::<F32>::zeros([0, 3]);
    // As NumPy: NaN, where `quantile` is an error.
    assert!(none.nan_quantile(0.5, Linear).to_vec()[0].is_nan());
    assert!(none.nan_median_axis(0).is_nan().all().item() == Ok(true));
    assert_eq!(none.nan_quantile_axis(0.5, Linear, 1).shape(), [0]);
    let scalar = Tensor::<F32>::full([], 7.0);
    assert_eq!(scalar.nan_median().item(), Ok(7.0));
    refused! {
        x.try_nan_quantile(1.5, Linear), x.nan_quantile(1.5, Linear) => "nan_quantile: 1.5 is not between 0 and 1";
        x.try_nan_quantile_axis(-0.1, Lower, 0), x.nan_quantile_axis(-0.1, Lower, 0) => "nan_quantile_axis: -0.1 is not between 0 and 1";
        x.try_nan_quantile_keepdims(0.5, Lower, 2), x.nan_quantile_keepdims(0.5, Lower, 2) => "nan_quantile_keepdims: axis 2 does not exist at rank 2";
        x.try_nan_median_axis([0, -2]), x.nan_median_axis([0, -2]) => "nan_median_axis: axis 0 is named twice, as 0 and -2";
        x.try_median_axis([1, 1]), x.median_axis([1, 1]) => "median_axis: axis 1 is named twice";
        x.try_nan_median_keepdims([0, 2]), x.nan_median_keepdims([0, 2]) => "nan_median_keepdims: axis 2 does not exist at rank 2";
        none.try_quantile_axis(0.5, Linear, [0, 1]), none.quantile_axis(0.5, Linear, [0, 1]) => "quantile_axis: no elements along the reduced axes of shape [0, 3]";
    }
    let complex = DynTensor::ones(DType::C64, [2]).expect("memory");
    assert_eq!(
        complex.try_nan_median().map_err(|error| error.to_string()),
        Err("nan_median: undefined on c64".to_owned())
    );
}
