use supremum::prelude::*;

fn main() {
    let (a, b, c) = (2.0_f32, 0.5_f32, 1.0_f32);
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0, 2.0];
    let y: Tensor<F32, Rank1> = x.polyval(&[a, b, c]);
}
