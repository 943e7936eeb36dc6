use supremum::{Arithmetic, F32, Jax, Rank, Tensor};

fn limited<N: Rank, M: Rank>(x: &Tensor<F32, N>, limit: &Tensor<F32, M>) -> Tensor<F32, N>
where
    F32: Arithmetic<Jax, N>,
    N: supremum::rank::Broadcast<M, Output = N>,
{
    x.maximum(limit).maximum(0.0)
}

fn main() {}
