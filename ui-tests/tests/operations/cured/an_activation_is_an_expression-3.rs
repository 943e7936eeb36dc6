use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let y = fuse!(x * (x + 3.0).clamp(0.0, 6.0) / 6.0);
    let z = fuse!(x.elu(1.67326324) * 1.05070099);
    let w = fuse!((x + 3.0).clamp(0.0, 6.0) / 6.0);
}
