//! Softmax and its like are near the exact ones, in every layout.

use supremum::{BF16, Bool, DType, DynTensor, Error, F32, F64, I8, Rank1, Tensor, tensor};

use super::{FLOATS, Random, assert_near, bound, layouts, numbers, of, rows};

fn softmax(row: &[f64]) -> [Vec<f64>; 3] {
    let maximum = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = row.iter().map(|x| (x - maximum).exp()).collect();
    let sum: f64 = powers.iter().sum();
    let sum_exp = if maximum.is_finite() {
        maximum + sum.ln()
    } else {
        maximum
    };
    let logs = row.iter().map(|x| x - maximum - sum.ln()).collect();
    [
        powers.iter().map(|power| power / sum).collect(),
        logs,
        vec![sum_exp],
    ]
}

#[test]
fn softmax_and_its_like_are_near_the_exact_ones_in_every_layout() {
    let mut random = Random(3);
    for shape in [
        vec![1],
        vec![7],
        vec![2, 33],
        vec![3, 1, 513],
        vec![4, 5, 6],
        vec![2, 1100],
    ] {
        for dtype in FLOATS {
            let count = shape.iter().product();
            let x = of(dtype, &shape, &random.numbers(count));
            let values = numbers(&x);
            for axis in 0..shape.len() {
                let mut exact = [vec![0.0; count], vec![0.0; count], vec![]];
                let mut depths = vec![0.0; count];
                for row in rows(&shape, axis) {
                    let elements: Vec<f64> = row.iter().map(|at| values[*at]).collect();
                    let [shares, logs, sums] = softmax(&elements);
                    let greatest = elements.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    for (number, at) in row.iter().enumerate() {
                        exact[0][*at] = shares[number];
                        exact[1][*at] = logs[number];
                        depths[*at] = greatest - elements[number];
                    }
                    exact[2].extend(sums);
                }
                let what = format!("{dtype} {shape:?} along {axis}");
                let axis = axis as isize;
                let mut first: Option<Vec<DynTensor>> = None;
                for x in layouts(&x) {
                    let results = [x.softmax(axis), x.log_softmax(axis), x.log_sum_exp(axis)];
                    assert_near(&results[0], &exact[0], |at| 3.0 + depths[at], &what);
                    // Logarithms are as exact as the sum and the maximum: beside a result near zero that is less.
                    for (number, name) in [(1, "log_softmax"), (2, "log_sum_exp")] {
                        for (found, exact) in numbers(&results[number]).iter().zip(&exact[number]) {
                            let allowed = bound(dtype, *exact, 4.0) + 3e-7;
                            let off = (found - exact).abs();
                            assert!(off <= allowed, "{name} of {what} is off by {off}");
                        }
                    }
                    let kept = x.log_sum_exp_keepdims(axis);
                    assert_eq!(numbers(&kept), numbers(&results[2]), "{what}");
                    assert_eq!(kept.shape()[axis as usize], 1);
                    let first = first.get_or_insert_with(|| results.to_vec());
                    for (a, b) in first.iter().zip(&results) {
                        assert_eq!(a.to_bytes(), b.to_bytes(), "{what}: layouts differ");
                        assert_eq!(a.dtype(), dtype);
                    }
                }
            }
            let all = x.log_sum_exp(..);
            let off = (numbers(&all)[0] - softmax(&values)[2][0]).abs();
            assert!(
                off <= bound(dtype, softmax(&values)[2][0], 4.0) + 3e-7,
                "all axes: off by {off}"
            );
        }
    }
}

#[test]
fn softmax_of_infinities_nan_and_nothing() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for (row, shares, sum) in [
        ([-inf, 0.0, -inf], [0.0, 1.0, 0.0], 0.0),
        ([-inf; 3], [nan; 3], -inf),
        ([inf, 0.0, 1.0], [nan; 3], inf),
        ([inf, -inf, nan], [nan; 3], nan),
        ([0.0, nan, 1.0], [nan; 3], nan),
        ([3e38, -3e38, 3e38], [0.5, 0.0, 0.5], 3e38),
        ([-1e30, -1e30, -inf], [0.5, 0.5, 0.0], -1e30),
        (
            [1e-45, 0.0, -200.0],
            [0.5, 0.5, 0.0],
            core::f32::consts::LN_2,
        ),
    ] {
        let x = Tensor::<F32, Rank1>::from_slice(&row, [3]).expect("three");
        for typed in [x.softmax(0), x.softmax(-1)] {
            let equal = |(a, b): (&f32, &f32)| a == b || a.is_nan() && b.is_nan();
            assert!(
                typed.to_vec().iter().zip(&shares).all(equal),
                "softmax of {row:?}: {typed}"
            );
        }
        let found: f32 = x.log_sum_exp(0).item().expect("one");
        assert!(
            found == sum || found.is_nan() && sum.is_nan(),
            "log_sum_exp of {row:?}: {found}"
        );
        let wide: f64 = x.cast::<F64>().log_sum_exp(..).item().expect("one");
        assert!(
            wide as f32 == sum || wide.is_nan() && sum.is_nan(),
            "log_sum_exp of f64 {row:?}: {wide}"
        );
        let logs = x.log_softmax(0).to_vec();
        assert!(
            logs.iter()
                .zip(&shares)
                .all(|(log, share)| (log.exp() - share).abs() < 1e-6
                    || log.is_nan() && share.is_nan()),
            "{row:?}: {logs:?}"
        );
    }
    for dtype in FLOATS {
        let empty = DynTensor::zeros(dtype, [2, 0, 3]).expect("no memory needed");
        assert_eq!(empty.softmax(1).shape(), [2, 0, 3]);
        assert_eq!(empty.softmax(2).shape(), [2, 0, 3]);
        let sums = empty.log_sum_exp(1);
        assert_eq!(sums.shape(), [2, 3]);
        if ![DType::F8E4M3FN, DType::F8E4M3FNUZ].contains(&dtype) {
            assert_eq!(numbers(&sums), [f64::NEG_INFINITY; 6]);
        }
    }
    let scalar = DynTensor::ones(DType::F32, []).expect("memory");
    assert_eq!(
        scalar.try_softmax(0).unwrap_err().to_string(),
        "softmax: axis 0 does not exist at rank 0"
    );
    assert_eq!(numbers(&scalar.log_sum_exp(..)), [1.0]);
    let complex = DynTensor::ones(DType::C64, [2]).expect("memory");
    assert!(matches!(
        complex.try_softmax(0),
        Err(Error::UnsupportedDType {
            operation: "softmax",
            ..
        })
    ));
    assert!(matches!(
        complex.try_log_sum_exp([0, 0]),
        Err(Error::RepeatedAxis { .. })
    ));
}

#[test]
fn integers_and_booleans_have_softmaxes_under_rules_that_convert_them() {
    let x: Tensor<I8, Rank1> = tensor![0, 127, 127];
    let shares: Tensor<F32, Rank1> = x.softmax(0);
    assert_eq!(shares.to_vec(), [0.0, 0.5, 0.5]);
    let x: Tensor<Bool, Rank1> = tensor![true, true];
    assert_eq!(x.softmax(0).to_vec(), [0.5, 0.5]);
    let x: Tensor<BF16, Rank1> = tensor![0, 0, 0];
    let shares: Tensor<BF16, Rank1> = x.softmax(0);
    assert_eq!(shares.to_vec()[0].to_f32(), 0.333_984_38);
}
