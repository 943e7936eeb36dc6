use supremum::{F32, Rank, Tensor};

fn rectified<N: Rank, M: Rank>(x: &Tensor<F32, N>, floor: &Tensor<F32, M>) -> Tensor<F32, N>
where
    N: supremum::rank::Broadcast<M, Output = N>,
{
    x.maximum(floor)
}

fn main() {}
