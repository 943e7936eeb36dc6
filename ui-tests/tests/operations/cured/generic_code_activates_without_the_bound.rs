use supremum::{Floating, Rank1, Rules, Tensor};

fn active<D: Floating<R, Rank1>, R: Rules>(x: &Tensor<D, Rank1, R>) {
    let _ = x.exp().gelu();
}

fn main() {}
