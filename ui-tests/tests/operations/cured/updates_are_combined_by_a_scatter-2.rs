use supremum::prelude::*;

fn main() {
    let zeros = Tensor::<F32, Rank1>::zeros([2]);
    let groups: Tensor<I64, Rank1> = tensor![0, 1, 0];
    let values: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0];
    let sums: [Tensor<F32, Rank1>; 3] = [
        zeros.scatter(&groups, &values, 0),
        zeros.scatter_max(&groups, &values, 0),
        zeros.scatter_min(&groups, &values, 0),
    ];
}
