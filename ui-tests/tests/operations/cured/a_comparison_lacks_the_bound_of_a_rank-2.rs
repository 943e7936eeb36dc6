use supremum::{Bool, F32, Rank, Tensor};

fn is_less<N: Rank>(x: &Tensor<F32, N>, y: &Tensor<F32, N>) -> Tensor<Bool, N>
where
    N: supremum::rank::Broadcast<N, Output = N>,
{
    x.lt(y)
}

fn main() {}
