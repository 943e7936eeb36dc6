use supremum::prelude::*;

fn main() {
    let zeros = Tensor::<F32, Rank2>::full([2, 1], 0.0);
    let groups: Tensor<I64, Rank1> = tensor![0, 1, 0];
    let values: Tensor<F32, Rank2> = tensor![[1.0], [2.0], [3.0]];
    let sums: Tensor<F32, Rank2> = zeros.scatter_add(&groups.unsqueeze(1), &values, 0);
}
