use supremum::prelude::*;

fn main() {
    let weight: Tensor<F32, Rank2> = tensor![[0.5], [1.5]];
    let bias: Tensor<F32, Rank1> = tensor![0.5];
    let parameters = vec![weight.into_any(), bias.into_any()];
}
