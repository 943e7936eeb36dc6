use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let area = (a.slice(0, 1..) + a.slice(0, ..-1)).sum() / 2.0;
}
