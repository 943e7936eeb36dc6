use supremum::{C64, Rank1, Tensor, fuse, tensor};

fn main() {
    let z: Tensor<C64, Rank1> = tensor![3.0 + 4i, -1i];
    let turned = fuse!(z * 0.5i);
}
