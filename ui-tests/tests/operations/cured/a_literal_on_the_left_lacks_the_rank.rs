use supremum::{Arithmetic, F32, Jax, Rank, Tensor};

fn complement<N: Rank>(x: &Tensor<F32, N>) -> Tensor<F32, N>
where
    F32: Arithmetic<Jax, N>,
{
    1 - x
}

fn main() {}
