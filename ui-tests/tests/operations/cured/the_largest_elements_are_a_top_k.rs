use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![4.0, 1.0, 3.0, 2.0];
    let y: (Tensor<F32, Rank1>, Tensor<I64, Rank1>) = a.top_k(3, 0);
}
