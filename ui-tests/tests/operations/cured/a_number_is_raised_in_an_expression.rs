use supremum::prelude::*;

fn main() {
    let a: Tensor<F64, Rank1> = tensor![1.0, 3.0];
    let y: Tensor<F64, Rank1> = fuse!(2.0.pow(a));
}
