use supremum::{Rank1, Tensor, U64};

fn main() {
    let counts: Tensor<U64, Rank1> = Tensor::zeros([3]);
}
