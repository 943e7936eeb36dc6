use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = a.quantile([0.25, 0.75], QuantileMethod::Linear);
    assert_eq!(y.to_vec(), [1.25, 1.75]);
    let rows = a.reshape([1, 2]);
    let y = rows.quantile_axis(0.9, QuantileMethod::Linear, 1);
    assert!(y.approx_eq(&[1.9], 1e-6, 0.0));
    let y = a.nan_quantile(0.5, QuantileMethod::Linear);
    assert_eq!(y, a.median());
}
