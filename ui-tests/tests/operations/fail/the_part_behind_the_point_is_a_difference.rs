use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.5, -1.25];
    let y: Tensor<F32, Rank1> = a.frac();
}
