use supremum::{F32, I64, Rank1, Tensor, tensor};

fn main() {
    let sums = Tensor::<F32, Rank1>::zeros([3]);
    let groups: Tensor<I64, Rank1> = tensor![0, 2, 0, 1];
    let weights: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let sums = sums.slice(0, 1..3);
}
