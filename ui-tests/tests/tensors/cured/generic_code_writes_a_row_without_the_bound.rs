use supremum::{F32, Tensor};

fn clear<N: supremum::rank::RemoveAxis>(x: &mut Tensor<F32, N>) {
    x.index_axis_mut(0, 0).fill(0.0);
    x.diagonal_mut(0, 0, 1).fill(1.0);
}

fn main() {}
