use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![6.0, -0.1, 1.0];
    let y: Tensor<I32, Rank1> = a.frexp();
}
