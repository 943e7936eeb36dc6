use supremum::{F32, Rank2, Tensor};

fn main() {
    let rows: i64 = 3;
    let another: Tensor<F32, Rank2> = Tensor::zeros([2, 3]);
    let x: Tensor<F32, Rank2> = Tensor::zeros(another.shape());
}
