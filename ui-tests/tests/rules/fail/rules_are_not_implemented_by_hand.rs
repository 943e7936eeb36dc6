use supremum::{F32, Rank1, Rules, Tensor, tensor};

#[derive(Clone, Copy, Debug, Default)]
struct Mine;

impl Rules for Mine {}

fn main() {
    let x: Tensor<F32, Rank1, Mine> = tensor![1.0, 2.0];
}
