use supremum::{F32, Rank2, Tensor, tensor};

fn main() -> Result<(), supremum::Error> {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let y = &x * 0.5;
    assert!(x.approx_eq(&[[1.0, 2.0], [3.0, 4.0]], 1e-5, 1e-8));
    assert!((y.min().item()? - 0.5).abs() < 1e-5);
    Ok(())
}
