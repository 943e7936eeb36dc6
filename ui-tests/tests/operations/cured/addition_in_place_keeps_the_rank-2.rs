use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let mut a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    a += b.sum_axis(0);
}
