use supremum::prelude::*;

fn main() {
    let q: Tensor<F32, Rank3> = tensor![[[1.0, 0.0], [0.0, 1.0]]];
    let (k, v) = (q.clone(), q.clone());
    let scale = 0.5;
    let y: Tensor<F32, Rank3> = (q.matmul(&k.matrix_transpose()) * scale).softmax(-1).matmul(&v);
    assert!((y[[0, 0, 0]] - 0.62245935).abs() < 1e-6);
    let d = q.shape()[2];
    let scale = 1.0 / (d as f64).sqrt();
    let scores = q.matmul(&k.matrix_transpose()) * scale;
    let mask = Tensor::<Bool, Rank3>::ones(scores.sizes()).tril(0);
    let y = select(&mask, &scores, f64::NEG_INFINITY).softmax(-1).matmul(&v);
    assert_eq!(y.index_axis(1, 0).to_vec(), [1.0, 0.0]);
}
