use supremum::{F32, Rank, Rank0, Tensor};

fn scaled<N: Rank>(x: &Tensor<F32, N>, scale: &Tensor<F32, Rank0>) -> Tensor<F32, N>
where
    Rank0: supremum::rank::Broadcast<N, Output = N>,
{
    scale * x
}

fn main() {}
