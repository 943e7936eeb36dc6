use supremum::{F32, Rank, Rank1, Tensor};

fn scaled<N: Rank>(x: &Tensor<F32, N>, gamma: &Tensor<F32, Rank1>) -> Tensor<F32, N>
where
    Rank1: supremum::rank::Broadcast<N, Output = N>,
{
    gamma * x
}

fn main() {}
