use supremum::{F32, I32, Tensor, tensor};

fn main() {
    let halves: Tensor<I32> = tensor![1, 2];
    let halves = halves.cast::<F32>() * 1.5;
}
