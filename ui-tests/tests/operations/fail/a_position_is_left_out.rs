use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    let i = 1;
    let y: Tensor<F32, Rank1> = a.delete(i, 0);
}
