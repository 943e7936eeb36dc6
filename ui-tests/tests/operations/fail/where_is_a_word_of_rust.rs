use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![0.5, -1.5];
    let positive = a.where(a.gt(0.0), 0.0);
}
