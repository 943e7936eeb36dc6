//! Names of PyTorch, with another number of arguments than the method of the message.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let v = a.view(3, 2);
    let w = a.expand(2, 3);
    let n: usize = a.size(0);
    let c: Tensor<F32, Rank2> = a.clip(2.0);
}
