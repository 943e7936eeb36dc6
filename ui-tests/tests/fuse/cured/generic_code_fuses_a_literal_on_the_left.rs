use supremum::{Arithmetic, F32, Jax, Rank, Tensor, fuse};

fn complement<N: Rank>(x: &Tensor<F32, N>) -> Tensor<F32, N>
where
    F32: Arithmetic<Jax, N>,
{
    fuse!(1.0 - x)
}

fn main() {}
