use supremum::{F32, F64, I64, Rank1, Tensor, tensor};

fn main() {
    let sums = Tensor::<F32, Rank1>::zeros([3]);
    let order: Tensor<F64, Rank1> = tensor![0.0, 2.0];
    let weights: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let sums = sums.scatter_add(&order.cast::<I64>(), &weights, 0);
}
