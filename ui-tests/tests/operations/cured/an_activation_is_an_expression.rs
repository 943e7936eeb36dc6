use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let y = x.clamp(0, 6);
    let z = fuse!(x * x.softplus().tanh());
    let w = x.silu();
}
