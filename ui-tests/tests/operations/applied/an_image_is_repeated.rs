use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let positions: Tensor<I64, Rank1> = tensor![0, 0, 1, 1];
    let large: Tensor<F32, Rank2> = a.take(&positions, 0);
}
