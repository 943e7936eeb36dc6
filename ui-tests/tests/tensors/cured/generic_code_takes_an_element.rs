use supremum::{Floating, Rank1, Tensor};

fn filled<D: Floating>(x: D::Element) -> Tensor<D, Rank1> {
    Tensor::full([3], x)
}

fn main() {}
