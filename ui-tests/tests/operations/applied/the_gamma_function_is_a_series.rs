use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.5, 10.0];
    let x: Tensor<F32, Rank1> = tensor![1e-3, 1.0, 2.0, 3.0, 100.0, 1e7];
    let y: Tensor<F32, Rank1> = fuse!({ let z = x + 5.0; (z - 0.5) * z.ln() - z + 0.9189385 + (1.0 / 12.0 - 1.0 / (360.0 * z * z)) / z - (x * (x + 1.0) * (x + 2.0) * (x + 3.0) * (x + 4.0)).ln() });
    assert!(y.approx_eq(&[6.907179, 0.0, 0.0, 0.693147, 359.134205, 151180949.0], 1e-5, 1e-5));
    assert_eq!(x.map(f32::ln).to_vec()[1], 0.0);
}
