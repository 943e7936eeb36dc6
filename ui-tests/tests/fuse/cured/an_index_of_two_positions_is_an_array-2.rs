use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[2.0, 4.0]];
    let relative = fuse!(x / x[[0, 1]]);
    let shifted = fuse!(x - x.unsqueeze(0));
}
