use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 4.0];
    let root: [Tensor<F32, Rank1>; 2] = [a.pow(2), a.pow(&a)];
}
