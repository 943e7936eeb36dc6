use supremum::{F32, Rank2, Tensor};

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::zeros([2, 3]);
}
