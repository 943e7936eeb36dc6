use supremum::{F32, Rank2, Tensor};

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::ones([2, 3]);
}
