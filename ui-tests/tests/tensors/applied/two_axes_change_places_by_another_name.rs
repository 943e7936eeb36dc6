use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank3> = tensor![[[1.0, 2.0]]];
    let y = a.matrix_transpose();
    assert_eq!(y, a.permute([0, 2, 1]));
}
