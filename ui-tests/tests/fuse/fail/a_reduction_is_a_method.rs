//! NumPy's functions of a tensor.
use supremum::{F32, Rank2, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let centred = fuse!(x - mean(x));
    let turned = fuse!(transpose(x) * 2.0);
}
