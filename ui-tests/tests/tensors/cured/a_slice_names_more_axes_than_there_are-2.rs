use supremum::prelude::*;

fn main() {
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0];
    let _ = t.take([0, 2], 0);
}
