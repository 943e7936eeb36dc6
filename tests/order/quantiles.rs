//! Medians and quantiles.

use std::fmt::Debug;

use crate::naive::{self, Plain};
use crate::{along, laid_out, random_shape, refused, signed, sorted_positions};
use supremum::QuantileMethod;
use supremum::QuantileMethod::{Higher, Linear, Lower, Midpoint, Nearest};
use supremum::prelude::*;

pub(crate) const METHODS: [QuantileMethod; 5] = [Linear, Lower, Higher, Nearest, Midpoint];

/// The quantile of numbers without NaN, in whole steps.
pub(crate) fn naive_quantile(row: &[f64], quantile: f64, method: QuantileMethod) -> f64 {
    let sorted: Vec<f64> = sorted_positions(row, false)
        .into_iter()
        .map(|at| row[at])
        .collect();
    let position = quantile * naive::convert::<i64, f64>(i64::try_from(row.len() - 1).unwrap());
    let at = |position: f64| sorted[usize::try_from(naive::convert::<f64, u64>(position)).unwrap()];
    let (low, high) = (at(position.floor()), at(position.ceil()));
    match method {
        Lower => low,
        Higher => high,
        Nearest => at(position.round_ties_even()),
        Midpoint => 0.5 * low + 0.5 * high,
        Linear => low * (1.0 - position.fract()) + high * position.fract(),
    }
}

/// Random rows along an axis of a tensor, and a quantile to find in them.
pub(crate) struct RandomRows {
    pub(crate) plain: Plain<f64>,
    pub(crate) x: Tensor<F64>,
    pub(crate) axis: usize,
    /// The axis as a user names it: counted from either end.
    pub(crate) named_axis: isize,
    pub(crate) quantile: f64,
}

/// Calls a function with 300 examples. The first function may change the elements.
pub(crate) fn for_random_rows(
    change: impl Fn(&mut fastrand::Rng, &mut [f64]),
    check: impl Fn(RandomRows, u64),
) {
    for seed in 0..300 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let shape = random_shape(rng, 3);
        if shape.is_empty() || shape.contains(&0) {
            continue;
        }
        let axis = rng.usize(..shape.len());
        let mut elements = naive::sample::<f64>(shape.iter().product(), seed);
        change(rng, &mut elements);
        let plain = Plain::new(&shape, elements);
        let rows = RandomRows {
            x: laid_out::<F64>(rng, &plain),
            plain,
            axis,
            named_axis: signed(rng, axis, shape.len()),
            quantile: [0.0, 0.1, 0.25, 0.5, 0.7, 1.0, rng.f64()][rng.usize(..7)],
        };
        check(rows, seed);
    }
}

/// Asserts that two quantiles are both NaN, or differ by no more than rounding errors.
#[track_caller]
pub(crate) fn assert_near(found: f64, expected: f64, context: &impl Debug) {
    let is_near = (found.is_nan() && expected.is_nan()) || (found - expected).abs() < 1e-12;
    assert!(is_near, "{context:?}: {found}, not {expected}");
}

#[test]
fn quantiles_of_random_rows() {
    let check = |rows: RandomRows, seed| {
        let (x, at, quantile) = (rows.x, rows.named_axis, rows.quantile);
        for method in METHODS {
            let of = |row: &[f64]| naive_quantile(row, quantile, method);
            let expected = along(&rows.plain, rows.axis, |row| vec![of(row)]);
            let found = x.quantile_keepdims(quantile, method, at);
            assert_eq!(found.shape(), expected.shape);
            for (found, expected) in found.iter().zip(&expected.elements) {
                assert_near(found, *expected, &(seed, method, quantile));
            }
            assert_eq!(x.quantile_axis(quantile, method, at), found.squeeze(at));
            let all = x.quantile(quantile, method).to_vec()[0];
            assert_near(all, of(&rows.plain.elements), &(seed, method, quantile));
            // Computed in `f64`, and rounded once.
            let single = x.cast::<F32>().quantile_keepdims(quantile, method, at);
            assert_eq!(single, found.cast::<F32>(), "seed {seed}");
        }
        assert_eq!(x.median_axis(at), x.quantile_axis(0.5, Linear, at));
        assert_eq!(x.median_keepdims(at).shape()[rows.axis], 1);
        assert_eq!(x.median(), x.flatten().median_axis(0));
    };
    for_random_rows(|_, _| (), check);
}

