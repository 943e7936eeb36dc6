use supremum::{F32, I64, Rank1, Rank2, Tensor, tensor};

fn main() {
    let points: Tensor<F32, Rank2> = tensor![[0.5, 1.5], [2.5, 3.5]];
    let labels: Tensor<I64, Rank1> = tensor![1, 1];
    let sums = points.take(&labels, 0);
}
