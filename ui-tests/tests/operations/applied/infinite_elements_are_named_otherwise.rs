use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![f32::NEG_INFINITY, f32::INFINITY];
    let mask = a.equal(f64::INFINITY);
    assert_eq!(mask.to_vec(), [false, true]);
}
