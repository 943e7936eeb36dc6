use supremum::{BF16, F32, I64, Numpy, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<BF16, Rank1, Numpy> = tensor![0.5];
    let b: Tensor<I64, Rank1, Numpy> = tensor![1];
    let both = a.cast::<F32>().concat(&b.cast::<F32>(), 0);
}
