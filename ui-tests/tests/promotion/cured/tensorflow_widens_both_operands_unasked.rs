use supremum::{BF16, F16, F32, Rank1, Tensor, TensorFlow, tensor};

fn main() {
    let a: Tensor<BF16, Rank1, TensorFlow> = tensor![0.5];
    let b: Tensor<F16, Rank1, TensorFlow> = tensor![0.5];
    let sum = a.cast::<F32>() + b.cast::<F32>();
}
