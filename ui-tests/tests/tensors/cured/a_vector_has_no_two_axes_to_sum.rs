use supremum::prelude::*;

fn main() {
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let _ = t.sum_axis(..);
}
