//! Random integers are of a range.
use supremum::{I64, Rank1, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let throws: Tensor<I64, Rank1> = Tensor::integers([3], 10, &mut rng);
}
