use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![-2.0, 1.0];
    let y: Tensor<F32, Rank1> = x.clamp(-1, 1);
}
