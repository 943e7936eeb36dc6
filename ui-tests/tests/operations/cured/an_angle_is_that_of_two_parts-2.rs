use supremum::{C64, Rank1, Tensor, tensor};

fn main() {
    let z: Tensor<C64, Rank1> = tensor![1.0 + 1i, -2.0];
    let turned = z.abs();
}
