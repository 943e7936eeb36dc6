use supremum::{C64, Rank1, Tensor};

fn main() {
    let z: Tensor<C64, Rank1> = Tensor::zeros([3]);
    let median = z.median();
}
