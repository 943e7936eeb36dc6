use supremum::{F32, Rank, Tensor};

fn totals<N: Rank>(x: &Tensor<F32, N>) {
    let sums = x.sum_axis(-1);
}

fn main() {}
