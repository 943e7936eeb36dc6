use supremum::{BF16, F16, Rank1, Tensor, TensorFlow, promote_unsafe, tensor};

fn main() {
    let a: Tensor<BF16, Rank1, TensorFlow> = tensor![0.5];
    let b: Tensor<F16, Rank1, TensorFlow> = tensor![0.5];
    let sum = promote_unsafe!(a + b);
}
