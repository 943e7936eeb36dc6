use supremum::{F32, I32, Tensor, tensor};

fn main() {
    let a: Tensor<F32> = tensor![1.0, 2.0];
    let both = &a.cast::<I32>() & &a.cast::<I32>();
}
