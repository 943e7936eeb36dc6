use supremum::{F32, Rank2, Tensor};

fn main() {
    let a: Tensor<F32, Rank2> = Tensor::ones([4, 5]);
    let b: Tensor<F32, Rank2> = Tensor::ones([2, 3]);
    let blocks: Tensor<F32, Rank2> = a.pad([[0, 2], [0, 3]], 0.0) + b.pad([[4, 0], [5, 0]], 0.0);
}
