use supremum::{F32, Rank1, Tensor};

fn main() {
    let x: Tensor<F32, Rank1> = Tensor::zeros([0]);
}
