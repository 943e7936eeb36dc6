use supremum::{I64, Tensor, U8, fuse, tensor};

fn main() {
    let image: Tensor<U8> = tensor![1, 2];
    let darker = fuse!(if image > 100 { image.cast::<I64>() } else { -1 });
}