/// The answers of NumPy 2.4 for 1 to 4 and 1 to 6.
#[test]
fn quantiles_are_those_of_numpy() {
    let four: Tensor<F64> = tensor![4.0, 1.0, 3.0, 2.0];
    for (method, expected) in [
        (Linear, [1.75, 2.5, 3.0999999999999996]),
        (Lower, [1.0, 2.0, 3.0]),
        (Higher, [2.0, 3.0, 4.0]),
        (Nearest, [2.0, 3.0, 3.0]),
        (Midpoint, [1.5, 2.5, 3.5]),
    ] {
        let found = [0.25, 0.5, 0.7].map(|quantile| four.quantile(quantile, method).to_vec()[0]);
        assert_eq!(found, expected, "{method:?}");
    }
    let six: Tensor<F64> = tensor![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let nearest =
        [0.1, 0.3, 0.5, 0.7, 0.9].map(|quantile| six.quantile(quantile, Nearest).to_vec()[0]);
    assert_eq!(nearest, [1.0, 3.0, 3.0, 5.0, 5.0]);
}

#[test]
fn infinities_nan_and_numbers_far_apart() {
    let of =
        |elements: [f64; 2]| Tensor::<F64, Rank1>::from_slice(&elements, [2]).expect("a vector");
    let median = |elements| of(elements).median().to_vec()[0];
    let inf = f64::INFINITY;
    assert_eq!(median([1.0, inf]), inf);
    assert_eq!(median([inf, inf]), inf);
    assert_eq!(median([-inf, -inf]), -inf);
    assert!(median([-inf, inf]).is_nan());
    assert_eq!(median([f64::MAX, -f64::MAX]), 0.0);
    assert_eq!(median([f64::MAX, f64::MAX]), f64::MAX);
    assert!(median([1.0, f64::NAN]).is_nan());
    assert_eq!(of([1.0, inf]).quantile(0.0, Linear).item(), Ok(1.0));
    for method in METHODS {
        assert!(of([-f64::NAN, 1.0]).quantile(1.0, method).to_vec()[0].is_nan());
    }
    // Only the rows that have a NaN.
    let x: Tensor<F32> = tensor![[1.0, f32::NAN, 2.0], [3.0, 1.0, 2.0]];
    let medians = x.median_axis(1).to_vec();
    assert!(medians[0].is_nan() && medians[1] == 2.0);
    assert!(
        Tensor::<F32, Rank1>::from_slice(&[-0.0], [1])
            .expect("one")
            .median()
            .to_vec()[0]
            .is_sign_negative()
    );
}

/// Every real dtype, typed by the rules; integers that are large stay exact where they are elements.
#[test]
fn quantiles_of_each_dtype() -> Result<(), Error> {
    for dtype in DType::ALL {
        let x = DynTensor::arange(DType::F64, 0.0, 8.0, 1.0)?.cast(*dtype);
        if dtype.kind() == supremum::Kind::Complex {
            assert!(matches!(
                x.try_median(),
                Err(Error::UnsupportedDType {
                    operation: "median",
                    ..
                })
            ));
            continue;
        }
        let mean = x.try_mean()?;
        let median = x.try_median()?;
        assert_eq!(
            (median.dtype(), median.is_weak()),
            (mean.dtype(), mean.is_weak())
        );
        let expected = if *dtype == DType::Bool { 1.0 } else { 3.5 };
        assert_eq!(
            median.cast(DType::F64).to_vec::<F64>()?,
            [expected],
            "{dtype}"
        );
        let low = x.try_quantile_keepdims(0.5, Lower, 0)?;
        let expected = if *dtype == DType::Bool { 1.0 } else { 3.0 };
        assert_eq!(low.cast(DType::F64).to_vec::<F64>()?, [expected], "{dtype}");
        assert_eq!(low.shape(), [1]);
    }
    // The mean of integers is an integer in TensorFlow, and so is a quantile.
    let large = (1 << 53) + 1;
    let x: Tensor<I64, Rank1, TensorFlow> = Tensor::from_slice(&[large, 0, large], [3])?;
    let median: Tensor<I64, Rank0, TensorFlow> = x.median();
    assert_eq!(median.item(), Ok(large));
    Ok(())
}

#[test]
fn quantiles_of_nothing_and_errors() {
    let x = Tensor::<F32>::zeros([2, 3]);
    let none = Tensor::<F32>::zeros([0, 3]);
    let scalar = Tensor::<F32>::full([], 7.0);
    assert_eq!(scalar.median().item(), Ok(7.0));
    assert_eq!(scalar.quantile(0.3, Linear).item(), Ok(7.0));
    // As NumPy, which has no quantile of nothing, but a median.
    assert!(none.median().to_vec()[0].is_nan());
    assert!(none.median_axis(0).is_nan().all().item() == Ok(true));
    assert_eq!(none.median_axis(1).shape(), [0]);
    // Without axes each element is its own median, at the highest rank too.
    let no_axes: [isize; 0] = [];
    let deep =
        Tensor::<F32>::from_vec(vec![3.0, 1.0], [1, 1, 1, 1, 1, 1, 1, 2]).expect("two elements");
    assert_eq!(deep.median_axis(&no_axes[..]), deep);
    assert_eq!(deep.nan_quantile_keepdims(0.25, Linear, &no_axes[..]), deep);
    assert_eq!(none.quantile_axis(0.5, Linear, 1).shape(), [0]);
    let nothing = Tensor::<F32>::zeros([0, 0]);
    assert_eq!(nothing.median_axis(1).shape(), [0]);
    refused! {
        nothing.try_quantile_axis(0.5, Linear, 1), nothing.quantile_axis(0.5, Linear, 1) => "quantile_axis: no elements along the reduced axes of shape [0, 0]";
        none.try_quantile(0.5, Linear), none.quantile(0.5, Linear) => "quantile: no elements along the reduced axes of shape [0, 3]";
        none.try_quantile_axis(0.5, Linear, 0), none.quantile_axis(0.5, Linear, 0) => "quantile_axis: no elements along the reduced axes of shape [0, 3]";
        x.try_quantile(1.5, Linear), x.quantile(1.5, Linear) => "quantile: 1.5 is not between 0 and 1";
        x.try_quantile_axis(-0.1, Lower, 0), x.quantile_axis(-0.1, Lower, 0) => "quantile_axis: -0.1 is not between 0 and 1";
        x.try_quantile_keepdims(f64::NAN, Lower, 0), x.quantile_keepdims(f64::NAN, Lower, 0) => "quantile_keepdims: NaN is not between 0 and 1";
        x.try_median_axis(2), x.median_axis(2) => "median_axis: axis 2 does not exist at rank 2";
        scalar.try_median_keepdims(0), scalar.median_keepdims(0) => "median_keepdims: axis 0 does not exist at rank 0";
        x.try_quantile_axis(0.5, Linear, -3), x.quantile_axis(0.5, Linear, -3) => "quantile_axis: axis -3 does not exist at rank 2";
    }
}
