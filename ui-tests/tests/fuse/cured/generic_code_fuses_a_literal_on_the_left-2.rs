use supremum::{F32, Rank, Rank0, Tensor, fuse};

fn complement<N: Rank>(x: &Tensor<F32, N>) -> Tensor<F32, N>
where
    Rank0: supremum::rank::Broadcast<N, Output = N>,
{
    fuse!(1.0 - x)
}

fn main() {}
