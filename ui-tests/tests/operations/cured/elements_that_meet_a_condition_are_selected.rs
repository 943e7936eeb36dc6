use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 2.0];
    let found = x.masked_select(&x.not_equal(0));
}
