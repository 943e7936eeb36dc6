use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let padded: Tensor<F32, Rank1> = a.pad([[1, 1]], 0.0);
}
