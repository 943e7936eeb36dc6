use supremum::{Rank1, Tensor};

fn main() {
    let counts: Tensor<usize, Rank1> = Tensor::zeros([3]);
}
