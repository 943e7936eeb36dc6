use supremum::{I64, Rank1, Tensor, tensor};

fn main() {
    let counts: Tensor<I64, Rank1> = tensor![1, 2, 3];
    let doubled = 2.0 * &counts;
}
