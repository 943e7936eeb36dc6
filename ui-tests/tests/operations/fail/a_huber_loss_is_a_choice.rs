use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![1.5, 5.0];
    let y: Tensor<F32, Rank0> = a.huber_loss(&b);
}
