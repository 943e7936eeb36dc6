use supremum::{F32, Rank1, Tensor, select, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![0.5, -1.5];
    let positive = select(&a.gt(0.0), &a, 0.0);
}
