use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let x = a[[1, 0]];
    assert_eq!(a.shape()[0], 2);
}
