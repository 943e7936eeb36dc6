use supremum::{F32, Rank2, Tensor};

fn main() {
    let size = 2;
    let x: Tensor<F32, Rank2> = Tensor::eye(size);
}
