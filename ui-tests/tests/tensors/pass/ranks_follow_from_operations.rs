use supremum::prelude::*;

fn main() {
    let matrix: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let vector: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let _: Tensor<F32, Rank2> = &matrix + &vector;
    let _: Tensor<F32, Rank1> = matrix.matmul(&vector);
    let _: Tensor<F32, Rank0> = vector.matmul(&vector);
    let _: Tensor<F32, Rank1> = matrix.sum_axis(0);
    let _: Tensor<F32, Rank2> = matrix.sum_keepdims(0);
    let _: Tensor<F32, Rank3> = matrix.unsqueeze(0);
    let _: Tensor<F32, Rank4> = matrix.reshape([1, 2, 1, 2]);
    let any: Tensor<F32> = matrix.into_any();
    let _: Tensor<F32> = &any + &vector;
    let _: Tensor<F32, Rank2> = any.rank().unwrap();
}
