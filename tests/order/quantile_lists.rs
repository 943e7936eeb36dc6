//! Several quantiles in one call.

use crate::quantiles::{METHODS, assert_near};
use supremum::QuantileMethod::Linear;
use supremum::prelude::*;

/// `(numpy.arange(24) * 7 % 11).reshape(2, 3, 4)`
fn pattern() -> Tensor<F64, Rank3> {
    Tensor::from_fn([2, 3, 4], |[i, j, k]| {
        [0.0, 7.0, 3.0, 10.0, 6.0, 2.0, 9.0, 5.0, 1.0, 8.0, 4.0][(i * 12 + j * 4 + k) % 11]
    })
}

#[track_caller]
fn assert_all_near<N: Rank>(found: &Tensor<F64, N>, shape: &[usize], expected: &[f64]) {
    assert_eq!(found.shape(), shape);
    let found = found.to_vec();
    assert_eq!(found.len(), expected.len());
    for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_near(*found, *expected, &number);
    }
}

#[test]
fn lists_have_a_first_axis_as_in_numpy() {
    // NumPy 2.4.6
    let mut x = pattern();
    let several: Tensor<F64, Rank2> = x.quantile_axis([0.1, 0.5, 0.9], Linear, [0, 2]);
    let expected = [2.1, 1.7, 0.0, 6.5, 5.0, 4.0, 10.0, 9.0, 8.0];
    assert_all_near(&several, &[3, 3], &expected);
    let lower: Tensor<F64, Rank1> = x.quantile(&vec![0.1, 0.9], QuantileMethod::Lower);
    assert_all_near(&lower, &[2], &[0.0, 9.0]);
    let kept: Tensor<F64, Rank4> = x.quantile_keepdims(&[0.25, 0.75], Linear, 1);
    let expected = [
        0.5, 4.5, 3.5, 2.5, 4.5, 3.5, 2.5, 3.5, 3.5, 7.5, 6.5, 7.5, 7.5, 6.5, 7.5, 6.5,
    ];
    assert_all_near(&kept, &[2, 2, 1, 4], &expected);
    let one: Tensor<F64, Rank4> = x.quantile_keepdims(&[0.25][..], Linear, 1);
    assert_all_near(&one, &[1, 2, 1, 4], &expected[..8]);
    let none: Tensor<F64, Rank3> = x.quantile_axis([], Linear, 1);
    assert_all_near(&none, &[0, 2, 4], &[]);
    x.slice_axes_mut(s![0, 1, ..]).fill(f64::NAN);
    x.slice_axes_mut(s![.., 0, 2]).fill(f64::NAN);
    let others = x.nan_quantile_axis([0.1, 0.6], Linear, 1);
    let expected = [
        0.1, 7.1, 4.0, 1.0, 3.0, 3.2, 0.5, 2.0, 0.6, 7.6, 4.0, 6.0, 7.2, 5.0, 3.0, 6.2,
    ];
    assert_all_near(&others, &[2, 2, 4], &expected);
}

#[test]
fn lists_are_stacks_of_single_quantiles() {
    let x = pattern().cast::<F16>();
    let list = [0.3, 0.0, 1.0, 0.3];
    for method in METHODS {
        let single = list.map(|quantile| x.quantile_axis(quantile, method, 2));
        let several = stack(&single, 0);
        assert_eq!(x.quantile_axis(list, method, 2), several);
        assert_eq!(x.nan_quantile_axis(list, method, 2), several);
        let kept = several.unsqueeze(3);
        assert_eq!(x.quantile_keepdims(list, method, 2), kept);
        assert_eq!(x.nan_quantile_keepdims(list, method, -1), kept);
        let (dynamic, several) = (x.clone().into_dyn(), several.into_dyn());
        let bits = |x: &DynTensor| (x.dtype(), x.shape().to_vec(), x.to_bytes());
        let found = dynamic.quantile_axis(list, method, 2);
        assert_eq!(bits(&found), bits(&several));
        let found = dynamic.nan_quantile_axis(list, method, 2);
        assert_eq!(bits(&found), bits(&several));
    }
    let total = x.quantile([0.3, 0.5], Linear).sum();
    assert_eq!(fuse!(x.quantile([0.3, 0.5], Linear).sum()), total);
}

/// Rows of several lengths, with equal elements, zeros of both signs and NaN, and lists of neighbouring and equal positions.
#[test]
fn lists_of_long_rows_are_stacks_of_single_quantiles() {
    let list: Vec<f64> = (0_i32..23)
        .map(|number| f64::from(number * 7 % 23) / 22.0)
        .collect();
    for length in [1_usize, 2, 5, 22, 23, 24, 400] {
        let x: Tensor<F32, Rank2> = Tensor::from_fn([4, length], |[row, at]| {
            let number = (at * at * 31 + at * 17 + row * 5) % (length + 3);
            let number = f32::from(u16::try_from(number).expect("a short row")) - 3.0;
            match (row, number) {
                (0, 0.0) if at % 2 == 0 => -0.0,
                (3, _) if at + 1 == length => f32::NAN,
                // Many equal elements.
                (1, number) => (number / 8.0).floor(),
                (_, number) => number,
            }
        });
        for method in METHODS {
            let found = x.quantile_axis(&list, method, 1);
            let single: Vec<Tensor<F32, Rank1>> = list
                .iter()
                .map(|quantile| x.quantile_axis(*quantile, method, 1))
                .collect();
            let bits = |x: Vec<f32>| -> Vec<u32> { x.into_iter().map(f32::to_bits).collect() };
            let expected = single.iter().flat_map(|single| bits(single.to_vec()));
            assert_eq!(
                bits(found.to_vec()),
                expected.collect::<Vec<_>>(),
                "{length} {method:?}"
            );
        }
    }
}

#[test]
fn lists_that_are_no_quantiles_are_errors() {
    let x = pattern();
    let error = x.try_quantile([0.5, 1.5], Linear).unwrap_err();
    assert_eq!(
        error.to_string(),
        x.try_quantile(1.5, Linear).unwrap_err().to_string()
    );
    assert!(error.to_string().contains("1.5"), "{error}");
    let empty = Tensor::<F64, Rank2>::zeros([2, 0]);
    let error = empty.try_quantile_axis([0.5, 0.6], Linear, 1).unwrap_err();
    assert!(error.to_string().starts_with("quantile"), "{error}");
    let others = empty.nan_quantile_axis([0.5, 0.6], Linear, 1);
    assert_eq!(others.shape(), [2, 2]);
    assert!(others.iter().all(|x| x.is_nan()));
    let deep = Tensor::<F64>::zeros([1; 8]);
    for list in [&[][..], &[0.5], &[0.5, 0.6]] {
        let error = deep.try_quantile_keepdims(list, Linear, 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "quantile_keepdims: rank 9 is above the limit of 8"
        );
    }
}
