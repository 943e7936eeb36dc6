use supremum::{Arithmetic, Rank1, Tensor};

fn accumulate<D: Arithmetic>(total: &mut Tensor<D, Rank1>, x: &Tensor<D, Rank1>) {
    *total += x;
}

fn main() {}
