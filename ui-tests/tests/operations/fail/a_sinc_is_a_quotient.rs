use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 0.5];
    let y: Tensor<F32, Rank1> = x.sinc();
}
