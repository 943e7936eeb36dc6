use supremum::{Arithmetic, Rank, Rules, Tensor};

fn difference<D: Arithmetic<R, N>, R: Rules, N: Rank>(a: &Tensor<D, N, R>, b: &Tensor<D, N, R>) {
    let difference = a - b;
}

fn main() {}
