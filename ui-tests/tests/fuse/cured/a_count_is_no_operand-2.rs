use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0];
    let v = [1.0];
    let other = Tensor::<F32, Rank1>::from(v);
    let mean = fuse!(x / other);
}
