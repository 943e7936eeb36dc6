use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![180.0, 90.0];
    let y = a.map(f32::to_radians);
    assert_eq!(y.map(f32::to_degrees).to_vec(), a.to_vec());
    let a = y;
    assert!(a.map(f32::to_degrees).approx_eq(&[180.0, 90.0], 1e-6, 0.0));
}
