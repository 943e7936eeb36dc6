use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let (values, counts) = a.unique_counts();
    let most = values.take(&counts.argmax(), 0);
}
