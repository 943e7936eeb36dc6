use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn layer(x: &Tensor<F32, Rank1>) -> Tensor<F32, Rank1> {
    x * 2.0
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0];
    let y = fuse!(&layer(&x) + 1.0);
}
