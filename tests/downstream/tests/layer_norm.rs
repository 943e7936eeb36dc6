//! The generic layer under dtypes, ranks and rules that its crate does not name.

use promo::rank::Broadcast;
use promo::{
    AnyRank, BF16, F16, F32, F64, Floating, Numpy, Rules, Tensor, Torch, WidensTo, bf16, f16,
};
use supremum_downstream::layer_norm::LayerNorm;

const SCALE: [f64; 3] = [2.0, 1.0, 0.5];
const SHIFT: [f64; 3] = [0.0, 1.0, -1.0];

/// The layer's answer for one row, by hand.
fn naive(row: &[f64]) -> Vec<f64> {
    let mean = row.iter().sum::<f64>() / 3.0;
    let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 3.0;
    (0..3)
        .map(|i| (row[i] - mean) / (variance + 1e-5).sqrt() * SCALE[i] + SHIFT[i])
        .collect()
}

/// Compares the layer with the naive one, within a tolerance.
fn check<D, N, R>(shape: &[usize], element: fn(f64) -> D::Element, tolerance: f64)
where
    D: Floating<R, N> + WidensTo<F64>,
    N: Broadcast<promo::Rank1, Output = N>,
    R: Rules,
{
    let elements = [1.0, 2.0, 4.0, -1.0, 0.5, 8.0];
    let x = Tensor::<D, N, R>::from_fn(shape, {
        let mut next = elements.into_iter();
        move |_| element(next.next().expect("six elements"))
    });
    let vector = |values: [f64; 3]| values.map(element).into_iter().collect();
    let y = LayerNorm::new(vector(SCALE), vector(SHIFT)).forward(&x);
    assert_eq!(y.shape(), shape);
    let expected: Vec<f64> = elements.chunks(3).flat_map(naive).collect();
    for (found, expected) in y.widen::<F64>().iter().zip(expected) {
        assert!(
            (found - expected).abs() <= tolerance,
            "{found} is not {expected}"
        );
    }
}

#[test]
#[allow(clippy::as_conversions, reason = "the numbers are small")]
fn the_layer_normalises_any_float_of_any_rank_under_any_rules() {
    check::<F32, promo::Rank2, promo::Jax>(&[2, 3], |x| x as f32, 1e-5);
    check::<F64, promo::Rank3, Numpy>(&[1, 2, 3], |x| x, 1e-12);
    check::<F32, AnyRank, Torch>(&[2, 1, 3], |x| x as f32, 1e-5);
    check::<F16, promo::Rank2, Numpy>(&[2, 3], f16::from_f64, 5e-3);
    check::<BF16, promo::Rank3, Torch>(&[2, 1, 3], bf16::from_f64, 5e-2);
}
