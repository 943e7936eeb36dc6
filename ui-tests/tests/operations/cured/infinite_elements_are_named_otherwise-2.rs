use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, f32::INFINITY];
    let mask = [x.is_finite(), x.is_nan()];
}
