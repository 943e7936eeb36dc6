use supremum::{BF16, I64, Numpy, Rank1, Tensor, promote_unsafe, tensor};

fn main() {
    let a: Tensor<BF16, Rank1, Numpy> = tensor![0.5];
    let b: Tensor<I64, Rank1, Numpy> = tensor![1];
    let sum = promote_unsafe!(a + b);
}
