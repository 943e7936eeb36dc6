use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let mut a: Tensor<F32, Rank1> = tensor![0.5, -1.5];
    let mask = a.lt(0.0);
    let mask = a.masked_select(&mask);
}
