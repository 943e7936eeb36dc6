use supremum::prelude::*;

fn main() {
    let v: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y: Tensor<F32, Rank2> = Tensor::from_diag(&v);
}
