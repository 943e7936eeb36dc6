use supremum::rank::RemoveAxis;
use supremum::{F32, Tensor};

fn totals<N: RemoveAxis>(x: &Tensor<F32, N>) {
    let sums = x.sum_axis(-1);
}

fn main() {}
