use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let values: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let positions: Tensor<F32, Rank1> = tensor![1.0, 0.0];
    let sums = values.scatter_add(&positions, &values, 0);
}
