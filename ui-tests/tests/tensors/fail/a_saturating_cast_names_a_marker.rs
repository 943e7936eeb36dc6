use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![0.5, 300.0];
    let halves = a.cast_saturating::<f32>();
}
