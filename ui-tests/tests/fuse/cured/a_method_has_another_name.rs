use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![-1.0, 2.0];
    let relu = fuse!(x.maximum(0.0));
    let cube = fuse!(x.pow(3));
    let small = fuse!(x.cast::<supremum::F16>());
    let weights = fuse!((x * 127.0).round().cast_saturating::<supremum::I8>());
}
