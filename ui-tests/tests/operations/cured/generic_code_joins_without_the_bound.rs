use supremum::{Floating, Rank1, Rank2, Tensor};

fn joined<D: Floating>(a: &Tensor<D>, b: &Tensor<D>) -> Tensor<D> {
    a.concat(b, 0)
}

fn table<D: Floating>(a: &Tensor<D, Rank1>, b: &Tensor<D, Rank1>) -> Tensor<D, Rank2> {
    a.outer(b)
}

fn projection<D: Floating>(a: &Tensor<D, Rank1>, b: &Tensor<D, Rank1>) -> D::Element {
    a.dot(b).item().unwrap()
}

fn main() {}
