use supremum::{F32, I64, Rank1, Tensor, tensor};

fn main() {
    let counts: Tensor<I64, Rank1> = tensor![1, 3];
    let total: Tensor<F32, Rank1> = tensor![4.0];
    let shares = &counts / &total;
}
