use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![-1.0, 2.0];
    let relu = fuse!(where(x > 0.0, x, 0.0));
    let half = fuse!((where(x > 0.0, x, 0.0) * 0.5).exp());
}
