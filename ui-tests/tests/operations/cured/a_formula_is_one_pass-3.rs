use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let bias = &a;
    let middle = a.matmul(&b) + &bias;
}
