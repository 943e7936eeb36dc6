use supremum::{F32, Rank0, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y: Tensor<F32, Rank0> = fuse!(x[0] + 1.0);
}
