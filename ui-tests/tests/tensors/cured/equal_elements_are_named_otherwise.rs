use supremum::{F32, Rank2, Tensor};

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::full([2, 3], 0.5);
}
