use supremum::{I32, Tensor, tensor};

fn main() {
    let mut pixels: Tensor<I32> = tensor![10, 20];
    pixels = (pixels * 0.5).cast::<I32>();
}
