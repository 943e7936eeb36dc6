use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let y = fuse!(-(-x).softplus());
    let z = x.softplus();
    let slopes: Tensor<F32, Rank1> = tensor![0.1, 0.2];
    let w = x.leaky_relu(&slopes);
}
