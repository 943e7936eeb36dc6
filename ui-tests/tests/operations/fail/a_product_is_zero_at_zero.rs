use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0];
    let y: Tensor<F32, Rank1> = tensor![0.0, 1.0];
    let z: Tensor<F32, Rank1> = x.xlogy(&y);
}
