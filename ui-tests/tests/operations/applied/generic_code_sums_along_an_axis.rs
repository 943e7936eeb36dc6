use supremum::{F32, Tensor};

fn row_sums<N: supremum::rank::RemoveAxis>(x: &Tensor<F32, N>) -> Tensor<F32> {
    let axes = vec![0, -1];
    x.sum_axis(&axes)
}

fn main() {}
