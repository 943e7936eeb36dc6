use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    let slopes: Tensor<F32, Rank1> = (a.slice(0, 2..) - a.slice(0, ..-2)) / 2.0;
}
