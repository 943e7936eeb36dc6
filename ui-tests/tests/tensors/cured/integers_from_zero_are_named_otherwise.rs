use supremum::prelude::*;

fn main() {
    let n = 3;
    let y: Tensor<I64, Rank1> = Tensor::arange(0, n, 1);
}
