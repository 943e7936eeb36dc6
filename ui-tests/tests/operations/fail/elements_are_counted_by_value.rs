use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let counts: (Tensor<F32, Rank1>, Tensor<I64, Rank1>) = a.value_counts();
}
