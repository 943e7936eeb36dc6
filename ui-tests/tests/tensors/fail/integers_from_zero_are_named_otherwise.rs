use supremum::prelude::*;

fn main() {
    let n = 3;
    let y: Tensor<I64, Rank1> = Tensor::iota(n);
}
