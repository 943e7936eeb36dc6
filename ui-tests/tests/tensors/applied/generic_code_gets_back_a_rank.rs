use supremum::{AnyRank, Error, F32, Rank, Tensor};

struct Optimizer {
    weights: Vec<Tensor<F32>>,
}

impl Optimizer {
    fn add<N: Rank>(&mut self, weights: Tensor<F32, N>) -> Result<Tensor<F32, N>, Error>
    where
        AnyRank: supremum::rank::MayBe<N>,
    {
        weights.into_any().rank::<N>()
    }
}

fn main() {}
