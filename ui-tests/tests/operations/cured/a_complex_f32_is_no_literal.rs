use supremum::{C64, Rank1, Tensor, c128, tensor};

fn main() {
    let z: Tensor<C64, Rank1> = tensor![1.0, 2.0];
    let one = &z * c128::new(1.0, 0.0);
    let turned = &z * c128::new(0.0, 1.0);
}
