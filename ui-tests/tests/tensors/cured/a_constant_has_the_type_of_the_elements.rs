use supremum::{F32, Rank1, Tensor};

fn main() {
    let missing: Tensor<F32, Rank1> = Tensor::full([3], f32::NAN);
}
