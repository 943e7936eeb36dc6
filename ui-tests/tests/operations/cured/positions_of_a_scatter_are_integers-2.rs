use supremum::{F32, Rank1, Tensor, tensor};

fn sums<I: supremum::IntegerDType>(
    values: &Tensor<F32, Rank1>,
    positions: &Tensor<I, Rank1>,
) -> Tensor<F32, Rank1> {
    values.scatter_add(positions, values, 0)
}

fn main() {
    let values: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let positions: Tensor<F32, Rank1> = tensor![1.0, 0.0];
    let sums = sums(&values, &positions.cast::<supremum::I64>());
}
