use supremum::{Arithmetic, Bool, F32, Jax, Rank, Tensor};

fn is_less<N: Rank>(x: &Tensor<F32, N>, y: &Tensor<F32, N>) -> Tensor<Bool, N>
where
    F32: Arithmetic<Jax, N>,
{
    x.lt(y)
}

fn main() {}
