use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.5, 10.0];
    let x: Tensor<F32, Rank1> = tensor![1e-2, 1.0, 2.0, 100.0];
    let y: Tensor<F32, Rank1> = fuse!({ let z = x + 5.0; z.ln() - 0.5 / z - (1.0 / 12.0 - 1.0 / (120.0 * z * z)) / (z * z) - 1.0 / x - 1.0 / (x + 1.0) - 1.0 / (x + 2.0) - 1.0 / (x + 3.0) - 1.0 / (x + 4.0) });
    assert!(y.approx_eq(&[-100.560886, -0.577216, 0.422784, 4.600162], 1e-5, 1e-5));
}
