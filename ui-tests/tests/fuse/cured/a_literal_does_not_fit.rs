use supremum::{I64, Tensor, U8, fuse, tensor};

fn main() {
    let image: Tensor<U8> = tensor![1, 2];
    let brighter = fuse!(image.cast::<I64>() + 300);
}
