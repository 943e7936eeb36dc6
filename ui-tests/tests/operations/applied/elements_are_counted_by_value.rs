use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let counts: Tensor<I64, Rank1> = a.cast::<I64>().bincount(0);
}
