use supremum::{F32, Rank, Tensor};

fn row_sums<N: Rank>(x: &Tensor<F32, N>) -> Tensor<F32, N> {
    x.sum_axis(-1)
}

fn main() {}
