use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y: Tensor<F32, Rank1> = x.take(&x.argsort(0), 0);
}
