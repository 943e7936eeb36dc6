use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let square = a.pow(2);
}
