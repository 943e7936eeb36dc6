use supremum::{Arithmetic, F32, Jax, Rank, Rank1, Tensor, fuse};

fn scaled<N: Rank>(x: &Tensor<F32, N>, gamma: &Tensor<F32, Rank1>) -> Tensor<F32, N>
where
    F32: Arithmetic<Jax, N>,
    N: supremum::rank::Broadcast<Rank1, Output = N>,
    Rank1: supremum::rank::Broadcast<N, Output = N>,
{
    fuse!(if gamma < x { x.maximum(0.0) * gamma } else { 1.0 - x })
}

fn main() {}
