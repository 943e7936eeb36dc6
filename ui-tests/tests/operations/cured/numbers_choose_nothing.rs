use supremum::{F32, Rank1, Tensor, select, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = select(&x.not_equal(0), 1.0, 0.0);
}
