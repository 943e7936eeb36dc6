use supremum::{F32, Rank, Tensor};

fn row_sums<N: supremum::rank::RemoveAxis>(x: &Tensor<F32, N>) -> Tensor<F32, N::Output> {
    x.sum_axis(-1)
}

fn main() {}
