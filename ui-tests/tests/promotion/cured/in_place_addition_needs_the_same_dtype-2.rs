use supremum::{F16, F32, Rank1, Tensor, tensor};

fn main() {
    let mut a: Tensor<F16, Rank1> = tensor![1.0];
    let b: Tensor<F32, Rank1> = tensor![1.0];
    let c = a.cast::<F32>() + b.cast::<F32>();
}
